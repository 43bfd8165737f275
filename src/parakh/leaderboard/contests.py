"""Rows of challenges, phases and contests by their names, and what is true of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from parakh.errors import Fault
from parakh.leaderboard.challenge import MetricSet, Sight
from parakh.leaderboard.database.tables import ChallengeRow, Contest, MetricSetRow, PhaseRow
from parakh.leaderboard.refusals import NotThere


def row_named(session: Session, challenge: str) -> ChallengeRow:
    """The challenge of a name.

    Raises:
        NotThere: There is none.
    """
    row = session.scalar(select(ChallengeRow).where(ChallengeRow.name == challenge))
    if row is None:
        raise NotThere("challenge", challenge)
    return row


def phase_named(session: Session, challenge: str, phase: str, *, hold: bool = False) -> PhaseRow:
    """The phase of a challenge; with ``hold`` nobody else changes it until the transaction ends.

    Raises:
        NotThere: There is none.
    """
    query = select(PhaseRow).where(PhaseRow.challenge_id == row_named(session, challenge).id, PhaseRow.key == phase)
    row = session.scalar(query.with_for_update(of=PhaseRow) if hold else query)
    if row is None:
        raise NotThere("phase", phase)
    return row


def contest_named(session: Session, challenge: str, phase: str, track: str) -> Contest:
    """The contest of a challenge's phase and track.

    Raises:
        NotThere: There is none.
    """
    row = phase_named(session, challenge, phase)
    contest = session.scalar(select(Contest).where(Contest.phase_id == row.id, Contest.track == track))
    if contest is None:
        raise NotThere("track", track)
    return contest


def contest_held(session: Session, contest_id: int) -> Contest:
    """A contest whose rules in force nobody else changes until the transaction ends.

    Whoever changes a submission and its contest holds the contest first, so that no two wait for each other.
    """
    how: Any = {"of": Contest, "key_share": True}
    return session.get_one(Contest, contest_id, with_for_update=how, populate_existing=True)


def touch(session: Session, contests: Any) -> None:
    """Say that boards changed.

    Args:
        session: The transaction of the change.
        contests: Which, as a condition on ``Contest``.
    """
    session.execute(update(Contest).where(contests).values(version=Contest.version + 1))


def zone_of(row: ChallengeRow) -> ZoneInfo:
    """The time zone that a challenge's days and moments are told in."""
    return ZoneInfo(row.rules["time_zone"])


def metric_set_row(session: Session, metric_set: MetricSet) -> MetricSetRow:
    """The row of a metric set, made where there is none."""
    row = session.get(MetricSetRow, metric_set.digest)
    if row is None:
        row = MetricSetRow(id=metric_set.digest, version=metric_set.version, rules=metric_set.to_dict())
        session.add(row)
        session.flush()
    return row


def phase_faults(phase: str, values: Mapping[str, Any]) -> list[Fault]:
    """What is out of order in the dates and sights of a phase.

    Args:
        phase: Its key, for messages.
        values: ``opens``, ``closes``, ``freezes``, ``shows`` and ``shows_revealed``.

    >>> dates = {"opens": None, "closes": None, "freezes": None}
    >>> [str(fault) for fault in phase_faults("eval", {**dates, "shows": Sight.DIAGNOSIS, "shows_revealed": Sight.SCORE})]
    ['eval: shows_revealed: found score, expected diagnosis or more.']
    """
    moments = {key: values[key] for key in ("opens", "closes", "freezes") if values[key] is not None}
    faults = [
        Fault(phase, key, moment.isoformat(), "a moment with a time zone")
        for key, moment in moments.items()
        if moment.tzinfo is None
    ]
    if not faults:
        opens, closes, freezes = (moments.get(key) for key in ("opens", "closes", "freezes"))
        if opens and closes and closes <= opens:
            faults.append(Fault(phase, "closes", closes.isoformat(), f"a moment after it opens ({opens.isoformat()})"))
        if freezes and ((opens and freezes < opens) or (closes and freezes > closes)):
            faults.append(Fault(phase, "freezes", freezes.isoformat(), "a moment between opens and closes"))
    if values["shows_revealed"] < values["shows"]:
        told = Sight(values["shows"]).name.lower()
        faults.append(Fault(phase, "shows_revealed", Sight(values["shows_revealed"]).name.lower(), f"{told} or more"))
    return faults
