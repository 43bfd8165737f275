"""Whatever values and labels results hold, a drawing is well-formed, holds all of its marks, and runs nothing."""

import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.report import svg
from parakh.report.chart import Intervals, Mark, Scatter, StackedBars, Waterfall, ticks
from tests.pages import Page

labels = st.text(max_size=30)
values = st.floats(-1e9, 1e9, allow_nan=False)
sizes = st.floats(0.0, 1e9, allow_nan=False)


@st.composite
def marks(draw: st.DrawFn) -> Mark:
    value = draw(st.none() | values)
    ends = None if value is None else draw(st.none() | st.tuples(values, values))
    return Mark(value, (min(ends), max(ends)) if ends else None)


@given(values, values)
def test_ticks_hold_both_ends_and_ascend(one: float, other: float) -> None:
    low, high = min(one, other), max(one, other)
    found = ticks(low, high)
    room = 1e-9 * (abs(low) + abs(high)) + 1e-9
    assert found[0] <= low + room
    assert found[-1] >= high - room
    assert all(a < b for a, b in pairwise(found))
    assert 2 <= len(found) <= 12


def places(drawn: str) -> list[float]:
    return [float(found) for found in re.findall(r' (?:x|x1|x2|cx)="(-?[0-9.e+]+)%"', drawn)]


@settings(max_examples=60)
@given(st.lists(st.tuples(labels, marks(), marks()), min_size=1, max_size=5), labels)
def test_intervals_are_drawn_within_the_page(rows: list[tuple[str, Mark, Mark]], title: str) -> None:
    groups = {title: [(label, (one, other)) for label, one, other in rows]}
    drawn = svg.draw(Intervals(title, title, series=("a", title), groups=groups))
    assert Page(drawn).scripts == 0
    assert all(-0.01 <= place <= 100.01 for place in places(drawn))
    assert "nan" not in drawn.replace(title, "")


@settings(max_examples=60)
@given(st.lists(st.tuples(labels, st.tuples(sizes, sizes), marks()), min_size=1, max_size=5), labels)
def test_bars_are_drawn_whatever_their_size(rows: list[tuple[str, tuple[float, float], Mark]], title: str) -> None:
    whole = [(label, parts, Mark(sum(parts))) for label, parts, _ in rows]
    drawn = svg.draw(StackedBars(title, title, parts=("a", title), rows=tuple(whole)))
    assert Page(drawn).scripts == 0
    assert all(-0.01 <= place <= 100.01 for place in places(drawn))


@settings(max_examples=60)
@given(st.lists(st.tuples(labels, values, values), min_size=1, max_size=8), labels)
def test_points_are_drawn_within_the_page(points: list[tuple[str, float, float]], title: str) -> None:
    drawn = svg.draw(Scatter(title, title, across=title, series={title: points}, lines={title: (0.0, points[0][2])}))
    assert Page(drawn).scripts == 0
    assert all(-0.01 <= place <= 100.01 for place in places(drawn))


@settings(max_examples=60)
@given(sizes, st.lists(st.tuples(labels, values), max_size=6), labels)
def test_steps_are_drawn_whichever_way_they_go(whole: float, steps: list[tuple[str, float]], title: str) -> None:
    drawn = svg.draw(Waterfall(title, title, panels={title: (whole, tuple(steps))}))
    assert Page(drawn).scripts == 0
    assert all(-0.01 <= place <= 100.01 for place in places(drawn))
