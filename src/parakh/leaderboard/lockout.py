"""Locking an account after wrong passwords; addresses without an account lock alike, so that nobody learns which have one."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256

from sqlalchemy.orm import Session

from parakh.leaderboard import audit, limits
from parakh.leaderboard.clock import now
from parakh.leaderboard.database.tables import User

TRIES = 10
"""Wrong passwords until an account is locked."""
LOCK = timedelta(minutes=15)
_LONGEST = timedelta(days=1)


def left(session: Session, user: User | None, email: str) -> timedelta | None:
    """How long an address is locked yet; addresses without an account lock, too."""
    if user is not None:
        until = user.locked_until
    else:
        attempt = limits.locked(session, _nobodys_key(email))
        lock = _lock_after(attempt.count)
        until = None if lock is None else attempt.since + lock
    left = None if until is None else until - now()
    return left if left is not None and left > timedelta(0) else None


def count_failure(session: Session, user: User | None, email: str) -> None:
    """Count a wrong password; every tenth in a row locks the address, whether it has an account or not.

    Args:
        session: Of the caller's transaction.
        user: Whose account it is; None where there is none.
        email: The address that was given.
    """
    if user is None:
        attempt = limits.locked(session, _nobodys_key(email))
        attempt.count, attempt.since = attempt.count + 1, now()
        return
    user.failures += 1
    lock = _lock_after(user.failures)
    if lock is not None:
        user.locked_until = now() + lock
        audit.record(session, audit.SYSTEM, "account.locked", user.email, detail={"minutes": lock.total_seconds() / 60})


def _lock_after(failures: int) -> timedelta | None:
    """For how long a number of wrong passwords locks; only every tenth does."""
    if failures == 0 or failures % TRIES:
        return None
    doublings = min(failures // TRIES - 1, 10)
    return min(LOCK * (1 << doublings), _LONGEST)


def _nobodys_key(email: str) -> str:
    return f"{limits.LOCKS}{sha256(email.encode('utf-8', 'surrogatepass')).hexdigest()}"
