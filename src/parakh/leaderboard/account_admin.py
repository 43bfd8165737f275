"""What admins do with accounts: roles, disabling, unlocking, new passwords."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from parakh.leaderboard import audit, entries, passwords
from parakh.leaderboard.clock import now
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Role, User, WebSession
from parakh.leaderboard.refusals import Conflict, NotThere
from parakh.leaderboard.rights import needs_admin, needs_organiser
from parakh.leaderboard.visibility import Viewer


def users(database: Database, viewer: Viewer) -> Sequence[User]:
    """Every account, in the order of their e-mail addresses.

    Raises:
        Refused: They do not organise.
    """
    needs_organiser(viewer)
    with database.read() as session:
        return session.scalars(select(User).order_by(User.email)).all()


def locked_until(user: User) -> datetime | None:
    """Until when wrong passwords keep an account locked; None where it is not."""
    until = user.locked_until
    return until if until is not None and until > now() else None


def set_role(database: Database, viewer: Viewer, email: str, role: Role) -> None:
    """Give somebody another role.

    Raises:
        Refused: They are no admin.
        NotThere: Nobody has the address.
        Conflict: It is the last admin.
    """
    needs_admin(viewer)
    with database.write() as session:
        user = _named(session, email)
        if role != Role.ADMIN:
            _not_the_last(session, user)
        audit.record(session, viewer.name, "account.role-changed", user.email, detail={"from": user.role, "to": role.value})
        user.role = role.value


def set_disabled(database: Database, viewer: Viewer, email: str, is_disabled: bool) -> None:
    """Shut an account, which ends its sessions, or open it again.

    Raises:
        Refused: They are no admin.
        NotThere: Nobody has the address.
        Conflict: It is the last admin.
    """
    needs_admin(viewer)
    with database.write() as session:
        user = _named(session, email)
        if is_disabled:
            _not_the_last(session, user)
            session.execute(delete(WebSession).where(WebSession.user_id == user.id))
        user.is_disabled = is_disabled
        audit.record(session, viewer.name, "account.disabled" if is_disabled else "account.enabled", user.email)


def unlock(database: Database, viewer: Viewer, email: str) -> None:
    """Let somebody in again who was locked out by wrong passwords.

    Raises:
        Refused: They are no admin.
        NotThere: Nobody has the address.
    """
    needs_admin(viewer)
    with database.write() as session:
        user = _named(session, email)
        user.failures, user.locked_until = 0, None
        audit.record(session, viewer.name, "account.unlocked", user.email)


def set_password(database: Database, viewer: Viewer, email: str, password: str) -> None:
    """Give somebody who forgot it a new password; their sessions end.

    Raises:
        Refused: They are no admin.
        NotThere: Nobody has the address.
        InputError: The password is too short or easily guessed.
    """
    needs_admin(viewer)
    entries.check(passwords.password_faults("account", password, email))
    hashed = passwords.hashed(password)
    with database.write() as session:
        user = _named(session, email)
        user.password, user.failures, user.locked_until = hashed, 0, None
        session.execute(delete(WebSession).where(WebSession.user_id == user.id))
        audit.record(session, viewer.name, "account.password-changed", user.email)


def _named(session: Session, email: str) -> User:
    user = session.scalar(select(User).where(User.email == email.strip().lower()).with_for_update(of=User))
    if user is None:
        raise NotThere("account", email)
    return user


def _not_the_last(session: Session, user: User) -> None:
    query = select(User.id).where(User.role == Role.ADMIN.value, User.is_disabled.is_(False)).with_for_update()
    if set(session.scalars(query)) == {user.id}:
        raise Conflict(f"{user.email} is the last admin: make another first.")
