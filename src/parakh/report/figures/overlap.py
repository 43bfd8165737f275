"""A metric of each recording against how much of its speech is overlapped, with a least-squares line for each system.

The share of overlap is the time in which two or more reference speakers speak, of the time in which anybody speaks. r is
Pearson's correlation; a line is drawn through six recordings or more, as through fewer it says little.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from parakh.report.chart import Scatter
from parakh.report.figures import Figure
from parakh.report.figures._systems import Systems, systems
from parakh.report.inputs import Inputs
from parakh.resample import TIE

FIGURE = Figure("A metric against overlapped speech", "Indic DiarBench (Sarvam AI), Figure 3")
_LEAST = 6
"""Recordings that a line is drawn through."""
Point = tuple[str, float, float]


def chart(inputs: Inputs, *, metric: str | None = None) -> Scatter | None:
    """The points; None where no system has two recordings whose overlap is known.

    >>> chart(Inputs(())) is None
    True
    """
    found = systems(inputs, metric)
    if found is None:
        return None
    series = {label: points for label in found.results if len(points := _points(found, label)) > 1}
    if not series:
        return None
    fitted = {label: fit for label, points in series.items() if (fit := line(points))}
    notes = [
        f"{label}: r = {r:.2f} over {len(series[label])} recordings, {slope:+.2f} points of {found.short} a point of overlap."
        for label, (slope, _, r) in fitted.items()
    ]
    few = [label for label, points in series.items() if len(points) < _LEAST]
    if few:
        notes.append(f"Fewer than {_LEAST} recordings say nothing of a trend: no line for {', '.join(few)}.")
    return Scatter(
        title=f"{found.title} of each recording against its share of overlapped speech",
        axis=found.axis,
        notes=(*notes, *found.without(series, "The share of overlap is not known")),
        across="overlapped speech, % of speech",
        series=series,
        lines={label: (slope, start) for label, (slope, start, _) in fitted.items()},
    )


def line(points: Sequence[Point]) -> tuple[float, float, float] | None:
    """The least-squares line through points.

    Returns:
        Slope, intercept and Pearson's r; None through fewer than six points, or where all lie above or beside each other.

    >>> line([(f"v{k}", float(k), 1.0 + 2 * k) for k in range(6)])
    (2.0, 1.0, 1.0)
    """
    n = len(points)
    if n < _LEAST:
        return None
    mean_x, mean_y = math.fsum(x for _, x, _ in points) / n, math.fsum(y for _, _, y in points) / n
    xx, yy = math.fsum((x - mean_x) ** 2 for _, x, _ in points), math.fsum((y - mean_y) ** 2 for _, _, y in points)
    if xx <= n * (TIE * mean_x) ** 2 or yy <= n * (TIE * mean_y) ** 2:  # equal but for the last digits
        return None
    xy = math.fsum((x - mean_x) * (y - mean_y) for _, x, y in points)
    return xy / xx, mean_y - xy / xx * mean_x, xy / math.sqrt(xx * yy)


def _points(found: Systems, label: str) -> list[Point]:
    values = ((one.id, one.overlap, one.metrics.get(found.metric)) for one in found.results[label].recordings)
    return [(name, 100 * share, found.scaled(value)) for name, share, value in values if share is not None and value is not None]
