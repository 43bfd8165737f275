"""The board of a contest as a viewer gets to see it, and the stamp that says whether what was made of it before still holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import lazyload

from parakh.leaderboard import boards
from parakh.leaderboard.boards import Board, Point
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import UNDER_WAY, BoardRow, ChallengeRow, Contest, PhaseRow, Submission
from parakh.leaderboard.views import may_enter
from parakh.leaderboard.visibility import Viewer, is_frozen, is_revealed, knows_of_waiting


@dataclass(frozen=True)
class Stamp:
    """What a page of a contest depends on: equal stamps, equal pages.

    Args:
        contest_id: Of the contest.
        revision: Of the challenge's files.
        version: Of the contest.
        waiting: How many submissions are being scored or wait for it.
        made_at: When its boards were last made; None before the first.
        moments: The dates of the phase.
        shows: What its teams may see, before and after the reveal.
        is_frozen: Whether the public board stands still.
        is_revealed: Whether the outcome is public.
        organises: Whether the viewer sees everything.
        teams: The viewer's teams.
        minute: Minutes since 1970, as pages say how long is left.
    """

    contest_id: int
    revision: str
    version: int
    waiting: int
    made_at: datetime | None
    moments: tuple[datetime | None, ...]
    shows: tuple[int, int]
    is_frozen: bool
    is_revealed: bool
    organises: bool
    teams: frozenset[str]
    minute: int


def stamp(database: Database, viewer: Viewer, challenge: str, phase: str, track: str, at: datetime) -> Stamp | None:
    """The stamp of a contest, by one cheap query; None where there is no contest that the viewer may know of."""
    made = select(func.max(BoardRow.made_at)).where(BoardRow.contest_id == Contest.id).scalar_subquery()
    live = select(func.count()).where(Submission.contest_id == Contest.id, Submission.state.in_(UNDER_WAY)).scalar_subquery()
    query = select(
        Contest.id, Contest.version, ChallengeRow.id, ChallengeRow.revision, ChallengeRow.is_public, PhaseRow, made, live
    )
    query = query.join(PhaseRow, PhaseRow.id == Contest.phase_id).join(ChallengeRow, ChallengeRow.id == PhaseRow.challenge_id)
    query = query.options(lazyload(PhaseRow.challenge))  # its rules are long, and not asked for
    with database.read() as session:
        wanted = query.where(ChallengeRow.name == challenge, PhaseRow.key == phase, Contest.track == track)
        found = session.execute(wanted).first()
        if found is None:
            return None
        contest_id, version, challenge_id, revision, is_public, row, made_at, waiting = found
        if not may_enter(session, viewer, challenge_id, is_public):
            return None
    return Stamp(
        contest_id=contest_id,
        revision=revision,
        version=version,
        waiting=waiting,
        made_at=made_at,
        moments=(row.opens, row.closes, row.freezes, row.revealed_at),
        shows=(row.shows, row.shows_revealed),
        is_frozen=is_frozen(row, at),
        is_revealed=is_revealed(row, at),
        organises=viewer.organises,
        teams=viewer.teams,
        minute=int(at.timestamp() // 60),
    )


def board(database: Database, contest_id: int, viewer: Viewer, at: datetime, by: str = "") -> Board | None:
    """The board of a contest, ranked by a slice where one is asked for.

    Args:
        database: Where it is.
        contest_id: Of the contest.
        viewer: Who looks.
        at: When.
        by: "field:value" of a slice; "" for all recordings.

    Returns:
        None where there is no board yet, or no such slice.
    """
    contest = _contest(database, contest_id)
    found = None if contest is None else boards.load(database, contest, viewer, at)
    if found is None or not by:
        return found
    field, _, value = by.partition(":")
    try:
        return found.sliced(field, value)
    except KeyError:
        return None


def being_scored(database: Database, contest_id: int, viewer: Viewer, at: datetime) -> int:
    """How many submissions that a viewer may know of are being scored or wait for it."""
    query = select(Submission.team_id).where(Submission.contest_id == contest_id, Submission.state.in_(UNDER_WAY))
    with database.read() as session:
        phase = session.get_one(Contest, contest_id).phase
        return sum(knows_of_waiting(viewer, phase, team_id, at) for team_id in session.scalars(query))


def history(database: Database, contest_id: int, viewer: Viewer, at: datetime) -> list[Point]:
    """The scores of a contest over time, as far as the viewer may see them."""
    contest = _contest(database, contest_id)
    return [] if contest is None else boards.history(database, contest, viewer, at)


def _contest(database: Database, contest_id: int) -> Contest | None:
    with database.read() as session:
        return session.get(Contest, contest_id)
