"""Time the making of a leaderboard's board, and count how often its groups are right, on systems whose true rates are known.

    python benchmarks/leaderboard_boards.py [--teams N ...] [--recordings N] [--trials N]

Time: a board of N teams (default 60 and 500) with two metrics, all recordings (default 100) and six slices of them; made from
nothing, and made again after one more submission. Truth: boards of systems of one true quality, and boards whose best system is
better than the others, on recordings drawn anew each time: how often is the truly best system in group "a", and how often is
some system of the same quality not.
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
from parakh.leaderboard.boards.groups import Systems
from parakh.leaderboard.boards.scored import _scored
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.migrations import migrate
from parakh.results import Stats
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
        groups._known.cache_clear()
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
    """How often the groups of made systems are right: words of conversations as hard for every system as for the next."""
    print(f"\n{trials} boards each; percent")
    print("| systems | recordings | truth | the truly best is in group a | some system of its quality is not |")
    print("|---|---|---|---|---|")
    for systems, recordings in ((5, 50), (20, 50), (20, 100), (60, 100)):
        for name, ratios in (("all equal", [1.0] * systems), ("one 2 % better", [1.0] + [1.02] * (systems - 1))):
            found = [formed(ratios, recordings, trial) for trial in range(trials)]
            # Where all are equal each is the truly best: all of them count.
            best = np.mean(
                [np.mean(["a" in letters for letters, ratio in zip(one, ratios, strict=True) if ratio == 1.0]) for one in found]
            )
            split = np.mean(
                [any("a" not in letters for letters, ratio in zip(one, ratios, strict=True) if ratio == 1.0) for one in found]
            )
            print(f"| {systems} | {recordings} | {name} | {100 * best:.1f} | {100 * split:.1f} |")


def formed(ratios: list[float], recordings: int, trial: int) -> list[str]:
    """The letters of systems that err ``ratio`` times as often as the best, in the order of ``ratios``."""
    random = np.random.default_rng([trial, recordings, len(ratios)])
    length = random.lognormal(np.log(600), 0.6, recordings).astype(int) + 50
    hard = random.beta(1.5, 6.0, recordings)
    own = random.normal(1.0, 0.15, (len(ratios), recordings)).clip(0.5, 1.5)
    wrong = random.binomial(length, (hard * own * np.array(ratios)[:, None]).clip(0.0, 0.95))
    order = np.argsort(wrong.sum(axis=1), kind="stable")
    stats = [[Stats(errors=int(e), length=int(n)) for e, n in zip(wrong[k], length, strict=True)] for k in order]
    keys = [f"{trial}-{k}" for k in order]
    letters = Systems(keys, stats, "wer", [str(k) for k in range(recordings)], 0.95).letters([True] * len(ratios))
    groups._known.cache_clear()
    return [letters[place] for place in np.argsort(order)]


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
