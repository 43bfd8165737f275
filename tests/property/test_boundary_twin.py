"""Boundary F1 against the obvious: the largest matching of boundaries, found by assignment."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from parakh.metrics import boundary_f1
from parakh.types import Region, Segment

TURN = st.tuples(st.sampled_from("ab"), st.integers(0, 60), st.integers(0, 20))
TURNS = st.lists(TURN, max_size=8)


def segments(turns: list[tuple[str, int, int]]) -> list[Segment]:
    return [Segment("v1", speaker, start / 8, (start + length) / 8) for speaker, start, length in turns]


def boundaries(turns: list[tuple[str, int, int]], side: int) -> list[float]:
    """Frame by frame: a speaker's turns that overlap are one, those that only touch stay two."""
    found = []
    for speaker in "ab":
        own = sorted((start, start + length) for who, start, length in turns if who == speaker and length)
        merged: list[list[int]] = []
        for start, end in own:
            if merged and start < merged[-1][1]:
                merged[-1][1] = max(end, merged[-1][1])
            else:
                merged.append([start, end])
        found += [turn[side] / 8 for turn in merged]
    return found


def largest(ours: list[float], theirs: list[float], tolerance: float) -> int:
    if not ours or not theirs:
        return 0
    near = np.abs(np.subtract.outer(ours, theirs)) <= tolerance
    rows, columns = linear_sum_assignment(near, maximize=True)
    return int(near[rows, columns].sum())


@given(TURNS, TURNS, st.integers(0, 12).map(lambda n: n / 8))
def test_as_many_meet_as_can(
    reference: list[tuple[str, int, int]], hypothesis: list[tuple[str, int, int]], tolerance: float
) -> None:
    found = boundary_f1.stats(segments(reference), segments(hypothesis), tolerance=tolerance)
    sides = [(boundaries(reference, side), boundaries(hypothesis, side)) for side in (0, 1)]
    assert found["matched"] == sum(largest(ours, theirs, tolerance) for ours, theirs in sides)
    assert found["reference_boundaries"] == sum(len(ours) for ours, _ in sides)
    assert found["hypothesis_boundaries"] == sum(len(theirs) for _, theirs in sides)
    turned = boundary_f1.stats(segments(hypothesis), segments(reference), tolerance=tolerance)
    assert boundary_f1.score(turned) == boundary_f1.score(found)


def test_boundaries_outside_the_regions_do_not_count() -> None:
    turns = [Segment("v1", "a", 0.0, 2.0), Segment("v1", "b", 3.0, 9.0)]
    found = boundary_f1.stats(turns, turns, regions=[Region("v1", 1.0, 5.0)])
    assert (found["reference_boundaries"], found["matched"]) == (2, 2)


def test_a_tolerance_of_a_quarter_second_holds_a_quarter_second() -> None:
    one, other = [Segment("v1", "a", 0.1, 1.0)], [Segment("v1", "a", 0.35, 1.0)]
    assert boundary_f1.stats(one, other, tolerance=0.25)["matched"] == 2
