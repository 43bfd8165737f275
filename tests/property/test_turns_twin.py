"""Interval arithmetic of the checks against counting tenths of a second one by one."""

from hypothesis import given
from hypothesis import strategies as st

from parakh.qc import Source
from parakh.qc._turns import active, by_speaker, overlapped, speech, timed, total, union, without
from parakh.types import Segment

TICKS = 60
times = st.tuples(st.integers(0, TICKS), st.integers(0, TICKS)).map(sorted)
turns = st.lists(st.tuples(st.sampled_from("abc"), times), max_size=12)
stretches = st.lists(times, max_size=8)


def source(drawn: list[tuple[str, list[int]]]) -> Source[Segment]:
    return Source("v1.rttm", [Segment("v1", name, float(start), float(end)) for name, (start, end) in drawn])


def speaking(drawn: list[tuple[str, list[int]]], tick: int) -> set[str]:
    return {name for name, (start, end) in drawn if start <= tick < end}


def ticks(spans: list[tuple[float, float]]) -> set[int]:
    return {tick for start, end in spans for tick in range(int(start), int(end))}


@given(turns)
def test_speech_and_overlap(drawn: list[tuple[str, list[int]]]) -> None:
    one = source(drawn)
    own = timed(one)
    assert ticks(speech(own)) == {tick for tick in range(TICKS) if speaking(drawn, tick)}
    over = overlapped(one, own)
    assert ticks(over) == {tick for tick in range(TICKS) if len(speaking(drawn, tick)) > 1}
    assert total(over) == len(ticks(over))
    assert over == union(over)


@given(stretches, stretches, st.integers(1, 5))
def test_without(first: list[list[int]], second: list[list[int]], least: int) -> None:
    one, other = (union(sorted((float(a), float(b)) for a, b in side if a < b)) for side in (first, second))
    left = without(one, other, float(least))
    free = ticks(one) - ticks(other)
    assert ticks(left) <= free
    assert all(end - start >= least for start, end in left)
    for start, end in union((float(tick), float(tick + 1)) for tick in sorted(free)):
        # A stretch may be cut where two stretches of the first side touch; union joins those, so each run is one of ours.
        assert (end - start >= least) == ((start, end) in left)


@given(turns, times)
def test_turns_of_a_stretch_and_of_a_speaker(drawn: list[tuple[str, list[int]]], stretch: list[int]) -> None:
    one = source(drawn)
    start, end = stretch
    there = active(timed(one), start, end)
    assert {one.items[index].speaker for index in there} >= {name for tick in range(start, end) for name in speaking(drawn, tick)}
    assert sorted(index for own in by_speaker(one).values() for *_, index in own) == sorted(index for *_, index in timed(one))
