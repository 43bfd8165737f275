"""What the figures of a report show, as plain data: drawn as SVG on pages and by matplotlib for papers.

A figure is made once from results; how it looks is the drawers' business. Values are as people read them on the axis (percent for
rates), so that no drawer converts anything. None is a value that is not there, drawn as "n/a" and never as 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Mark:
    """A value with its interval.

    Args:
        value: The value; None where there is none.
        interval: (low, high) around it; None where none was computed.
    """

    value: float | None
    interval: tuple[float, float] | None = None


@dataclass(frozen=True)
class Chart:
    """What every chart has.

    Args:
        title: What it shows, as a sentence for those who do not see it.
        axis: What the values are, with their unit ("DER, %").
        notes: What to know beside it, one line each.
    """

    title: str
    axis: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class StackedBars(Chart):
    """A bar a row, of parts that add up to the value at its end (DER as missed, invented, confused).

    Args:
        parts: Names of the parts, in the order of stacking.
        rows: Label, the parts' values, and the whole with its interval.
    """

    parts: tuple[str, ...] = ()
    rows: tuple[tuple[str, tuple[float, ...], Mark], ...] = ()


@dataclass(frozen=True)
class Heatmap(Chart):
    """A value for each row and column (system and language).

    Args:
        rows: Labels of the rows.
        columns: Labels of the columns.
        cells: By row then column.
        lower_is_better: Which end is the good one.
    """

    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    cells: tuple[tuple[Mark, ...], ...] = ()
    lower_is_better: bool = True


@dataclass(frozen=True)
class Scatter(Chart):
    """Points of series (a recording's error against its share of overlap, a series a system).

    Args:
        across: What the horizontal axis is, with its unit.
        series: By name: (label, x, y) of each point.
        lines: By name of a series: (slope, intercept) of the line through it; those that have one.
    """

    across: str = ""
    series: Mapping[str, Sequence[tuple[str, float, float]]] = field(default_factory=dict)
    lines: Mapping[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Intervals(Chart):
    """Values with their intervals, one below the other, in groups (systems by rank; slices of a field).

    Args:
        groups: By heading ("" where there is one group): label and mark of each row, in order.
        lower_is_better: Which end is the good one.
        tied: Labels of rows that are not told apart from the first, for figures of ranks.
    """

    groups: Mapping[str, Sequence[tuple[str, Mark]]] = field(default_factory=dict)
    lower_is_better: bool = True
    tied: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Waterfall(Chart):
    """From a whole to nothing, step by step (errors left as each kind is mended).

    Args:
        whole: Where it starts.
        steps: Label and how much each takes away, in order; a negative one adds.
    """

    whole: float = 0.0
    steps: tuple[tuple[str, float], ...] = ()
