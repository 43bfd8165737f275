"""Which systems are told apart: paired permutation tests of group leaders, each made once and remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

from parakh import metrics as metric_registry
from parakh.resample import Bootstrap, Resampler, Tables
from parakh.results import Stats
from parakh.significance import PairedTests, letters

EXCHANGES = 10_000
"""Random exchanges of a test, while there are no more than 400 systems."""
LEVEL = 0.95
"""Of the tests, where the metric set names none."""
_MORE = 5_000
"""Further exchanges for every 200 further systems: the smallest p-value has to outlive Holm's adjustment for all of them."""
_MOST_SETS, _MOST_PAIRS = 256, 200_000
"""Sets of recordings whose p-values are remembered, and how many of each."""

_Known = dict[tuple[str, str], float | None]


class Systems:
    """Systems that were scored on the same recordings, from the best to the worst.

    Args:
        keys: What tells their statistics from all others: keys of the store.
        stats: Statistics of the metric of each, of every recording in one order.
        metric: Its name.
        recordings: The recordings' ids in that order.
        level: Of the tests, in (0, 1).
    """

    def __init__(
        self, keys: Sequence[str], stats: Sequence[Sequence[Stats]], metric: str, recordings: Sequence[str], level: float
    ) -> None:
        self.keys, self.stats, self.metric, self.level = keys, stats, metric_registry.get(metric), level
        samples = EXCHANGES + _MORE * max(0, -(-(len(keys) - 400) // 200))
        self._known = _known(metric, tuple(recordings), samples)
        self._tests = PairedTests(Resampler(len(recordings), Bootstrap(samples=samples)))

    def letters(self, leads: Sequence[bool]) -> list[str]:
        """The groups of each, as ``significance.letters`` forms them.

        Args:
            leads: Whether a system may lead a group.
        """
        return letters(leads, self.p_values, self.level)

    def p_values(self, first: int) -> list[float | None]:
        """The p-value of one system against each; None for itself, and where a score is undefined."""
        pairs = [_pair(self.keys[first], key) for key in self.keys]
        known = {pair: self._known[pair] for pair in self._known.keys() & set(pairs)}
        missing = [place for place, pair in enumerate(pairs) if place != first and pair not in known]
        if missing:
            tables = replace(self._tables, units=self._tables.units[[first, *missing]])
            found = self._tests.against(tables, 0, self.metric.score)[1:]
            known.update(zip((pairs[place] for place in missing), found, strict=True))
            if len(self._known) < _MOST_PAIRS:
                self._known.update(known)
        return [None if place == first else known[pair] for place, pair in enumerate(pairs)]

    @cached_property
    def _tables(self) -> Tables:
        return self._tests.resampler.tables(self.stats)


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


@lru_cache(_MOST_SETS)
def _known(metric: str, recordings: tuple[str, ...], samples: int) -> _Known:
    """The p-values on some recordings by the two Results (keys of the store); nothing else is behind them."""
    return {}
