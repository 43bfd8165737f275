"""Boards made by several at once while scores come in: each is of one state, none takes the place of a newer one."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from parakh.leaderboard import boards
from parakh.leaderboard.boards import Board
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.migrations import migrate
from parakh.leaderboard.visibility import ANYBODY
from tests.service.made_boards import START, Made, noisy

COUNT = 15


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_every_board_is_of_one_state_and_versions_only_grow(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    url = request.getfixturevalue("postgresql").new_url() if kind == "postgresql" else f"sqlite:///{tmp_path / 'parakh.sqlite'}"
    database = Database(url)
    migrate(database)
    made = Made(database, tmp_path)
    stop, seen, errors = threading.Event(), [], []

    def refresh() -> None:
        try:
            while not stop.is_set():
                boards.refresh(database, made.store, made.contest_id)
        except Exception as error:
            errors.append(error)

    def look() -> None:
        while not stop.wait(0.01):
            seen.append(boards.load(database, made.contest, ANYBODY, START))

    threads = [threading.Thread(target=work) for work in (refresh, refresh, look)]
    for one in threads:
        one.start()
    for place in range(COUNT):
        made.hand_in(f"team {place}", noisy(0.3, place, 10))  # one more row and one more version, in one transaction
    stop.set()
    for one in threads:
        one.join()
    boards.refresh(database, made.store, made.contest_id)
    last = boards.load(database, made.contest, ANYBODY, START)
    found: list[Board] = [board for board in (*seen, last) if board is not None]
    assert errors == []
    assert [len(board.rows) for board in found] == [board.version - 1 for board in found]
    assert [board.version for board in found] == sorted(board.version for board in found)
    assert len(found[-1].rows) == COUNT
    database.close()
