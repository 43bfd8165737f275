"""Charts as inline SVG: bars and columns with their labels and values written beside them, readable without colour or script."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from parakh.markup import Html, spoken, tag

WIDTH = 480
"""Units of a chart's width; the page scales it."""
_ROW, _GAP, _LABEL, _VALUE = 22, 6, 150, 70
_HEIGHT, _FOOT, _HEAD = 150, 36, 18
_LONGEST = 22
SERIES = 4
"""How many series have a fill of their own; further ones share the last."""


class Bar(NamedTuple):
    """One bar.

    Args:
        label: What it is of; "" continues the label above it.
        value: Its length, >= 0; None for a bar that is not known.
        shown: The value as people read it.
        series: Which of the fills it has.
    """

    label: str
    value: float | None
    shown: str
    series: int = 0


def bars(title: str, rows: Sequence[Bar]) -> Html:
    """Horizontal bars, one below the other, from a common zero.

    Args:
        title: What the chart shows, for those who do not see it.
        rows: The bars from the top; nothing without any.

    >>> bars("Hours", [Bar("home", 2.0, "2.00")]).count("<rect")
    1
    """
    if not rows:
        return Html("")
    most = max((one.value or 0.0 for one in rows), default=0.0) or 1.0
    room = WIDTH - _LABEL - _VALUE
    parts: list[Html] = []
    y = 0
    for one in rows:
        y += _GAP if one.label and y else 0
        length = room * (one.value or 0.0) / most
        parts.append(_text(one.label, _LABEL - 8, y + 15, "end"))
        fill = {"class": f"fill-{min(one.series, SERIES - 1)}", "x": str(_LABEL), "y": str(y + 2)}
        parts.append(tag("rect", {**fill, "width": f"{length:.1f}", "height": str(_ROW - 4)}))
        parts.append(_text(one.shown, _LABEL + length + 6, y + 15, "start"))
        y += _ROW
    axis = tag("line", {"x1": str(_LABEL), "x2": str(_LABEL), "y1": "0", "y2": str(y)})
    return _svg(title, y + 2, *parts, axis)


def columns(title: str, labels: Sequence[str], values: Sequence[float], shown: Sequence[str], unit: str) -> Html:
    """A histogram: upright columns side by side, each with its value above and its bin below.

    Args:
        title: What the chart shows, for those who do not see it.
        labels: Names of the bins.
        values: Their heights, >= 0.
        shown: The values as people read them.
        unit: Of the bins.
    """
    most = max(values, default=0.0) or 1.0
    step = WIDTH / max(1, len(values))
    floor = _HEAD + _HEIGHT
    parts: list[Html] = []
    for place, (label, value, said) in enumerate(zip(labels, values, shown, strict=True)):
        height = _HEIGHT * value / most
        x, middle = place * step + 2, (place + 0.5) * step
        size = {"x": f"{x:.1f}", "y": f"{floor - height:.1f}", "width": f"{step - 4:.1f}", "height": f"{height:.1f}"}
        parts.append(tag("rect", {"class": "fill-0", **size}))
        parts += [_text(said, middle, floor - height - 5, "middle"), _text(label, middle, floor + 15, "middle")]
    axis = tag("line", {"x1": "0", "x2": str(WIDTH), "y1": str(floor), "y2": str(floor)})
    return _svg(title, floor + _FOOT, *parts, axis, _text(unit, WIDTH, floor + 31, "end", "unit"))


def key(names: Sequence[str]) -> Html:
    """Which fill is which series."""
    square = {"width": "14", "height": "14"}
    shown = [
        tag(
            "li",
            {},
            tag(
                "svg",
                {"class": "swatch", "viewBox": "0 0 14 14", "aria-hidden": "true"},
                tag("rect", {**square, "class": f"fill-{k}"}),
            ),
            f" {name}",
        )
        for k, name in enumerate(names[:SERIES])
    ]
    return tag("ul", {"class": "legend"}, *shown)


def _svg(title: str, height: float, *parts: Html) -> Html:
    box = {"viewBox": f"0 0 {WIDTH} {height:g}", "role": "img", "aria-label": title}
    return tag("svg", {"class": "chart", **box}, *parts)


def _text(text: str, x: float, y: float, anchor: str, kind: str | None = None) -> Html:
    if not text:
        return Html("")
    short = text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
    more = [tag("title", {}, text)] if short != text else []
    given = {"x": f"{x:.1f}", "y": f"{y:.1f}", "text-anchor": anchor, "class": kind}
    return Html(spoken("text", given, text, short, *more).replace(' dir="auto"', "", 1))
