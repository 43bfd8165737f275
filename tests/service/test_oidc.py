"""Logging in by OpenID Connect, at a provider that is a process of its own."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from parakh.errors import UnavailableError
from parakh.leaderboard import account_admin, accounts, accounts_oidc, audit, clock
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import User
from parakh.leaderboard.refusals import Conflict, Refused
from parakh.leaderboard.rights import COMMAND_LINE
from parakh.leaderboard.settings import Oidc, Settings
from tests.service.oidc_provider import CLIENT, SECRET
from tests.service.worlds import PASSWORD

ADDRESS = "https://board.example.org"


def settings(port: int, mode: str = "good", secret: str = SECRET, sign_up: bool = True) -> Settings:
    oidc = Oidc(f"http://127.0.0.1:{port}/{mode}", CLIENT, secret)
    return Settings(Path("nowhere"), address=ADDRESS, oidc=oidc, sign_up=sign_up)


def at_the_provider(address: str) -> tuple[str, str]:
    """A browser goes there and is sent back; the state and the code that it brings."""
    back = urlsplit(httpx.get(address).headers["Location"])
    assert f"{back.scheme}://{back.netloc}{back.path}" == f"{ADDRESS}{accounts_oidc.CALLBACK}"
    query = parse_qs(back.query)
    return query["state"][0], query["code"][0]


def log_in(database: Database, which: Settings) -> User:
    address, kept = accounts_oidc.begin(which)
    return accounts_oidc.finish(database, which, kept, *at_the_provider(address))


@pytest.mark.parametrize("mode", ["good", "post"])
def test_somebody_new_gets_an_account_and_has_it_the_next_time(database: Database, port: int, mode: str) -> None:
    user = log_in(database, settings(port, mode))
    assert (user.email, user.name, user.role, user.password) == ("asha.rao@example.org", "Asha Rao", "member", None)
    cookie = accounts.open_session(database, user)
    viewer = accounts.viewer_of_session(database, cookie)
    assert viewer is not None
    assert viewer.user_id == user.id
    assert log_in(database, settings(port, mode, sign_up=False)).id == user.id
    assert [event.action for event in audit.read(database, newest=False)] == ["account.made", "session.opened"]
    with pytest.raises(Refused, match="the password is wrong"):
        accounts.log_in(database, user.email, "")


def test_what_leaves_for_the_provider_keeps_the_secrets_here(port: int) -> None:
    address, kept = accounts_oidc.begin(settings(port))
    own, query = json.loads(kept), parse_qs(urlsplit(address).query)
    assert query["state"] == [own["state"]]
    assert query["nonce"] == [own["nonce"]]
    assert query["scope"] == ["openid email profile"]
    assert query["code_challenge_method"] == ["S256"]
    assert own["verifier"] not in address
    assert SECRET not in address
    assert accounts_oidc.begin(settings(port))[1] != kept


@pytest.mark.parametrize(
    ("mode", "message"),
    [
        ("wrong-key", "bad_signature"),
        ("unsigned", "the provider's answer cannot be trusted"),
        ("public-key-as-secret", "the provider's answer cannot be trusted"),
        ("wrong-iss", "iss"),
        ("wrong-aud", "aud"),
        ("wrong-nonce", "nonce"),
        ("no-nonce", "nonce"),
        ("expired", "expired"),
        ("unverified", "no e-mail address of yours that it has verified"),
    ],
)
def test_an_answer_that_does_not_hold_opens_nothing(database: Database, port: int, mode: str, message: str) -> None:
    with pytest.raises(Refused, match=message):
        log_in(database, settings(port, mode))
    assert account_admin.users(database, COMMAND_LINE) == []


def test_another_browser_does_not_come_in(database: Database, port: int) -> None:
    which = settings(port)
    mine, theirs = accounts_oidc.begin(which), accounts_oidc.begin(which)
    state, code = at_the_provider(theirs[0])
    for kept, told in ((mine[1], state), (theirs[1], "x"), ("", state), ("{}", state), ("[]", ""), (theirs[1], "\ud800")):
        with pytest.raises(Refused, match="this browser did not ask to log in"):
            accounts_oidc.finish(database, which, kept, told, code)
    own = json.loads(mine[1]) | {"state": state}
    with pytest.raises(Refused, match="the provider refused: invalid_grant: the code is not for you"):
        accounts_oidc.finish(database, which, json.dumps(own), state, code)  # the code of another, without its verifier


def test_a_code_works_once_and_for_ten_minutes(database: Database, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    which = settings(port)
    address, kept = accounts_oidc.begin(which)
    back = at_the_provider(address)
    accounts_oidc.finish(database, which, kept, *back)
    with pytest.raises(Refused, match="the provider refused"):
        accounts_oidc.finish(database, which, kept, *back)
    moment = clock.now().replace(year=2099)
    monkeypatch.setattr(accounts_oidc, "now", lambda: moment)
    with pytest.raises(Refused, match="that took too long"):
        accounts_oidc.finish(database, which, kept, *back)


def test_an_account_with_a_password_is_not_taken_over(database: Database, port: int) -> None:
    accounts.sign_up(database, "asha.rao@example.org", "Asha", PASSWORD)
    with pytest.raises(Conflict, match=r"the address asha\.rao@example\.org has an account already"):
        log_in(database, settings(port))


def test_who_is_disabled_or_may_not_sign_up_stays_out(database: Database, port: int) -> None:
    with pytest.raises(Refused, match="nobody can sign up here"):
        log_in(database, settings(port, sign_up=False))
    user = log_in(database, settings(port))
    account_admin.set_disabled(database, COMMAND_LINE, user.email, True)
    with pytest.raises(Refused, match="this account is disabled"):
        log_in(database, settings(port))


@pytest.mark.parametrize(
    ("mode", "message"), [("other-issuer", "says that it is"), ("plain-http", "has no token_endpoint with https")]
)
def test_what_is_no_provider_is_told(port: int, mode: str, message: str) -> None:
    with pytest.raises(UnavailableError, match=message):
        accounts_oidc.begin(settings(port, mode))


def test_a_provider_that_is_away_and_a_wrong_secret_are_told(database: Database, port: int) -> None:
    with pytest.raises(UnavailableError, match=r"http://127\.0\.0\.1:1/good cannot be reached"):
        accounts_oidc.begin(settings(1))
    with pytest.raises(Refused, match="the provider refused"):
        log_in(database, settings(port, secret="wrong"))
    with pytest.raises(UnavailableError, match="nonsense cannot be reached"):
        log_in(database, settings(port, "nonsense"))
    with pytest.raises(Refused, match="no provider of single sign-on"):
        accounts_oidc.begin(Settings(Path("nowhere")))
