"""What a viewer may see of a board, and of the scores over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from parakh.leaderboard import small_slices
from parakh.leaderboard.boards.board import Board, Row
from parakh.leaderboard.boards.entries import Entry, entries
from parakh.leaderboard.challenge import Sight
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import BoardRow, Contest, Kind, PhaseRow, Team
from parakh.leaderboard.ranking import sort_key
from parakh.leaderboard.visibility import Viewer, sees_frozen, sees_small_slices, sight


class Point(NamedTuple):
    """A submission on the plot of scores over time.

    Args:
        moment: When it was handed in.
        submission: Its key.
        team: Name of its team.
        value: Of the metric that ranks; None where undefined.
        best: The best value of all points up to it; None before there is one.
    """

    moment: datetime
    submission: str
    team: str
    value: float | None
    best: float | None


def load(database: Database, contest: Contest, viewer: Viewer, at: datetime) -> Board | None:
    """The board of a contest as somebody may see it.

    Args:
        database: Where it is.
        contest: Of which contest.
        viewer: Who looks.
        at: When.

    Returns:
        The board, as of the freeze while that holds; without figures before scores may be seen. None where there is none yet,
        or the viewer may not know of the challenge.
    """
    phase, is_frozen = contest.phase, sees_frozen(viewer, contest.phase, at)
    with database.read() as session:
        row = session.get(BoardRow, (contest.id, is_frozen)) if _knows(session, viewer, phase) else None
    if row is None:
        return None
    board = Board.from_dict(row.document)
    if is_frozen and board.freezes != phase.freezes:
        return None  # made for another freeze: what came in since may not be seen
    if not _sees_scores(viewer, phase, at):
        return _blind(board)
    return board if sees_small_slices(viewer, phase, at) else board.without(board.small, small_slices.why(board.small))


def history(database: Database, contest: Contest, viewer: Viewer, at: datetime) -> list[Point]:
    """The scores of a contest over time, as somebody may see them: of baselines none, of one's own team and for organisers all.

    Of other teams there are those that stood on the board when they came in, or stand on it now: with the best for a team,
    every new best of the team.

    Args:
        database: Where they are.
        contest: Of which contest.
        viewer: Who looks.
        at: When.

    Returns:
        In the order in which the submissions came in; nothing where scores may not be seen.
    """
    phase = contest.phase
    with database.read() as session:
        if not (_knows(session, viewer, phase) and _sees_scores(viewer, phase, at)):
            return []
        every = [one for one in entries(session, contest) if one.kind != Kind.BASELINE]
        rule = phase.challenge.rules["represents"]
    if sees_frozen(viewer, phase, at) and phase.freezes is not None:
        every = [one for one in every if one.made_at < phase.freezes or one.team_id in viewer.teams]
    metric = contest.metric_set.rules["rank_by"]
    public = {one.submission for one in _stood(every, rule, metric)}
    return _points([one for one in every if viewer.organises or one.team_id in viewer.teams or one.submission in public], metric)


def _knows(session: Session, viewer: Viewer, phase: PhaseRow) -> bool:
    """Whether somebody may know of a challenge: anybody of a public one, else organisers and those who take part."""
    if phase.challenge.is_public or viewer.organises:
        return True
    mine = select(Team.id).where(Team.challenge_id == phase.challenge_id, Team.id.in_(viewer.teams)).limit(1)
    return session.scalar(mine) is not None


def _sees_scores(viewer: Viewer, phase: PhaseRow, at: datetime) -> bool:
    return sight(viewer, phase, "", at) >= Sight.SCORE


def _blind(board: Board) -> Board:
    """Who takes part, and nothing of which submission stands for them or how well it does."""
    rows = sorted(map(_blind_row, board.rows), key=lambda row: (row.kind != Kind.SUBMISSION, row.team.casefold(), row.system))
    return replace(board, rows=tuple(rows), notes=(), is_blind=True)


def _blind_row(row: Row) -> Row:
    hidden = replace(row, rank=None, group="", submission="", made_at=None, values={}, places={})
    return hidden if row.kind != Kind.SUBMISSION else replace(hidden, system="", tags=(), paper="")


def _stood(every: Sequence[Entry], rule: str, metric: str) -> list[Entry]:
    """The entries that were on the board when they came in, or are chosen now."""
    if rule == "last":
        return list(every)
    chose = {one.team_id for one in every if one.is_chosen} if rule == "chosen" else set()
    best: dict[tuple[str, str, str], Entry] = {}
    stood = []
    for one in every:
        if one.team_id in chose:
            better = one.is_chosen
        else:
            last = best.get(one.stands_with)
            better = last is None or sort_key([one.value], [metric]) < sort_key([last.value], [metric])
        if better:
            best[one.stands_with] = one
            stood.append(one)
    return stood


def _points(shown: Sequence[Entry], metric: str) -> list[Point]:
    best: float | None = None
    points = []
    for one in shown:
        best = min(best, one.value, key=lambda value: sort_key([value], [metric]))
        points.append(Point(one.made_at, one.submission, one.team, one.value, best))
    return points
