"""Time intervals and tests, and count how often they are right, on systems whose true error rates are known.

    python benchmarks/resampling.py [--repeat N] [--trials N] [--only time|truth]

Time is the least CPU milliseconds of N rounds, beside scipy.stats.bootstrap and permutation_test on the same task. Truth: a
world of conversations is made up, with lengths and difficulties as scattered as those of real ones; from it sets of recordings
are drawn again and again. An interval is right when it holds the error rate of the whole world.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator

import numpy as np
from timing import cpu_milliseconds

from parakh.resample import METHODS, Bootstrap, Resampler
from parakh.results import Stats, ratio
from parakh.significance import Paired, PairedTests

WORLD = 200_000


def rate(total: Stats) -> float | None:
    return ratio(total["errors"], total["length"])


def errors(total: Stats) -> float:
    return total["errors"]


class World:
    """Conversations with the errors of two systems: the second is ``worse`` times as likely to err on every word."""

    def __init__(self, worse: float) -> None:
        random = np.random.default_rng(11)
        self.length = random.lognormal(math.log(600), 0.6, WORLD).astype(int) + 50
        hard = random.beta(1.5, 6.0, WORLD)  # mean 0.2, and one conversation in ten above 0.4
        own = random.normal(1.0, 0.15, (2, WORLD)).clip(0.5, 1.5)  # what suits one system need not suit the other
        chance = (hard * own * np.array([[1.0], [worse]])).clip(0.0, 0.95)
        self.errors = random.binomial(self.length, chance)
        self.true_rate = self.errors.sum(axis=1) / self.length.sum()

    def sets(self, count: int, trials: int) -> Iterator[list[list[Stats]]]:
        random = np.random.default_rng(12)
        for _ in range(trials):
            drawn = random.integers(0, WORLD, count)
            yield [[Stats(errors=int(self.errors[k, i]), length=int(self.length[i])) for i in drawn] for k in range(2)]


def tell_times(repeat: int) -> None:
    first, second = next(World(1.1).sets(500, 1))
    wide = [Stats({**one, **{f"part {k}": 0.1 * k for k in range(28)}}) for one in first]
    plan = Bootstrap()
    print("\n500 recordings, 10000 resamples: CPU ms")
    print(f"  draw the resamples                      {cpu_milliseconds(lambda: Resampler(500, plan).weights, repeat):8.1f}")
    ready = Resampler(500, plan)
    tests = PairedTests(ready)
    print(f"  one metric, bca, 2 statistics           {cpu_milliseconds(lambda: ready.interval(first, rate), repeat):8.1f}")
    print(f"  one metric, bca, 30 statistics          {cpu_milliseconds(lambda: ready.interval(wide, rate), repeat):8.1f}")

    def whole() -> None:
        resampler = Resampler(500, plan)
        for _ in range(4):
            resampler.interval(wide, rate)

    print(f"  draw, and 4 metrics of 30 statistics    {cpu_milliseconds(whole, repeat):8.1f}")
    print(
        f"  one pair: interval and three p-values   {cpu_milliseconds(lambda: tests.compare(first, second, rate), repeat):8.1f}"
    )
    tell_scipy(first, second, repeat)


def tell_scipy(first: list[Stats], second: list[Stats], repeat: int) -> None:
    from scipy import stats as scipy_stats

    columns = [np.array([one[key] for one in side], dtype=float) for side in (first, second) for key in ("errors", "length")]
    pool = np.stack([np.concatenate(columns[0::2]), np.concatenate(columns[1::2])], axis=1)

    def of_sums(up: np.ndarray, down: np.ndarray, axis: int = -1) -> np.ndarray:
        return up.sum(axis=axis) / down.sum(axis=axis)

    def gap(mine: np.ndarray, theirs: np.ndarray, axis: int = -1) -> np.ndarray:
        one, other = (pool[rows].sum(axis=-2) for rows in (mine, theirs))
        return one[..., 0] / one[..., 1] - other[..., 0] / other[..., 1]

    def bootstrap() -> object:
        return scipy_stats.bootstrap(
            tuple(columns[:2]), of_sums, paired=True, vectorized=True, n_resamples=10_000, batch=500, method="BCa", rng=1
        )

    def permutation() -> object:
        rows = np.arange(500), np.arange(500, 1000)
        return scipy_stats.permutation_test(
            rows, gap, permutation_type="samples", vectorized=True, n_resamples=10_000, batch=500, rng=1
        )

    print(f"  scipy.stats.bootstrap, BCa, one ratio   {cpu_milliseconds(bootstrap, repeat):8.1f}")
    print(f"  scipy.stats.permutation_test, one pair  {cpu_milliseconds(permutation, repeat):8.1f}")


def tell_coverage(trials: int) -> None:
    print(f"\nintervals of 95 % that hold the truth, of {trials}: the error rate of a system, the difference between two")
    print(f"  {'recordings':12}" + "".join(f"{f'{what}, {method}':>24}" for what in ("rate", "difference") for method in METHODS))
    world = World(1.0)
    truths = world.true_rate[0], world.true_rate[0] - world.true_rate[1]
    for count in (5, 10, 20, 50, 100):
        right = [0] * 4
        for trial, (first, second) in enumerate(world.sets(count, trials)):
            plans = [Bootstrap(method, samples=1000, seed=trial) for method in METHODS]
            gaps = [Stats(errors=a["errors"] - b["errors"], length=a["length"]) for a, b in zip(first, second, strict=True)]
            asked = [(stats, truth, plan) for stats, truth in zip((first, gaps), truths, strict=True) for plan in plans]
            for place, (stats, truth, plan) in enumerate(asked):
                low, high = Resampler(count, plan).interval(stats, rate) or (1.0, 0.0)
                right[place] += low <= truth <= high
        print(f"  {count:<12}" + "".join(f"{100 * hits / trials:>22.1f} %" for hits in right))


def tell_tests(trials: int) -> None:
    print(f"\nshare of {trials} comparisons with p < 0.05")
    print(f"  {'recordings':12}{'worse by':>10}{'permutation':>13}{'bootstrap':>11}{'pairs':>8}")
    for worse in (1.0, 1.1):
        world = World(worse)
        for count in (5, 10, 20, 50, 100):
            found = [compare(count, trial, *sides) for trial, sides in enumerate(world.sets(count, trials))]
            p_values = zip(*((one.p_permutation, one.p_bootstrap, one.p_matched_pairs) for one in found), strict=True)
            shares = [sum(p is not None and p < 0.05 for p in values) / trials for values in p_values]
            cells = "".join(f"{100 * share:>{width - 2}.1f} %" for share, width in zip(shares, (13, 11, 8), strict=True))
            print(f"  {count:<12}{100 * (worse - 1):>8.0f} %{cells}")


def compare(count: int, seed: int, first: list[Stats], second: list[Stats]) -> Paired:
    return PairedTests(Resampler(count, Bootstrap(samples=1000, seed=seed))).compare(first, second, rate, errors=errors)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--trials", type=int, default=300)
    parser.add_argument("--only", choices=("time", "truth"))
    chosen = parser.parse_args()
    if chosen.only != "truth":
        tell_times(chosen.repeat)
    if chosen.only != "time":
        tell_coverage(chosen.trials)
        tell_tests(chosen.trials)


if __name__ == "__main__":
    main()
