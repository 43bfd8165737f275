"""Are two systems different, or were these recordings kind to one of them: paired tests, on Stats only.

Every test compares the two systems on the same recordings, so what makes a recording hard for both falls out.

The interval of a difference is a percentile interval whatever the plan says of single scores: the corrections of BCa, estimated
from some dozens of differences of either sign, made it hold the true difference less often (benchmarks/resampling.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from string import ascii_lowercase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.resample import DEFINED, TIE, Matrix, Replicates, Resampler, Score, Tables, between, enough, row_blocks
from parakh.results import Stats, total

_NORMAL = NormalDist()


@dataclass(frozen=True)
class Paired:
    """The difference between two systems and how sure it is.

    Args:
        difference: First score - second score, in the score's unit; None where either is undefined.
        interval: Percentile bootstrap interval of the difference; None as for ``Resampler.interval``.
        standard_error: Standard deviation of the difference over the resamples; None where there is no interval.
        p_permutation: Two-sided p-value of approximate randomisation; None where the score is undefined.
        p_bootstrap: Two-sided p-value of the paired bootstrap; None where there is no interval.
        p_matched_pairs: Two-sided p-value of the matched-pairs test; None where it does not apply.
    """

    difference: float | None
    interval: tuple[float, float] | None
    standard_error: float | None
    p_permutation: float | None
    p_bootstrap: float | None
    p_matched_pairs: float | None


class PairedTests:
    """The paired tests on one set of recordings; exchanges are drawn once, at first use, for every metric and pair.

    Args:
        resampler: Draws the recordings, and says how.

    >>> from parakh.resample import Bootstrap
    >>> tests = PairedTests(Resampler(6, Bootstrap(samples=1000)))
    >>> better = [Stats(errors=k, length=10) for k in range(6)]
    >>> worse = [Stats(errors=k + 2, length=10) for k in range(6)]
    >>> found = tests.compare(better, worse, lambda total: total["errors"] / total["length"])
    >>> round(found.difference, 12), found.p_permutation  # 2 of the 2**6 exchanges differ as much
    (-0.2, 0.03125)
    """

    def __init__(self, resampler: Resampler) -> None:
        self.resampler = resampler

    def compare(
        self,
        first: Sequence[Stats],
        second: Sequence[Stats],
        score: Score,
        *,
        errors: Callable[[Stats], float] | None = None,
        replicates: tuple[Replicates, Replicates] | None = None,
    ) -> Paired:
        """Compare two systems.

        Args:
            first: Statistics of every recording from one system.
            second: Those of the other, in the same order.
            score: The metric's score of summed statistics.
            errors: The number of errors in statistics, for the matched-pairs test; None: the metric is no sum of errors.
            replicates: Of both, where ``resampler.replicates`` has computed them already.

        Returns:
            The difference with its interval and p-values.

        Source: Koehn, Statistical Significance Tests for Machine Translation Evaluation (2004), for the paired bootstrap;
        Noreen, Computer-Intensive Methods for Testing Hypotheses (1989), for approximate randomisation; Gillick & Cox, Some
        Statistical Issues in the Comparison of Speech Recognition Algorithms (1989), for matched pairs.
        """
        found = self.differences(first, second, score, errors=errors, replicates=replicates)
        return replace(found, p_permutation=self.against(self.resampler.tables([first, second]), 0, score)[1])

    def differences(
        self,
        first: Sequence[Stats],
        second: Sequence[Stats],
        score: Score,
        *,
        errors: Callable[[Stats], float] | None = None,
        replicates: tuple[Replicates, Replicates] | None = None,
    ) -> Paired:
        """As ``compare``, without the permutation test: ``among`` makes those of many pairs at once."""
        mine, theirs = replicates or (self.resampler.replicates(first, score), self.resampler.replicates(second, score))
        draws = enough(map(minus, mine.draws, theirs.draws))
        return Paired(
            difference=minus(score(total(first)), score(total(second))),
            interval=None if draws is None else between(draws, self.resampler.plan.shares),
            standard_error=None if draws is None else _deviation(draws),
            p_permutation=None,
            p_bootstrap=None if draws is None else _bootstrap_p(draws),
            p_matched_pairs=None if errors is None else _matched_pairs(self.resampler.tables([first, second]), errors),
        )

    @cached_property
    def exchanges(self) -> NDArray[Any]:
        """Which units exchange the two systems: all 2**units ways where no more than ``samples``, else as many at random."""
        units, samples = self.resampler.units, self.resampler.plan.samples
        if self._exhaustive:
            return (np.arange(2**units)[:, None] >> np.arange(units) & 1).astype(np.uint8)
        stream = np.random.PCG64([self.resampler.plan.seed, 1])  # another stream than that of the resamples
        exchanges = np.empty((samples, units), dtype=np.uint8)
        for rows in row_blocks(samples, units):
            drawn = stream.random_raw((rows.stop - rows.start) * units)
            exchanges[rows] = (drawn >> np.uint64(63)).reshape(-1, units)
        return exchanges

    @property
    def _exhaustive(self) -> bool:
        return self.resampler.units < 64 and 2**self.resampler.units <= self.resampler.plan.samples

    def against(self, tables: Tables, first: int, score: Score) -> list[float | None]:
        """The permutation test of one system against each.

        Args:
            tables: Statistics of all systems, from the resampler.
            first: Place of the one among them.
            score: The metric's score of summed statistics.

        Returns:
            The share of exchanges with a difference at least as large either way, the one at hand among them; None where a score
            is undefined, or is on more than 5 % of the exchanges.
        """
        try:
            return self._against(tables.needed(score), first, score)
        except KeyError:  # after some exchange it reads what it did not before
            return self._against(tables, first, score)

    def among(self, tables: Tables, score: Score) -> list[list[float | None]]:
        """The permutation test of every two systems: what ``against`` says of each, with the exchanges added up once.

        Args:
            tables: Statistics of all systems, from the resampler.
            score: The metric's score of summed statistics.

        Returns:
            P-values by the places of the two; None on the diagonal, and as for ``against``.
        """
        try:
            return self._among(tables.needed(score), score)
        except KeyError:
            return self._among(tables, score)

    def _against(self, tables: Tables, first: int, score: Score) -> list[float | None]:
        sums = tables.units.sum(axis=1)
        here = tables.values(sums, score)
        moved = (tables.units - tables.units[first]).swapaxes(0, 1).reshape(tables.units.shape[1], -1)
        least = np.abs(here[first] - here) - TIE
        defined, extreme = np.zeros((2, len(sums)), dtype=np.int64)
        for rows in row_blocks(len(self.exchanges), max(moved.shape)):
            change = (self.exchanges[rows].astype(np.float64) @ moved).reshape(-1, *sums.shape)
            gaps = _gaps(tables, score, sums[first] + change, sums - change)
            defined += np.count_nonzero(~np.isnan(gaps), axis=0)
            extreme += np.count_nonzero(gaps >= least, axis=0)
        return self._p_values(least, defined, extreme)

    def _among(self, tables: Tables, score: Score) -> list[list[float | None]]:
        count, sums = len(tables.units), tables.units.sum(axis=1)
        here = tables.values(sums, score)
        moved = tables.units.swapaxes(0, 1).reshape(tables.units.shape[1], -1)
        least = np.abs(here[:, None] - here) - TIE
        defined, extreme = np.zeros((2, count, count), dtype=np.int64)
        for rows in row_blocks(len(self.exchanges), max(moved.shape)):
            given = (self.exchanges[rows].astype(np.float64) @ moved).reshape(-1, *sums.shape)
            for first in range(count - 1):
                change = given[:, first + 1 :] - given[:, first : first + 1]
                gaps = _gaps(tables, score, sums[first] + change, sums[first + 1 :] - change)
                defined[first, first + 1 :] += np.count_nonzero(~np.isnan(gaps), axis=0)
                extreme[first, first + 1 :] += np.count_nonzero(gaps >= least[first, first + 1 :], axis=0)
        found = [self._p_values(*of_one) for of_one in zip(least, defined, extreme, strict=True)]
        return [[None if k == n else found[min(k, n)][max(k, n)] for n in range(count)] for k in range(count)]

    def _p_values(self, least: Matrix, defined: NDArray[np.int64], extreme: NDArray[np.int64]) -> list[float | None]:
        whole = ~np.isnan(least) & (defined >= DEFINED * len(self.exchanges))
        one = 0 if self._exhaustive else 1
        return [
            (one + int(more)) / (one + int(count)) if good else None
            for good, more, count in zip(whole, extreme, defined, strict=True)
        ]


def _gaps(tables: Tables, score: Score, mine: Matrix, theirs: Matrix) -> Matrix:
    """The differences in score, either way, of exchanges x systems x statistics."""
    pairs = (tables.values(side.reshape(-1, side.shape[-1]), score) for side in (mine, theirs))
    return np.abs(np.subtract(*pairs)).reshape(mine.shape[:-1])


def holm(p_values: Sequence[float | None]) -> list[float | None]:
    """P-values of one family of tests, raised so that all of them together keep the level (Holm's step-down method).

    With the k-th smallest of m: ``max over j <= k of min(1, (m - j + 1) * p_j)``.

    Args:
        p_values: In any order; None for a test that could not be made, which counts for nothing.

    Returns:
        The adjusted p-values in the same order; None stays None.

    Source: Holm, A Simple Sequentially Rejective Multiple Test Procedure (1979).

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    order = sorted((p, place) for place, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    reached = 0.0
    for done, (p, place) in enumerate(order):
        reached = max(reached, min(1.0, (len(order) - done) * p))
        adjusted[place] = reached
    return adjusted


def letters(leads: Sequence[bool], p_values: Callable[[int], Sequence[float | None]], level: float) -> list[str]:
    """The groups of systems that are not significantly different from the group's best.

    The best system leads group "a". Every other is tested against it, and those that do not differ carry its letter. The best
    that carries no letter leads the next group, and is tested against all others again; so systems between two groups carry
    both letters. Within a group's tests the p-values are adjusted (Holm). No more than 26 groups are formed.

    Args:
        leads: Whether a system may lead a group; systems from the best to the worst.
        p_values: Of the tests of one system, by its place, against all; None for itself and where no test can be made.
        level: Of the tests, in (0, 1); 0.95 calls those different whose adjusted p is below 0.05.

    Returns:
        The letters of each system; "" beyond the last group, or where no test can be made.

    >>> table = [[None, 0.4, 0.001], [0.4, None, 0.2], [0.001, 0.2, None]]
    >>> letters([True, True, True], table.__getitem__, 0.95)
    ['a', 'ab', 'b']
    """
    found = [""] * len(leads)
    for letter in ascii_lowercase:
        leader = next((place for place, may in enumerate(leads) if may and not found[place]), None)
        if leader is None:
            break
        for place, p in enumerate(holm(p_values(leader))):
            if place == leader or (p is not None and p >= steady(1 - level)):
                found[place] += letter
    return found


def least_p(units: int, samples: int) -> float:
    """The smallest p-value that a permutation test can have.

    Args:
        units: How many of what is exchanged there are.
        samples: How many exchanges are drawn where there are more ways than that.

    >>> least_p(4, 10_000)
    0.125
    """
    return 2.0 ** (1 - units) if 2**units <= samples else 1 / (1 + samples)


def minimum_detectable_difference(standard_error: float, level: float = 0.95, power: float = 0.8) -> float:
    """The smallest true difference that a test on these recordings finds with probability ``power``.

    ``(z(1 - (1 - level) / 2) + z(power)) * standard_error``, z the normal quantile.

    Args:
        standard_error: Of the paired difference.
        level: Of the test, in (0, 1).
        power: In (0, 1).

    Returns:
        The difference, in the unit of the standard error.

    Source: Card et al., With Little Power Comes Great Responsibility (2020), for why to state it.

    >>> round(minimum_detectable_difference(0.01), 4)
    0.028
    """
    return steady((_NORMAL.inv_cdf((1 + level) / 2) + _NORMAL.inv_cdf(power)) * standard_error)


def steady(value: float) -> float:
    """Twelve significant digits: the same on machines whose logarithms differ in the last."""
    return float(f"{value:.12g}")


def minus(first: float | None, second: float | None) -> float | None:
    """``first - second``; None where either is undefined.

    >>> minus(0.5, 0.25), minus(None, 0.25)
    (0.25, None)
    """
    return None if first is None or second is None else first - second


def _deviation(draws: Sequence[float]) -> float:
    mean = math.fsum(draws) / len(draws)
    return math.sqrt(math.fsum((value - mean) * (value - mean) for value in draws) / (len(draws) - 1))


def _bootstrap_p(draws: Sequence[float]) -> float:
    """Twice the smaller share of resamples on one side of no difference, the data at hand counted as one more."""
    not_above = sum(value <= TIE for value in draws)
    not_below = sum(value >= -TIE for value in draws)
    return min(1.0, 2 * (1 + min(not_above, not_below)) / (1 + len(draws)))


def _matched_pairs(tables: Tables, errors: Callable[[Stats], float]) -> float | None:
    """Two-sided p of z = mean / (deviation / sqrt(n)) of the differences in errors of each unit.

    None with fewer than two units, and where every unit has the same difference other than 0.
    """
    counts = [tables.scores(system, errors) for system in tables.units]
    gaps = [gap for gap in map(minus, *counts) if gap is not None]
    if len(gaps) < 2:
        return None
    mean, deviation = math.fsum(gaps) / len(gaps), _deviation(gaps)
    if deviation <= TIE * max(map(abs, gaps)):
        return None if any(gaps) else 1.0
    return steady(2 * _NORMAL.cdf(-abs(mean) / deviation * math.sqrt(len(gaps))))
