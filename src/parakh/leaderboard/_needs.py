"""What the metrics of a track need of every item, on either side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from parakh import metrics
from parakh.errors import counted
from parakh.leaderboard.challenge import MetricSet

_FIELDS = {"speaker": "speaker", "start_time": "times", "end_time": "times"}


@dataclass(frozen=True)
class Lack:
    """A field that a metric needs and items do not have.

    Args:
        field: Its name.
        found: What is missing, in how many of them.
        expected: Who needs it.
        first: Place of the first item without it.
    """

    field: str
    found: str
    expected: str
    first: int


def lacking(metric_set: MetricSet, items: Sequence[Any]) -> list[Lack]:
    """Every field that a metric of a set needs and some item does not have.

    >>> from parakh.types import Segment
    >>> turns = [Segment("v1", "asha", 0.0, 1.0), Segment("v1", None, 1.0, 2.0)]
    >>> [(one.found, one.expected) for one in lacking(MetricSet("1", "diarization", ("der",), "der"), turns)]
    [('no speaker in 1 of 2 segments', 'it in every one: der needs it')]
    """
    needs = {need: name for name in reversed(metric_set.metrics) for need in metrics.get(name).needs}
    lacks = []
    for need, name in needs.items():
        without = [place for place, item in enumerate(items) if getattr(item, need) is None]
        if without:
            found = f"no {_FIELDS.get(need, need)} in {len(without)} of {counted(len(items), 'segment')}"
            lacks.append(Lack(need, found, f"it in every one: {name} needs it", without[0]))
    return lacks
