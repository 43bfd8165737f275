"""What the pages withstand: foreign forms, stolen cookies, strange hosts, redirects, long bodies, too many tries."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from parakh.leaderboard import limits
from parakh.leaderboard.settings import Settings
from parakh.leaderboard.web.app import make_app
from parakh.leaderboard.web.pages.account import MOST_LOG_INS
from parakh.leaderboard.web.security import SMALL_BODY, inner_path, origin_of
from tests.service import sites
from tests.service.sites import NAME, PASSWORD, Site


def filled(path: str) -> str:
    """A path with something in place of its parameters."""
    return re.sub(r"\{\w+\}", "x", path).replace("/c/x", f"/c/{NAME}")


POSTS = [path for method, path in sites.every_route() if method == "POST" and not path.startswith("/api/")]


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize("who", ["", "organiser@example.org"])
def test_no_page_changes_anything_without_the_forms_token(site: Site, path: str, who: str) -> None:
    browser = site.browser(who)
    other = site.browser("one@example.org").token()
    browser.get("/log-in")
    for token in ({}, {"csrf": ""}, {"csrf": "x" * 43}, {"csrf": other}, {"csrf": ["a", "b"]}):
        answer = browser.client.post(filled(path), data=token)
        assert answer.status_code == 403, (path, token)
        assert "no longer valid" in answer.text
    answer = browser.client.post(filled(path), json={"csrf": "x"})
    assert answer.status_code == 415


def test_the_token_of_somebody_without_a_session_is_of_no_use_in_one(site: Site) -> None:
    browser = site.browser()
    before = browser.token()
    browser.client.post("/log-in", data={"csrf": before, "email": "one@example.org", "password": PASSWORD})
    assert browser.client.post("/me/tokens", data={"csrf": before, "name": "x", "scopes": "read"}).status_code == 403


def test_cookies_are_out_of_reach_of_scripts_and_other_sites(site: Site) -> None:
    answer = site.browser().post("/log-in", {"email": "one@example.org", "password": PASSWORD})
    session = next(one for one in answer.headers.get_list("set-cookie") if one.startswith("parakh-session="))
    assert {"HttpOnly", "SameSite=lax", "Path=/"} <= set(session.split("; "))
    assert "Secure" not in session


def test_over_tls_cookies_are_tied_to_the_host(site: Site) -> None:
    settings = replace(site.settings, address="https://board.example.org", secure=True)
    client = TestClient(make_app(settings), base_url="https://board.example.org", follow_redirects=False)
    page = client.get("/log-in")
    cookie = page.headers["set-cookie"]
    assert cookie.startswith("__Host-parakh-visit=")
    assert "Secure" in cookie
    assert "Domain" not in cookie
    assert page.headers["strict-transport-security"].startswith("max-age=")
    token = re.search(r'name="csrf" value="([^"]+)"', page.text).group(1)  # type: ignore[union-attr]
    answer = client.post("/log-in", data={"csrf": token, "email": "one@example.org", "password": PASSWORD})
    assert any(one.startswith("__Host-parakh-session=") and "Secure" in one for one in answer.headers.get_list("set-cookie"))


@pytest.mark.parametrize(
    "path", ["/log-in", "/nothing", "/static/leaderboard.css", "/static/none", "/api/v1/challenges", "/api/v1/none", "/health"]
)
def test_every_answer_has_the_headers(site: Site, path: str) -> None:
    headers = site.browser().get(path).headers
    policy = headers["content-security-policy"]
    assert "unsafe" not in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == ("public, max-age=3600" if path.endswith(".css") else "no-store")


def test_an_error_within_is_told_without_its_traceback(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    from parakh.leaderboard import views_submission

    def broken(*args: object) -> None:
        raise RuntimeError("the secret of the service")

    monkeypatch.setattr(views_submission, "submission_view", broken)
    client = TestClient(site.app, base_url=site.settings.address, raise_server_exceptions=False)
    for path in ("/s/x", "/api/v1/submissions/x"):
        answer = client.get(path)
        assert answer.status_code == 500
        assert "secret" not in answer.text
        assert "Traceback" not in answer.text
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_database_that_is_gone_is_told_and_to_be_tried_again(tmp_path: Path) -> None:
    settings = Settings(tmp_path, "postgresql://127.0.0.1:1/parakh?connect_timeout=2", address="http://127.0.0.1:8765")
    client = TestClient(make_app(settings), base_url=settings.address, raise_server_exceptions=False)
    for path in ("/", "/c/x", "/api/v1/challenges"):
        answer = client.get(path)
        assert answer.status_code == 503, answer.text
        assert "cannot reach its database" in answer.text
        assert "127.0.0.1:1" not in answer.text
        assert answer.headers["retry-after"] == "5"
    health = client.get("/health")
    assert (health.status_code, health.json()["status"]) == (503, "the database cannot be reached")


def test_health_sees_that_the_data_folder_is_gone(site: Site) -> None:
    assert site.browser().get("/health").json() == {"status": "ok"}
    moved = site.settings.data.rename(site.settings.data.with_name("elsewhere"))
    try:
        assert site.browser().get("/health").status_code == 503
    finally:
        moved.rename(site.settings.data)


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "127.0.0.1@evil.example", "[::1", "a b"])
def test_strange_hosts_are_refused(site: Site, host: str) -> None:
    answer = TestClient(site.app, base_url=site.settings.address).get("/log-in", headers={"Host": host})
    assert answer.status_code == 421
    assert "parakh-visit" not in answer.headers.get("set-cookie", "")


@pytest.mark.parametrize(
    "target",
    [
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "javascript:alert(1)",
        "/\t/evil.example",
        "\\\\evil",
        "/%0d%0aX: y\r\nX: y",
    ],
)
def test_no_redirect_leads_elsewhere(site: Site, target: str) -> None:
    answer = site.browser().post("/log-in", {"email": "one@example.org", "password": PASSWORD, "next": target})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    assert "x" not in answer.headers
    assert inner_path(target) == "/"
    answer = site.browser("one@example.org").client.get("/log-in", params={"next": target})
    assert answer.headers["location"] == "/"


def test_pages_for_members_lead_to_the_log_in_and_back(site: Site) -> None:
    assert site.browser().get("/me").headers["location"] == "/log-in?next=/me"
    assert site.browser().get(f"/c/{NAME}/submit").headers["location"] == f"/log-in?next=/c/{NAME}/submit"


def test_long_bodies_are_refused_as_they_arrive(site: Site) -> None:
    browser = site.browser("one@example.org")
    token = browser.token()

    def body(sent: list[int]) -> Iterator[bytes]:
        yield f"csrf={token}&name=".encode()
        for _ in range(64):
            sent.append(SMALL_BODY)
            yield b"a" * SMALL_BODY

    sent: list[int] = []
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = browser.client.post(f"/c/{NAME}/team", content=body(sent), headers=kind)
    assert answer.status_code == 413
    answer = browser.client.post(f"/c/{NAME}/team", content=b"a", headers={**kind, "Content-Length": str(10**9)})
    assert answer.status_code == 413
    answer = browser.client.post("/me/tokens", data={"csrf": token, "name": "a" * (SMALL_BODY + 1)})
    assert answer.status_code == 413
    answer = site.program(site.token("one@example.org")).patch("/api/v1/submissions/x", json={"system": "a" * SMALL_BODY})
    assert answer.status_code == 413
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("content", "boundary"),
    [
        (b"", "x"),
        (b"--x", "x"),
        (b"--x\r\n\r\n\r\n--x--", "x"),
        (b'--x\r\nContent-Disposition: form-data; name="csrf"\r\n\r\nabc', "x"),
        (b"--y--", "x"),
        (b"\0" * 1000, "x"),
        (b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n' + b"\xff" + b"\r\n--x--\r\n", "x"),
        (b"--x\r\n" + b"A" * 100_000, "x"),
        (b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n' + b"a" * 100_000 + b"\r\n--x--\r\n", "x"),
        (b"--x--", "x" * 400),
    ],
)
def test_forms_that_are_none_are_refused(site: Site, content: bytes, boundary: str) -> None:
    browser = site.browser("one@example.org")
    kind = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    answer = browser.client.post(f"/c/{NAME}/submit", content=content, headers=kind)
    assert answer.status_code in {400, 403, 413}
    answer = site.program(site.token("one@example.org")).post(
        f"/api/v1/challenges/{NAME}/each/asr/submissions", content=content, headers=kind
    )
    assert answer.status_code in {400, 413, 422}, answer.text


def test_a_field_after_the_file_is_refused_and_nothing_is_kept(site: Site) -> None:
    program = site.program(site.token("two@example.org"))
    files = [("file", ("a.rttm", sites.answer(1.5))), ("system", (None, b"late"))]
    answer = program.post(f"/api/v1/challenges/{NAME}/each/diarization/submissions", files=files)
    assert answer.status_code == 400
    assert "expected the file last" in answer.json()["faults"][0]
    assert program.get("/api/v1/submissions").json() == []
    assert not list((site.settings.store / "incoming").glob("*"))


def test_logging_in_is_tried_a_few_times_only(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    import parakh.leaderboard.web.visit as visits

    monkeypatch.setattr(visits, "origin_of", lambda request: "198.51.100.9")
    browser = site.browser()
    fields = {"csrf": browser.token("/log-in"), "email": "nobody@example.org", "password": "wrong wrong wrong"}
    assert browser.client.post("/log-in", data=fields).status_code == 403
    for _ in range(MOST_LOG_INS - 1):
        assert limits.wait(site.database, "log-in:198.51.100.9", MOST_LOG_INS, 600.0) == 0
    answer = browser.client.post("/log-in", data=fields)
    assert answer.status_code == 429
    assert 0 < int(answer.headers["retry-after"]) <= 600
    assert "wrong wrong" not in answer.text


def test_wrong_tokens_are_tried_a_few_times_only(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    import parakh.leaderboard.web.caller as caller

    monkeypatch.setattr(caller, "origin_of", lambda request: "198.51.100.10")
    seen = [site.program("parakh_" + "a" * 40).get("/api/v1/me") for _ in range(31)]
    assert {one.status_code for one in seen[:30]} == {401}
    assert seen[0].headers["www-authenticate"] == "Bearer"
    assert (seen[30].status_code, "retry-after" in seen[30].headers) == (429, True)
    assert site.program(site.token("one@example.org")).get("/api/v1/me").status_code == 200


def test_a_session_ends_with_log_out_and_a_new_password_ends_the_others(site: Site) -> None:
    here, there = site.browser("alone@example.org"), site.browser("alone@example.org")
    new = "another password of mine"
    assert here.post("/me/password", {"old_password": PASSWORD, "new_password": new}).status_code == 303
    assert there.get("/me").status_code == 303
    assert here.get("/me").status_code == 200
    here.post("/me/password", {"old_password": new, "new_password": PASSWORD})
    stolen = dict(here.client.cookies)
    assert here.post("/log-out", {}).status_code == 303
    again = TestClient(site.app, base_url=site.settings.address, cookies=stolen, follow_redirects=False)
    assert again.get("/me").status_code == 303


def test_a_log_in_never_takes_over_a_cookie_that_was_planted(site: Site) -> None:
    browser = site.browser()
    fields = {"csrf": browser.token(), "email": "one@example.org", "password": PASSWORD}
    answer = browser.client.post("/log-in", data=fields, headers={"Cookie": f"{browser.cookies()}; parakh-session=planted"})
    assert answer.status_code == 303
    given = [one for one in answer.headers.get_list("set-cookie") if one.startswith("parakh-session=")]
    assert len(given) == 1
    assert "planted" not in given[0]


def test_unknown_and_forbidden_are_told_alike(site: Site) -> None:
    made = site.hand_in("two@example.org", "silent", "diarization", sites.answer(2.5))
    for other in (site.browser(), site.browser("one@example.org")):
        for path in ("/s/{}", "/s/{}/state", "/s/{}/file", "/s/{}/recordings", "/s/{}/diagnosis"):
            forbidden, unknown = other.get(path.format(made)), other.get(path.format("aaaaaaaaaaaa"))
            assert forbidden.status_code == unknown.status_code == 404
            assert forbidden.text.replace(made, "") == unknown.text.replace("aaaaaaaaaaaa", "")
    program = site.program(site.token("one@example.org"))
    for method, path in (("GET", "/{}"), ("GET", "/{}/file"), ("POST", "/{}/withdraw"), ("PATCH", "/{}")):
        answers = [
            program.request(method, f"/api/v1/submissions{path.format(one)}", json={} if method == "PATCH" else None)
            for one in (made, "aaaaaaaaaaaa")
        ]
        assert answers[0].status_code == answers[1].status_code == 404
        assert answers[0].content == answers[1].content


@pytest.mark.parametrize(
    "path",
    [
        "/s/a%00b",
        "/c/%00",
        "/c/%F0%9F/team",
        "/api/v1/challenges/%00",
        f"/c/{'a' * 5000}",
        "/c/..%2F..%2Fetc/team",
        "/static/..%2f..%2fapp.py",
    ],
)
def test_odd_addresses_lead_nowhere(site: Site, path: str) -> None:
    assert site.browser().get(path).status_code in {303, 400, 404}


def test_where_a_request_comes_from_is_counted_by_network() -> None:
    def origin(host: Any) -> str:
        return origin_of(Request({"type": "http", "client": (host, 1), "headers": []}))

    assert origin("2001:db8:1:2:3::4") == origin("2001:db8:1:2:ffff::1") != origin("2001:db8:1:3::1")
    assert origin("192.0.2.1") != origin("192.0.2.2")


def test_sign_up_can_be_shut(site: Site) -> None:
    settings: Settings = replace(site.settings, sign_up=False)
    client = TestClient(make_app(settings), base_url=settings.address, follow_redirects=False)
    assert client.get("/sign-up").status_code == 404
    assert "/sign-up" not in client.get("/log-in").text.partition("<main")[2]
