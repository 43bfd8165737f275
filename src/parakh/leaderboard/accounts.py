"""Accounts and how somebody proves that one is theirs: with a password, a session's cookie or a token."""

from __future__ import annotations

import secrets
import string
from collections.abc import Iterable
from datetime import timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import Select, delete, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from parakh.errors import Fault
from parakh.leaderboard import audit, entries, limits, lockout, passwords
from parakh.leaderboard.clock import now
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Membership, Role, Token, User, WebSession
from parakh.leaderboard.refusals import Conflict, NotThere, Refused, TooMany
from parakh.leaderboard.rights import SCOPES, needs_account
from parakh.leaderboard.visibility import Viewer

SESSION_DAYS = 14
"""After which a browser has to log in again."""
PREFIX = "parakh_"
"""With which tokens begin."""
_SIGNS = string.ascii_letters + string.digits
_MOST = 20
"""Tokens that somebody may have at once."""
_USED_EVERY = timedelta(minutes=1)
"""How exactly it is kept when a token was last used."""
_WRONG = "the e-mail address or the password is wrong."


def sign_up(database: Database, email: str, name: str, password: str, role: Role = Role.MEMBER, by: str = "") -> User:
    """Make an account.

    Args:
        database: Where.
        email: Their e-mail address; kept in lower case.
        name: What others see of them.
        password: At least 10 characters.
        role: Over the whole service.
        by: Who makes it, for the audit log; "" is themselves.

    Raises:
        InputError: Something in it is no address, name or password; one line a fault.
        Conflict: The address has an account.

    >>> from parakh.leaderboard.database.migrations import migrate
    >>> database = Database("sqlite://")
    >>> migrate(database)
    >>> sign_up(database, "Asha@Example.org", "Asha", "correct horse battery").email
    'asha@example.org'
    """
    email = email.strip().lower()
    entries.check(
        entries.email_faults("account", email),
        entries.name_faults("account", "name", name),
        passwords.password_faults("account", password, email),
    )
    user = User(email=email, name=name, password=passwords.hashed(password), role=role.value)
    try:
        with database.write() as session:
            session.add(user)
            session.flush()
            audit.record(session, by or email, "account.made", user.email, detail={"role": user.role})
    except IntegrityError as error:
        raise Conflict(f"the address {email} has an account already: log in, or take another.") from error
    return user


def log_in(database: Database, email: str, password: str, cookie: str | None = None) -> str:
    """Open a session; whether an address has an account can be told neither from the answer nor from the time it takes.

    Args:
        database: Where.
        email: The e-mail address.
        password: The password.
        cookie: Of the session that the browser had until now, which ends.

    Returns:
        The value of the new cookie.

    Raises:
        Refused: The address or the password is wrong.
        TooMany: The account is locked for a while after ten wrong passwords; longer each time.

    >>> from parakh.leaderboard.database.migrations import migrate
    >>> database = Database("sqlite://")
    >>> migrate(database)
    >>> _ = sign_up(database, "asha@example.org", "Asha", "correct horse battery")
    >>> cookie = log_in(database, "asha@example.org", "correct horse battery")
    >>> viewer_of_session(database, cookie).name
    'asha@example.org'
    """
    email = email.strip().lower()
    email = "" if entries.email_faults("", email) else email
    with database.read() as session:
        kept = session.scalar(select(User.password).where(User.email == email, User.is_disabled.is_(False)))
    right = passwords.is_right(password, kept)
    with database.write() as session:
        user = session.scalar(select(User).where(User.email == email).with_for_update(of=User))
        left = lockout.left(session, user, email)
        if left is None and right and user is not None and not user.is_disabled and user.password == kept:
            user.failures, user.locked_until = 0, None
            return _opened(session, user, cookie)
        if left is None:
            lockout.count_failure(session, user, email)
    if left is not None:
        raise TooMany("too many wrong passwords: this account is locked for a while.", left.total_seconds())
    raise Refused(_WRONG)


def digest(secret: str) -> str:
    """What is kept of a random secret: its SHA-256."""
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def open_session(database: Database, user: User, cookie: str | None = None) -> str:
    """Open a session for somebody who proved by other means who they are; the value of its cookie.

    Raises:
        Refused: The account is disabled.
    """
    with database.write() as session:
        present = session.get(User, user.id)
        if present is None or present.is_disabled:
            raise Refused("this account is disabled.")
        return _opened(session, present, cookie)


def _opened(session: Session, user: User, cookie: str | None) -> str:
    new = secrets.token_urlsafe(32)
    session.execute(delete(WebSession).where(WebSession.user_id == user.id, WebSession.expires_at <= now()))
    if cookie:
        session.execute(delete(WebSession).where(WebSession.digest == digest(cookie)))
    session.add(WebSession(digest=digest(new), user_id=user.id, expires_at=now() + timedelta(days=SESSION_DAYS)))
    audit.record(session, user.email, "session.opened", user.email)
    return new


def log_out(database: Database, cookie: str) -> None:
    """End a session; one that is not there is no fault."""
    with database.write() as session:
        row = session.get(WebSession, digest(cookie))
        if row is not None:
            audit.record(session, row.user.email, "session.closed", row.user.email)
            session.delete(row)


def sweep(database: Database) -> int:
    """Forget sessions that ended by themselves; how many there were."""
    with database.write() as session:
        ended = delete(WebSession).where(WebSession.expires_at <= now()).returning(WebSession.digest)
        return len(session.execute(ended).all())


def viewer_of_session(database: Database, cookie: str) -> Viewer | None:
    """Who has a session; None where it ended, or the account is disabled."""
    with database.read() as session:
        row = session.get(WebSession, digest(cookie))
        if row is None or row.expires_at <= now() or row.user.is_disabled:
            return None
        return viewer_of(session, row.user)


def viewer_of(session: Session, user: User, scopes: frozenset[str] | None = None) -> Viewer:
    """Somebody as one who looks.

    Args:
        session: A transaction, for their teams.
        user: Who.
        scopes: What their token allows; None with a browser.
    """
    teams = session.scalars(select(Membership.team_id).where(Membership.user_id == user.id))
    return Viewer(user.id, user.email, Role(user.role), frozenset(teams), scopes)


def viewer_named(database: Database, email: str) -> Viewer:
    """Somebody by their e-mail address, as with a browser.

    Raises:
        NotThere: Nobody has it.
    """
    with database.read() as session:
        user = session.scalar(select(User).where(User.email == email.strip().lower()))
        if user is None:
            raise NotThere("account", email)
        return viewer_of(session, user)


def change_password(database: Database, viewer: Viewer, old: str, new: str, cookie: str | None = None) -> None:
    """Take another password; every other browser has to log in again.

    Args:
        database: Where.
        viewer: Whose.
        old: The password until now; counts as a try where it is wrong.
        new: The next one.
        cookie: Of the session that stays.

    Raises:
        Refused: The old password is wrong.
        TooMany: Too many wrong ones.
        InputError: The new one is too short or easily guessed.
    """
    user_id = needs_account(viewer)
    entries.check(passwords.password_faults("account", new, viewer.name))
    limits.demand(database, f"password:{user_id}", lockout.TRIES, lockout.LOCK.total_seconds())
    with database.read() as session:
        kept = session.scalar(select(User.password).where(User.id == user_id))
    if not passwords.is_right(old, kept):
        raise Refused("the old password is wrong.")
    hashed = passwords.hashed(new)
    with database.write() as session:
        user = session.get_one(User, user_id, with_for_update=True)
        user.password = hashed
        others = delete(WebSession).where(WebSession.user_id == user_id)
        session.execute(others.where(WebSession.digest != digest(cookie)) if cookie else others)
        audit.record(session, viewer.name, "account.password-changed", user.email)


def make_token(
    database: Database, viewer: Viewer, name: str, scopes: Iterable[str] = ("read", "submit"), days: int | None = None
) -> tuple[Token, str]:
    """Make a token.

    Args:
        database: Where.
        viewer: Whose; with a browser, as no token makes tokens.
        name: What it is for.
        scopes: Any of "read", "submit", "organise".
        days: After which it ends; None for never.

    Returns:
        The token and its text, which is told this once.

    Raises:
        InputError: There is no such scope, or it has no name.
        Refused: They do not organise, and the token would.
        Conflict: They have twenty.

    >>> from parakh.leaderboard.database.migrations import migrate
    >>> database = Database("sqlite://")
    >>> migrate(database)
    >>> user = sign_up(database, "asha@example.org", "Asha", "correct horse battery")
    >>> token, text = make_token(database, viewer_named(database, user.email), "laptop", ["read"])
    >>> sorted(viewer_of_token(database, text).scopes)
    ['read']
    """
    user_id, wanted = needs_account(viewer), sorted(set(scopes))
    unknown = [Fault("token", "scopes", repr(one), f"any of {', '.join(SCOPES)}") for one in wanted if one not in SCOPES]
    nothing = [] if wanted else [Fault("token", "scopes", "none", f"any of {', '.join(SCOPES)}")]
    long = [Fault("token", "days", str(days), "1 to 3650")] if days is not None and not 1 <= days <= 3650 else []
    entries.check(entries.name_faults("token", "name", name), unknown, nothing, long)
    if "organise" in wanted and viewer.role == Role.MEMBER:
        raise Refused("only organisers have tokens that organise.")
    text = PREFIX + "".join(secrets.choice(_SIGNS) for _ in range(40))
    expires = None if days is None else now() + timedelta(days=days)
    token = Token(user_id=user_id, name=name, digest=digest(text), scopes=wanted, expires_at=expires)
    with database.write() as session:
        session.get_one(User, user_id, with_for_update=True)
        if len(session.scalars(_living(user_id)).all()) >= _MOST:
            raise Conflict(f"you have {_MOST} tokens: revoke one first.")
        session.add(token)
        session.flush()
        audit.record(session, viewer.name, "token.made", token.id, detail={"name": name, "scopes": wanted})
    return token, text


def tokens(database: Database, viewer: Viewer) -> list[Token]:
    """The tokens of somebody that were not revoked, newest first."""
    with database.read() as session:
        return list(session.scalars(_living(needs_account(viewer)).order_by(Token.made_at.desc())))


def revoke_token(database: Database, viewer: Viewer, token_id: str) -> None:
    """End a token at once.

    Raises:
        NotThere: It is not theirs, or ended already.
    """
    user_id = needs_account(viewer)
    with database.write() as session:
        token = session.scalar(_living(user_id).where(Token.id == token_id))
        if token is None:
            raise NotThere("token", token_id)
        token.revoked_at = now()
        audit.record(session, viewer.name, "token.revoked", token.id, detail={"name": token.name})


def viewer_of_token(database: Database, text: str) -> Viewer | None:
    """Whose token it is, with what it allows; None where there is none, it ended, or the account is disabled."""
    if not text.startswith(PREFIX):
        return None
    moment = now()
    with database.read() as session:
        token = session.scalar(select(Token).where(Token.digest == digest(text), Token.revoked_at.is_(None)))
        if token is None or token.user.is_disabled or (token.expires_at is not None and token.expires_at <= moment):
            return None
        viewer = viewer_of(session, token.user, frozenset(token.scopes))
    if token.used_at is None or moment - token.used_at > _USED_EVERY:
        with database.write() as session:
            session.execute(update(Token).where(Token.id == token.id).values(used_at=moment))
    return viewer


def _living(user_id: int) -> Select[Any]:
    return select(Token).where(Token.user_id == user_id, Token.revoked_at.is_(None))
