"""What the checks of sound share: which labels there are, what is loud, and which tags stand alone."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from parakh.audio.facts import FRAME_S
from parakh.qc._material import Material, Source
from parakh.types import Segment

Frames = NDArray[np.bool_]
Levels = NDArray[np.float64]

SILENCE_TAGS = ("<silence>", "<sil>", "<pause>", "<no_speech>", "[silence]", "[sil]", "[pause]")
"""Tags that say that there is nothing to hear."""
_SMOOTH = 5
"""Frames over which levels are averaged (50 ms): a single glottal pulse is no sound of its own."""


def labels(material: Material) -> Source[Segment] | None:
    """The annotation that says who speaks when: the turns, else the transcript; None where neither has times."""
    for source in (material.turns, material.transcript):
        if source is not None and any(True for _ in timed(source)):
            return source
    return None


def timed(source: Source[Segment]) -> Iterator[tuple[int, float, float]]:
    """Index, start and end of each item with times and a duration."""
    for index, one in enumerate(source.items):
        if one.start_time is not None and one.end_time is not None and one.end_time > one.start_time:
            yield index, one.start_time, one.end_time


def tags_alone(words: str, tags: Sequence[str]) -> tuple[str, ...]:
    """The tags of a text that holds nothing else; () where it holds words too, or no tag.

    >>> tags_alone("<noise> <Cough>", ("<noise>", "<cough>")), tags_alone("<noise> हाँ", ("<noise>",))
    (('<noise>', '<cough>'), ())
    """
    if not tags:
        return ()
    pattern = "|".join(re.escape(tag) for tag in sorted(tags, key=len, reverse=True))
    found = tuple(match.lower() for match in re.findall(pattern, words, re.IGNORECASE))
    rest = re.sub(pattern, "", words, flags=re.IGNORECASE)
    return found if found and not any(sign.isalnum() for sign in rest) else ()


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
