"""From the statistics of recordings to the scores of all of them, of a slice, or of any other set."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from parakh.metrics import Metric
from parakh.results import Score, Stats, ratio, total
from parakh.slices import group_values
from parakh.types import Recording

if TYPE_CHECKING:
    from parakh.resample import Bootstrap, Resampler

ByMetric = Mapping[str, Stats]
"""Statistics by the metric's name."""


@dataclass(frozen=True)
class Interval:
    """How confidence intervals are made.

    Args:
        plan: The bootstrap.
        group_by: Manifest field whose recordings are drawn together; None draws each for itself.
        stratify_by: Manifest field within whose values recordings are drawn; None draws from all.
    """

    plan: Bootstrap
    group_by: str | None = None
    stratify_by: str | None = None

    def __str__(self) -> str:
        unit = f"groups of one {self.group_by}" if self.group_by else "recordings"
        return self.plan.describe(f"{unit} within each {self.stratify_by}" if self.stratify_by else unit)


@dataclass(frozen=True)
class About:
    """What the aggregates need to know of a recording: its id, its seconds, and what the manifest says; None if unknown."""

    id: str
    seconds: float | None
    recording: Recording | None


def score_all(
    metrics: Sequence[Metric], stats: Sequence[ByMetric], about: Sequence[About], interval: Interval | None
) -> dict[str, Score]:
    """The scores of a set of recordings; a metric that none of them has is left out.

    Args:
        metrics: The metrics to score.
        stats: Statistics of each recording.
        about: The same recordings, in the same order.
        interval: How to make confidence intervals; None makes none.

    Returns:
        Scores by the metric's name, in the order of the metrics.

    Raises:
        InputError: A recording lacks the field that recordings are grouped or stratified by.
    """
    resamplers: dict[tuple[int, ...], Resampler] = {}
    scores = {}
    for metric in metrics:
        places = tuple(place for place, one in enumerate(stats) if metric.name in one)
        if stats and not places:
            continue
        own, known = [stats[place][metric.name] for place in places], [about[place] for place in places]
        scores[metric.name] = _score(metric, own, [one.seconds for one in known])
        if interval and places:
            resampler = resamplers.get(places) or resamplers.setdefault(places, _resampler(interval, known))
            scores[metric.name] = replace(scores[metric.name], interval=resampler.interval(own, metric.score))
    return scores


def _score(metric: Metric, stats: Sequence[Stats], seconds: Sequence[float | None]) -> Score:
    summed = total(stats)
    scored = [(value, length) for one, length in zip(stats, seconds, strict=True) if (value := metric.score(one)) is not None]
    values, known = [value for value, _ in scored], [length for _, length in scored]
    macro = weighted(values, [1.0] * len(values))
    by_duration = None if None in known else weighted(values, [length or 0.0 for length in known])
    return Score(
        metric.score(summed) if stats else None, summed, metric.parts(summed) if stats else {}, macro, by_duration=by_duration
    )


def weighted(values: Sequence[float], weights: Sequence[float]) -> float | None:
    """The weighted mean; None without weight.

    >>> weighted([0.25, 0.5], [1.0, 3.0]), weighted([], [])
    (0.4375, None)
    """
    weighed = math.fsum(value * weight for value, weight in zip(values, weights, strict=True))
    return ratio(weighed, math.fsum(weights))


def _resampler(interval: Interval, about: Sequence[About]) -> Resampler:
    from parakh.resample import Resampler

    known = {one.id: one.recording for one in about}
    groups = group_values("--group-by", interval.group_by, known) if interval.group_by else None
    strata = group_values("--stratify-by", interval.stratify_by, known) if interval.stratify_by else None
    return Resampler(len(about), interval.plan, groups=groups, strata=strata)
