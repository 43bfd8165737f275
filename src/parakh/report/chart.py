"""What the figures of a report show, as plain data: drawn as SVG on pages and by matplotlib for papers.

A figure is made once from results; how it looks is the drawers' business. Values are as people read them on the axis (percent for
rates), so that no drawer converts anything. None is a value that is not there, drawn as "n/a" and never as 0.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

COLOURS: Mapping[str, str] = {
    "blue": "#0072b2",
    "orange": "#e69f00",
    "green": "#009e73",
    "pink": "#cc79a7",
    "sky": "#56b4e9",
    "red": "#d55e00",
    "yellow": "#f0e442",
    "grey": "#8a8a84",
}
"""The colours of Okabe and Ito with a grey for their black, in the order in which series take them."""


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
        decimals: Of the values where they are written out.
    """

    title: str
    axis: str
    notes: tuple[str, ...] = ()
    decimals: int = 1

    def shown(self, value: float | None) -> str:
        """A value as it is written.

        >>> Chart("", "DER, %").shown(12.345), Chart("", "DER, %").shown(None)
        ('12.3', 'n/a')
        """
        if value is None:
            return "n/a"
        text = f"{value:.{self.decimals}f}"
        return text.removeprefix("-") if float(text) == 0 else text

    def _repr_svg_(self) -> str | None:
        """What a notebook shows, where matplotlib is installed."""
        from parakh.errors import MissingPackageError
        from parakh.report import plots

        try:
            return plots.drawn(self, ".svg", width="double").decode()
        except MissingPackageError:
            return None


@dataclass(frozen=True)
class StackedBars(Chart):
    """A bar a row, of parts that add up to the value at its end (DER as missed, invented, confused).

    Args:
        parts: Names of the parts, in the order of stacking; none for bars of one piece.
        rows: Label, the parts' values, and the whole with its interval. A row without values of its parts is of one piece.
        hues: Colours of the parts by name.
    """

    parts: tuple[str, ...] = ()
    rows: tuple[tuple[str, tuple[float, ...], Mark], ...] = ()
    hues: tuple[str, ...] = tuple(COLOURS)


@dataclass(frozen=True)
class Histogram(Chart):
    """How many there are of each size.

    Args:
        bins: Name, height >= 0, and what is written above it.
    """

    bins: tuple[tuple[str, float, str], ...] = ()


@dataclass(frozen=True)
class Heatmap(Chart):
    """A value for each row and column (language and system).

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

    def best(self, row: Sequence[Mark]) -> float | None:
        """The best value of a row; None where fewer than two are known.

        >>> Heatmap("", "").best([Mark(20.0), Mark(None), Mark(10.0)])
        10.0
        """
        known = [cell.value for cell in row if cell.value is not None]
        if len(known) < 2:
            return None
        return min(known) if self.lower_is_better else max(known)


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
        series: What each row has a mark of (systems); one without a name where each row has one mark.
        groups: By heading ("" where there is one group): label and marks of each row, in order.
        lower_is_better: Which end is the good one.
        tied: Labels of rows that are not told apart from the first, for figures of ranks.
    """

    series: tuple[str, ...] = ("",)
    groups: Mapping[str, Sequence[tuple[str, tuple[Mark, ...]]]] = field(default_factory=dict)
    lower_is_better: bool = True
    tied: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Waterfall(Chart):
    """From a whole to nothing, step by step (errors left as each kind is mended).

    Args:
        panels: By system: where it starts, and label and how much each step takes away, in order; a negative one adds.
    """

    panels: Mapping[str, tuple[float, tuple[tuple[str, float], ...]]] = field(default_factory=dict)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from ``low`` to ``high`` or a little beyond, for an axis: steps of 1, 2 or 5 times a power of ten.

    >>> ticks(0.0, 23.6)
    [0.0, 5.0, 10.0, 15.0, 20.0, 25.0]
    """
    span = high - low
    rough = (span if span > 1e-9 * max(1.0, abs(low), abs(high)) else 1.0) / about
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(one * power for one in (1, 2, 5, 10) if one * power >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(number * step, 12) for number in range(first, max(last, first + 1) + 1)]
