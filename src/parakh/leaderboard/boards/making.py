"""From one state of the database to the boards of a contest: of everything, and of what came in before the freeze."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy.orm import Session

from parakh.leaderboard.boards.arranging import System, arranged
from parakh.leaderboard.boards.board import Board
from parakh.leaderboard.boards.entries import Entry, entries, representatives
from parakh.leaderboard.boards.scored import Scored, scored
from parakh.leaderboard.challenge import MetricSet
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import BoardRow, Contest
from parakh.leaderboard.store import Store


@dataclass(frozen=True)
class _State:
    """All of the database that a board is made from, at one moment."""

    version: int
    metric_set: MetricSet
    references: str
    represents: str
    freezes: datetime | None
    entries: Sequence[Entry]


def refresh(database: Database, store: Store, contest_id: int) -> bool:
    """Make the board of a contest anew, for everybody and as of its freeze, from one state of the database.

    Args:
        database: Where the scores in force are, and the board goes.
        store: Where the Results are.
        contest_id: Of which contest.

    Returns:
        Whether a board was written; False where the one that is there is of the present version, or of a later one.

    Raises:
        InputError: Results of an entry are not in the store.
    """
    with database.read() as session:
        contest = session.get_one(Contest, contest_id)
        if _is_made(session, contest):
            return False
        state = _state(session, contest)
    boards = {False: _board(state, store, None)}
    if state.freezes is not None:
        boards[True] = _board(state, store, state.freezes)
    with database.write() as session:
        session.get_one(Contest, contest_id, with_for_update={"of": Contest})
        return _keep(session, contest_id, boards)


def _is_made(session: Session, contest: Contest) -> bool:
    made, frozen = (session.get(BoardRow, (contest.id, is_frozen)) for is_frozen in (False, True))
    if made is None or made.version < contest.version:
        return False
    freezes = contest.phase.freezes
    return freezes is None if frozen is None else freezes is not None and frozen.document["freezes"] == freezes.isoformat()


def _state(session: Session, contest: Contest) -> _State:
    return _State(
        version=contest.version,
        metric_set=MetricSet.from_dict(contest.metric_set.rules),
        references=contest.references,
        represents=contest.phase.challenge.rules["represents"],
        freezes=contest.phase.freezes,
        entries=entries(session, contest),
    )


def _keep(session: Session, contest_id: int, boards: Mapping[bool, Board]) -> bool:
    there = {is_frozen: session.get(BoardRow, (contest_id, is_frozen)) for is_frozen in (False, True)}
    if any(row is not None and row.version > boards[False].version for row in there.values()):
        return False
    for row in there.values():
        if row is not None:
            session.delete(row)
    session.flush()
    for is_frozen, board in boards.items():
        session.add(
            BoardRow(
                contest_id=contest_id,
                is_frozen=is_frozen,
                version=board.version,
                document=board.to_dict(),
                made_at=board.made_at,
            )
        )
    return True


def _board(state: _State, store: Store, before: datetime | None) -> Board:
    """The board of what came in before a moment."""
    chosen = state.metric_set

    def read(entry: Entry) -> Scored:
        return scored(store, entry.results, chosen.rank_by, chosen.metrics)

    def ties(entry: Entry) -> list[float | None]:
        return [read(entry).totals.get(name) for name in chosen.tie_break]

    every = [one for one in state.entries if before is None or one.made_at < before]
    stand = representatives(every, state.represents, chosen, ties)
    systems = [System(entry, count, read(entry)) for entry, count in stand]
    board = arranged(systems, chosen, references=state.references, version=state.version)
    return replace(board, freezes=before)
