"""What systems have of each other: recordings won and lost, the best of each recording, and which two would fuse well.

All of it is counted on statistics of the same recordings. A choice is made for whole recordings; what votes word by word or turn
by turn (``parakh fuse``) may gain more than it, or less.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from parakh.metrics import Better, Metric
from parakh.resample import TIE
from parakh.results import Stats, ratio, total

_RATES = (("length", ("errors",)), ("scored", ("miss", "false_alarm", "confusion")), ("speakers", ("jaccard_error",)))
"""Names in statistics: what errors are counted against, and the statistics whose sum is their number."""


@dataclass(frozen=True)
class Oracle:
    """What choosing the best system for each recording would come to.

    Args:
        metric: The metric's name.
        systems: Those that are chosen from.
        recordings: How many recordings were chosen for.
        value: The metric of the summed statistics of what was chosen; a ratio, None where undefined.
        best: The system that is best alone.
        alone: Its value on the same recordings; None where undefined.
        shares: Of the recordings, in [0, 1]: where each system is the best; those who share a recording share its count.
        overlap: Of two systems, how much they err on the same recordings, in [0, 1]; None where errors are not counted.
    """

    metric: str
    systems: tuple[str, ...]
    recordings: int
    value: float | None
    best: str
    alone: float | None
    shares: Mapping[str, float]
    overlap: float | None = None

    @property
    def gain(self) -> float | None:
        """How much better than the best alone, >= 0; None where a value is undefined."""
        return None if self.value is None or self.alone is None else abs(self.alone - self.value)


def wins(first: Sequence[float | None], second: Sequence[float | None], better: Better) -> tuple[int, int, int]:
    """How many recordings the first of two systems wins, loses and ties.

    Args:
        first: Its score of each recording.
        second: The other's, in the same order.
        better: Which way the metric improves.

    Returns:
        Counts; a recording whose score is undefined for either is in none of them.

    >>> wins([0.1, 0.2, 0.3, None], [0.2, 0.2, 0.1, 0.5], Better.LOWER)
    (1, 1, 1)
    """
    gaps = [mine - theirs for mine, theirs in zip(first, second, strict=True) if mine is not None and theirs is not None]
    below, above = sum(gap < -TIE for gap in gaps), sum(gap > TIE for gap in gaps)
    won, lost = (below, above) if better is Better.LOWER else (above, below)
    return won, lost, len(gaps) - won - lost


def oracle(metric: Metric, stats: Mapping[str, Sequence[Stats]]) -> Oracle:
    """The best system of each recording, and the metric of what they come to together.

    The best has the fewest errors where they can be counted (also where there is nothing to say, and a rate is undefined), else
    the best score. Of equals the one that is better overall is chosen. Where a choice by recordings comes to less than the best
    system (a metric whose denominator the systems change), that one is chosen throughout.

    Args:
        metric: The metric.
        stats: By system: statistics of every recording, all in one order.

    Returns:
        What it comes to, never worse than the best alone. ``overlap`` is there for two systems:
        ``sum(min(e1, e2)) / sum(max(e1, e2))`` over the errors of each recording (0: never on the same; 1: always as many).

    >>> from parakh import metrics
    >>> made = {"a": (9, 1), "b": (2, 6)}
    >>> stats = {name: [Stats(errors=one, length=10) for one in own] for name, own in made.items()}
    >>> found = oracle(metrics.get("wer"), stats)
    >>> found.value, found.best, found.alone, found.shares, round(found.overlap, 3)
    (0.15, 'b', 0.4, {'a': 0.5, 'b': 0.5}, 0.2)
    """
    overall = {name: metric.score(total(own)) for name, own in stats.items()}
    names = sorted(stats, key=lambda name: _worse(overall[name], metric.better))
    best = names[0]
    shares = dict.fromkeys(stats, 0.0)
    chosen: list[Stats] = []
    count, errors = len(stats[best]), error_count(metric, *stats.values())
    for place in range(count):
        held = {name: stats[name][place] for name in names}
        scores = {name: errors(one) if errors else _worse(metric.score(one), metric.better) for name, one in held.items()}
        least = min(scores.values())
        winners = [name for name in names if scores[name] <= least + TIE]
        chosen.append(stats[winners[0]][place])
        for name in winners:
            shares[name] += 1 / len(winners) / count
    value = metric.score(total(chosen))
    if _worse(value, metric.better) > _worse(overall[best], metric.better):
        value = overall[best]
    overlap = _overlap(errors, *stats.values()) if errors and len(stats) == 2 else None
    return Oracle(metric.name, tuple(stats), count, value, best, overall[best], shares, overlap)


def error_overlap(metric: Metric, first: Sequence[Stats], second: Sequence[Stats]) -> float | None:
    """How much two systems err on the same recordings.

    ``sum(min(e1, e2)) / sum(max(e1, e2))`` over the numbers of errors of each recording.

    Args:
        metric: The metric; its errors are counted as ``error_count`` finds them.
        first: Statistics of every recording from one system.
        second: Those of the other, in the same order.

    Returns:
        A share in [0, 1]; None where the metric counts no errors, or neither system has any.

    >>> from parakh import metrics
    >>> error_overlap(metrics.get("wer"), [Stats(errors=2, length=9)], [Stats(errors=4, length=9)])
    0.5
    """
    errors = error_count(metric, first, second)
    return None if errors is None else _overlap(errors, first, second)


def _overlap(errors: Callable[[Stats], float], first: Sequence[Stats], second: Sequence[Stats]) -> float | None:
    pairs = [(errors(mine), errors(theirs)) for mine, theirs in zip(first, second, strict=True)]
    return ratio(math.fsum(map(min, pairs)), math.fsum(map(max, pairs)))


def error_count(metric: Metric, *systems: Sequence[Stats]) -> Callable[[Stats], float] | None:
    """How many errors statistics hold; None unless the metric is errors / length, and each recording has one length for all."""
    for length, errors in _RATES:
        if not all(name in stats for own in systems for stats in own for name in (length, *errors)):
            continue

        def count(stats: Stats, errors: Sequence[str] = errors) -> float:
            return sum(stats[name] for name in errors)

        sums = map(total, systems)
        rates = all(_same(metric.score(one), ratio(count(one), one[length])) for one in sums)
        if rates and all(_same(one[length], own[0][length]) for own in zip(*systems, strict=True) for one in own):
            return count
    return None


def _same(first: float | None, second: float | None) -> bool:
    return first is not None and second is not None and math.isclose(first, second, rel_tol=TIE)


def _worse(value: float | None, better: Better) -> float:
    """A score as something to keep small; what is undefined is worst."""
    if value is None:
        return math.inf
    return value if better is Better.LOWER else -value
