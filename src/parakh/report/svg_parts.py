"""What drawings on pages are made of: places along a row, labels, markers, hatched fills, a key, and the figures as a table.

Places along a row are shares of the drawing's width and sizes of text are pixels, so that a drawing fits a phone without
shrinking its text. Labels are HTML within the drawing: the browser shortens long ones, and writes each in its own direction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from parakh.markup import Html, join, spoken, tag, wide
from parakh.report.chart import COLOURS, ticks

LABEL, END = 34.0, 86.0
"""Where labels end and where values end, in percent of the width; what is written at a value's end stands behind it."""
ROW, BAR = 26, 16
"""Heights of a row and of the bar in it, in pixels."""
MOST = 500
"""Rows of a table of figures, and marks that say what they are to a pointer: a page does not grow without end."""
_HUES = tuple(COLOURS)
_SHAPES = (
    "M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0Z",
    "M-4 -4H4V4H-4Z",
    "M0 -5L5 4H-5Z",
    "M0 -5.5L5.5 0L0 5.5L-5.5 0Z",
    "M0 5L5 -4H-5Z",
    "M-1.8 -5H1.8V-1.8H5V1.8H1.8V5H-1.8V1.8H-5V-1.8H-1.8Z",
    "M-5 -3L-3 -5L0 -2L3 -5L5 -3L2 0L5 3L3 5L0 2L-3 5L-5 3L-2 0Z",
    "M-5 -1.5L0 -5.5L5 -1.5L3 4.5H-3Z",
)
"""Outlines of markers around their middle."""
_HATCHES = (
    '<path d="M-1 7L7 -1M-1 1L1 -1M5 7L7 5"/>',
    '<circle cx="3" cy="3" r="1.2"/>',
    '<path d="M0 3H6M3 0V6"/>',
    "",
    '<path d="M-1 -1L7 7M-1 5L1 7M5 -1L7 1"/>',
    '<path d="M0 3H6"/>',
    '<path d="M3 0V6"/>',
    '<path d="M1 1L5 5M5 1L1 5"/>',
)
"""What tells fills apart without colour."""


@dataclass(frozen=True)
class Scale:
    """A horizontal axis: from values to percent of the width.

    Args:
        low: The least value on it.
        high: The greatest.
        start: Where the least stands.
        end: Where the greatest stands.
    """

    low: float
    high: float
    start: float = LABEL
    end: float = END

    def at(self, value: float) -> float:
        """Where a value stands.

        >>> Scale(0.0, 10.0, 0.0, 50.0).at(5.0)
        25.0
        """
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def scale(values: Iterable[float], *, zero: bool) -> tuple[Scale, list[float]]:
    """An axis that holds the values, and its ticks.

    Args:
        values: All that is drawn.
        zero: Whether it begins at 0 at the latest, as lengths of bars do.
    """
    held = [*values, *([0.0] if zero else [])] or [0.0]
    low, high = min(held), max(held)
    room = 0.0 if zero else 0.04 * (high - low)
    marks = ticks(max(low - room, 0.0) if low >= 0 else low - room, high + room)
    return Scale(marks[0], marks[-1]), marks


def percent(place: float) -> str:
    """A share of the width as an attribute."""
    return f"{place:.2f}%"


def grid(axis: Scale, marks: Sequence[float], height: float) -> Html:
    """Lines at the ticks, their values below."""
    places = [(percent(axis.at(mark)), f"{mark:g}") for mark in marks]
    lines = (tag("line", {"class": "grid", "x1": x, "x2": x, "y1": "0", "y2": f"{height:g}"}) for x, _ in places)
    return join([*lines, *(text(x, height + 14, said, "tick", anchor="middle") for x, said in places)])


def text(x: str, y: float, said: str, kind: str | None = None, *, anchor: str | None = None, dx: str | None = None) -> Html:
    """Words or figures of ours at a place."""
    return tag("text", {"x": x, "y": f"{y:g}", "dx": dx, "class": kind, "text-anchor": anchor}, said)


def label(x: str, y: float, width: str, height: float, said: str, kind: str = "label") -> Html:
    """A name out of the data: one line that is shortened where it is too long, or several that wrap."""
    box = {"x": x, "y": f"{y:g}", "width": width, "height": f"{height:g}"}
    return tag("foreignObject", box, spoken("div", {"class": kind, "title": said}, said))


def rect(x: float, y: float, width: float, height: float, kind: str, *, fill: str | None = None, hint: str = "") -> Html:
    """A bar; x and width are percent, y and height pixels."""
    return box((x, y, max(0.0, width), height), kind, tag("title", {}, hint) if hint else Html(""), fill=fill)


def box(
    place: tuple[float, float, float, float], kind: str, hint: Html, *, fill: str | None = None, style: str | None = None
) -> Html:
    """A rectangle at (x, y, width, height), with its hint."""
    x, y, width, height = place
    given = {"x": percent(x), "y": f"{y:g}", "width": percent(width), "height": f"{height:g}", "fill": fill, "style": style}
    return tag("rect", {"class": kind, **given}, hint)


def whisker(axis: Scale, ends: tuple[float, float], y: float) -> Html:
    """An interval: a line with an upright at either end."""
    low, high = (percent(axis.at(end)) for end in ends)
    lines = ((low, high, y, y), (low, low, y - 4, y + 4), (high, high, y - 4, y + 4))
    return join(
        tag("line", {"class": kind, "x1": a, "x2": b, "y1": f"{top:g}", "y2": f"{end:g}"})
        for kind in ("halo", "whisker")
        for a, b, top, end in lines
    )


def markers(prefix: str, count: int) -> Html:
    """The marks of series, to be put at places; the colours go round first, then the shapes move on."""
    shapes = (_SHAPES[(number + number // len(_HUES)) % len(_SHAPES)] for number in range(count))
    return tag("defs", {}, *(tag("path", {"id": f"{prefix}-m{k}", "d": shape}) for k, shape in enumerate(shapes)))


def marker(prefix: str, x: float, y: float, number: int, hint: str, *, hollow: bool = False) -> Html:
    """The mark of a series at a place, which says its hint to a pointer; "" says nothing."""
    kind = f"mark {hue(number)}{' hollow' if hollow else ''}"
    place = {"class": kind, "href": f"#{prefix}-m{number}", "x": percent(x), "y": f"{y:.1f}"}
    return tag("use", place, *([tag("title", {}, hint)] if hint else []))


def swatch(prefix: str, number: int) -> Html:
    """The mark of a series in a key."""
    return tag("use", {"class": f"mark {hue(number)}", "href": f"#{prefix}-m{number}", "x": "8", "y": "8"})


def hue(number: int) -> str:
    """The class that gives a series its colour."""
    return f"h-{_HUES[number % len(_HUES)]}"


def hatches(prefix: str, hues: Sequence[str]) -> Html:
    """The fills of parts, by the prefix and their number."""
    size = {"width": "6", "height": "6", "patternUnits": "userSpaceOnUse"}
    ground = tag("rect", {"class": "ground", "width": "6", "height": "6"})
    made = (
        tag("pattern", {"id": f"{prefix}-{k}", "class": f"h-{name}", **size}, ground, Html(_HATCHES[k % len(_HATCHES)]))
        for k, name in enumerate(hues)
    )
    return tag("defs", {}, *made)


def key(names: Sequence[str], swatches: Sequence[Html]) -> Html:
    """Which fill or mark is whose; nothing for a single nameless series."""
    if not any(names):
        return Html("")
    items = (
        tag("li", {}, tag("svg", {"width": "16", "height": "16", "aria-hidden": "true"}, swatch), spoken("span", {}, name))
        for name, swatch in zip(names, swatches, strict=True)
    )
    return tag("ul", {"class": "key"}, *items)


def table(heads: Sequence[str], rows: Sequence[Sequence[str]], caption: str) -> Html:
    """The figures of a drawing, for those who read rather than look; of very many the first."""
    top = tag("tr", {}, *(spoken("th", {"scope": "col"}, head) for head in heads))
    lines = [
        tag("tr", {}, spoken("th", {"scope": "row"}, row[0]), *(tag("td", {}, cell) for cell in row[1:])) for row in rows[:MOST]
    ]
    body = tag("table", {"class": "plotted"}, tag("caption", {}, caption), tag("thead", {}, top), tag("tbody", {}, *lines))
    more = tag("p", {"class": "note"}, f"{len(rows) - MOST} more are not listed.") if len(rows) > MOST else Html("")
    return tag("details", {}, tag("summary", {}, "The figures as a table"), wide(body), more)
