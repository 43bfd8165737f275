"""Measuring a recording block by block gives what looking at it whole gives, however the blocks fall."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from parakh.audio import levels, speech
from parakh.audio.levels import BLOCK_S, Meter, even
from parakh.qc._sound import runs

RATE = 50
"""Hz: few samples, so that runs cross the borders of blocks often; half a sample a frame."""


def clipped(samples: np.ndarray) -> int:
    """Samples in runs of three and more at full scale, counted one after the other."""
    count = 0
    for channel in samples.T:
        run = 0
        for value in [*channel, 0.0]:
            if abs(value) >= 1:
                run += 1
            else:
                count += run if run >= 3 else 0
                run = 0
    return count


@given(st.lists(st.integers(-1, 1), max_size=200), st.lists(st.integers(1, 40), min_size=1, max_size=20), st.integers(1, 2))
def test_clipping_is_counted_across_blocks(values: list[int], sizes: list[int], channels: int) -> None:
    samples = np.array(values, np.float32).reshape(-1, 1).repeat(channels, axis=1)
    if channels == 2:
        samples[:, 1] = samples[::-1, 1]
    meter = Meter(RATE * 100, channels, 1.0)
    at = 0
    for size in sizes * 200:
        if at >= len(samples):
            break
        meter.hear(samples[at : at + size])
        at += size
    assert meter.clipped == clipped(samples)
    assert meter.samples == len(samples)


@given(st.lists(st.integers(0, 300), max_size=20), st.integers(1, 100))
def test_even_blocks_hold_the_same_samples(sizes: list[int], size: int) -> None:
    samples = np.arange(sum(sizes), dtype=np.float32)[:, None]
    parts = np.split(samples, np.cumsum(sizes)[:-1]) if sizes else []
    blocks = list(even(parts, size))
    assert all(len(block) == size for block in blocks[:-1])
    assert np.array_equal(np.concatenate([*blocks, samples[:0]]), samples)
    assert not blocks or 0 < len(blocks[-1]) <= size


@given(st.integers(0, 3 * BLOCK_S), st.sampled_from([8000, 11_025, 16_000]), st.integers(0, 2**32 - 1))
def test_levels_are_those_of_each_hundredth_of_a_second(tenths: int, rate: int, seed: int) -> None:
    samples = np.random.default_rng(seed).normal(size=(rate * tenths // 10, 1)).astype(np.float32) * np.float32(0.1)
    meter = Meter(rate, 1, 2.0)
    for block in even([samples], BLOCK_S * rate):
        meter.hear(block)
    count = -(-len(samples) * 100 // rate)
    assert len(meter.level_db) == count
    for frame in range(0, count, 97):
        part = samples[frame * rate // 100 : (frame + 1) * rate // 100]
        assert abs(10 * np.log10(float((part**2).mean())) - float(meter.level_db[frame])) < 0.2


@given(st.lists(st.sampled_from([0.0, 0.05, 0.15, 0.3, 0.9]), max_size=200))
def test_stretches_are_ascending_apart_and_inside_the_recording(probabilities: list[float]) -> None:
    duration = len(probabilities) * 0.032
    found = speech.stretches(np.array(probabilities, np.float32), duration)
    assert all(0 <= start < end <= duration + 1e-3 for start, end in found)
    assert all(one[1] + 0.29 < two[0] for one, two in pairwise(found))
    assert bool(found) <= (max(probabilities, default=0) >= 0.2)


@given(st.lists(st.booleans(), max_size=60))
def test_runs_are_the_frames_inside(inside: list[bool]) -> None:
    again = np.zeros(len(inside), bool)
    for start, end in runs(np.array(inside, bool)):
        again[start:end] = True
    assert again.tolist() == inside


@given(st.lists(st.tuples(st.floats(-1, 3), st.floats(-1, 3)), max_size=5))
def test_frames_of_stretches(spans: list[tuple[float, float]]) -> None:
    found = levels.frames(spans, 200)
    expected = [any(max(0, round(100 * a)) <= k < max(0, round(100 * b)) for a, b in spans) for k in range(200)]
    assert found.tolist() == expected
