"""Charts as PDF, SVG and PNG for papers, drawn by matplotlib.

A figure is as wide as a column (84 mm) or a page (174 mm) and has no title, since papers put it into the caption. Letters are
embedded in PDF as TrueType (Type 42) and drawn as outlines in SVG. Parts differ by hatching and series by shape as well as by
colour, so that prints in grey can be read. The same chart gives the same bytes with the same matplotlib and fonts.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from parakh.errors import Fault, InputError
from parakh.files import write_atomic
from parakh.packages import imported
from parakh.report import plot_fonts
from parakh.report.chart import COLOURS, Chart, Heatmap, Histogram, Intervals, Mark, Scatter, StackedBars, Waterfall
from parakh.text.graphemes import aksharas

WIDTHS: Mapping[str, float] = {"single": 84.0, "double": 174.0}
"""Of a figure in millimetres: one column of a paper, or both."""
_LABEL = {"single": 22, "double": 44}
"""How many letters of a label are shown at most."""
SUFFIXES = (".pdf", ".svg", ".png")
_INCH = 25.4
_ROW, _FRAME = 5.5, 12.0
"""Height of a row, and of what stands around all rows, in millimetres."""
_HATCHES = ("////", "....", "++++", "", "\\\\\\\\", "----", "||||", "xxxx")
_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "p")
_HUES = tuple(COLOURS.values())
_STYLE: Mapping[str, Any] = {
    "font.size": 8,
    "axes.labelsize": 8,
    "xtick.labelsize": 7,
    "ytick.labelsize": 7.5,
    "legend.fontsize": 7,
    "legend.frameon": False,
    "legend.handlelength": 1.4,
    "legend.columnspacing": 1.2,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#d9d9d3",
    "grid.linewidth": 0.5,
    "hatch.linewidth": 0.4,
    "lines.linewidth": 1.0,
    "lines.markersize": 4.0,
    "errorbar.capsize": 2.0,
    "pdf.fonttype": 42,
    "svg.fonttype": "path",
    "svg.hashsalt": "parakh",
    "text.parse_math": False,
}


def write(chart: Chart, path: str | Path, *, width: str = "single") -> None:
    """Write a chart to a file, whole or not at all.

    Args:
        chart: What to draw.
        path: Where to; its ending says how: .pdf, .svg or .png (300 dots an inch).
        width: "single" (84 mm) or "double" (174 mm).

    Raises:
        InputError: The ending or the width is another, no installed font has the letters of a label, or it cannot be written.
        MissingPackageError: matplotlib is not installed.

    >>> write(StackedBars("Hours", "hours", rows=(("home", (), Mark(2.0)),)), "hours.doc")
    Traceback (most recent call last):
    parakh.errors.InputError: hours.doc: found '.doc', expected .pdf, .svg or .png.
    """
    write_atomic(path, drawn(chart, Path(path).suffix.lower(), width=width, name=str(path)))


def drawn(chart: Chart, suffix: str, *, width: str = "single", name: str = "figure") -> bytes:
    """A chart as the content of a file.

    Args:
        chart: What to draw.
        suffix: ".pdf", ".svg" or ".png" (300 dots an inch).
        width: "single" (84 mm) or "double" (174 mm).
        name: Of the figure, for messages.

    Raises:
        InputError: The ending or the width is another, or no installed font has the letters of a label.
        MissingPackageError: matplotlib is not installed.

    >>> drawn(StackedBars("Hours", "hours"), ".doc")
    Traceback (most recent call last):
    parakh.errors.InputError: figure: found '.doc', expected .pdf, .svg or .png.
    """
    if suffix not in SUFFIXES:
        raise InputError(Fault(name, "", repr(suffix), ".pdf, .svg or .png"))
    if width not in WIDTHS:
        raise InputError(Fault("--width", "", repr(width), " or ".join(WIDTHS)))
    matplotlib = imported("matplotlib", "report", "figures for papers")
    most = _LABEL[width]
    families = plot_fonts.families(_names(chart), name)
    with matplotlib.rc_context({**_STYLE, "font.family": families}):
        size = (WIDTHS[width] / _INCH, _height(chart, most) / _INCH)
        figure = imported("matplotlib.figure", "report", "figures for papers").Figure(figsize=size, dpi=300, layout="constrained")
        _DRAWERS[type(chart)](chart, figure, most)
        content = io.BytesIO()
        figure.savefig(content, format=suffix[1:], metadata=_METADATA[suffix])
    return content.getvalue()


_METADATA: Mapping[str, Mapping[str, None]] = {
    ".pdf": {"CreationDate": None},
    ".svg": {"Date": None},
    ".png": {"Software": None},
}
"""What would differ from day to day is left out."""


def _names(chart: Chart) -> Iterator[str]:
    """Every text that is drawn."""
    yield chart.axis
    if isinstance(chart, StackedBars):
        yield from (*chart.parts, *(label for label, _, _ in chart.rows))
    elif isinstance(chart, Heatmap):
        yield from (*chart.rows, *chart.columns)
    elif isinstance(chart, Scatter):
        yield from (chart.across, *chart.series)
    elif isinstance(chart, Intervals):
        yield from (*chart.series, *chart.groups, *(label for rows in chart.groups.values() for label, _ in rows))
    elif isinstance(chart, Waterfall):
        yield from (*chart.panels, *(label for _, steps in chart.panels.values() for label, _ in steps))
    elif isinstance(chart, Histogram):
        yield from (label for label, _, _ in chart.bins)


def _short(name: str, most: int) -> str:
    """A name with the last of its letters left out where it is too long; letters of Indic scripts stay whole.

    >>> _short("wav2vec2-finetuned", 10), _short("short", 10)
    ('wav2vec2-…', 'short')
    """
    letters = list(aksharas(name))
    return name if len(letters) <= most else "".join(letters[: most - 1]) + "…"


def _ends(mark: Mark) -> Any:
    """An interval as matplotlib wants it: how far it reaches to either side."""
    value, (low, high) = mark.value or 0.0, mark.interval or (mark.value or 0.0, mark.value or 0.0)
    return [[max(0.0, value - low)], [max(0.0, high - value)]]


def _rows(axes: Any, labels: Sequence[tuple[float, str]], most: int, tall: float = 1.0) -> None:
    """Labels of rows at their places, from the top; ``tall`` is the height of the last."""
    axes.set_yticks([place for place, _ in labels], [_short(label, most) for _, label in labels])
    axes.set_ylim(labels[-1][0] + tall / 2 + 0.1, labels[0][0] - 0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")


def _behind(axes: Any, value: float, row: float, said: str) -> None:
    """What is written behind the end of a row."""
    axes.annotate(said, (value, row), xytext=(3, 0), textcoords="offset points", va="center", fontsize=7)


def _legend(figure: Any, handles: Sequence[Any], names: Sequence[str], most: int) -> None:
    """Above the drawing, as many side by side as fit."""
    shown = [_short(name, most) for name in names]
    figure.legend(handles, shown, loc="outside upper left", ncols=_side_by_side(shown, most))


def _side_by_side(names: Sequence[str], most: int) -> int:
    """How many entries of a legend fit in a line: a mark and its room are as wide as some five letters and a half."""
    for columns in range(len(names), 1, -1):
        deep = math.ceil(len(names) / columns)
        widest = (max(map(len, names[k : k + deep])) + 5.6 for k in range(0, len(names), deep))
        if sum(widest) <= 2.58 * most:
            return columns
    return 1


def _over(names: Sequence[str], most: int) -> float:
    """The height of a legend in millimetres."""
    shown = [_short(name, most) for name in names if name]
    return 3.6 * math.ceil(len(shown) / _side_by_side(shown, most)) if shown else 0.0


def _stacked_bars(chart: StackedBars, figure: Any, most: int) -> None:
    axes = figure.add_subplot()
    hues = [COLOURS[name] for name in chart.hues]
    line = {"edgecolor": "black", "linewidth": 0.4, "height": 0.66}
    furthest = 0.0
    for row, (_, values, mark) in enumerate(chart.rows):
        left = 0.0
        for k, value in enumerate(values):
            axes.barh(row, value, left=left, color=hues[k], hatch=_HATCHES[k], **line)
            left += value
        if not values and mark.value is not None:
            axes.barh(row, mark.value, color="white" if chart.parts else COLOURS["sky"], **line)
        if mark.interval and mark.value is not None:
            axes.errorbar(mark.value, row, xerr=_ends(mark), color="black", linewidth=0.8)
        end = max(mark.value or 0.0, *(mark.interval or (0.0,)))
        furthest = max(furthest, end)
        _behind(axes, end, row, chart.shown(mark.value))
    _rows(axes, [(row, label) for row, (label, _, _) in enumerate(chart.rows)], most)
    axes.set_xlim(0, 1.14 * furthest or 1.0)
    axes.set_xlabel(chart.axis)
    if chart.parts:
        patches = imported("matplotlib.patches", "report", "figures for papers")
        handles = [
            patches.Patch(facecolor=hues[k], hatch=_HATCHES[k], edgecolor="black", linewidth=0.4) for k in range(len(chart.parts))
        ]
        _legend(figure, handles, chart.parts, most)


def _histogram(chart: Histogram, figure: Any, most: int) -> None:
    axes = figure.add_subplot()
    for place, (_, height, said) in enumerate(chart.bins):
        axes.bar(place, height, color=COLOURS["sky"], edgecolor="black", linewidth=0.4)
        axes.annotate(said, (place, height), xytext=(0, 2), textcoords="offset points", ha="center", fontsize=6)
    axes.set_xticks(range(len(chart.bins)), [label for label, _, _ in chart.bins], rotation=45, ha="right")
    axes.set_xlabel(chart.axis)


def _heatmap(chart: Heatmap, figure: Any, most: int) -> None:
    axes = figure.add_subplot()
    colours = imported("matplotlib.colors", "report", "figures for papers")
    patches = imported("matplotlib.patches", "report", "figures for papers")
    shades = colours.LinearSegmentedColormap.from_list("worse", ["#fdf6f0", "#ec9a63"])
    known = [mark.value for row in chart.cells for mark in row if mark.value is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    for y, row in enumerate(chart.cells):
        best = chart.best(row)
        for x, mark in enumerate(row):
            box: dict[str, Any] = {"facecolor": "white", "hatch": "/////", "edgecolor": "#b5b5ae"}
            if mark.value is not None:
                share = (mark.value - low) / (high - low or 1.0)
                box = {"facecolor": shades(share if chart.lower_is_better else 1 - share), "edgecolor": "white"}
            axes.add_patch(patches.Rectangle((x - 0.5, y - 0.5), 1, 1, linewidth=0.8, **box))
            weight = "bold" if mark.value is not None and mark.value == best else "normal"
            ground = {"facecolor": "white", "edgecolor": "none", "pad": 0.8} if mark.value is None else None
            axes.text(x, y, chart.shown(mark.value), ha="center", va="center", fontsize=7, fontweight=weight, bbox=ground)
    axes.set_yticks(range(len(chart.rows)), [_short(name, most) for name in chart.rows])
    wide = max(map(len, chart.columns)) * len(chart.columns) > 2 * most
    turned: dict[str, Any] = {"rotation": 40, "ha": "left", "rotation_mode": "anchor"} if wide else {}
    axes.set_xticks(range(len(chart.columns)), [_short(name, most) for name in chart.columns], **turned)
    axes.tick_params(length=0, top=False, labeltop=True, bottom=False, labelbottom=False)
    axes.set(xlim=(-0.5, len(chart.columns) - 0.5), ylim=(len(chart.rows) - 0.5, -0.5), xlabel=chart.axis)
    axes.spines[:].set_visible(False)


def _scatter(chart: Scatter, figure: Any, most: int) -> None:
    axes = figure.add_subplot()
    handles = []
    for k, (name, points) in enumerate(chart.series.items()):
        hue, marker = _HUES[k % len(_HUES)], _MARKERS[(k + k // len(_HUES)) % len(_MARKERS)]
        xs = [x for _, x, _ in points]
        drawn = axes.scatter(xs, [y for _, _, y in points], s=14, color=hue, marker=marker, edgecolor="black", linewidth=0.3)
        handles.append(drawn)
        if name in chart.lines:
            slope, start = chart.lines[name]
            ends = [min(xs), max(xs)]
            axes.plot(ends, [start + slope * x for x in ends], color=hue, linestyle=("-", "--", "-.", ":")[k % 4])
    axes.grid()
    axes.set_xlabel(chart.across)
    axes.set_ylabel(chart.axis)
    _legend(figure, handles, tuple(chart.series), most)


def _intervals(chart: Intervals, figure: Any, most: int) -> None:
    axes = figure.add_subplot()
    handles: dict[int, Any] = {}
    places: list[tuple[float, str, bool]] = []
    y, tall = 0.0, _tall(chart)
    for heading, rows in chart.groups.items():
        if heading:
            places.append((y, heading, True))
            y += 0.5 + tall / 2
        for label, marks in rows:
            places.append((y, label, False))
            for k, mark in enumerate(marks):
                if mark.value is not None:
                    row = y + tall * ((k + 1) / (len(marks) + 1) - 0.5)
                    handles[k] = _interval(axes, mark, row, k, hollow=label in chart.tied)
            if len(marks) == 1 and marks[0].value is not None:
                said = chart.shown(marks[0].value) + (" ≈" if label in chart.tied else "")
                _behind(axes, max(marks[0].value, *(marks[0].interval or (marks[0].value,))), y, said)
            y += tall
        y += 0.5 - tall / 2
    _rows(axes, [(place, label) for place, label, _ in places], most, tall)
    for tick, (_, _, is_heading) in zip(axes.get_yticklabels(), places, strict=True):
        tick.set_fontweight("bold" if is_heading else "normal")
    axes.margins(x=0.16)
    axes.set_xlabel(chart.axis)
    if any(chart.series):
        shown = sorted(handles)
        _legend(figure, [handles[k] for k in shown], [chart.series[k] for k in shown], most)


def _tall(chart: Intervals) -> float:
    """The height of a row of several series, in rows of one."""
    return max(1.0, 0.5 * len(chart.series))


def _interval(axes: Any, mark: Mark, row: float, k: int, *, hollow: bool) -> Any:
    hue, marker = _HUES[k % len(_HUES)], _MARKERS[(k + k // len(_HUES)) % len(_MARKERS)]
    look = {"marker": marker, "markerfacecolor": "white" if hollow else hue, "markeredgecolor": "black", "markeredgewidth": 0.5}
    return axes.errorbar(mark.value, row, xerr=_ends(mark), color="black", linewidth=0.8, **look)


def _waterfall(chart: Waterfall, figure: Any, most: int) -> None:
    heights = [len(steps) + 2 for _, steps in chart.panels.values()]
    panels = figure.subplots(len(heights), 1, squeeze=False, sharex=True, height_ratios=heights)[:, 0]
    line = {"edgecolor": "black", "linewidth": 0.4, "height": 0.66}
    for axes, (name, (whole, steps)) in zip(panels, chart.panels.items(), strict=True):
        axes.barh(0, whole, color=COLOURS["sky"], **line)
        _behind(axes, whole, 0, chart.shown(whole))
        left = whole
        for row, (_, taken) in enumerate(steps, 1):
            fill = {"color": COLOURS["green"]} if taken >= 0 else {"color": "white", "hatch": "////"}
            axes.barh(row, abs(taken), left=min(left, left - taken), **fill, **line)
            _behind(axes, max(left, left - taken), row, f"{'−' if taken >= 0 else '+'}{chart.shown(abs(taken))}")
            left -= taken
        _rows(axes, list(enumerate(["all errors", *(label for label, _ in steps)])), most)
        if len(chart.panels) > 1:
            axes.set_title(_short(name, 2 * most), fontsize=8, loc="left")
    panels[-1].set_xlim(0, 1.14 * max(level for panel in chart.panels.values() for level in _levels(*panel)))
    panels[-1].set_xlabel(chart.axis)


def _levels(whole: float, steps: Sequence[tuple[str, float]]) -> Iterator[float]:
    """What is left after each step."""
    yield whole
    for _, taken in steps:
        whole -= taken
        yield whole


def _height(chart: Chart, most: int) -> float:
    """How high a chart is, in millimetres."""
    if isinstance(chart, StackedBars):
        return _FRAME + _over(chart.parts, most) + _ROW * len(chart.rows)
    if isinstance(chart, Heatmap):
        return _FRAME + _ROW * len(chart.rows)
    if isinstance(chart, Intervals):
        rows = sum(_tall(chart) * len(rows) + bool(heading) for heading, rows in chart.groups.items())
        return _FRAME + _over(chart.series, most) + _ROW * rows
    if isinstance(chart, Waterfall):
        return _FRAME + sum(_ROW * (len(steps) + 2) for _, steps in chart.panels.values())
    return 64.0 + (_over(tuple(chart.series), most) if isinstance(chart, Scatter) else 0.0)


_DRAWERS: Mapping[type[Chart], Callable[[Any, Any, int], None]] = {
    StackedBars: _stacked_bars,
    Histogram: _histogram,
    Heatmap: _heatmap,
    Scatter: _scatter,
    Intervals: _intervals,
    Waterfall: _waterfall,
}
"""How each kind of chart is drawn."""
