"""From a word error rate to nothing: how much is left as each kind of error is mended, in the ledger's order, for each system.

It is made from diagnoses (``parakh diagnose ... --json FILE``). Steps add up to the rate; one that adds errors is
drawn as a cost. Kinds without errors are left out.
"""

from __future__ import annotations

from parakh.report.chart import Waterfall
from parakh.report.diagnosed import Diagnosed
from parakh.report.diagnosis_ledger import named
from parakh.report.figures import Figure
from parakh.report.inputs import Inputs
from parakh.typeset import short

FIGURE = Figure("Errors left as each kind is mended", "Parakh's ledger of errors", by_track=False)
Steps = tuple[tuple[str, float], ...]


def chart(inputs: Inputs, *, metric: str | None = None) -> Waterfall | None:
    """A panel a system; None without diagnoses that found errors by the metric.

    >>> chart(Inputs(())) is None
    True
    """
    known = [one for one in inputs.diagnosed if one.ledger.errors and one.ledger.rate is not None]
    first = metric or next((one.ledger.metric for one in known), "")
    panels = {one.system: (100 * (one.ledger.rate or 0.0), _steps(one)) for one in known if one.ledger.metric == first}
    if not panels:
        return None
    title = f"{short(first)} left as each kind of error is mended, in turn"
    if len(panels) == 1 and (name := next(iter(panels))) not in inputs.systems()[:1]:
        title += f": {name}"
    return Waterfall(title=title, axis=f"{short(first)}, % of the words", panels=panels)


def _steps(one: Diagnosed) -> Steps:
    return tuple((named(item.name)[0], 100 * item.points) for item in one.ledger.items if item.step and item.points is not None)
