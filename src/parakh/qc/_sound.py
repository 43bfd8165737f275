"""What the checks of sound share: levels, runs of frames, and texts that are tags alone."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from parakh.audio.facts import FRAME_S
from parakh.qc._markup import keys, tags

Frames = NDArray[np.bool_]
Levels = NDArray[np.float64]

SILENCE_TAGS = ("<silence>", "<sil>", "<pause>", "<no_speech>", "[silence]", "[sil]", "[pause]", "[no_speech]")
"""Tags that say that there is nothing to hear."""
_SMOOTH = 5
"""Frames over which levels are averaged (50 ms): a single glottal pulse is no sound of its own."""


def tags_alone(words: str, vocabulary: Sequence[str]) -> tuple[str, ...]:
    """The tags of a text that holds nothing else, as ``Tag.key``; () where it holds words or other tags too, or no tag.

    >>> tags_alone("<noise> <Cough>", ("<noise>", "<cough>")), tags_alone("<noise> हाँ", ("<noise>",))
    (('<noise>', '<cough>'), ())
    """
    found = (*tags(words, "<"), *tags(words, "["))
    rest = words
    for tag in found:
        rest = rest.replace(tag.text, " ")
    known = keys(vocabulary)
    alone = not any(sign.isalnum() for sign in rest) and all(tag.key in known for tag in found)
    return tuple(tag.key for tag in found) if alone else ()


def smoothed(level_db: NDArray[np.float16]) -> Levels:
    """Levels averaged over 50 ms, in dB."""
    power = 10 ** (level_db.astype(np.float64) / 10)
    inside = np.convolve(power, np.ones(_SMOOTH), "same") / np.convolve(np.ones(len(power)), np.ones(_SMOOTH), "same")
    return np.asarray(10 * np.log10(inside)) if len(power) else power


def runs(inside: Frames) -> list[tuple[int, int]]:
    """First frame and frame after the last of each run.

    >>> runs(np.array([True, True, False, True]))
    [(0, 2), (3, 4)]
    """
    edges = np.flatnonzero(np.diff(inside, prepend=False, append=False))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def within(start: float, end: float, count: int) -> slice:
    """The frames of a stretch of seconds, those that there are.

    >>> within(0.02, 9.0, 5)
    slice(2, 5, None)
    """
    return slice(min(max(0, round(start / FRAME_S)), count), min(max(0, round(end / FRAME_S)), count))


def around(inside: Frames, reach: int) -> Frames:
    """The frames, and those at most ``reach`` away.

    >>> around(np.array([False, False, True, False]), 1)
    array([False,  True,  True,  True])
    """
    wide = inside.copy()
    for start, end in runs(inside):
        wide[max(0, start - reach) : end + reach] = True
    return wide
