"""From samples to pieces of one local speaker each, with their embeddings.

The recording is cut into overlapping windows of 10 s; in each, the segmentation network says which of up to
three local speakers is active in which frame. What one of them says is cut at its pauses and, where it is long,
every ``LENGTH_S``: with close turn-taking the network at times hears two people as one, and a short piece is
rarely mixed. The cuts of successive windows are staggered, so that together they resolve a change of speaker
more finely than one piece.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from parakh.cascade.networks import segmentation
from parakh.cascade.networks.fbank import SHIFT as FEATURE_SHIFT
from parakh.cascade.networks.runtime import network

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

LENGTH_S = 1.5
"""Length of a piece of long speech."""
FEATURE_HZ = 100
"""Feature frames a second."""
LEAST = 50
"""Fewest clean feature frames (0.5 s) that get an embedding."""

_STEP = segmentation.FRAME_STEP
_RATE_HZ = 16_000
_BATCH = 8
_PAUSE = 8
"""Frames (0.135 s): a shorter pause does not cut."""


class Embedding(Protocol):
    """What a module with an embedding network offers."""

    SPREAD: float
    SHIFT: float

    def features(self, samples: Floats) -> Floats:
        """Feature frames every 10 ms."""
        ...

    def embed(self, pieces: list[Floats], threads: int) -> Floats:
        """One row a piece."""
        ...


@dataclass(frozen=True, eq=False)
class Pieces:
    """All pieces of a recording, n of them, in order of their windows.

    Args:
        starts: First frame of each window on the recording's frame grid, shape (windows,).
        active: Local activity, shape (windows, 589, 3).
        window: Window of each piece, shape (n,).
        local: Local speaker of each piece, 0 to 2, shape (n,).
        first: First frame of each piece within its window, shape (n,).
        last: Frame after its last, shape (n,).
        clean: Feature frames in which nobody else is active, shape (n,).
        embeddings: Shape (n, size); zeros where ``clean`` is less than ``LEAST``.
    """

    starts: Ints
    active: Flags
    window: Ints
    local: Ints
    first: Ints
    last: Ints
    clean: Ints
    embeddings: Floats


def cut(samples: Floats, step: float, embedding: Embedding, threads: int) -> Pieces:
    """Segment a recording, cut it into pieces and embed them, a batch of windows at a time.

    Args:
        samples: Mono samples at 16 kHz, shape (n,).
        step: Seconds from one window to the next.
        embedding: Embedding network.
        threads: CPU threads.
    """
    starts = window_starts(len(samples), step)
    phases = max(1, round(segmentation.WINDOW_SAMPLES / _RATE_HZ / step))
    active = np.zeros((len(starts), segmentation.FRAMES, segmentation.SPEAKERS), bool)
    rows: list[tuple[int, int, int, int]] = []
    counts, vectors = [np.zeros(0, np.int64)], []
    for batch in np.array_split(np.arange(len(starts)), -(-len(starts) // _BATCH)):
        active[batch] = _segment(samples, starts[batch], threads)
        new = [(w, k, a, b) for w in batch.tolist() for k, a, b in _cuts(active[w], w % phases / phases)]
        frames = _clean_frames(samples, starts, active, new, embedding)
        counts.append(np.array([len(piece) for piece in frames], np.int64))
        vectors.append(_embed(frames, embedding, threads))
        rows += new
    window, local, first, last = np.array(rows, np.int64).reshape(-1, 4).T
    return Pieces(starts, active, window, local, first, last, np.concatenate(counts), np.concatenate(vectors))


def window_starts(samples: int, step: float) -> Ints:
    """First frame of each window: every ``step``, the last one so that it ends with the recording.

    >>> (window_starts(20 * 16000, 2.5) * 270 / 16000).round(2).tolist()
    [0.0, 2.5, 5.0, 7.49, 10.01]
    """
    last = max(0, -(-(samples - segmentation.WINDOW_SAMPLES) // _STEP))
    hop = min(max(1, round(step * _RATE_HZ / _STEP)), segmentation.FRAMES)
    slack = min(hop // 4, segmentation.FRAMES - hop)  # the last step may be so much longer
    return np.append(np.arange(0, max(last - slack, min(last, 1)), hop), last)


def runs(flags: Flags) -> Iterator[tuple[int, int]]:
    """Start and end (exclusive) of each stretch of true values.

    >>> list(runs(np.array([0, 1, 1, 0, 1], bool)))
    [(1, 3), (4, 5)]
    """
    edges = np.flatnonzero(np.diff(flags.astype(np.int8), prepend=0, append=0))
    return zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)


def _segment(samples: Floats, starts: Ints, threads: int) -> Flags:
    run = network(segmentation.MODEL, segmentation.build, threads)
    chunks = [samples[start * _STEP :][: segmentation.WINDOW_SAMPLES] for start in starts]
    windows = np.stack([np.pad(chunk, (0, segmentation.WINDOW_SAMPLES - len(chunk))) for chunk in chunks])
    active: Flags = segmentation.POWERSET[run(windows[:, None]).argmax(axis=-1)]
    return active


def _cuts(active: Flags, phase: float) -> Iterator[tuple[int, int, int]]:
    """Local speaker, first and last frame of each piece of one window; ``phase`` in [0, 1) shifts the cuts."""
    size = round(LENGTH_S * _RATE_HZ / _STEP)
    speech: Flags = np.any(active, axis=1)
    for local in range(active.shape[1]):
        for start, end in _turns(active[:, local], speech):
            first = start + round(size * (1 - phase))
            first += size if first - start < 0.6 * size else 0
            inner = range(first, end - round(0.6 * size), size) if end - start > 1.5 * size else range(0)
            edges = [start, *inner, end]
            yield from ((local, a, b) for a, b in pairwise(edges))


def _turns(own: Flags, speech: Flags) -> Iterator[tuple[int, int]]:
    """Stretches of one local speaker, joined over short pauses in which nobody speaks."""
    joined = own.copy()
    for start, end in runs(~own):
        if start > 0 and end < len(own) and end - start < _PAUSE and not speech[start:end].any():
            joined[start:end] = True
    return runs(joined)


def _clean_frames(
    samples: Floats, starts: Ints, active: Flags, rows: list[tuple[int, int, int, int]], embedding: Embedding
) -> list[Floats]:
    """Feature frames of each piece in which only its speaker is active."""
    if not rows:
        return []
    begin = starts[rows[0][0]] * _STEP
    span = samples[begin : starts[rows[-1][0]] * _STEP + segmentation.WINDOW_SAMPLES]
    features = embedding.features(span)
    centres = np.arange(len(features)) * FEATURE_SHIFT + 200 - segmentation.FRAME_FIELD // 2
    frames = np.rint(centres / _STEP).astype(np.int64)
    found = []
    for window, local, first, last in rows:
        low, high = np.searchsorted(frames, starts[window] - starts[rows[0][0]] + np.array([first, last]))
        index = frames[low:high] - (starts[window] - starts[rows[0][0]])
        alone = active[window, index, local] & (active[window, index].sum(axis=1) == 1)
        found.append(features[low:high][alone])
    return found


def _embed(frames: list[Floats], embedding: Embedding, threads: int) -> Floats:
    long = [i for i, piece in enumerate(frames) if len(piece) >= LEAST]
    vectors = embedding.embed([frames[i] for i in long], threads)
    every = np.zeros((len(frames), vectors.shape[1]), np.float32)
    every[long] = vectors
    return every
