"""How often something may be done: counts in the database, which all web processes share."""

from __future__ import annotations

import math
from datetime import timedelta

from sqlalchemy import delete, or_
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from parakh.leaderboard.clock import now
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Attempt
from parakh.leaderboard.refusals import TooMany

LOCKS = "no account:"
"""With which the counts of wrong passwords begin that are for addresses without an account."""


def demand(database: Database, key: str, most: int, seconds: float) -> None:
    """Count one more, and refuse it beyond the limit.

    Raises:
        TooMany: With the seconds until the window ends.
    """
    left = wait(database, key, most, seconds)
    if left:
        raise TooMany(f"too many tries; try again in {math.ceil(left)} seconds.", left)


def wait(database: Database, key: str, most: int, seconds: float) -> float:
    """Count one more.

    Args:
        database: Where the counts are.
        key: What is counted ("log-in:198.51.100.7").
        most: How many are allowed within one window of time.
        seconds: Length of the window, which begins with the first.

    Returns:
        The seconds until it may be tried again, 0 where it is within the limit.

    >>> from parakh.leaderboard.database.migrations import migrate
    >>> database = Database("sqlite://")
    >>> migrate(database)
    >>> [wait(database, "log-in:198.51.100.7", 2, 60) == 0 for _ in range(3)]
    [True, True, False]
    """
    moment = now()
    with database.write() as session:
        attempt = locked(session, key)
        age = (moment - attempt.since).total_seconds()
        if not 0 <= age < seconds:  # a clock that was set back begins a new window, too
            attempt.count, attempt.since, age = 0, moment, 0.0
        if attempt.count >= most:
            return seconds - age
        attempt.count += 1
        return 0.0


def locked(session: Session, key: str) -> Attempt:
    """The row of a key, made where there is none, and held until the transaction ends."""
    dialect = session.get_bind().dialect.name
    insert = postgresql.insert(Attempt) if dialect == "postgresql" else sqlite.insert(Attempt)
    session.execute(insert.values(key=key, count=0, since=now()).on_conflict_do_nothing())
    return session.get_one(Attempt, key, with_for_update=True)


def sweep(database: Database) -> int:
    """Forget counts that began more than a day ago, and those that lock addresses after a month; how many there were."""
    moment = now()
    locks = Attempt.key.startswith(LOCKS)
    old = or_(~locks & (Attempt.since < moment - timedelta(days=1)), Attempt.since < moment - timedelta(days=30))
    with database.write() as session:
        return len(session.execute(delete(Attempt).where(old).returning(Attempt.key)).all())
