"""Chunks of a recording and who is active in each of their frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.audio.decode import SAMPLE_RATE
from parakh.cascade.diarizers._chunks import FIRST_S, STEP_S
from parakh.cascade.diarizers._pieces import runs
from parakh.types import Segment


@dataclass(frozen=True)
class Chunk:
    """A stretch of a recording.

    Args:
        session_id: The recording.
        start: First sample.
    """

    session_id: str
    start: int


def starts(samples: int, length: int, step: int) -> list[int]:
    """First samples of the chunks that lie wholly in a recording; of a shorter one, of the one that is filled up with silence.

    >>> starts(20, 8, 6), starts(5, 8, 6)
    ([0, 6, 12], [0])
    """
    return list(range(0, max(1, samples - length + 1), step))


def cut(samples: NDArray[Any], start: int, length: int) -> NDArray[np.float32]:
    """A chunk's samples in [-1, 1], of 16-bit ones, filled up with silence."""
    own = samples[start : start + length].astype(np.float32) / 32768
    return np.pad(own, (0, length - len(own)))


def activity(turns: Sequence[Segment], start: float, frames: int, speakers: int) -> NDArray[np.bool_]:
    """Who is active in each frame of a chunk: of more speakers than there is room for, those who speak most.

    Args:
        turns: Of the recording.
        start: Of the chunk, in seconds.
        frames: Number of frames.
        speakers: Room for speakers.

    Returns:
        Shape (frames, speakers); the speakers in the order of their labels.

    >>> activity([Segment("v", "a", 0.0, 0.02), Segment("v", "b", 0.02, 1.0)], 0.0, 2, 3).astype(int).tolist()
    [[1, 0, 0], [0, 1, 0]]
    """
    middles = start + FIRST_S + STEP_S * np.arange(frames)
    active: dict[str, NDArray[np.bool_]] = {}
    for turn in turns:
        inside = (middles >= (turn.start_time or 0.0)) & (middles < (turn.end_time or 0.0))
        if inside.any():
            active[turn.speaker or ""] = active.get(turn.speaker or "", False) | inside
    chosen = sorted(sorted(active, key=lambda one: -int(active[one].sum()))[:speakers])
    found = np.zeros((frames, speakers), bool)
    for place, speaker in enumerate(chosen):
        found[:, place] = active[speaker]
    return found


def turns_of(active: NDArray[np.bool_], session_id: str) -> list[Segment]:
    """The turns of a chunk, in seconds from its start; a speaker is called after the column.

    >>> [(turn.speaker, turn.start_time, turn.end_time) for turn in turns_of(np.array([[1, 0], [1, 1], [0, 1]], bool), "c")]
    [('0', 0.0025, 0.0425), ('1', 0.0225, 0.0625)]
    """
    found = []
    for place, row in enumerate(active.T):
        for first, last in runs(row):
            start, end = (round(FIRST_S + STEP_S * (edge - 0.5), 4) for edge in (first, last))
            found.append(Segment(session_id, str(place), start, end))
    return found


def cropped(turns: Sequence[Segment], session_id: str, start: int, length: int) -> list[Segment]:
    """The parts of a recording's turns that lie in a chunk, in seconds from its start."""
    begin, end = start / SAMPLE_RATE, (start + length) / SAMPLE_RATE
    return [
        replace(turn, session_id=session_id, start_time=max(0.0, (turn.start_time or 0.0) - begin), end_time=until - begin)
        for turn in turns
        if (until := min(end, turn.end_time or 0.0)) > max(begin, turn.start_time or 0.0)
    ]
