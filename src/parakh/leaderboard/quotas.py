"""How many submissions a team may make yet: charged are those that wait, are being scored or were scored."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time, timedelta

from sqlalchemy import case, func, select
from sqlalchemy.orm import Session

from parakh.errors import counted
from parakh.leaderboard.challenge import Limits
from parakh.leaderboard.challenges import rules_of
from parakh.leaderboard.clock import now
from parakh.leaderboard.contests import zone_of
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import UNDER_WAY, Contest, Kind, Override, State, Submission
from parakh.leaderboard.refusals import NotThere, Refused, TooMany

_CHARGED = (*UNDER_WAY, State.SCORED)
_PAUSE = 30.0
"""Seconds after which somebody may look whether a running submission is through."""


@dataclass(frozen=True)
class Quota:
    """What a team may hand in to a contest, and what it did.

    Args:
        limits: Of the phase, or of the team where the organiser gave it others.
        used_today: Charged submissions of this calendar day in the challenge's time zone.
        used: Charged submissions of all time.
        running: Submissions that wait or are being scored.
        day_ends: When the next calendar day begins.
    """

    limits: Limits
    used_today: int
    used: int
    running: int
    day_ends: datetime

    @property
    def left(self) -> int | None:
        """How many may be handed in now; None for any number.

        >>> from datetime import UTC
        >>> Quota(Limits(day=3, total=10, concurrent=1), 1, 9, 0, datetime(2026, 3, 1, tzinfo=UTC)).left
        1
        """
        pairs = ((self.limits.day, self.used_today), (self.limits.total, self.used), (self.limits.concurrent, self.running))
        left = [max(0, most - used) for most, used in pairs if most is not None]
        return min(left) if left else None

    def check(self) -> None:
        """See that one more may be handed in.

        Raises:
            Refused: The limit of all time is used up.
            TooMany: That of the day is, or that of submissions at the same time.
        """
        limits = self.limits
        if limits.total is not None and self.used >= limits.total:
            raise Refused(f"this team has used all its {limits.total} submissions of this phase and track.")
        if limits.day is not None and self.used_today >= limits.day:
            next_day = f"the next day begins {self.day_ends:%Y-%m-%d %H:%M %Z}"
            raise TooMany(
                f"this team has used its {limits.day} submissions of today; {next_day}.",
                max(1.0, (self.day_ends - now()).total_seconds()),
            )
        if limits.concurrent is not None and self.running >= limits.concurrent:
            found = f"{counted(self.running, 'submission')} not scored yet"
            raise TooMany(f"this team has {found}, and may have {limits.concurrent}: wait for one.", _PAUSE)


def quota(database: Database, team_id: str, contest_id: int) -> Quota:
    """What a team may hand in to a contest.

    Raises:
        NotThere: There is no such contest.
    """
    with database.read() as session:
        contest = session.get(Contest, contest_id)
        if contest is None:
            raise NotThere("contest", contest_id)
        return quota_of(session, team_id, contest)


def quota_of(session: Session, team_id: str, contest: Contest) -> Quota:
    """The same within a transaction."""
    zone = zone_of(contest.phase.challenge)
    today = now().astimezone(zone).date()
    begins, ends = (datetime.combine(day, time.min, zone) for day in (today, today + timedelta(days=1)))
    charged = Submission.state.in_(_CHARGED)
    query = select(
        func.count(case((charged & (Submission.made_at >= begins) & (Submission.made_at < ends), 1))),
        func.count(case((charged, 1))),
        func.count(case((Submission.state.in_(UNDER_WAY), 1))),
    ).where(Submission.team_id == team_id, Submission.contest_id == contest.id, Submission.kind != Kind.BASELINE.value)
    used_today, used, running = session.execute(query).one()
    return Quota(limits_of(session, team_id, contest), used_today, used, running, ends)


def limits_of(session: Session, team_id: str, contest: Contest) -> Limits:
    """The limits of a team in a contest: what the organiser set for it goes before what the phase says."""
    general = rules_of(contest.phase.challenge).phase(contest.phase.key).limits
    own = session.get(Override, (team_id, contest.id))
    if own is None:
        return general
    pairs = ((own.day, general.day), (own.total, general.total), (own.concurrent, general.concurrent))
    return Limits(*(first if first is not None else second for first, second in pairs))
