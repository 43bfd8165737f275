"""Pages: from signing up to a scored submission, with forms alone."""

from __future__ import annotations

import re
from pathlib import Path

from tests.pages import EVIL, Page
from tests.service import sites
from tests.service.sites import NAME, PASSWORD, Site


def test_from_signing_up_to_a_scored_submission(site: Site) -> None:
    browser = site.browser()
    new = {"email": "New@example.org", "name": "नया", "password": PASSWORD, "next": f"/c/{NAME}/team"}
    answer = browser.post("/sign-up", new)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/c/{NAME}/team?said=signed-up")
    assert browser.get(f"/c/{NAME}/team").headers["location"] == f"/c/{NAME}/terms"
    assert sites.TERMS in browser.get(f"/c/{NAME}/terms").text
    assert browser.post(f"/c/{NAME}/terms", {"version": "1"}).headers["location"] == f"/c/{NAME}/team?said=accepted"
    assert browser.post(f"/c/{NAME}/team", {"name": "नई टीम"}).status_code == 303
    fields = {"contest": "each/diarization", "system": "Ours", "tags": "open, small", "paper": "https://example.org/p"}
    answer = browser.post(f"/c/{NAME}/submit", fields, {"file": ("answer.rttm", sites.answer())})
    assert answer.status_code == 303, answer.text
    place = answer.headers["location"].partition("?")[0]
    page = browser.get(place).text
    assert "queued" in page
    assert "http-equiv" in page  # it follows by itself, script or not
    assert browser.get(f"{place}/state").json() == {"state": "queued", "is_running": True}
    site.score()
    page = browser.get(place).text
    assert "scored" in page
    assert "http-equiv" not in page
    assert re.search(r'<th scope="row" dir="auto">all</th><td class="n">\d+\.\d+', page)
    assert browser.get(f"{place}/file").content == sites.answer()
    assert 'filename="answer.rttm"' in browser.get(f"{place}/file").headers["content-disposition"]
    assert "Ours" in browser.get(f"/c/{NAME}/team").text


def test_a_submission_with_faults_shows_them_and_costs_nothing(site: Site) -> None:
    browser = site.browser("one@example.org")
    answer = browser.post(f"/c/{NAME}/submit", {"contest": "each/asr"}, {"file": ("a.rttm", b"SPEAKER visit1 1 x 1 a\n")})
    site.score()
    page = browser.get(answer.headers["location"]).text
    assert "refused" in page
    assert "a.rttm:1: " in page
    quota = site.program(site.token("one@example.org")).get(f"/api/v1/challenges/{NAME}/team").json()["quotas"]
    assert [one["used"] for one in quota if (one["phase"], one["track"]) == ("each", "asr")] == [0]


def test_what_is_wrong_with_a_form_is_said_and_what_was_typed_is_kept(site: Site) -> None:
    browser = site.browser()
    answer = browser.post("/sign-up", {"email": "none", "name": EVIL, "password": "short"})
    assert answer.status_code == 422
    page = Page(answer.text)
    assert "expected an e-mail address" in page.text
    assert "password" in page.text
    assert "short" not in answer.text
    assert page.scripts == 0
    browser = site.browser("one@example.org")
    answer = browser.post(f"/c/{NAME}/submit", {"contest": "each/asr", "paper": "javascript:alert(1)"}, {"file": ("a", b"x")})
    assert answer.status_code == 422
    assert "expected an address that begins with http:// or https://" in answer.text
    answer = browser.post(f"/c/{NAME}/submit", {"contest": "each/none", "system": "kept"}, {"file": ("a", b"x")})
    assert answer.status_code == 422
    assert 'value="kept"' in answer.text
    answer = browser.post(f"/c/{NAME}/submit", {"contest": "each/asr"})
    assert (answer.status_code, "file: found none" in answer.text) == (422, True)


def test_teams_are_joined_by_code_renamed_and_left(site: Site) -> None:
    one, alone = site.browser("one@example.org"), site.browser("alone@example.org")
    code = re.search(r"joins the team: <code>(\w+)</code>", one.get(f"/c/{NAME}/team").text).group(1)  # type: ignore[union-attr]
    alone.post(f"/c/{NAME}/terms", {"version": "1"})
    assert alone.post(f"/c/{NAME}/team/join", {"invite": "nonsense"}).status_code == 404
    assert alone.post(f"/c/{NAME}/team/join", {"invite": code}).headers["location"] == f"/c/{NAME}/team?said=joined"
    assert ">alone<" in one.get(f"/c/{NAME}/team").text
    assert alone.post(f"/c/{NAME}/team/rename", {"name": "Mine"}).status_code == 403
    assert one.post(f"/c/{NAME}/team/rename", {"name": "Team One"}).status_code == 303
    assert one.post(f"/c/{NAME}/team/invite", {}).status_code == 303
    assert code not in one.get(f"/c/{NAME}/team").text
    assert alone.post(f"/c/{NAME}/team/leave", {}).status_code == 303
    assert ">alone<" not in one.get(f"/c/{NAME}/team").text


def test_a_description_is_changed_and_a_submission_withdrawn_by_its_team_alone(site: Site) -> None:
    made = site.hand_in("two@example.org", "scores", "diarization", sites.answer(0.5))
    one, two = site.browser("one@example.org"), site.browser("two@example.org")
    for path, fields in ((f"/s/{made}/edit", {"system": "x"}), (f"/s/{made}/withdraw", {}), (f"/s/{made}/choose", {})):
        assert one.post(path, fields).status_code == 404
    assert two.post(f"/s/{made}/edit", {"system": "B", "description": EVIL, "tags": "x, y", "paper": ""}).status_code == 303
    page = two.get(f"/s/{made}").text
    assert Page(page).scripts == 1  # the one that follows
    assert "<img src=/stolen" not in page
    assert two.post(f"/s/{made}/choose", {}).status_code == 409  # the organiser's rule picks
    assert two.post(f"/s/{made}/withdraw", {}).status_code == 303
    assert "withdrawn" in two.get(f"/s/{made}").text


def test_every_page_nests_and_asks_for_nothing_outside(site: Site) -> None:
    browser = site.browser("one@example.org")
    for path in ("/me", f"/c/{NAME}/team", f"/c/{NAME}/terms", f"/c/{NAME}/submit", "/nothing"):
        page = Page(browser.get(path).text)
        assert not page.open, path
        assert all(outer.startswith("/") for outer in page.outer), (path, page.outer)
        assert set(page.ids.values()) == {1}, path


def test_a_token_is_shown_once_and_revoked(site: Site) -> None:
    browser = site.browser("two@example.org")
    answer = browser.post("/me/tokens", {"name": "cluster", "scopes": ["read"], "days": "30"})
    token = re.search(r"parakh_\w{40}", answer.text).group(0)  # type: ignore[union-attr]
    assert token not in browser.get("/me").text
    assert site.program(token).get("/api/v1/me").json() == {"email": "two@example.org", "role": "member", "scopes": ["read"]}
    place = re.search(r"/me/tokens/\w+/revoke", browser.get("/me").text).group(0)  # type: ignore[union-attr]
    assert browser.post(place, {}).status_code == 303
    assert site.program(token).get("/api/v1/me").status_code == 401
    assert browser.post("/me/tokens", {"name": "x", "scopes": ["organise"], "days": ""}).status_code == 403


def test_the_service_says_that_it_is_well(site: Site, tmp_path: Path) -> None:
    assert site.browser().get("/health").json() == {"status": "ok"}
