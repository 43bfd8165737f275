"""Drawings of the pages as inline SVG, without a style of their own: the interval of a value, and the best score over time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from parakh.leaderboard.web.wording import figure, short_day
from parakh.markup import Html, join, tag

WIDTH, HEIGHT = 900, 320
"""Units of the plot over time; the page scales it."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 16, 12, 30
_LINES = 5


class Point(NamedTuple):
    """A score of one moment.

    Args:
        at: When it was made.
        name: What a pointer is shown.
        value: The score, a ratio.
        best: The best score so far, this one included.
        is_new: Whether it made it better.
        is_own: Whether it is of the viewer's team.
    """

    at: datetime
    name: str
    value: float
    best: float
    is_new: bool
    is_own: bool = False


def spread(value: float | None, low: float | None, high: float | None, least: float, most: float) -> Html:
    """A value and its interval as a dot on a line, on a scale that the whole column shares.

    Args:
        value: Where the dot stands; nothing is drawn for None.
        low: Where the line begins; None draws none.
        high: Where it ends.
        least: The scale's left end.
        most: Its right end.

    >>> spread(0.5, 0.4, 0.6, 0.0, 1.0).count("<line")
    2
    """
    if value is None:
        return Html("")

    def place(number: float) -> str:
        return f"{100 * min(1.0, max(0.0, (number - least) / (most - least or 1.0))):.1f}%"

    rail = tag("line", {"class": "rail", "x1": "0", "x2": "100%", "y1": "8", "y2": "8"})
    line = Html("")
    if low is not None and high is not None:
        line = tag("line", {"x1": place(low), "x2": place(high), "y1": "8", "y2": "8"})
    return tag("svg", {"aria-hidden": "true"}, rail, line, tag("circle", {"cx": place(value), "cy": "8", "r": "4"}))


def over_time(metric: str, points: Sequence[Point], zone: str) -> Html:
    """Every score over time as a point, and the best so far as a line in steps.

    Args:
        metric: What is drawn.
        points: In order of time.
        zone: Time zone of the days written below.

    >>> from datetime import UTC
    >>> one = Point(datetime(2026, 1, 1, tzinfo=UTC), "ours", 0.5, 0.5, True)
    >>> over_time("der", [one], "UTC").count("<circle")
    1
    """
    if not points:
        return Html("")
    axes = _Axes(points)
    steps = [f"M{axes.x(points[0].at):.1f} {axes.y(points[0].best):.1f}"]
    for one in points[1:]:
        steps.append(f"H{axes.x(one.at):.1f}V{axes.y(one.best):.1f}")
    steps.append(f"H{WIDTH - _RIGHT}")
    line = tag("path", {"class": "best", "d": "".join(steps)})
    new, others = [one for one in points if one.is_new], [one for one in points if not one.is_new]
    marks = [_mark(one, axes, metric) for one in (*others, *new)]
    said = f"{metric} over time: {len(points)} scores, the best so far {figure(metric, points[-1].best)}"
    box = {"viewBox": f"0 0 {WIDTH} {HEIGHT}", "role": "img", "aria-label": said}
    return tag("svg", box, _grid(axes, metric), _days(points, axes, zone), line, *marks)


class _Axes:
    """Where moments and values stand."""

    def __init__(self, points: Sequence[Point]) -> None:
        values = [one.value for one in points]
        low, high = min(values), max(values)
        room = 0.06 * (high - low) or 0.02
        self.step = _step((high - low + 2 * room) / _LINES)
        self.low, self.high = max(0.0, low - room) if low >= 0 else low - room, high + room
        self.start, end = points[0].at.timestamp(), points[-1].at.timestamp()
        self.length = end - self.start or 1.0

    def x(self, at: datetime) -> float:
        share = (at.timestamp() - self.start) / self.length
        return _LEFT + 10 + share * (WIDTH - _LEFT - _RIGHT - 20)

    def y(self, value: float) -> float:
        return HEIGHT - _BOTTOM - (value - self.low) / (self.high - self.low) * (HEIGHT - _TOP - _BOTTOM)


def _step(rough: float) -> float:
    """The round number next above: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(rough))
    return next(one * power for one in (1, 2, 5, 10) if one * power >= rough * (1 - 1e-9))


def _grid(axes: _Axes, metric: str) -> Html:
    first, last = math.ceil(axes.low / axes.step), math.floor(axes.high / axes.step)
    lines = []
    for number in range(first, last + 1):
        y = f"{axes.y(number * axes.step):.1f}"
        lines.append(tag("line", {"class": "grid", "x1": str(_LEFT), "x2": str(WIDTH - _RIGHT), "y1": y, "y2": y}))
        label = figure(metric, number * axes.step)
        lines.append(tag("text", {"x": str(_LEFT - 8), "y": y, "dy": "4", "text-anchor": "end"}, label))
    return join(lines)


def _days(points: Sequence[Point], axes: _Axes, zone: str) -> Html:
    """The first and the last day, and up to three between that do not run into each other."""
    start, end = points[0].at, points[-1].at
    moments = [start + (end - start) * share / 4 for share in range(5)] if end > start else [start]
    labels: dict[str, Html] = {}
    for place, moment in enumerate(moments):
        said = short_day(moment.astimezone(ZoneInfo(zone)))
        anchor = "start" if place == 0 else "end" if place == 4 else "middle"
        at = {"x": f"{axes.x(moment):.1f}", "y": str(HEIGHT - 8), "text-anchor": anchor}
        labels.setdefault(said, tag("text", at, said))
    return join(labels.values())


def _mark(one: Point, axes: _Axes, metric: str) -> Html:
    x, y = axes.x(one.at), axes.y(one.value)
    hint = tag("title", {}, f"{one.name}: {figure(metric, one.value)}")
    if one.is_own:
        square = {"x": f"{x - 4.5:.1f}", "y": f"{y - 4.5:.1f}", "width": "9", "height": "9"}
        return tag("rect", {"class": "own", **square}, hint)
    size = "5" if one.is_new else "3.5"
    return tag("circle", {"class": "new" if one.is_new else None, "cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": size}, hint)
