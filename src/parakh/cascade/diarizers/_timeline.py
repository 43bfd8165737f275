"""From pieces and the speakers' means to turns: every window votes on the recording's common frame grid."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from parakh.audio.decode import Audio
from parakh.cascade.diarizers._clustering import distances, unit
from parakh.cascade.diarizers._pieces import LEAST, Pieces, runs
from parakh.cascade.networks import segmentation
from parakh.types import Segment

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

LEAST_VOTE = 0.02
"""Weight of a vote that could as well go to another speaker."""

_RATE_HZ = 16_000


def activity(pieces: Pieces, means: Floats) -> Flags:
    """Who is active in each frame of the recording, shape (frames, speakers).

    As many speakers are active as the windows count on average; which ones, the pieces vote: each for the speaker
    nearest to it, with the margin over the next as weight. The middle of a window weighs more than its ends.

    Source: overlap-add as in pyannote.audio's speaker diarization pipeline; votes by margin are this project's.
    """
    table = piece_distances(pieces, means)
    chosen = _choose(pieces, table)
    taper = np.hamming(segmentation.FRAMES)
    frames = int(pieces.starts[-1]) + segmentation.FRAMES
    cover, count, votes = np.zeros(frames), np.zeros(frames), np.zeros((frames, len(means)))
    for start, active in zip(pieces.starts, pieces.active, strict=True):
        cover[start : start + len(taper)] += taper
        count[start : start + len(taper)] += taper * active.sum(axis=1)
    for i, speaker in enumerate(chosen):
        window, first, last = pieces.window[i], pieces.first[i], pieces.last[i]
        margin = np.delete(table[i], speaker).min(initial=2.0) - table[i, speaker]
        own = pieces.active[window, first:last, pieces.local[i]]
        start = pieces.starts[window]
        votes[start + first : start + last, speaker] += taper[first:last] * own * max(margin, LEAST_VOTE)
    return _top(votes, np.rint(count / cover).astype(np.int64))


def frame_start(frame: int) -> float:
    """Second at which a frame of the embedded segmentation begins: half a step before its centre.

    >>> frame_start(100)
    1.71
    """
    return (frame * segmentation.FRAME_STEP + (segmentation.FRAME_FIELD - segmentation.FRAME_STEP) // 2) / _RATE_HZ


def turns(
    active: Flags,
    fill: float,
    least: float,
    seconds: Callable[[int], float] = frame_start,
    pads: tuple[float, float] = (0.0, 0.0),
) -> list[tuple[float, float, int]]:
    """Start, end (seconds) and speaker of each turn, sorted by time.

    Args:
        active: Activity, shape (frames, speakers).
        fill: Pauses within one speaker's speech shorter than this (seconds) are filled.
        least: Turns shorter than this (seconds) are dropped.
        seconds: Where a frame begins.
        pads: Seconds by which turns begin earlier and end later.

    >>> turns(np.array([[1, 0], [1, 0], [0, 0], [0, 1]], bool), 0.0, 0.0)
    [(0.022, 0.056, 0), (0.073, 0.09, 1)]
    """
    found: list[tuple[float, float, int]] = []
    for speaker in range(active.shape[1]):
        joined: list[tuple[float, float]] = []
        for first, last in runs(active[:, speaker]):
            start, end = seconds(first) - pads[0], seconds(last) + pads[1]
            if joined and start - joined[-1][1] < fill:
                start = joined.pop()[0]
            joined.append((start, end))
        found += [(round(start, 3), round(end, 3), speaker) for start, end in joined if end - start >= least]
    return sorted(found)


def labelled(audio: Audio, found: Iterable[tuple[float, float, Hashable]]) -> list[Segment]:
    """Turns within the recording, speakers labelled spk0, spk1, ... by first appearance.

    Args:
        audio: The recording.
        found: Start, end (seconds) and any name of the speaker of each turn, sorted by time.

    >>> [turn.speaker for turn in labelled(Audio("v", np.zeros(32000, np.float32)), [(0.0, 1.0, "b"), (1.0, 2.5, "a")])]
    ['spk0', 'spk1']
    """
    end = round(audio.duration, 3)
    within = [(max(0.0, a), min(b, end), speaker) for a, b, speaker in found if a < end]
    labels = {speaker: f"spk{number}" for number, speaker in enumerate(dict.fromkeys(speaker for _, _, speaker in within))}
    return [Segment(audio.session_id, labels[speaker], a, b) for a, b, speaker in within]


def piece_distances(pieces: Pieces, means: Floats) -> Floats:
    """Distance of each piece to each speaker; too short a piece takes that of its local speaker's other pieces."""
    table = distances(pieces.embeddings, means)
    rows = unit(pieces.embeddings) * pieces.clean[:, None]
    owner = pieces.window * segmentation.SPEAKERS + pieces.local
    sums = np.zeros((int(owner.max()) + 1, rows.shape[1]), rows.dtype)
    np.add.at(sums, owner, rows)
    short = pieces.clean < LEAST
    table[short] = distances(sums[owner[short]], means)
    return table


def _choose(pieces: Pieces, table: Floats) -> Ints:
    """The nearest speaker of each piece; of two that overlap in a window the less certain takes its second."""
    order = np.argsort(table, axis=1, kind="stable")
    chosen = order[:, 0].copy()
    if table.shape[1] == 1:
        return chosen
    certain = np.take_along_axis(table, order[:, 1:2], axis=1)[:, 0] - table.min(axis=1)
    for window in np.unique(pieces.window):
        inside = np.flatnonzero(pieces.window == window)
        for i, j in combinations(inside.tolist(), 2):
            if chosen[i] == chosen[j] and _overlap(pieces, i, j):
                less = i if certain[i] < certain[j] else j
                chosen[less] = order[less, 1]
    return chosen


def _overlap(pieces: Pieces, i: int, j: int) -> bool:
    meet = pieces.first[i] < pieces.last[j] and pieces.first[j] < pieces.last[i]
    return bool(meet and pieces.local[i] != pieces.local[j])


def ranks(votes: NDArray[np.float64]) -> Ints:
    """Place of each speaker among those of its frame, the most votes first; of equal ones the first.

    >>> ranks(np.array([[1.0, 3.0, 1.0]])).tolist()
    [[1, 0, 2]]
    """
    order = np.argsort(-votes, axis=1, kind="stable")
    return np.argsort(order, axis=1, kind="stable")


def _top(votes: NDArray[np.float64], count: Ints) -> Flags:
    """The ``count`` speakers with most votes in each frame, of those that have any."""
    top: Flags = (ranks(votes) < count[:, None]) & (votes > 0)
    return top
