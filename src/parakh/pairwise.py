"""One metric of several systems on recordings that all of them have: differences of two, and the recordings behind them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from parakh.complementarity import error_count, wins
from parakh.metrics import Metric
from parakh.resample import TIE, Replicates, Resampler
from parakh.results import Stats, total
from parakh.significance import Paired, PairedTests, minimum_detectable_difference, minus

LARGEST = 5
"""Recordings kept as the largest contributions to a difference."""


@dataclass(frozen=True)
class RecordingGap:
    """What one recording has to do with a difference.

    Args:
        id: The recording.
        first: The first system's score of it; None where undefined.
        second: The second system's.
        contribution: Overall difference - the difference without this recording; None where undefined.
    """

    id: str
    first: float | None
    second: float | None
    contribution: float | None


@dataclass(frozen=True)
class PairResult:
    """One metric of two systems.

    Args:
        metric: Its name.
        first: The system whose score the second's is subtracted from.
        second: The other system.
        paired: The difference, its interval and p-values.
        p_holm: The permutation p-value, adjusted over every metric and pair of the comparison.
        minimum_detectable_difference: Smallest true difference found here with 80 % power; None without an interval.
        better: The system that is better with ``p_holm`` below 1 - level; None when the two are not told apart.
        flipped: Recordings whose difference has the other sign than the overall one, the largest contribution first.
        largest: The recordings that contribute most to the difference, either way.
        recordings: How many recordings both have; the two are compared on these.
        units: How many of what is drawn (recordings, groups of them) these are.
    """

    metric: str
    first: str
    second: str
    paired: Paired
    p_holm: float | None
    minimum_detectable_difference: float | None
    better: str | None
    flipped: tuple[RecordingGap, ...]
    largest: tuple[RecordingGap, ...]
    recordings: int = 0
    units: int = 0


@dataclass(frozen=True)
class Duel:
    """Recordings that one system wins and loses against another, and whether the two are told apart.

    Args:
        metric: The metric's name.
        first: The one system.
        second: The other.
        recordings: How many recordings both have.
        won: How many of them the first wins.
        lost: How many it loses.
        tied: On how many the two are equal.
        difference: First score - second score on all of them; None where either is undefined.
        p: Of the permutation test on them; None where there is none.
        p_holm: The same, adjusted over every two systems of this metric.
        better: The system that is better with ``p_holm`` below 1 - level; None when the two are not told apart.
    """

    metric: str
    first: str
    second: str
    recordings: int
    won: int
    lost: int
    tied: int
    difference: float | None
    p: float | None
    p_holm: float | None = None
    better: str | None = None


class Shared:
    """One metric of systems on the recordings that they share: what is computed once serves every pair.

    Args:
        metric: The metric.
        ids: The recordings.
        stats: By system: statistics of each recording, in the order of ``ids``.
        tests: Made for as many recordings.
    """

    def __init__(self, metric: Metric, ids: Sequence[str], stats: Mapping[str, list[Stats]], tests: PairedTests) -> None:
        self.metric, self.ids, self.stats, self.tests = metric, ids, stats, tests
        self._replicates: dict[str, Replicates] = {}

    def value(self, name: str) -> float | None:
        """A system's score."""
        return self.metric.score(total(self.stats[name]))

    def interval(self, name: str) -> tuple[float, float] | None:
        """Its interval; None as for ``Resampler.interval``."""
        return self.tests.resampler.interval_of(self.replicates(name))

    def replicates(self, name: str) -> Replicates:
        """Its score on every resample, computed once."""
        if name not in self._replicates:
            self._replicates[name] = self.tests.resampler.replicates(self.stats[name], self.metric.score)
        return self._replicates[name]

    @cached_property
    def scores(self) -> Mapping[str, Sequence[float | None]]:
        """By system: the score of each recording."""
        return {name: [self.metric.score(one) for one in own] for name, own in self.stats.items()}

    @cached_property
    def p_values(self) -> Mapping[str, Mapping[str, float | None]]:
        """Of the permutation test of every two systems."""
        found = self.tests.among(self.tests.resampler.tables(list(self.stats.values())), self.metric.score)
        return {name: dict(zip(self.stats, row, strict=True)) for name, row in zip(self.stats, found, strict=True)}

    def duel(self, first: str, second: str) -> Duel:
        """Recordings won, lost and tied."""
        counts = wins(self.scores[first], self.scores[second], self.metric.better)
        difference = minus(self.value(first), self.value(second))
        return Duel(self.metric.name, first, second, len(self.ids), *counts, difference, self.p_values[first][second])

    def pair(self, first: str, second: str) -> PairResult:
        """Everything of two systems but the adjustment, which needs the other pairs."""
        mine, theirs = self.stats[first], self.stats[second]
        paired = self.tests.differences(
            mine,
            theirs,
            self.metric.score,
            errors=error_count(self.metric, mine, theirs),
            replicates=(self.replicates(first), self.replicates(second)),
        )
        gaps = sorted(self._gaps(first, second), key=lambda gap: (-abs(gap.contribution or 0.0), gap.id))
        error, level = paired.standard_error, self.tests.resampler.plan.level
        return PairResult(
            metric=self.metric.name,
            first=first,
            second=second,
            paired=replace(paired, p_permutation=self.p_values[first][second]),
            p_holm=None,
            minimum_detectable_difference=None if error is None else minimum_detectable_difference(error, level),
            better=None,
            flipped=tuple(gap for gap in gaps if _opposite(gap, paired.difference)),
            largest=tuple(gaps[:LARGEST]),
            recordings=len(self.ids),
            units=self.tests.resampler.units,
        )

    def _gaps(self, first: str, second: str) -> Iterator[RecordingGap]:
        score = self.metric.score
        tables = Resampler(len(self.ids), self.tests.resampler.plan).tables([self.stats[first], self.stats[second]])
        sums = tables.units.sum(axis=1, keepdims=True)
        whole = [tables.scores(one, score)[0] for one in sums]
        without = [tables.scores(one - units, score) for one, units in zip(sums, tables.units, strict=True)]
        overall = minus(*whole)
        for number, one in enumerate(self.ids):
            yield RecordingGap(
                id=one,
                first=self.scores[first][number],
                second=self.scores[second][number],
                contribution=minus(overall, minus(without[0][number], without[1][number])),
            )


def _opposite(gap: RecordingGap, difference: float | None) -> bool:
    own = minus(gap.first, gap.second)
    if own is None or difference is None or min(abs(own), abs(difference)) <= TIE:
        return False
    return (own > 0) != (difference > 0)
