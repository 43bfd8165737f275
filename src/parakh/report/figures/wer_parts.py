"""A word error rate of each system as substitutions, deletions and insertions, the best system first.

The parts are shares of the reference words and add up to the rate at the end of the bar. Of WER, cpWER and tcpWER the one that
ranks is shown, unless another is asked for.
"""

from __future__ import annotations

from parakh.report.chart import StackedBars
from parakh.report.figures import Figure
from parakh.report.figures._parts import bars
from parakh.report.figures._systems import systems
from parakh.report.inputs import Inputs

FIGURE = Figure("Word error rate by system, with its parts", "as NIST's sclite reports it: substitutions, deletions, insertions")
_PARTS = {"substitutions": "substitutions", "deletions": "deletions", "insertions": "insertions"}


def chart(inputs: Inputs, *, metric: str | None = None) -> StackedBars | None:
    """The bars; None where the metric is no rate of such errors.

    >>> chart(Inputs(())) is None
    True
    """
    found = systems(inputs, metric)
    return bars(found, _PARTS, "length") if found else None
