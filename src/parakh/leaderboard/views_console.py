"""What organisers see in their console: challenges, phases, teams, submissions, jobs and workers."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from parakh.leaderboard import challenges
from parakh.leaderboard.challenge import Limits
from parakh.leaderboard.contests import row_named
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import (
    UNDER_WAY,
    ChallengeRow,
    Contest,
    Membership,
    Override,
    PhaseRow,
    State,
    Submission,
    Team,
    Worker,
)
from parakh.leaderboard.rights import needs_organiser
from parakh.leaderboard.views import sight_name
from parakh.leaderboard.views_submission import WITH_VALUES
from parakh.leaderboard.visibility import Viewer, is_frozen

SILENT = timedelta(seconds=30)
"""After which a worker that was not heard of is thought to hang."""


@dataclass(frozen=True)
class ChallengeLine:
    """A challenge in a list of all."""

    name: str
    title: str
    teams: int
    submissions: int
    loaded_at: datetime
    is_public: bool


@dataclass(frozen=True)
class Overview:
    """The service at a glance.

    Args:
        counts: Submissions by state.
        workers: How many workers are there.
        challenges: Every challenge, the newest first.
    """

    counts: dict[str, int]
    workers: int
    challenges: tuple[ChallengeLine, ...]


@dataclass(frozen=True)
class PhaseDates:
    """A phase with everything that an organiser may change of it."""

    key: str
    title: str
    opens: datetime | None
    closes: datetime | None
    freezes: datetime | None
    revealed_at: datetime | None
    shows: str
    shows_revealed: str
    is_frozen: bool
    running: int
    """Submissions without an outcome."""


@dataclass(frozen=True)
class Person:
    """A member of a team."""

    name: str
    email: str
    leads: bool


@dataclass(frozen=True)
class OverrideLine:
    """Other limits of a team in one contest than its phase has."""

    contest_id: int
    limits: Limits


@dataclass(frozen=True)
class TeamLine:
    """A team with its people, its submissions and its exceptions."""

    id: str
    name: str
    made_at: datetime
    members: tuple[Person, ...]
    submissions: int
    overrides: tuple[OverrideLine, ...]


@dataclass(frozen=True)
class SubmissionRow:
    """A submission in a list of all."""

    number: int
    id: str
    made_at: datetime
    ended_at: datetime | None
    challenge: str
    contest: str
    team: str
    system: str
    file_name: str
    kind: str
    state: str
    is_withdrawn: bool
    reason: str | None
    rank_by: str
    value: float | None


@dataclass(frozen=True)
class WorkerLine:
    """A process that scores."""

    id: str
    host: str
    pid: int
    started_at: datetime
    heard_at: datetime
    is_gone: bool
    is_silent: bool


def overview(database: Database, viewer: Viewer, at: datetime) -> Overview:
    """The service at a glance.

    Raises:
        Refused: They do not organise.
    """
    needs_organiser(viewer)
    with database.read() as session:
        by_state = dict(session.execute(select(Submission.state, func.count()).group_by(Submission.state)).all())
        present = select(func.count()).select_from(Worker).where(Worker.is_gone.is_(False), Worker.heard_at > at - SILENT)
        teams = counted_by(session, select(Team.challenge_id, func.count()).group_by(Team.challenge_id))
        of_challenge = select(PhaseRow.challenge_id, func.count()).select_from(Submission)
        of_challenge = of_challenge.join(Contest, Contest.id == Submission.contest_id)
        of_challenge = of_challenge.join(PhaseRow, PhaseRow.id == Contest.phase_id).group_by(PhaseRow.challenge_id)
        made = counted_by(session, of_challenge)
        rows = session.scalars(select(ChallengeRow).order_by(ChallengeRow.id.desc())).all()
        lines = (
            ChallengeLine(one.name, one.title, teams.get(one.id, 0), made.get(one.id, 0), one.made_at, one.is_public)
            for one in rows
        )
        counts = {state.value: by_state.get(state.value, 0) for state in State}
        return Overview(counts, session.scalar(present) or 0, tuple(lines))


def phases(database: Database, viewer: Viewer, challenge: str, at: datetime) -> list[PhaseDates]:
    """Every phase of a challenge with what may be changed.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such challenge.
    """
    needs_organiser(viewer)
    with database.read() as session:
        row = row_named(session, challenge)
        waiting = select(Contest.phase_id, func.count()).select_from(Submission)
        waiting = waiting.join(Contest, Contest.id == Submission.contest_id)
        waiting = waiting.where(Submission.state.in_(UNDER_WAY)).group_by(Contest.phase_id)
        running = counted_by(session, waiting)
        titles = {one.key: one.title for one in challenges.rules_of(row).phases}
        return [_phase(one, titles, running.get(one.id, 0), at) for one in row.phases]


def teams(database: Database, viewer: Viewer, challenge: str) -> list[TeamLine]:
    """Every team of a challenge, by name.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such challenge.
    """
    needs_organiser(viewer)
    with database.read() as session:
        row = row_named(session, challenge)
        mine = Team.challenge_id == row.id
        made = select(Submission.team_id, func.count()).join(Team, Team.id == Submission.team_id).where(mine)
        counts = dict(session.execute(made.group_by(Submission.team_id)).all())
        people: dict[str, list[Person]] = {}
        for one in session.scalars(select(Membership).where(Membership.challenge_id == row.id).order_by(Membership.joined_at)):
            people.setdefault(one.team_id, []).append(Person(one.user.name, one.user.email, one.leads))
        exceptions: dict[str, list[OverrideLine]] = {}
        for held in session.scalars(select(Override).join(Team, Team.id == Override.team_id).where(mine)):
            line = OverrideLine(held.contest_id, Limits(held.day, held.total, held.concurrent))
            exceptions.setdefault(held.team_id, []).append(line)
        return [
            TeamLine(
                one.id,
                one.name,
                one.made_at,
                tuple(people.get(one.id, ())),
                counts.get(one.id, 0),
                tuple(exceptions.get(one.id, ())),
            )
            for one in session.scalars(select(Team).where(mine).order_by(Team.name))
        ]


def submissions(
    database: Database,
    viewer: Viewer,
    *,
    challenge: str | None = None,
    state: str | None = None,
    contest_id: int | None = None,
    team_id: str | None = None,
    before: int | None = None,
    limit: int | None = 100,
) -> list[SubmissionRow]:
    """Submissions, the newest first.

    Args:
        database: Where they are.
        viewer: An organiser.
        challenge: Of one challenge; None for all.
        state: In one state; None for any.
        contest_id: Of one contest; None for all.
        team_id: Of one team; None for all.
        before: Only those that came in before that number; None for no bound.
        limit: How many at most; None for all.

    Raises:
        Refused: They do not organise.
    """
    needs_organiser(viewer)
    query = WITH_VALUES.join(PhaseRow, PhaseRow.id == Contest.phase_id)
    query = query.join(ChallengeRow, ChallengeRow.id == PhaseRow.challenge_id)
    asked = (
        (ChallengeRow.name, challenge),
        (Submission.state, state),
        (Submission.contest_id, contest_id),
        (Submission.team_id, team_id),
    )
    for column, value in asked:
        if value is not None:
            query = query.where(column == value)
    if before is not None:
        query = query.where(Submission.number < before)
    with database.read() as session:
        found = session.execute(query.order_by(Submission.number.desc()).limit(limit))
        return [_row(one, value) for one, value in found]


def workers(database: Database, viewer: Viewer, at: datetime) -> list[WorkerLine]:
    """The workers that are there, and those that left within a week.

    Raises:
        Refused: They do not organise.
    """
    needs_organiser(viewer)
    with database.read() as session:
        query = select(Worker).where(Worker.heard_at > at - timedelta(days=7)).order_by(Worker.is_gone, Worker.started_at.desc())
        return [
            WorkerLine(
                one.id,
                one.host,
                one.pid,
                one.started_at,
                one.heard_at,
                one.is_gone,
                not one.is_gone and at - one.heard_at > SILENT,
            )
            for one in session.scalars(query.limit(100))
        ]


def is_public(database: Database, viewer: Viewer, challenge: str) -> bool:
    """Whether everybody is shown a challenge.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such challenge.
    """
    needs_organiser(viewer)
    with database.read() as session:
        return row_named(session, challenge).is_public


def counted_by(session: Session, query: object) -> dict[int, int]:
    """What a query of keys and counts finds."""
    return dict(session.execute(query).all())  # type: ignore[call-overload]


def _phase(row: PhaseRow, titles: dict[str, str], running: int, at: datetime) -> PhaseDates:
    return PhaseDates(
        key=row.key,
        title=titles.get(row.key, row.key),
        opens=row.opens,
        closes=row.closes,
        freezes=row.freezes,
        revealed_at=row.revealed_at,
        shows=sight_name(row.shows),
        shows_revealed=sight_name(row.shows_revealed),
        is_frozen=is_frozen(row, at),
        running=running,
    )


def _row(one: Submission, value: float | None) -> SubmissionRow:
    contest = one.contest
    return SubmissionRow(
        number=one.number,
        id=one.id,
        made_at=one.made_at,
        ended_at=one.ended_at,
        challenge=contest.phase.challenge.name,
        contest=f"{contest.phase.key}/{contest.track}",
        team=one.team.name,
        system=one.system,
        file_name=one.file_name,
        kind=one.kind,
        state=one.state,
        is_withdrawn=one.is_withdrawn,
        reason=one.reason,
        rank_by=contest.metric_set.rules["rank_by"],
        value=value,
    )
