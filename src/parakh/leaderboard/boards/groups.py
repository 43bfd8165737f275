"""Which systems are told apart: paired permutation tests of group leaders, each made once and remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from parakh import metrics as metric_registry
from parakh.leaderboard.ranking import letters
from parakh.resample import Bootstrap, Resampler, Tables
from parakh.results import Stats
from parakh.significance import PairedTests

EXCHANGES = 10_000
"""Random exchanges of a test, while there are no more than 400 systems."""
LEVEL = 0.95
"""Of the tests, where the metric set names none."""
_REMEMBERED = 500_000
_MORE = 5_000
"""Further exchanges for every 200 further systems: the smallest p-value has to outlive Holm's adjustment for all of them."""
_P_VALUES: dict[tuple[object, ...], float | None] = {}
"""By the two Results (keys of the store), metric, recordings and number of exchanges: nothing else is behind a p-value."""


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
        self._samples = EXCHANGES + _MORE * max(0, -(-(len(keys) - 400) // 200))
        self._tests = PairedTests(Resampler(len(recordings), Bootstrap(samples=self._samples)))
        self._about = (metric, tuple(recordings), self._samples)

    def letters(self, leads: Sequence[bool]) -> list[str]:
        """The groups of each, as ``ranking.letters`` forms them.

        Args:
            leads: Whether a system may lead a group.
        """
        return letters(leads, self.p_values, self.level)

    def p_values(self, first: int) -> list[float | None]:
        """The p-value of one system against each; None for itself, and where a score is undefined."""
        names = [(*sorted((self.keys[first], key)), *self._about) for key in self.keys]
        missing = [place for place, name in enumerate(names) if place != first and name not in _P_VALUES]
        if missing:
            if len(_P_VALUES) > _REMEMBERED:
                _P_VALUES.clear()
            tables = replace(self._tables, units=self._tables.units[[first, *missing]])
            found = self._tests.against(tables, 0, self.metric.score)[1:]
            _P_VALUES.update(zip((names[place] for place in missing), found, strict=True))
        return [None if place == first else _P_VALUES[name] for place, name in enumerate(names)]

    @cached_property
    def _tables(self) -> Tables:
        return self._tests.resampler.tables(self.stats)
