"""Logging in by OpenID Connect with a browser: to a provider in a process of its own, and back."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit

import httpx
from starlette.testclient import TestClient

from parakh.leaderboard.settings import Oidc
from parakh.leaderboard.web.app import make_app
from tests.service.oidc_provider import CLIENT, SECRET
from tests.service.sites import Site


def browser(site: Site, port: int, mode: str = "good") -> TestClient:
    settings = replace(site.settings, oidc=Oidc(f"http://127.0.0.1:{port}/{mode}", CLIENT, SECRET, "the institute"))
    return TestClient(make_app(settings), base_url=settings.address, follow_redirects=False)


def there_and_back(client: TestClient, wanted: str = "/me") -> str:
    """The path that the provider sends the browser back to."""
    answer = client.get("/log-in/oidc", params={"next": wanted})
    assert answer.status_code == 303
    back = urlsplit(httpx.get(answer.headers["location"]).headers["Location"])
    return f"{back.path}?{back.query}"


def test_somebody_comes_back_logged_in_where_they_wanted_to(site: Site, port: int) -> None:
    client = browser(site, port)
    assert "Log in with the institute" in client.get("/log-in").text
    answer = client.get(there_and_back(client))
    assert (answer.status_code, answer.headers["location"]) == (303, "/me")
    assert "parakh-oidc" not in client.cookies
    assert "asha.rao@example.org" in client.get("/me").text


def test_only_the_browser_that_asked_is_let_in_and_only_once(site: Site, port: int) -> None:
    client, other = browser(site, port), browser(site, port)
    path = there_and_back(client)
    other.get("/log-in/oidc")
    for stranger in (other, browser(site, port)):
        answer = stranger.get(path)
        assert (answer.status_code, "did not ask to log in" in answer.text) == (403, True)
        assert stranger.get("/me").status_code == 303
    assert client.get(path).status_code == 303
    assert client.get(path).status_code == 403
    client.cookies.set("parakh-oidc", "nonsense")
    assert client.get(path).status_code == 403


def test_it_leads_nowhere_else(site: Site, port: int) -> None:
    client = browser(site, port)
    assert client.get(there_and_back(client, "//evil.example")).headers["location"] == "/"


def test_a_provider_that_is_away_is_said_to_be(site: Site) -> None:
    answer = browser(site, 1).get("/log-in/oidc")
    assert (answer.status_code, "cannot be reached" in answer.text) == (503, True)


def test_without_a_provider_there_is_no_such_page(site: Site) -> None:
    for path in ("/log-in/oidc", "/log-in/oidc/back?state=a&code=b"):
        assert site.browser().get(path).status_code == 404
