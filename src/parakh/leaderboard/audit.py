"""The audit log: a line for every change, written with the change itself; lines are only ever added."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, false, select
from sqlalchemy.orm import Session

from parakh.csv_lines import line
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Event

SYSTEM = "system"
"""The actor of what nobody asked for."""
_PAGE = 1000
"""Lines that an export reads at once."""


@dataclass(frozen=True)
class Filter:
    """Which lines of the log.

    Args:
        challenge: Of one challenge; None for all.
        actor: Of one person, by e-mail address; None for all.
        action: Whose action is this or begins with it and a full stop ("submission" for "submission.made"); None for all.
        subject: About one thing; None for all.
        since: Not before this moment; None from the beginning.
        until: Before this moment; None to the end.
    """

    challenge: str | None = None
    actor: str | None = None
    action: str | None = None
    subject: str | None = None
    since: datetime | None = None
    until: datetime | None = None


EVERYTHING = Filter()


def record(
    session: Session,
    actor: str,
    action: str,
    subject: object,
    challenge: str | None = None,
    detail: Mapping[str, Any] | None = None,
) -> None:
    """Add a line within the transaction of the change.

    Args:
        session: The transaction.
        actor: E-mail address, "system" or "command line".
        action: "submission.made" and the like.
        subject: Of what: key or name.
        challenge: Name of the challenge; None for what belongs to none.
        detail: What else to know, as JSON; never a secret.

    >>> from parakh.leaderboard.database.migrations import migrate
    >>> database = Database("sqlite://")
    >>> migrate(database)
    >>> with database.write() as session:
    ...     record(session, "asha@example.org", "team.made", "abc", "visits", {"name": "Team A"})
    >>> [(event.actor, event.action) for event in read(database)]
    [('asha@example.org', 'team.made')]
    """
    session.add(Event(actor=actor, action=action, subject=str(subject), challenge=challenge, detail=dict(detail or {})))


def read(
    database: Database,
    which: Filter = EVERYTHING,
    *,
    after: int = 0,
    before: int | None = None,
    limit: int = 100,
    newest: bool = True,
) -> list[Event]:
    """Lines of the log.

    Args:
        database: Where it is.
        which: Which lines.
        after: Only lines with a higher number.
        before: Only lines with a lower number; None for no bound.
        limit: How many at most.
        newest: Whether the newest come first, or the oldest.
    """
    query = _narrowed(select(Event).where(Event.number > after), which)
    if before is not None:
        query = query.where(Event.number < before)
    query = query.order_by(Event.number.desc() if newest else Event.number).limit(limit)
    with database.read() as session:
        return list(session.scalars(query))


def _narrowed(query: Select[Any], which: Filter) -> Select[Any]:
    if any("\0" in text for text in (which.challenge, which.actor, which.subject, which.action) if text):
        return query.where(false())  # no line has one, and PostgreSQL takes none
    for column, value in ((Event.challenge, which.challenge), (Event.actor, which.actor), (Event.subject, which.subject)):
        if value is not None:
            query = query.where(column == value)
    if which.action is not None:
        query = query.where((Event.action == which.action) | Event.action.startswith(f"{which.action}.", autoescape=True))
    if which.since is not None:
        query = query.where(Event.at >= which.since)
    return query if which.until is None else query.where(Event.at < which.until)


def export(database: Database, form: str, which: Filter = EVERYTHING) -> Iterator[str]:
    """The log as text, oldest line first, in pieces; however long it is, little of it is in memory.

    Args:
        database: Where it is.
        form: "csv" or "jsonl".
        which: Which lines.
    """
    if form == "csv":
        yield line(["number", "at", "actor", "action", "subject", "challenge", "detail"])
    after = 0
    while events := read(database, which, after=after, limit=_PAGE, newest=False):
        after = events[-1].number
        yield "".join(map(_csv if form == "csv" else _json, events))


def to_dict(event: Event) -> dict[str, Any]:
    """A line as JSON has it."""
    return {
        "number": event.number,
        "at": event.at.isoformat(),
        "actor": event.actor,
        "action": event.action,
        "subject": event.subject,
        "challenge": event.challenge,
        "detail": event.detail,
    }


def _json(event: Event) -> str:
    return json.dumps(to_dict(event), ensure_ascii=False) + "\n"


def _csv(event: Event) -> str:
    values = to_dict(event) | {"detail": json.dumps(event.detail, ensure_ascii=False), "challenge": event.challenge or ""}
    return line([str(value) for value in values.values()])
