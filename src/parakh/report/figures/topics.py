"""The topics of all recordings that each system found, missed and made up, the best system first.

It counts as topic F1 does: each topic once a recording, against the accepted reference that suits the answer best.
"""

from __future__ import annotations

from parakh.report.chart import Mark, StackedBars
from parakh.report.figures import Figure
from parakh.report.figures._systems import systems
from parakh.report.inputs import Inputs
from parakh.results import Stats

FIGURE = Figure("Topics found, missed and made up", "Parakh", by_track=False)
_PARTS = {"tp": "found", "fn": "missed", "fp": "made up"}
_METRICS = ("topic_f1_folded", "topic_f1")


def chart(inputs: Inputs, *, metric: str | None = None) -> StackedBars | None:
    """The bars; None where no results hold topic F1, and for another metric.

    >>> chart(Inputs(())) is None
    True
    """
    wanted = next((name for name in _METRICS if any(name in one.metrics for one in inputs.results)), None)
    found = systems(inputs, metric or wanted) if metric or wanted else None
    if found is None or found.metric not in _METRICS:
        return None
    rows = [(label, counts) for label, score in found.scores() if (counts := _counts(score.stats))]
    if not rows:
        return None
    return StackedBars(
        title="Topics that each system found, missed and made up",
        axis="topics",
        notes=found.coverage(),
        decimals=0,
        parts=tuple(_PARTS.values()),
        rows=tuple((label, counts, Mark(sum(counts))) for label, counts in rows),
        hues=("green", "red", "orange"),
    )


def _counts(stats: Stats) -> tuple[float, ...]:
    return tuple(stats[name] for name in _PARTS) if all(name in stats for name in _PARTS) else ()
