"""Overlapping chunks of a recording and the speakers' activity that they agree on.

Chunks are as long as those the network was trained on and follow each other closely, so that every moment is heard by
several. What they say is summed on the recording's frame grid.

Source: pyannote.audio 3.1, ``Inference.aggregate``, ``SpeakerDiarizationMixin`` and ``SpeakerDiarization.reconstruct``, as
DiariZen uses them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parakh.cascade.diarizers._timeline import ranks

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

STEP_S = 0.02
"""Seconds from one frame to the next."""
FIRST_S = 0.0125
"""Middle of the first frame, where its activity starts or ends."""

_MEDIAN = 11


@dataclass(frozen=True, eq=False)
class Chunks:
    """What was heard in each chunk.

    Args:
        length: Seconds of a chunk.
        step: Seconds from one chunk to the next.
        active: Local activity, shape (chunks, frames, local speakers).
        embeddings: Of each local speaker, shape (chunks, local speakers, size); what it is of a silent one matters not.
    """

    length: float
    step: float
    active: Flags
    embeddings: Floats

    @property
    def starts(self) -> Ints:
        """First frame of each chunk on the recording's grid."""
        starts: Ints = np.rint(np.arange(len(self.active)) * self.step / STEP_S).astype(np.int64)
        return starts

    @property
    def frames(self) -> int:
        """Frames of the recording."""
        return round((self.length + (len(self.active) - 1) * self.step) / STEP_S) + 1


def chunk_starts(samples: int, length: int, step: int) -> Ints:
    """First sample of each chunk; the last one may reach beyond the recording and is filled up with silence.

    Args:
        samples: Samples of the recording.
        length: Samples of a chunk.
        step: Samples from one chunk to the next.

    >>> chunk_starts(20, 8, 5).tolist(), chunk_starts(18, 8, 5).tolist(), chunk_starts(3, 8, 5).tolist()
    ([0, 5, 10, 15], [0, 5, 10], [0])
    """
    whole = (samples - length) // step + 1 if samples >= length else 0
    rest = samples < length or (samples - length) % step > 0
    return np.arange(whole + rest) * step


def chunk(samples: Floats, start: int, length: int) -> Floats:
    """One chunk, filled up with silence."""
    cut = samples[start : start + length]
    return np.pad(cut, (0, length - len(cut)))


def median_filtered(active: Flags, size: int = _MEDIAN) -> Flags:
    """Each frame as most of the ``size`` frames around it, those beyond the ends mirrored.

    Args:
        active: Shape (chunks, frames, speakers).
        size: Odd number of frames.

    Source: equal to scipy 1.17 ``ndimage.median_filter(size=(1, size, 1), mode="reflect")`` on zeros and ones.

    >>> median_filtered(np.array([[[0], [1], [0], [1], [1]]], bool), 3).astype(int).ravel().tolist()
    [0, 0, 1, 1, 1]
    """
    half = size // 2
    padded = np.pad(active, ((0, 0), (half, half), (0, 0)), mode="symmetric")
    sums = np.pad(np.cumsum(padded, axis=1, dtype=np.int32), ((0, 0), (1, 0), (0, 0)))
    most: Flags = sums[:, size:] - sums[:, :-size] > half
    return most


def speaks_alone(active: Flags) -> Flags:
    """Where a local speaker speaks and nobody else does."""
    alone: Flags = active & (active.sum(axis=2, keepdims=True) == 1)
    return alone


def clean_masks(active: Flags, least: int) -> Flags:
    """Where each local speaker speaks alone, or wherever it speaks if that is no more than ``least`` frames."""
    alone = speaks_alone(active)
    enough = alone.sum(axis=1, keepdims=True) > least
    masks: Flags = np.where(enough, alone, active)
    return masks


def speaker_activity(chunks: Chunks, clusters: Ints, most: int) -> Flags:
    """Who is active in each frame of the recording, shape (frames, speakers).

    As many speakers are active as chunks count on average, at most ``most``; which ones, the chunks' sum says. Where
    more are counted than there are clusters, further speakers without a cluster take the rest.

    Args:
        chunks: What was heard.
        clusters: Speaker of each local speaker, shape (chunks, local speakers); -1 is nobody's.
        most: Most speakers at once.
    """
    count = np.minimum(_counts(chunks), most)
    votes = np.zeros((chunks.frames, max(int(clusters.max()) + 1, int(count.max()))))
    for start, active, own in zip(chunks.starts, chunks.active, clusters, strict=True):
        for speaker in np.unique(own[own >= 0]):
            votes[start : start + len(active), speaker] += active[:, own == speaker].any(axis=1)
    found: Flags = ranks(votes) < count[:, None]
    return found


def _counts(chunks: Chunks) -> Ints:
    """How many speak in each frame, on average over its chunks; half is rounded to the even number."""
    total, cover = np.zeros(chunks.frames), np.zeros(chunks.frames)
    for start, active in zip(chunks.starts, chunks.active, strict=True):
        total[start : start + len(active)] += active.sum(axis=1)
        cover[start : start + len(active)] += 1
    counts: Ints = np.rint(total / np.maximum(cover, 1)).astype(np.int64)
    return counts
