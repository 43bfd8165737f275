"""How loud a recording is, from its samples as they come: peak, clipping, and the level of every 10 ms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from parakh.audio.facts import FRAME_S, SILENCE_DB

Samples = NDArray[np.float32]

BLOCK_S = 16
"""Seconds handled at once: a whole number of frames at every sample rate, and of the speech detector's windows at 16 kHz."""
_RUN = 3
"""Samples in a row at full scale from which they were cut off rather than reached it."""


def even(blocks: Iterable[Samples], size: int) -> Iterator[Samples]:
    """The same samples in blocks of exactly ``size``, the last one shorter.

    >>> [len(block) for block in even([np.zeros((3, 1), np.float32)] * 3, 4)]
    [4, 4, 1]
    """
    waiting: list[Samples] = []
    count = 0
    for block in blocks:
        waiting.append(block)
        count += len(block)
        if count >= size:
            joined = np.concatenate(waiting)
            for start in range(0, count - size + 1, size):
                yield joined[start : start + size]
            waiting, count = [joined[count - count % size :]], count % size
    if count:
        yield np.concatenate(waiting)


class Meter:
    """Measures a recording block by block.

    Args:
        rate: Hz.
        channels: Number of channels.
        full_scale: The sample from which one is at full scale.
    """

    def __init__(self, rate: int, channels: int, full_scale: float) -> None:
        self.samples = 0
        self.peak = 0.0
        self.clipped = 0
        self._edges = np.arange(BLOCK_S * 100) * rate // 100
        self._full = np.float32(full_scale)
        self._running = [0] * channels
        self._levels: list[NDArray[np.float16]] = []

    def hear(self, block: Samples) -> None:
        """Take the next ``BLOCK_S`` seconds, shape (n, channels), or the rest."""
        self.samples += len(block)
        peak = float(np.abs(block).max(initial=0.0))
        self.peak = max(self.peak, peak)
        if peak >= self._full:
            for channel in range(block.shape[1]):
                self._count(np.abs(block[:, channel]) >= self._full, channel)
        else:
            self._running = [0] * len(self._running)
        self._levels.append(self._level(block))

    @property
    def level_db(self) -> NDArray[np.float16]:
        """Level of each 10 ms frame, the last may be shorter."""
        return np.concatenate(self._levels) if self._levels else np.zeros(0, np.float16)

    def _count(self, full: NDArray[np.bool_], channel: int) -> None:
        """Add the samples of runs; one that began in the block before counts on."""
        edges = np.flatnonzero(np.diff(full, prepend=False, append=False))
        starts, lengths = edges[::2], edges[1::2] - edges[::2]
        before = self._running[channel]
        runs = lengths.copy()
        counted = np.zeros_like(runs)
        if len(starts) and starts[0] == 0:
            runs[0] += before
            counted[0] = before if before >= _RUN else 0
        self.clipped += int((np.where(runs >= _RUN, runs, 0) - counted).sum())
        self._running[channel] = int(runs[-1]) if full[-1] else 0

    def _level(self, block: Samples) -> NDArray[np.float16]:
        centred = block - block.mean(axis=0)  # an offset is no sound
        power = np.einsum("ij,ij->i", centred, centred) / np.float32(block.shape[1])
        starts = self._edges[self._edges < len(block)]
        lengths = np.diff(starts, append=len(block))
        means = np.add.reduceat(power, starts) / lengths
        # Where nothing moves nothing sounds, though what sounds beside it shifts the mean of the block.
        still = (np.maximum.reduceat(block, starts) == np.minimum.reduceat(block, starts)).all(axis=1)
        means[still & (lengths > 1)] = 0
        levels: NDArray[np.float16] = np.maximum(10 * np.log10(np.maximum(means, 1e-12)), SILENCE_DB).astype(np.float16)
        return levels


def mean_db(levels: NDArray[np.floating]) -> float:
    """Mean power of frames, in dB; ``SILENCE_DB`` for none.

    >>> round(mean_db(np.array([-20.0, -40.0])), 1)
    -23.0
    """
    return float(10 * np.log10(np.mean(10 ** (levels.astype(np.float64) / 10)))) if len(levels) else SILENCE_DB


def frames(spans: Iterable[tuple[float, float]], count: int) -> NDArray[np.bool_]:
    """Which of ``count`` frames lie in stretches of seconds.

    >>> frames([(0.01, 0.03)], 4)
    array([False,  True,  True, False])
    """
    inside = np.zeros(count, np.bool_)
    for start, end in spans:
        inside[max(0, round(start / FRAME_S)) : max(0, round(end / FRAME_S))] = True
    return inside
