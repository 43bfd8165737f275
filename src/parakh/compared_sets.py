"""Everything that a comparison counts: sets of recordings one after the other, and the systems on each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from parakh.complementarity import Oracle, oracle
from parakh.errors import Fault, InputError
from parakh.metrics import Better, Metric
from parakh.pairwise import Duel, PairResult, Shared
from parakh.resample import Bootstrap, Resampler
from parakh.results import Stats
from parakh.significance import Paired, PairedTests

_NOT_TESTED = Paired(None, None, None, None, None, None)


@dataclass(frozen=True)
class SystemScore:
    """One metric of one system.

    Args:
        system: Its name.
        metric: The metric's name.
        value: On the recordings that all systems have; None where undefined, and for published figures.
        interval: Of ``value``; None where there is none.
        own: On the system's own recordings, or as published; None where undefined.
        own_interval: Of ``own``.
    """

    system: str
    metric: str
    value: float | None
    interval: tuple[float, float] | None
    own: float | None = None
    own_interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Draw:
    """How recordings are drawn, whichever of them it is about."""

    plan: Bootstrap
    groups: Mapping[str, str] | None
    strata: Mapping[str, str] | None
    unit: str
    ids: Sequence[str]

    def __post_init__(self) -> None:
        _values(self.groups, self.ids, self.unit)
        _values(self.strata, self.ids, "stratum")

    def tests(self, ids: Sequence[str]) -> PairedTests:
        groups, strata = _values(self.groups, ids, self.unit), _values(self.strata, ids, "stratum")
        return PairedTests(Resampler(len(ids), self.plan, groups=groups, strata=strata))

    def units(self, ids: Sequence[str]) -> int:
        return len(set(_values(self.groups, ids, self.unit) or ids))


class Work:
    """All that is computed: sets of recordings one after the other, so that only one holds its resamples."""

    def __init__(
        self,
        metrics: Sequence[Metric],
        stats: Mapping[str, Mapping[str, Mapping[str, Stats]]],
        draw: Draw,
        common: Sequence[str],
        asked: Sequence[tuple[str, str]],
        *,
        seeks_choices: bool = True,
    ) -> None:
        self.metrics, self.stats, self.draw, self.common = metrics, stats, draw, tuple(common)
        self.seeks_choices = seeks_choices
        self.own = {name: tuple(sorted(held)) for name, held in stats[metrics[0].name].items()}
        self.asked = [(metric.name, *pair) for metric in metrics for pair in asked]
        self.pairs: dict[tuple[str, str, str], PairResult] = {}
        self.duels: dict[tuple[str, str, str], Duel] = {}
        self.oracles: list[Oracle] = []
        self._common: dict[tuple[str, str], SystemScore] = {}
        self._fusions: list[Oracle] = []
        for ids, couples in self._sets(asked).items():
            self._compare(ids, couples)
        for name, ids in self.own.items():
            self._alone(name, ids)
        order = [(metric.name, name) for metric in metrics for name in self.own]
        self.scores = [self._common[key] for key in order]

    def _sets(self, asked: Sequence[tuple[str, str]]) -> dict[tuple[str, ...], list[tuple[str, str]]]:
        """The couples by the recordings that both have; a couple that was asked for stands as it was asked for."""
        turned = {frozenset(pair): pair for pair in asked}
        sets: dict[tuple[str, ...], list[tuple[str, str]]] = {self.common: []}
        for couple in combinations(self.own, 2):
            shared = tuple(sorted({*self.own[couple[0]]} & {*self.own[couple[1]]}))
            sets.setdefault(shared, []).append(turned.get(frozenset(couple), couple))
        return sets

    def _compare(self, ids: tuple[str, ...], couples: Sequence[tuple[str, str]]) -> None:
        names = list(self.own) if ids == self.common else list(dict.fromkeys(name for couple in couples for name in couple))
        tests = self.draw.tests(ids)
        for metric in self.metrics:
            held = self.stats[metric.name]
            shared = Shared(metric, ids, {name: [held[name][one] for one in ids] for name in names if ids}, tests)
            if ids == self.common:
                self._all(shared)
            for first, second in couples:
                key = (metric.name, first, second)
                self.duels[key] = shared.duel(first, second) if ids else Duel(*key, 0, 0, 0, 0, None, None)
                if ids and not self.common and self.seeks_choices:
                    self._fusions.append(oracle(metric, {name: shared.stats[name] for name in (first, second)}))
                if key in self.asked:
                    self.pairs[key] = shared.pair(first, second) if ids else _no_pair(*key)

    def _all(self, shared: Shared) -> None:
        """What is told of all systems on the recordings that all have."""
        metric = shared.metric
        for name in self.own:
            value, interval = (shared.value(name), shared.interval(name)) if shared.ids else (None, None)
            self._common[metric.name, name] = SystemScore(name, metric.name, value, interval, value, interval)
        if not shared.ids or not self.seeks_choices:
            return
        if len(shared.stats) > 2:
            self.oracles.append(oracle(metric, shared.stats))
        couples = combinations(shared.stats, 2)
        self._fusions += [oracle(metric, {name: shared.stats[name] for name in couple}) for couple in couples]

    def _alone(self, name: str, ids: tuple[str, ...]) -> None:
        """A system's values on its own recordings, where these are not those that all have."""
        if ids == self.common:
            return
        tests = self.draw.tests(ids)
        for metric in self.metrics:
            shared = Shared(metric, ids, {name: [self.stats[metric.name][name][one] for one in ids]}, tests)
            key = (metric.name, name)
            self._common[key] = replace(self._common[key], own=shared.value(name), own_interval=shared.interval(name))

    def place(self, key: tuple[str, str, str]) -> list[int]:
        """Where a couple stands in the order of the systems."""
        names = list(self.own)
        return sorted(names.index(name) for name in key[1:])

    def fusions(self) -> Iterator[Oracle]:
        """The couples of each metric, the best first: by value on the recordings that all have, else by what is gained."""
        for metric in self.metrics:
            own = [one for one in self._fusions if one.metric == metric.name]
            keys = [best_first(one.value, metric) if self.common else (one.gain is None, -(one.gain or 0.0)) for one in own]
            yield from (own[place] for place in sorted(range(len(own)), key=keys.__getitem__))


def _no_pair(metric: str, first: str, second: str) -> PairResult:
    """Two systems without a recording in common."""
    return PairResult(metric, first, second, _NOT_TESTED, None, None, None, (), ())


def best_first(value: float | None, metric: Metric) -> tuple[bool, float]:
    """What sorts values from the best to the worst, undefined ones last."""
    return value is None, (value or 0.0) * (1 if metric.better is Better.LOWER else -1)


def _values(given: Mapping[str, str] | None, ids: Sequence[str], what: str) -> list[str] | None:
    if given is None:
        return None
    faults = [
        Fault(one, what, "nothing", "a value for every recording", "Add it to the metadata.") for one in ids if one not in given
    ]
    if faults:
        raise InputError(faults)
    return [given[one] for one in ids]
