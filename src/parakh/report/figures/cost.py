"""What a system's answers cost against how wrong they are, a point a system: nearer to the better end and to the left is better.

The cost is the real-time factor: seconds of work a second of audio, as ``parakh run`` measured it.
"""

from __future__ import annotations

from parakh.report.chart import Scatter
from parakh.report.figures import Figure
from parakh.report.figures._systems import systems
from parakh.report.inputs import Inputs

FIGURE = Figure("A metric against what the answers cost", "Parakh")


def chart(inputs: Inputs, *, metric: str | None = None) -> Scatter | None:
    """The points; None where the cost of fewer than two systems is known.

    >>> chart(Inputs(())) is None
    True
    """
    found = systems(inputs, metric)
    if found is None:
        return None
    costs = {label: one.cost.real_time_factor for label, one in found.results.items() if one.cost is not None}
    series = {
        label: [(label, factor, found.scaled(score.value))]
        for label, score in found.scores()
        if score.value is not None and (factor := costs.get(label)) is not None
    }
    if len(series) < 2:
        return None
    return Scatter(
        title=f"{found.title} of each system against what its answers cost",
        axis=found.axis,
        notes=(*found.without(series, "The cost is not known"), *found.coverage()),
        across="real-time factor (seconds of work a second of audio)",
        series=series,
    )
