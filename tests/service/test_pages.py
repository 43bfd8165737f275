"""Boards, recordings, comparisons and the organisers' console as pages: what stands on them, for whom, and what their forms do."""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from parakh.leaderboard import audit, clock, diagnoses, outcomes
from parakh.leaderboard.database.tables import Role, Submission
from parakh.leaderboard.posting import signed
from parakh.leaderboard.scoring import run_job
from parakh.markup import Html
from tests.pages import EVIL, Page
from tests.service import sites
from tests.service.sites import NAME, Browser, Site

EACH = f"/c/{NAME}/each/diarization"
CONSOLE = f"/organise/c/{NAME}"


@pytest.fixture(scope="module")
def ids(site: Site) -> dict[str, str]:
    """Scored submissions by what they are."""
    made = {
        "good": site.hand_in("one@example.org", "each", "diarization", sites.answer()),
        "late": site.hand_in("one@example.org", "each", "diarization", sites.answer(0.5)),
        "other": site.hand_in("two@example.org", "each", "diarization", sites.answer(0.2)),
        "silent": site.hand_in("one@example.org", "silent", "diarization", sites.answer()),
        "words": site.hand_in("one@example.org", "each", "asr", sites.transcript(), "a.json"),
    }
    site.score()
    return made


@pytest.fixture(scope="module")
def organiser(site: Site) -> Browser:
    return site.browser("organiser@example.org")


@pytest.fixture(scope="module")
def one(site: Site) -> Browser:
    return site.browser("one@example.org")


def read(browser: Browser, path: str, status: int = 200) -> Page:
    """A page whose elements nest, whose ids are unique, whose links lead to ids that are there, and which asks nobody else."""
    answer = browser.get(path)
    assert answer.status_code == status, (path, answer.text[:500])
    page = Page(answer.text)
    assert not page.open, path
    assert max(page.ids.values(), default=1) == 1, path
    assert {link[1:] for link in page.links} <= set(page.ids), path
    assert all(one.startswith("/") and not one.startswith("//") for one in page.outer), page.outer
    return page


def test_front_and_challenge_say_what_is_open_and_how_to_take_part(site: Site, one: Browser) -> None:
    front = read(site.browser(), "/")
    assert "Planted" in front.text
    assert "open, no end" in front.text
    challenge = read(site.browser(), f"/c/{NAME}")
    for words in ("50 a day", "scores and each recording's", "Diarization error rate, lower is better", "parakh validate"):
        assert words in challenge.text, words
    assert f"/api/v1/challenges/{NAME}/each/asr/kit" in challenge.outer
    assert "Team one" in read(one, f"/c/{NAME}").text
    read(site.browser(), "/c/nothing", 404)


def test_a_board_ranks_marks_its_viewer_and_says_how_to_read_it(site: Site, ids: dict[str, str], one: Browser) -> None:
    page = read(site.browser(), EACH)
    assert page.outer.index(f"/s/{ids['good']}") < page.outer.index(f"/s/{ids['other']}")
    assert f"/s/{ids['late']}" not in page.outer
    assert "Ranked by der (Diarization error rate): lower is better" in page.text
    assert "Metric set 1" in page.text
    assert "yours" not in page.text
    assert "yours" in read(one, EACH).text
    read(site.browser(), f"{EACH}?by=language:xx", 404)
    blind = read(site.browser(), f"/c/{NAME}/silent/diarization")
    assert "Scores of this phase are not shown yet" in blind.text
    assert "Team one" in blind.text
    assert not [link for link in blind.outer if link.startswith("/s/")]


def test_a_page_that_the_browser_has_is_not_sent_again(site: Site, ids: dict[str, str]) -> None:
    client = site.browser().client
    for path in (EACH, f"{EACH}/history"):
        first = client.get(path)
        assert first.headers["cache-control"] == "private, no-cache"
        again = client.get(path, headers={"If-None-Match": first.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert client.get(path, headers={"If-None-Match": '"other"'}).status_code == 200


def test_a_team_page_calls_phases_and_tracks_by_their_titles(site: Site, ids: dict[str, str], one: Browser) -> None:
    assert {("Phase each", "Who spoke when"), ("Phase each", "What was said")} <= set(
        re.findall(r'<td dir="auto">([^<]+)</td><td dir="auto">([^<]+)</td>', one.get(f"/c/{NAME}/team").text)
    )


def test_terms_accepted_on_a_direct_visit_lead_to_the_team(site: Site) -> None:
    alone = site.browser("alone@example.org")
    next_field = re.search(r'name="next" value="([^"]*)"', alone.get(f"/c/{NAME}/terms").text)
    assert next_field
    answer = alone.post(f"/c/{NAME}/terms", {"version": "1", "next": next_field.group(1)})
    assert answer.headers["location"] == f"/c/{NAME}/team?said=accepted"


def test_scores_over_time_are_drawn_and_told(site: Site, ids: dict[str, str]) -> None:
    answer = site.browser().get(f"{EACH}/history").text
    assert answer.count("<circle") == 2
    page = read(site.browser(), f"{EACH}/history")
    assert page.outer.index(f"/s/{ids['other']}") < page.outer.index(f"/s/{ids['good']}")
    assert answer.count('<span class="badge fine">new best</span>') == 1


def test_boards_as_files(site: Site, ids: dict[str, str]) -> None:
    client = site.browser().client
    for form, kind in (("csv", "text/csv"), ("json", "application/json"), ("md", "text/markdown"), ("tex", "application/x-tex")):
        answer = client.get(f"{EACH}/table.{form}")
        assert answer.headers["content-type"].startswith(kind)
        assert "Team one" in answer.text
    assert json.loads(client.get(f"{EACH}/table.json").text)["title"] == "Planted: Who spoke when, Phase each"
    assert client.get(f"{EACH}/table.exe").status_code == 404
    feed = client.get(f"/c/{NAME}/feed.xml")
    assert feed.headers["content-type"].startswith("application/rss+xml")
    assert ids["good"] in feed.text


def test_recordings_stand_worst_first_and_open_for_those_who_may(
    site: Site, ids: dict[str, str], one: Browser, organiser: Browser
) -> None:
    place = f"/s/{ids['good']}/recordings"
    listed = one.get(place).text
    values = [float(found) for found in re.findall(r'<td class="n">([\d.]+)</td>', listed)]
    assert len(values) == len(sites.SESSIONS)
    assert values == sorted(values, reverse=True)
    assert f"{place}/visit1" not in listed
    assert f"{place}/visit1" in read(organiser, place).outer
    for browser in (site.browser(), site.browser("two@example.org")):
        assert browser.get(place).status_code == 404
    assert one.get(f"{place}/visit1").status_code == 404
    page = read(organiser, f"{place}/visit1")
    assert "Timeline of" in organiser.get(f"{place}/visit1").text
    assert "invented" in page.text
    words = organiser.get(f"/s/{ids['words']}/recordings/visit1").text
    assert sites.WORDS[0] in words
    assert organiser.get(f"{place}/nowhere").status_code == 404
    assert organiser.get(f"{place}/visit1/audio").status_code == 404


def test_comparisons_are_of_own_submissions_or_by_organisers(
    site: Site, ids: dict[str, str], one: Browser, organiser: Browser
) -> None:
    assert site.browser().get("/compare").status_code == 303
    page = read(one, f"/compare?a={ids['good']}&b={ids['late']}")
    assert "Where the difference in der comes from" in page.text
    assert "visit1" in page.text
    assert ids["other"] not in one.get("/compare").text
    assert one.get(f"/compare?a={ids['good']}&b={ids['other']}").status_code == 404
    assert one.get(f"/compare?a={ids['good']}&b={ids['silent']}").status_code == 404
    assert "the same submission twice" in read(one, f"/compare?a={ids['good']}&b={ids['good']}").text
    assert "as in first" in read(organiser, f"/compare?a={ids['good']}&b={ids['words']}").text
    assert ids["other"] in organiser.get("/compare").text


def test_a_diagnosis_is_asked_for_and_stands_under_its_own_policy(site: Site, ids: dict[str, str], organiser: Browser) -> None:
    place = f"/s/{ids['words']}/diagnosis"
    assert site.browser("one@example.org").get(place).status_code == 404
    assert organiser.get(f"/s/{ids['good']}/diagnosis").status_code == 404
    assert "Make the diagnosis" in organiser.get(place).text
    row = next(one for one in rows(site) if one[0] == ids["words"])
    kept = diagnoses.Place.of(site.settings.data, row[1], row[2])
    kept.ask(ids["words"])
    assert "is being made" in read(organiser, place).text
    kept.give_up("/secret/place: no room")
    assert "no room" in read(organiser, place).text
    assert organiser.post(place, {}).status_code == 303
    assert diagnoses.wanted(site.settings.data) == [(ids["words"], kept)]
    policy = "default-src 'none'; script-src 'sha256-x'"
    kept.keep(f'<head><meta http-equiv="Content-Security-Policy" content="{policy}"></head><main>made</main>')
    answer = organiser.get(place)
    assert answer.headers["content-security-policy"] == f"{policy}; frame-ancestors 'none'; sandbox allow-scripts"
    assert f'<a href="/s/{ids["words"]}">' in answer.text


def test_the_scoring_process_makes_a_diagnosis(site: Site, ids: dict[str, str], tmp_path: Path) -> None:
    with site.database.read() as session:
        row = session.scalars(select(Submission).where(Submission.id == ids["words"])).one()
    job = outcomes.job_of(site.settings.data, site.store, row, row.contest.metric_set, row.contest.references)
    outcome = run_job(replace(job, diagnoses=True), site.settings.job, tmp_path)
    assert outcome.page is not None, outcome
    text = outcome.page.read_text(encoding="utf-8")
    assert "What should we work on next?" in text
    assert sites.WORDS[0] in text


def rows(site: Site) -> list[tuple[str, str, str]]:
    with site.database.read() as session:
        found = session.scalars(select(Submission)).unique()
        return [(one.id, one.file, one.contest.references) for one in found]


CONSOLE_PAGES = (
    *("/organise", "/organise/jobs", "/organise/users", "/organise/audit", CONSOLE),
    *(f"{CONSOLE}/{name}" for name in ("teams", "submissions", "rescoring", "webhooks", "audit", "downloads")),
    f"{CONSOLE}/phases/each/reveal",
)


@pytest.mark.parametrize("path", CONSOLE_PAGES)
def test_the_console_is_for_organisers(site: Site, ids: dict[str, str], one: Browser, organiser: Browser, path: str) -> None:
    read(organiser, path)
    assert one.get(path).status_code == 404
    assert site.browser().get(path).status_code == 303


def test_phases_are_changed_in_the_time_zone_of_the_challenge(site: Site, organiser: Browser) -> None:
    fields = {"opens": "2026-01-01T10:00", "closes": "", "freezes": "", "shows": "score", "shows_revealed": "recordings"}
    assert organiser.post(f"{CONSOLE}/phases/scores", fields).status_code == 303
    assert 'value="2026-01-01T10:00"' in organiser.get(CONSOLE).text
    assert "1 Jan 2026, 10:00 IST" in organiser.get(f"/c/{NAME}").text
    wrong = organiser.post(f"{CONSOLE}/phases/scores", {**fields, "closes": "2025-01-01T10:00"})
    assert wrong.status_code == 422
    assert "expected a moment after it opens" in wrong.text
    assert organiser.post(f"{CONSOLE}/phases/scores", {**fields, "closes": "soon"}).status_code == 422
    assert organiser.post(f"{CONSOLE}/phases/scores", {**fields, "shows": "all"}).status_code == 422
    assert organiser.post(f"{CONSOLE}/phases/none", fields).status_code == 404


def test_a_reveal_is_asked_about_done_and_taken_back(site: Site, ids: dict[str, str], organiser: Browser) -> None:
    place = f"{CONSOLE}/phases/silent"
    assert "The phase is still open" in read(organiser, f"{place}/reveal").text
    blind = f"/c/{NAME}/silent/diarization"
    assert ids["silent"] not in site.browser().get(blind).text
    assert organiser.post(f"{place}/reveal", {}).status_code == 303
    assert ids["silent"] in site.browser().get(blind).text
    assert organiser.post(f"{place}/hide", {}).status_code == 303
    assert ids["silent"] not in site.browser().get(blind).text


def test_a_team_gets_other_limits(site: Site, organiser: Browser) -> None:
    team = site.teams["one@example.org"]
    contest = re.search(r'<option value="(\d+)">Who spoke when, Phase each', organiser.get(f"{CONSOLE}/teams").text)
    assert contest
    place = f"{CONSOLE}/teams/{team}/quota"
    assert organiser.post(place, {"contest": contest.group(1), "day": "99", "total": "", "concurrent": ""}).status_code == 303
    assert "99 a day" in read(organiser, f"{CONSOLE}/teams").text
    assert organiser.post(place, {"contest": contest.group(1), "day": "many"}).status_code == 422
    assert organiser.post(place, {"contest": contest.group(1)}).status_code == 303
    assert "99 a day" not in read(organiser, f"{CONSOLE}/teams").text


def test_other_rules_are_tried(site: Site, ids: dict[str, str], organiser: Browser) -> None:
    form = organiser.get(f"{CONSOLE}/rescoring").text
    contest = re.search(r'name="contest" value="(\d+)">\s*<div class="field"><label for="rules-\d+">', form)
    text = re.search(r"<textarea[^>]*>([^<]*)</textarea>", form)
    assert contest
    assert text
    rules = json.loads(text.group(1).replace("&#34;", '"'))
    place = f"{CONSOLE}/rescoring"
    broken = organiser.post(place, {"contest": contest.group(1), "rules": json.dumps({**rules, "rank_by": "none"})})
    assert broken.status_code == 422
    assert "rank_by" in broken.text
    assert organiser.post(place, {"contest": contest.group(1), "rules": "{"}).status_code == 422
    assert organiser.post(place, {"contest": contest.group(1), "rules": json.dumps(rules)}).status_code == 409
    tried = {**rules, "version": "2", "options": {"collar": 0.25}} if "der" in rules["metrics"] else {**rules, "version": "2"}
    begun = organiser.post(place, {"contest": contest.group(1), "rules": json.dumps(tried)})
    assert begun.status_code == 303, begun.text
    page = read(organiser, begun.headers["location"].partition("?")[0])
    assert "running" in page.text
    assert organiser.post(begun.headers["location"].partition("?")[0] + "/apply", {}).status_code == 409
    assert organiser.post(begun.headers["location"].partition("?")[0] + "/drop", {}).status_code == 303
    assert "dropped" in read(organiser, place).text


def test_users_roles_and_accounts(site: Site, organiser: Browser) -> None:
    assert "Only admins change roles" in read(organiser, "/organise/users").text
    assert organiser.post("/organise/users/role", {"email": "alone@example.org", "role": "admin"}).status_code == 403
    from parakh.leaderboard import accounts

    accounts.sign_up(site.database, "admin@example.org", EVIL[:60], sites.PASSWORD, Role.ADMIN)
    admin = site.browser("admin@example.org")
    assert admin.post("/organise/users/role", {"email": "alone@example.org", "role": "organiser"}).status_code == 303
    assert admin.post("/organise/users/role", {"email": "alone@example.org", "role": "king"}).status_code == 422
    assert admin.post("/organise/users/role", {"email": "admin@example.org", "role": "member"}).status_code == 409
    assert admin.post("/organise/users/account", {"email": "alone@example.org", "do": "disable"}).status_code == 303
    page = read(admin, "/organise/users?q=alone")
    assert "shut" in page.text
    assert "two@example.org" not in page.text
    assert admin.post("/organise/users/account", {"email": "alone@example.org", "do": "enable"}).status_code == 303
    assert "<img" not in admin.get("/organise/users").text


def test_webhooks_are_added_and_removed(site: Site, organiser: Browser) -> None:
    place = f"{CONSOLE}/webhooks"
    assert organiser.post(place, {"address": "javascript:alert(1)"}).status_code == 422
    for inward in ("http://127.0.0.1/hook", "http://localhost:8080/", "http://[::1]/", "http://10.1/", "http://2130706433/"):
        answer = organiser.post(place, {"address": inward})
        assert (answer.status_code, "an address of the own network, expected a public address" in answer.text) == (422, True)
    answer = organiser.post(place, {"address": "https://me:hush@example.org/hook"})
    assert (answer.status_code, "found a name or password in it" in answer.text) == (422, True)
    assert "hush" not in organiser.get(f"{CONSOLE}/audit").text
    assert organiser.post(place, {"address": "https://example.org/hook"}).status_code == 303
    assert organiser.post(place, {"address": "https://example.org/hook"}).status_code == 409
    secret = re.search(r"<code>(whsec_[^<]+)</code>", organiser.get(place).text)
    assert secret
    assert signed("key", b"{}", secret.group(1), clock.now())["webhook-signature"].startswith("v1,")
    found = re.search(r'action="([^"]+/remove)"', organiser.get(place).text)
    assert found
    assert organiser.post(found.group(1), {}).status_code == 303
    assert "example.org/hook" not in organiser.get(place).text


def test_the_log_is_filtered_and_taken_away(site: Site, ids: dict[str, str], organiser: Browser) -> None:
    page = read(organiser, f"{CONSOLE}/audit?action=submission&subject={ids['good']}")
    assert ids["good"] in page.text
    assert ids["other"] not in page.text
    lines = organiser.get(f"{CONSOLE}/audit/export?form=jsonl&action=submission.made").text.splitlines()
    assert {json.loads(line)["subject"] for line in lines} >= set(ids.values())
    assert organiser.get("/organise/audit/export?form=csv").text.startswith("number,at,actor")
    tomorrow = (clock.now() + timedelta(days=2)).date()
    assert "Nothing." in read(organiser, f"/organise/audit?since={tomorrow}").text
    assert organiser.get("/organise/audit?since=soon").status_code == 422
    assert organiser.get("/organise/audit/export?form=exe").status_code == 404
    events = audit.read(site.database, audit.Filter(challenge=NAME), limit=3)
    assert 'rel="next"' not in organiser.get(f"{CONSOLE}/audit?before={events[-1].number}&subject=nobody").text


def test_everything_of_a_challenge_is_taken_away(site: Site, ids: dict[str, str], organiser: Browser) -> None:
    table = organiser.get(f"{CONSOLE}/submissions.csv").text.splitlines()
    assert len(table) == len(rows(site)) + 1
    archive = zipfile.ZipFile(io.BytesIO(organiser.get(f"{CONSOLE}/everything.zip").content))
    assert archive.testzip() is None
    names = archive.namelist()
    assert f"files/{ids['good']}/answer.rttm" in names
    assert archive.read(f"files/{ids['good']}/answer.rttm") == sites.answer()
    assert sum(name.startswith(f"results/{ids['good']}/") for name in names) == 2
    assert json.loads(archive.read("boards/each-diarization.json"))["rows"]
    assert archive.read("audit.jsonl").count(b"\n") > len(ids)


def test_markup_of_the_reports_needs_no_escaping_and_texts_do() -> None:
    from parakh.leaderboard.web.rendering import environment

    made = environment().from_string("{{ a }}{{ b }}").render(a=Html("<b>"), b="<b>")
    assert made == "<b>&lt;b&gt;"


def test_a_board_says_what_is_being_scored_to_those_who_may_know(site: Site, ids: dict[str, str], organiser: Browser) -> None:
    site.hand_in("one@example.org", "each", "diarization", sites.answer(0.1))
    site.hand_in("two@example.org", "each", "diarization", sites.answer(0.1))
    site.hand_in("one@example.org", "silent", "diarization", sites.answer(0.1))
    one, anybody, silent = site.browser("one@example.org"), site.browser(), f"/c/{NAME}/silent/diarization"
    told = "being scored"
    for browser in (one, organiser, anybody):
        assert "2 submissions are being scored" in browser.get(EACH).text
    for browser, knows in ((one, True), (organiser, True), (anybody, False), (site.browser("two@example.org"), False)):
        assert (told in browser.get(silent).text) is knows
    sites.set_phases(site, frozen=True)
    for browser, count in ((one, "1 submission is"), (organiser, "2 submissions are")):
        assert f"{count} being scored" in browser.get(EACH).text
    assert told not in anybody.get(EACH).text
    sites.set_phases(site, thawed=True)
    site.score()
    assert told not in one.get(EACH).text
