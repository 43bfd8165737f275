"""Accounts, passwords, sessions, tokens, and what the audit log says of them."""

from __future__ import annotations

import statistics
import time
from datetime import timedelta

import pytest
from sqlalchemy import select

from parakh.errors import InputError
from parakh.leaderboard import account_admin, accounts, audit, clock, lockout
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Role, Token, User, WebSession
from parakh.leaderboard.refusals import Conflict, NotThere, Refused, TooMany
from parakh.leaderboard.rights import COMMAND_LINE

PASSWORD = "correct horse battery"


def sign_up(database: Database, email: str = "asha@example.org", role: Role = Role.MEMBER) -> User:
    return accounts.sign_up(database, email, "Asha", PASSWORD, role)


def actions(database: Database) -> list[str]:
    return [event.action for event in audit.read(database, newest=False)]


def later(monkeypatch: pytest.MonkeyPatch, **by: float) -> None:
    """Let the clock of the modules go on."""
    moment = clock.now() + timedelta(**by)
    for module in (accounts, lockout):
        monkeypatch.setattr(module, "now", lambda: moment)


def test_a_session_is_opened_with_the_password_and_rotates(database: Database) -> None:
    user = sign_up(database, " Asha@Example.org ")
    assert user.email == "asha@example.org"
    first = accounts.log_in(database, "asha@example.org", PASSWORD)
    second = accounts.log_in(database, "ASHA@example.org", PASSWORD, first)
    assert first != second
    assert accounts.viewer_of_session(database, first) is None
    viewer = accounts.viewer_of_session(database, second)
    assert viewer is not None
    assert (viewer.user_id, viewer.name, viewer.role, viewer.scopes) == (user.id, user.email, Role.MEMBER, None)
    accounts.log_out(database, second)
    assert accounts.viewer_of_session(database, second) is None
    assert actions(database) == ["account.made", "session.opened", "session.opened", "session.closed"]


def test_neither_passwords_nor_cookies_are_kept(database: Database) -> None:
    sign_up(database)
    cookie = accounts.log_in(database, "asha@example.org", PASSWORD)
    with database.read() as session:
        user, row = session.scalars(select(User)).one(), session.scalars(select(WebSession)).one()
    assert user.password is not None
    assert user.password.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert cookie not in row.digest
    assert len(row.digest) == 64


def test_sessions_end_by_themselves(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    sign_up(database)
    cookie = accounts.log_in(database, "asha@example.org", PASSWORD)
    later(monkeypatch, days=13)
    assert accounts.viewer_of_session(database, cookie) is not None
    assert accounts.sweep(database) == 0
    later(monkeypatch, days=15)
    assert accounts.viewer_of_session(database, cookie) is None
    assert accounts.sweep(database) == 1


@pytest.mark.parametrize("email", ["asha@example.org", "nobody@example.org"])
def test_ten_wrong_passwords_lock_longer_each_time_whether_there_is_an_account_or_not(
    database: Database, monkeypatch: pytest.MonkeyPatch, email: str
) -> None:
    sign_up(database)
    for minutes, past in ((15, 16), (30, 47)):
        for _ in range(10):
            with pytest.raises(Refused, match="the e-mail address or the password is wrong"):
                accounts.log_in(database, email, "wrong password")
        with pytest.raises(TooMany, match="too many wrong passwords") as locked:
            accounts.log_in(database, email, PASSWORD)
        assert minutes * 60 - 30 < locked.value.seconds <= minutes * 60
        later(monkeypatch, minutes=past)
    if email == "asha@example.org":
        assert accounts.log_in(database, email, PASSWORD)
        assert actions(database).count("account.locked") == 2


def test_an_admin_unlocks_an_account(database: Database) -> None:
    sign_up(database)
    for _ in range(10):
        with pytest.raises(Refused):
            accounts.log_in(database, "asha@example.org", "wrong password")
    account_admin.unlock(database, COMMAND_LINE, "asha@example.org")
    assert accounts.log_in(database, "asha@example.org", PASSWORD)


def test_an_address_without_an_account_takes_the_same_time(database: Database) -> None:
    sign_up(database)
    times: dict[str, list[float]] = {"asha@example.org": [], "nobody@example.org": []}
    for _ in range(9):
        for email, taken in times.items():
            before = time.process_time()
            with pytest.raises(Refused):
                accounts.log_in(database, email, "wrong password")
            taken.append(time.process_time() - before)
    with_account, without = (statistics.median(taken) for taken in times.values())
    assert 0.5 < with_account / without < 2


@pytest.mark.parametrize(
    ("email", "name", "password", "message"),
    [
        ("asha", "Asha", PASSWORD, "account: email: found 'asha', expected an e-mail address."),
        ("a@b.org\nBcc: c@d.org", "Asha", PASSWORD, "expected an e-mail address"),
        ("a@b.org", " ", PASSWORD, "account: name: found ' ', expected a name without spaces around it."),
        ("a@b.org", "A\x00", PASSWORD, "account: name: found the character U\\+0000"),
        ("a@b.org", "A\u202eB", PASSWORD, "account: name: found the character U\\+202E"),
        ("a@b.org", "A" * 81, PASSWORD, "account: name: found 81 characters, expected at most 80."),
        ("a@b.org", "Asha", "short", "account: password: found 5 characters, expected 10 to 200"),
        ("a@b.org", "Asha", "aaaaaaaaaaaa", "account: password: found one that is easily guessed"),
        ("asha.devi@b.org", "Asha", "Asha.Devi@b.org", "account: password: found one that is easily guessed"),
        ("a@b.org", "Asha", "long enough\ud800", "account: password: found the character U\\+D800"),
    ],
)
def test_what_is_wrong_with_an_account_is_told(database: Database, email: str, name: str, password: str, message: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        accounts.sign_up(database, email, name, password)
    assert password not in str(error.value)
    assert actions(database) == []


def test_an_address_has_one_account(database: Database) -> None:
    sign_up(database)
    with pytest.raises(Conflict, match=r"asha@example\.org has an account already"):
        sign_up(database, "ASHA@example.org")
    assert actions(database) == ["account.made"]


def test_another_password_ends_the_other_sessions(database: Database) -> None:
    sign_up(database)
    here, there = (accounts.log_in(database, "asha@example.org", PASSWORD) for _ in range(2))
    viewer = accounts.viewer_of_session(database, here)
    assert viewer is not None
    with pytest.raises(Refused, match="the old password is wrong"):
        accounts.change_password(database, viewer, "wrong password", "another long one", here)
    accounts.change_password(database, viewer, PASSWORD, "another long one", here)
    assert accounts.viewer_of_session(database, here) is not None
    assert accounts.viewer_of_session(database, there) is None
    with pytest.raises(Refused):
        accounts.log_in(database, "asha@example.org", PASSWORD)
    assert accounts.log_in(database, "asha@example.org", "another long one")


def test_a_token_allows_what_it_says_until_it_is_revoked(database: Database) -> None:
    sign_up(database)
    viewer = accounts.viewer_named(database, "asha@example.org")
    token, text = accounts.make_token(database, viewer, "laptop", ["read"])
    assert text.startswith("parakh_")
    assert len(text) == 47
    with database.read() as session:
        assert text not in str([vars(row) for row in session.scalars(select(Token))])
    seen = accounts.viewer_of_token(database, text)
    assert seen is not None
    assert (seen.user_id, seen.scopes) == (viewer.user_id, frozenset({"read"}))
    with pytest.raises(Refused, match="no token allows this"):
        accounts.make_token(database, seen, "more", ["read"])
    assert [one.name for one in accounts.tokens(database, viewer)] == ["laptop"]
    accounts.revoke_token(database, viewer, token.id)
    assert accounts.viewer_of_token(database, text) is None
    assert accounts.tokens(database, viewer) == []
    assert actions(database)[-2:] == ["token.made", "token.revoked"]


def test_tokens_end_by_themselves(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    sign_up(database)
    _, text = accounts.make_token(database, accounts.viewer_named(database, "asha@example.org"), "a day", ["read"], days=1)
    assert accounts.viewer_of_token(database, text) is not None
    later(monkeypatch, days=2)
    assert accounts.viewer_of_token(database, text) is None


def test_nobody_revokes_the_token_of_another(database: Database) -> None:
    sign_up(database)
    sign_up(database, "binod@example.org")
    token, text = accounts.make_token(database, accounts.viewer_named(database, "asha@example.org"), "laptop")
    with pytest.raises(NotThere):
        accounts.revoke_token(database, accounts.viewer_named(database, "binod@example.org"), token.id)
    assert accounts.viewer_of_token(database, text) is not None


@pytest.mark.parametrize("scopes", [["organise"], ["read", "admin"], []])
def test_a_member_gets_no_token_that_organises_or_allows_what_there_is_not(database: Database, scopes: list[str]) -> None:
    sign_up(database)
    with pytest.raises((Refused, InputError), match=r"only organisers|expected any of read, submit, organise"):
        accounts.make_token(database, accounts.viewer_named(database, "asha@example.org"), "x", scopes)


@pytest.mark.parametrize("email", ["", "\ud800@example.org", "a\0@example.org", "' OR 1=1 --", "a" * 100_000])
def test_what_is_no_address_is_refused_as_an_unknown_one(database: Database, email: str) -> None:
    with pytest.raises(Refused, match="the e-mail address or the password is wrong"):
        accounts.log_in(database, email, PASSWORD)


@pytest.mark.parametrize("text", ["", "parakh_", "parakh_" + "a" * 40, "parakh_" + "\ud800" * 40, "' OR 1=1 --"])
def test_no_other_text_is_a_token(database: Database, text: str) -> None:
    assert accounts.viewer_of_token(database, text) is None
    assert accounts.viewer_of_session(database, text) is None


def test_a_disabled_account_has_neither_sessions_nor_tokens(database: Database) -> None:
    user = sign_up(database)
    cookie = accounts.log_in(database, user.email, PASSWORD)
    _, text = accounts.make_token(database, accounts.viewer_named(database, user.email), "laptop")
    account_admin.set_disabled(database, COMMAND_LINE, user.email, True)
    assert accounts.viewer_of_session(database, cookie) is None
    assert accounts.viewer_of_token(database, text) is None
    with pytest.raises(Refused, match="the password is wrong"):
        accounts.log_in(database, user.email, PASSWORD)
    account_admin.set_disabled(database, COMMAND_LINE, user.email, False)
    assert accounts.log_in(database, user.email, PASSWORD)


def test_only_admins_change_roles_and_one_is_left(database: Database) -> None:
    sign_up(database)
    sign_up(database, "admin@example.org", Role.ADMIN)
    with pytest.raises(Refused, match="only admins"):
        account_admin.set_role(database, accounts.viewer_named(database, "asha@example.org"), "asha@example.org", Role.ADMIN)
    admin = accounts.viewer_named(database, "admin@example.org")
    for change in (
        lambda: account_admin.set_role(database, admin, "admin@example.org", Role.MEMBER),
        lambda: account_admin.set_disabled(database, admin, "admin@example.org", True),
    ):
        with pytest.raises(Conflict, match="the last admin"):
            change()
    account_admin.set_role(database, admin, "asha@example.org", Role.ADMIN)
    account_admin.set_role(database, admin, "admin@example.org", Role.MEMBER)
    event = audit.read(database, limit=1)[0]
    assert (event.actor, event.action, event.detail) == (
        "admin@example.org",
        "account.role-changed",
        {"from": "admin", "to": "member"},
    )
