"""Values that a database cannot hold, in addresses and queries: they name nothing, on either database; an address with a NUL is none."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from parakh.leaderboard import accounts
from parakh.leaderboard.web.app import make_app
from parakh.leaderboard.web.security import cookie_name
from tests.service.worlds import NAME, PASSWORD, World

ODD = ("a%00b", "%ED%A0%80", "9" * 40, "%F0%9F%99%82", "%27%20OR%201=1--")


@pytest.mark.parametrize("kind", ["world", "postgresql_world"])
def test_odd_values_name_nothing(kind: str, request: pytest.FixtureRequest) -> None:
    world: World = request.getfixturevalue(kind)
    app = make_app(world.settings)
    cookie = accounts.log_in(world.database, "organiser@example.org", PASSWORD)
    client = TestClient(app, base_url=world.settings.address, cookies={cookie_name(world.settings, "session"): cookie})
    with client:
        for odd in ODD:
            status = 400 if "%00" in odd else 404
            for address in (f"/c/{odd}", f"/c/{NAME}/{odd}/topics", f"/s/{odd}", f"/s/{odd}/diagnosis", f"/organise/c/{odd}"):
                assert client.get(address, follow_redirects=False).status_code == status, address
            for address in (f"/api/v1/challenges/{odd}", f"/api/v1/submissions/{odd}"):
                assert client.get(address).status_code in {401, status}, address
            for name in ("before", "after", "actor", "action", "challenge", "since", "by", "a", "q"):
                for page in ("/organise/audit", "/organise/audit/export", f"/c/{NAME}/dev/topics/history", "/compare"):
                    assert client.get(f"{page}?{name}={odd}", follow_redirects=False).status_code < 500, (page, name, odd)
