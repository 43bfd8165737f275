"""Charts as inline SVG for pages: without script, readable in grey, with their figures as a table below.

Colours and sizes of text are in ``page/charts.css``; fills differ by pattern and series by shape as well as by colour.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from parakh.markup import Html, join, tag, wide
from parakh.report import svg_parts as parts
from parakh.report.chart import Chart, Heatmap, Histogram, Intervals, Mark, Scatter, StackedBars, Waterfall
from parakh.report.svg_parts import BAR, LABEL, ROW, Scale, percent

_FOOT = 40
"""Room for ticks and the name of the axis below a drawing, in pixels."""


_NAMES = 110
"""Room for the names of the rows of a heatmap, in pixels."""


class _Drawn(NamedTuple):
    """A drawing and what belongs to it.

    Args:
        body: What is in the SVG.
        height: In pixels.
        key: Its legend.
        heads: Of the table of its figures.
        rows: Of that table.
        least: Below this width in pixels it scrolls instead of shrinking; 0 for one that fits a phone.
    """

    body: Html
    height: float
    key: Html
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    least: int = 0


def draw(chart: Chart, *, figures: bool = True) -> Html:
    """A chart as a ``<figure>`` for a page that has the styles of ``page/charts.css``.

    Args:
        chart: What to draw.
        figures: Whether the figures stand below it as a table that opens; not needed where the page shows them anyway.

    >>> drawn = draw(StackedBars("Hours", "hours", rows=(("home", (), Mark(2.0)),)))
    >>> drawn.count("<rect"), "2.0" in drawn
    (1, True)
    """
    drawn = _DRAWERS[type(chart)](chart)
    box = {"class": "chart", "width": "100%", "height": f"{drawn.height:g}", "role": "img", "aria-label": chart.title}
    svg = tag("svg", {**box, "style": f"min-width:{drawn.least}px" if drawn.least else None}, drawn.body)
    if drawn.least:
        svg = wide(svg, {"class": "wide scrolled", "aria-label": "Chart, scrolls sideways"})
    notes = [tag("p", {"class": "note"}, note) for note in chart.notes]
    below = [parts.table(drawn.heads, drawn.rows, chart.title)] if figures else []
    return tag("figure", {"class": "plot"}, tag("figcaption", {}, chart.title), drawn.key, svg, *notes, *below)


def _prefix(chart: Chart) -> str:
    """What the names of a drawing's fills begin with: its own, on a page of many."""
    return f"c{hashlib.sha256(repr(chart).encode('utf-8', 'replace')).hexdigest()[:10]}"


def _axis(chart: Chart, axis: Scale, marks: Sequence[float], height: float) -> Html:
    """The grid behind a drawing of rows, and the name of its axis below."""
    middle = percent((axis.start + axis.end) / 2)
    return join([parts.grid(axis, marks, height), parts.text(middle, height + 33, chart.axis, "axis-name", anchor="middle")])


def _between(chart: Chart, mark: Mark) -> str:
    """An interval as it is written; "" without one."""
    return f"{chart.shown(mark.interval[0])} – {chart.shown(mark.interval[1])}" if mark.interval else ""


def _said(chart: Chart, mark: Mark) -> str:
    """A value with its interval behind it."""
    return f"{chart.shown(mark.value)} ({_between(chart, mark)})" if mark.interval else chart.shown(mark.value)


def _values(marks: Sequence[Mark]) -> Iterator[float]:
    """Every number that a drawing of marks has to hold."""
    for mark in marks:
        if mark.value is not None:
            yield from (mark.value, *(mark.interval or ()))


def _stacked_bars(chart: StackedBars) -> _Drawn:
    axis, marks = parts.scale(_values([mark for _, _, mark in chart.rows]), zero=True)
    prefix, height = _prefix(chart), ROW * len(chart.rows)
    hues = chart.hues[: len(chart.parts)]
    body = [parts.hatches(prefix, hues), _axis(chart, axis, marks, height)]
    rows = []
    for place, (label, values, mark) in enumerate(chart.rows):
        body += _stacked_row(chart, chart.rows[place], axis, ROW * place, prefix)
        told = map(chart.shown, values) if values else ["n/a"] * len(chart.parts)
        rows.append((label, *told, chart.shown(mark.value), _between(chart, mark)))
    swatches = [tag("rect", {"width": "16", "height": "16", "fill": f"url(#{prefix}-{k})"}) for k in range(len(hues))]
    heads = ("", *chart.parts, chart.axis, "interval")
    return _Drawn(join(body), height + _FOOT, parts.key(chart.parts, swatches), heads, rows)


def _stacked_row(
    chart: StackedBars, row: tuple[str, tuple[float, ...], Mark], axis: Scale, y: float, prefix: str
) -> Iterator[Html]:
    label, values, mark = row
    top, middle = y + (ROW - BAR) / 2, y + ROW / 2
    yield parts.label("0", y + 3, percent(LABEL - 1.5), ROW - 4, label)
    left = 0.0
    for k, (name, value) in enumerate(zip(chart.parts, values, strict=False)):
        width = axis.at(left + value) - axis.at(left)
        hint = f"{label}: {name} {chart.shown(value)}"
        yield parts.rect(axis.at(left), top, width, BAR, "part", fill=f"url(#{prefix}-{k})", hint=hint)
        left += value
    if not values and mark.value is not None:
        kind = "whole-unknown" if chart.parts else "whole"
        yield parts.rect(axis.at(0), top, axis.at(mark.value) - axis.at(0), BAR, kind)
    if mark.interval:
        yield parts.whisker(axis, mark.interval, middle)
    end = max(mark.value or 0.0, *(mark.interval or (0.0,)))
    yield parts.text(percent(axis.at(end)), middle + 4, chart.shown(mark.value), "value", dx="6")


def _histogram(chart: Histogram) -> _Drawn:
    tall, floor, foot = 150, 168, 50
    most = max((height for _, height, _ in chart.bins), default=0.0) or 1.0
    step = 100 / max(1, len(chart.bins))
    body: list[Html] = []
    for place, (label, height, said) in enumerate(chart.bins):
        top, middle = floor - tall * height / most, percent((place + 0.5) * step)
        body.append(parts.rect((place + 0.06) * step, top, 0.88 * step, floor - top, "whole", hint=f"{label}: {said}"))
        body.append(parts.text(middle, top - 5, said, "tick", anchor="middle"))
        body.append(parts.label(percent(place * step), floor + 2, percent(step), 30, label, "head"))
    base = {"class": "whisker", "x1": "0", "x2": "100%", "y1": f"{floor}", "y2": f"{floor}"}
    body += [tag("line", base), parts.text("100%", floor + 45, chart.axis, "axis-name", anchor="end")]
    rows = [(label, said) for label, _, said in chart.bins]
    return _Drawn(join(body), floor + foot, Html(""), (chart.axis, ""), rows, least=44 * len(chart.bins))


def _heatmap(chart: Heatmap) -> _Drawn:
    head, tall, least = 50, 28, _NAMES + 62 * len(chart.columns)
    start = min(24.0, 100 * _NAMES / least)  # with many columns the names take what they need and no more
    known = [mark.value for row in chart.cells for mark in row if mark.value is not None]
    ends = (min(known, default=0.0), max(known, default=1.0))
    step, prefix = (100 - start) / max(1, len(chart.columns)), _prefix(chart)
    body = [parts.hatches(prefix, ("none",))]
    for k, name in enumerate(chart.columns):
        body.append(parts.label(percent(start + k * step), 4, percent(step), head - 8, name, "head"))
    for number, (name, row) in enumerate(zip(chart.rows, chart.cells, strict=True)):
        y, best = head + tall * number, chart.best(row)
        body.append(parts.label("0", y + 4, percent(start - 1.5), tall - 4, name))
        for k, mark in enumerate(row):
            box = (start + k * step, y, step, tall)
            hint = tag("title", {}, f"{name}, {chart.columns[k]}: {_said(chart, mark)}")
            fill = f"url(#{prefix}-0)" if mark.value is None else None
            body.append(parts.box(box, "cell" if fill else "cell warm", hint, fill=fill, style=_worse(chart, mark, ends)))
            kind = "best" if mark.value is not None and mark.value == best else None
            body.append(parts.text(percent(box[0] + step / 2), y + tall / 2 + 4, chart.shown(mark.value), kind, anchor="middle"))
    bottom = head + tall * len(chart.rows)
    body.append(parts.text("0", bottom + 20, chart.axis, "axis-name"))
    body.append(parts.text("0", bottom + 36, "more colour is worse; bold: best of its row", "axis-name"))
    rows = [(name, *(_said(chart, mark) for mark in row)) for name, row in zip(chart.rows, chart.cells, strict=True)]
    return _Drawn(join(body), bottom + 44, Html(""), ("", *chart.columns), rows, least=least)


def _worse(chart: Heatmap, mark: Mark, ends: tuple[float, float]) -> str | None:
    """How much of the warning colour a cell has: none at the best of all values."""
    if mark.value is None:
        return None
    share = (mark.value - ends[0]) / (ends[1] - ends[0] or 1.0)
    return f"--worse:{60 * (share if chart.lower_is_better else 1 - share):.1f}%"


def _scatter(chart: Scatter) -> _Drawn:
    tall, left, right = 300, 9.0, 98.0
    ends = {name: _line_ends(chart, name) for name in chart.lines}
    points = [(x, y) for held in chart.series.values() for _, x, y in held]
    across, marks = parts.scale((x for x, _ in points), zero=False)
    across = Scale(across.low, across.high, left, right)
    up, levels = parts.scale((y for _, y in (*points, *(end for line in ends.values() for end in line))), zero=False)
    down = Scale(up.low, up.high, tall, 8.0)
    prefix = _prefix(chart)
    body = [parts.markers(prefix, len(chart.series)), parts.grid(across, marks, tall)]
    for level in levels:
        y = f"{down.at(level):.1f}"
        body.append(tag("line", {"class": "grid", "x1": percent(left), "x2": percent(right), "y1": y, "y2": y}))
        body.append(parts.text(percent(left - 1), down.at(level) + 4, f"{level:g}", "tick", anchor="end"))
    for number, (name, held) in enumerate(chart.series.items()):
        if name in ends:
            (x1, y1), (x2, y2) = ends[name]
            line = {
                "x1": percent(across.at(x1)),
                "x2": percent(across.at(x2)),
                "y1": f"{down.at(y1):.1f}",
                "y2": f"{down.at(y2):.1f}",
            }
            body.append(tag("line", {"class": f"fit {parts.hue(number)}", **line}))
        for label, x, value in held:
            hint = f"{name}, {label}: {chart.shown(value)} at {chart.shown(x)}" if len(points) <= parts.MOST else ""
            body.append(parts.marker(prefix, across.at(x), down.at(value), number, hint))
    body.append(parts.text(percent(right), tall + 33, f"→ {chart.across}", "axis-name", anchor="end"))
    body.append(parts.text("0", tall + 52, f"↑ {chart.axis}", "axis-name"))
    swatches = [parts.swatch(prefix, k) for k in range(len(chart.series))]
    rows = [(name, label, chart.shown(x), chart.shown(y)) for name, held in chart.series.items() for label, x, y in held]
    heads = ("", "", chart.across, chart.axis)
    return _Drawn(join(body), tall + 60, parts.key(tuple(chart.series), swatches), heads, rows)


def _line_ends(chart: Scatter, name: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """A line from the leftmost point of its series to the rightmost."""
    slope, start = chart.lines[name]
    low, high = (end(x for _, x, _ in chart.series[name]) for end in (min, max))
    return (low, start + slope * low), (high, start + slope * high)


def _intervals(chart: Intervals) -> _Drawn:
    marks = [mark for held in chart.groups.values() for _, row in held for mark in row]
    axis, levels = parts.scale(_values(marks), zero=False)
    tall, y, prefix = max(ROW, 10 * len(chart.series) + 8), 0.0, _prefix(chart)
    body = [parts.markers(prefix, len(chart.series))]
    rows: list[tuple[str, ...]] = []
    for heading, held in chart.groups.items():
        if heading:
            body.append(parts.label("0", y + 4, "100%", 22, heading, "group"))
            y += 28
        for label, row in held:
            body += _interval_row(chart, label, row, (axis, y, tall, prefix))
            tied = " (not told apart from the first)" if label in chart.tied else ""
            rows.append((f"{heading} {label}{tied}".strip(), *(_said(chart, mark) for mark in row)))
            y += tall
    swatches = [parts.swatch(prefix, k) for k in range(len(chart.series))]
    heads = ("", *(name or chart.axis for name in chart.series))
    return _Drawn(join([_axis(chart, axis, levels, y), *body]), y + _FOOT, parts.key(chart.series, swatches), heads, rows)


def _interval_row(chart: Intervals, label: str, row: Sequence[Mark], place: tuple[Scale, float, float, str]) -> Iterator[Html]:
    axis, y, tall, prefix = place
    yield parts.label("0", y + tall / 2 - 10, percent(LABEL - 1.5), 22, label)
    room = tall / (len(row) + 1)
    for number, mark in enumerate(row):
        middle = y + room * (number + 1)
        if mark.value is None:
            continue
        if mark.interval:
            yield parts.whisker(axis, mark.interval, middle)
        hint = f"{label}{', ' if chart.series[number] else ''}{chart.series[number]}: {_said(chart, mark)}"
        yield parts.marker(prefix, axis.at(mark.value), middle, number, hint, hollow=label in chart.tied)
    if len(row) == 1:
        end = axis.at(max(_values(row), default=axis.low))
        tied = " ≈" if label in chart.tied else ""
        yield parts.text(percent(end), y + tall / 2 + 4, chart.shown(row[0].value) + tied, "value", dx="8")


def _waterfall(chart: Waterfall) -> _Drawn:
    axis, marks = parts.scale(_heights(chart), zero=True)
    body: list[Html] = []
    rows: list[tuple[str, ...]] = []
    y = 0.0
    for name, (whole, steps) in chart.panels.items():
        if len(chart.panels) > 1:
            body.append(parts.label("0", y + 4, "100%", 22, name, "group"))
            y += 28
        left = whole
        body += _step(chart, "all errors", (0.0, whole), axis, y, "whole")
        rows.append((name, "all errors", "", chart.shown(whole)))
        for label, taken in steps:
            y += ROW
            body += _step(chart, label, (left - taken, left), axis, y, "cost" if taken < 0 else "taken")
            left -= taken
            rows.append((name, label, chart.shown(taken), chart.shown(left)))
        y += ROW
    heads = ("", "if this is mended too", "points", "left")
    return _Drawn(join([_axis(chart, axis, marks, y), *body]), y + _FOOT, Html(""), heads, rows)


def _heights(chart: Waterfall) -> list[float]:
    """Every level that a step begins or ends at."""
    levels: list[float] = []
    for whole, steps in chart.panels.values():
        levels.append(whole)
        for _, taken in steps:
            levels.append(levels[-1] - taken)
    return levels


def _step(chart: Waterfall, label: str, ends: tuple[float, float], axis: Scale, y: float, kind: str) -> Iterator[Html]:
    low, high = min(ends), max(ends)
    change = ends[1] - ends[0]
    yield parts.label("0", y + 3, percent(LABEL - 1.5), ROW - 4, label)
    yield parts.rect(
        axis.at(low), y + (ROW - BAR) / 2, axis.at(high) - axis.at(low), BAR, kind, hint=f"{label}: {chart.shown(change)}"
    )
    said = chart.shown(change) if kind == "whole" else f"{'−' if change > 0 else '+'}{chart.shown(abs(change))}"
    yield parts.text(percent(axis.at(high)), y + ROW / 2 + 4, said, "value", dx="6")


_DRAWERS: dict[type[Chart], Callable[[Any], _Drawn]] = {
    StackedBars: _stacked_bars,
    Histogram: _histogram,
    Heatmap: _heatmap,
    Scatter: _scatter,
    Intervals: _intervals,
    Waterfall: _waterfall,
}
