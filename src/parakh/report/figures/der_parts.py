"""DER of each system as missed speaker time, false alarm and confusion, the best system first.

The parts are shares of the scored speaker time and add up to the DER at the end of the bar, which has its interval where the
results have one. Systems known only by published figures stand among the others; one whose parts were not published is a bar of
one piece.
"""

from __future__ import annotations

from parakh.report.chart import StackedBars
from parakh.report.figures import Figure
from parakh.report.figures._parts import bars
from parakh.report.figures._systems import systems
from parakh.report.inputs import Inputs

FIGURE = Figure("DER by system, with its parts", "DISPLACE-M (arXiv 2603.02813), Figure 2", by_track=False)
_PARTS = {"miss": "missed speaker time", "false_alarm": "false alarm", "confusion": "confusion"}


def chart(inputs: Inputs, *, metric: str | None = None) -> StackedBars | None:
    """The bars; None where no results hold DER, and for another metric.

    >>> chart(Inputs(())) is None
    True
    """
    found = systems(inputs, "der") if metric in {None, "der"} else None
    return bars(found, _PARTS, "scored") if found else None
