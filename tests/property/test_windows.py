"""Packing turns into windows and giving words back: what must hold for any turns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.cascade.windows import PADDING, Stretch, Window, Word, assign, pack
from parakh.types import Segment

DURATION = 60.0
NOISE = np.random.default_rng(7).normal(0, 0.1, int(DURATION * SAMPLE_RATE)).astype(np.float32)
AUDIO = Audio("v", NOISE)


@st.composite
def turns(draw: st.DrawFn) -> list[Segment]:
    starts = draw(st.lists(st.floats(0, DURATION - 0.1), min_size=0, max_size=12))
    ends = [draw(st.floats(start + 0.05, min(start + 40, DURATION))) for start in starts]
    return [Segment("v", draw(st.sampled_from("ab")), start, end) for start, end in zip(starts, ends, strict=True)]


@given(turns(), st.sampled_from([6.0, 15.0, 28.0]))
def test_windows_hold_every_turn_once_and_none_is_too_long(segments: list[Segment], longest: float) -> None:
    windows = pack(AUDIO, segments, longest)
    held = np.zeros(len(NOISE), int)
    stretches = [stretch for window in windows for stretch in window.stretches]
    for stretch in stretches:
        held[stretch.start : stretch.end] += 1
    for segment in segments:
        start, end = int((segment.start_time or 0) * SAMPLE_RATE), int((segment.end_time or 0) * SAMPLE_RATE)
        assert (held[start:end] == 1).all()
    assert held.max(initial=0) <= 1
    assert stretches == sorted(stretches, key=lambda s: s.start)
    assert all(window.length <= longest * SAMPLE_RATE for window in windows)


@given(turns(), st.sampled_from([6.0, 15.0, 28.0]))
def test_nothing_far_from_a_turn_is_heard(segments: list[Segment], longest: float) -> None:
    near = np.zeros(len(NOISE), bool)
    for segment in segments:
        start, end = (segment.start_time or 0) - PADDING, (segment.end_time or 0) + PADDING
        near[max(0, int(start * SAMPLE_RATE) - 1) : int(end * SAMPLE_RATE) + 1] = True
    for window in pack(AUDIO, segments, longest):
        assert all(near[stretch.start : stretch.end].all() for stretch in window.stretches)


@given(turns(), st.floats(0, 1))
def test_a_windows_time_is_the_recordings_time_of_the_same_sample(segments: list[Segment], share: float) -> None:
    for window in pack(AUDIO, segments, 15.0):
        position = int(share * (window.length - 1))
        slow = np.concatenate([np.arange(s.start, s.end) for s in window.stretches])[position]
        assert window.time(position / SAMPLE_RATE) == pytest.approx(slow / SAMPLE_RATE, abs=1e-6)


def test_time_outside_a_window_is_its_nearest_end() -> None:
    window = Window((Stretch(16000, 32000),))
    assert (window.time(-1.0), window.time(99.0)) == (1.0, 2.0)


@given(turns(), st.lists(st.floats(0, DURATION), max_size=30))
def test_every_word_goes_to_one_turn_in_order(segments: list[Segment], times: list[float]) -> None:
    words = [Word(str(i), time, time + 0.3) for i, time in enumerate(sorted(times))]
    given_back = assign(words, segments)
    assert len(given_back) == len(segments)
    told = [word for turn in given_back for word in turn]
    assert sorted(told, key=lambda w: int(w.text)) == (words if segments else [])
    assert all([int(w.text) for w in turn] == sorted(int(w.text) for w in turn) for turn in given_back)


@given(turns(), st.floats(0, DURATION))
def test_a_word_overlaps_no_other_turn_more(segments: list[Segment], time: float) -> None:
    word = Word("w", time, time + 0.3)
    overlaps = [min(word.end, s.end_time or 0) - max(word.start, s.start_time or 0) for s in segments]
    for overlap, turn in zip(overlaps, assign([word], segments), strict=True):
        assert not turn or overlap == max(overlaps)


def test_a_word_in_an_overlap_stays_with_the_speaker_who_was_talking() -> None:
    segments = [Segment("v", "a", 0.0, 2.0), Segment("v", "b", 1.0, 3.0)]
    words = [Word("x", 0.5, 0.8), Word("y", 1.2, 1.6), Word("z", 2.1, 2.4)]
    assert [[w.text for w in turn] for turn in assign(words, segments)] == [["x", "y"], ["z"]]


def test_a_long_turn_is_cut_at_its_pause() -> None:
    samples = NOISE[: 40 * SAMPLE_RATE].copy()
    samples[20 * SAMPLE_RATE : 21 * SAMPLE_RATE] = 0.0
    first, second = pack(Audio("v", samples), [Segment("v", "a", 0.0, 40.0)], 28.0)
    assert 20.0 < first.stretches[0].end / SAMPLE_RATE < 21.0
    assert second.stretches[0].start == first.stretches[0].end


def test_windows_are_even() -> None:
    segments = [Segment("v", "a", float(t), t + 2.0) for t in range(0, 60, 3)]
    lengths = [window.length / SAMPLE_RATE for window in pack(AUDIO, segments, 28.0)]
    assert len(lengths) == 2
    assert max(lengths) - min(lengths) < 3.0


def test_turns_without_times_hold_nothing() -> None:
    segments = [Segment("v", "a")]
    assert pack(AUDIO, segments, 28.0) == []
    assert assign([Word("w", 0.0, 1.0)], segments) == [[]]
