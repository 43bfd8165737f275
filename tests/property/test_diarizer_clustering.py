"""Clustering and turn building of the embedded diarizer, against scipy and against what they promise."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from parakh.cascade.diarizers._clustering import Rule, agglomerate, distances, shifts, speaker_means
from parakh.cascade.diarizers._pieces import Pieces, runs, window_starts
from parakh.cascade.diarizers._timeline import activity, turns
from parakh.cascade.networks import segmentation

MANY = 10_000


def means_of(rows: np.ndarray, rule: Rule, apart: np.ndarray | None = None) -> np.ndarray:
    """Speakers of items that weigh 1 each and share no time."""
    none = np.zeros((len(rows), len(rows)), bool)
    weights = np.ones(len(rows), np.float32)
    return speaker_means(rows, weights, none if apart is None else apart, ~np.eye(len(rows), dtype=bool), rule)


def same_groups(left: np.ndarray, right: np.ndarray) -> bool:
    return bool(((left[:, None] == left) == (right[:, None] == right)).all())


@given(seed=st.integers(0, 10_000), count=st.integers(2, 30), spread=st.floats(0.05, 1.5))
def test_agglomerate_equals_scipy(seed: int, count: int, spread: float) -> None:
    rows = np.random.default_rng(seed).standard_normal((count, 4))
    table = distances(rows, rows)
    table = (table + table.T) / 2
    ours = agglomerate(table, np.ones(count), Rule(spread, 0.0, 0.0, 1, MANY))
    np.fill_diagonal(table, 0.0)
    theirs = fcluster(linkage(squareform(table, checks=False), "average"), spread, "distance")
    assert same_groups(ours, theirs)


@given(seed=st.integers(0, 10_000), count=st.integers(6, 30), wanted=st.integers(1, 5))
def test_a_given_number_of_speakers_is_found(seed: int, count: int, wanted: int) -> None:
    rows = np.random.default_rng(seed).standard_normal((count, 8)).astype(np.float32)
    assert len(means_of(rows, Rule(np.inf, -np.inf, 1.0, wanted, wanted))) == wanted


def blobs(counts: list[int], seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Well separated speakers: unit axes with a little noise; returns rows and owners."""
    owners = np.repeat(np.arange(len(counts)), counts)
    noise = np.random.default_rng(seed).standard_normal((len(owners), 16)) * 0.05
    return (np.eye(16)[owners] + noise).astype(np.float32), owners


def test_speakers_are_counted_and_ordered_by_weight() -> None:
    rows, _ = blobs([5, 12, 8])
    means = means_of(rows, Rule(0.6, 0.3, 2.0, 1, 8))
    assert np.argmax(means, axis=1).tolist() == [1, 2, 0]


def test_one_odd_item_does_not_take_the_place_of_a_speaker() -> None:
    rows, _ = blobs([10, 10, 1])
    rows[:20, 0] += 0.6  # the two speakers are alike, the odd item is far from both
    means = means_of(rows, Rule(np.inf, -np.inf, 2.0, 2, 2))
    assert sorted(np.argmax(means - means.mean(axis=0), axis=1).tolist()) == [0, 1]


def test_items_heard_as_two_people_stay_apart() -> None:
    rows = np.ones((2, 3), np.float32)
    rule = Rule(0.6, -np.inf, 0.5, 1, 8)
    assert len(means_of(rows, rule, ~np.eye(2, dtype=bool))) == 2
    assert len(means_of(rows, rule)) == 1


def test_bounds_on_the_number_hold() -> None:
    rows, _ = blobs([6, 6, 6, 6])
    assert len(means_of(rows, Rule(0.6, 0.3, 2.0, 1, 3))) == 3
    same, _ = blobs([24])
    assert len(means_of(same, Rule(0.6, 0.3, 2.0, 2, 3))) == 2


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), angle=st.floats(0.2, 1.5), counts=st.tuples(st.integers(25, 60), st.integers(25, 60)))
def test_shifts_are_the_angle_between_the_voices_whatever_the_noise(seed: int, angle: float, counts: tuple[int, int]) -> None:
    """With noise of the voice's own length, plain means of few items would be much farther from each other."""
    rng = np.random.default_rng(seed)
    voices = np.zeros((2, 400))
    voices[0, 0], voices[1, :2] = 1.0, (np.cos(angle), np.sin(angle))
    owners = np.repeat([0, 1], counts)
    rows = voices[owners] + rng.standard_normal((len(owners), 400)) / 20
    found = shifts(owners == np.array([[0], [1]]), 1 - distances(rows, rows), ~np.eye(len(rows), dtype=bool))
    assert found[0, 1] == pytest.approx(1 - np.cos(angle), abs=0.1)


def test_fragments_of_one_voice_become_one_speaker() -> None:
    """Halves 0.5 apart within and 0.6 between: noise of the voice's own length, and a voice that changed by 0.2."""
    noise = np.random.default_rng(4).standard_normal((40, 400)) / 20
    rows = noise + np.repeat([[1.0, 0.0], [0.8, 0.6]], 20, axis=0) @ np.eye(2, 400)
    assert len(means_of(rows, Rule(0.56, 0.1, 2.0, 1, 40))) == 2
    assert len(means_of(rows, Rule(0.56, 0.3, 2.0, 1, 40))) == 1


def one_window(active: np.ndarray, embeddings: np.ndarray) -> Pieces:
    """A recording of one window with one piece a local speaker."""
    spans = [(k, *run) for k in range(3) for run in runs(active[:, k])]
    local, first, last = np.array(spans).T
    clean = np.full(len(spans), 100)
    return Pieces(np.array([0]), active[None], np.zeros(len(spans), int), local, first, last, clean, embeddings)


def test_speakers_that_overlap_in_a_window_are_two() -> None:
    active = np.zeros((segmentation.FRAMES, 3), bool)
    active[100:300, 0] = active[200:400, 1] = True
    both_like_first = np.array([[1.0, 0.0], [0.9, 0.1]], np.float32)
    found = activity(one_window(active, both_like_first), np.eye(2, dtype=np.float32))
    assert list(runs(found[:, 0])) == [(100, 300)]
    assert list(runs(found[:, 1])) == [(200, 400)]


def test_a_short_piece_goes_with_its_local_speaker() -> None:
    active = np.zeros((segmentation.FRAMES, 3), bool)
    active[10:200, 1] = active[300:310, 1] = active[400:500, 2] = True
    pieces = one_window(active, np.array([[0.1, 1.0], [0.0, 0.0], [1.0, 0.0]], np.float32))
    pieces.clean[1] = 5
    found = activity(pieces, np.eye(2, dtype=np.float32))
    assert list(runs(found[:, 1])) == [(10, 200), (300, 310)]


@settings(max_examples=50)
@given(st.lists(st.booleans(), min_size=1, max_size=80), st.floats(0, 0.3), st.floats(0, 0.3))
def test_turns_keep_their_promises(flags: list[bool], fill: float, least: float) -> None:
    active = np.array([flags, flags[::-1]], bool).T
    found = turns(active, fill, least)
    assert found == sorted(found)
    for speaker in (0, 1):
        own = [(start, end) for start, end, who in found if who == speaker]
        assert all(end - start >= least - 0.002 for start, end in own)
        assert all(b[0] - a[1] >= fill - 0.002 for a, b in pairwise(own))


@given(st.integers(0, 3_000_000), st.floats(0.5, 10))
@example(samples=160_001, step=1.0)
def test_windows_cover_every_sample(samples: int, step: float) -> None:
    starts = window_starts(samples, step) * segmentation.FRAME_STEP
    assert starts[0] == 0
    assert (np.diff(starts) > 0).all()
    assert (np.diff(starts) <= segmentation.FRAMES * segmentation.FRAME_STEP).all()
    assert samples <= starts[-1] + segmentation.WINDOW_SAMPLES
    assert len(starts) == 1 or starts[-1] + segmentation.WINDOW_SAMPLES < samples + segmentation.FRAME_STEP


def test_empty_table_is_one_item() -> None:
    assert agglomerate(np.zeros((1, 1)), np.ones(1), Rule(0.6, 0.3, 2.0, 1, 8)).tolist() == [0]


@pytest.mark.parametrize("count", [1, 3])
def test_fewer_items_than_speakers(count: int) -> None:
    rows, _ = blobs([1] * count)
    assert len(means_of(rows, Rule(np.inf, -np.inf, 2.0, 5, 5))) == count
