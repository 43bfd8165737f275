"""Stretches of speech that no label covers, and whether a label's edge cuts through the speech.

A stretch is told once: as speech without a label where it is long or stands apart, as cut speech where it is the short rest
of a labelled utterance.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from parakh.audio.facts import FRAME_S
from parakh.audio.levels import frames
from parakh.qc._material import Material
from parakh.qc._settings import Settings
from parakh.qc._sound import Frames, Levels, around, runs, smoothed, tags_alone
from parakh.qc._turns import Turn, timed, who_spoke_when

LIMITS = {"unlabelled-speech": 0.5, "label-slack": 0.2, "shortest-cut": 0.2, "cut-level": 10.0}
"""Those of the checks that look for it, which have the same edges and stretches before them."""
_DIP = 8
"""Frames of lower level that do not end a loud run: a stop consonant is closed for some 80 ms."""
_INSIDE = 5
"""Frames inside the label, next to its edge, one of which has to be loud too."""
_REACH = 200
"""Frames beyond an edge that are looked at (2 s): longer rests are speech without a label."""
_AROUND, _QUIET = 1500, 10
"""The quiet is the level that so many percent of the frames do not exceed, within 15 s of a label."""


@dataclass(frozen=True, slots=True)
class Cut:
    """Speech that goes on, loud, beyond an edge of a label: index of the label, whether at its end, the edge, and how long."""

    index: int
    at_end: bool
    edge: float
    seconds: float


@dataclass(frozen=True, slots=True)
class Stretch:
    """Speech without a label.

    Args:
        start: Seconds.
        end: Seconds.
        alone: Seconds of the longest part of it that is not next to a label.
        cuts: Edges of labels that cut through it.
    """

    start: float
    end: float
    alone: float
    cuts: tuple[Cut, ...] = ()


def unlabelled(material: Material, settings: Settings) -> Iterator[Stretch]:
    """Every stretch of speech without a label, in order of time; none without labels, levels or speech."""
    spans, audio = timed(who_spoke_when(material)), material.audio
    if not spans or audio is None or audio.level_db is None or audio.speech is None:
        return
    level = smoothed(audio.level_db)
    labelled = frames([(start, end) for start, end, _ in spans] + tagged(material, settings), len(level))
    free = frames(audio.speech, len(level)) & ~labelled
    cuts = list(_cuts(spans, free, level, settings))
    near = around(labelled, round(settings.limit("label-slack") / FRAME_S))
    for first, after in runs(free):
        alone = max((b - a for a, b in runs(~near[first:after])), default=0)
        own = tuple(cut for cut in cuts if first <= round(cut.edge / FRAME_S) <= after)
        yield Stretch(first * FRAME_S, after * FRAME_S, alone * FRAME_S, own)


def is_long(stretch: Stretch, settings: Settings) -> bool:
    """Whether a stretch is too long to be the rest of a labelled utterance."""
    return stretch.alone >= settings.limit("unlabelled-speech")


def tagged(material: Material, settings: Settings) -> list[tuple[float, float]]:
    """Stretches of the transcript that are tags and no words, in seconds: laughter and crying sound like speech."""
    words = [one.words for one in material.transcript.items] if material.transcript else []
    tags = settings.vocabulary.tags
    return [(start, end) for start, end, index in timed(material.transcript) if tags_alone(words[index], tags)]


def _cuts(spans: list[Turn], free: Frames, level: Levels, settings: Settings) -> Iterator[Cut]:
    below = settings.limit("cut-level")
    least = settings.limit("shortest-cut")
    for start, end, index in spans:
        first, after = round(start / FRAME_S), min(round(end / FRAME_S), len(level))
        if not 0 <= first < after:
            continue
        usual = float(np.median(level[first:after]))
        quiet = float(np.percentile(level[max(0, first - _AROUND) : after + _AROUND], _QUIET))
        loud = max(usual - below, (usual + quiet) / 2)  # in noise, 10 dB below speech is noise
        for at_end, edge in ((False, start), (True, end)):
            inside, outside = _sides(first, after, at_end)
            if (level[inside] > loud).any():
                seconds = _going_on(free[outside], level[outside] > loud)
                if seconds >= least:
                    yield Cut(index, at_end, edge, seconds)


def _sides(first: int, after: int, at_end: bool) -> tuple[slice, slice]:
    """The frames of a label next to an edge, and those beyond it, going away from it."""
    if at_end:
        return slice(max(first, after - _INSIDE), after), slice(after, after + _REACH)
    return slice(first, min(after, first + _INSIDE)), slice(
        first - 1 if first else 0, max(first - 1 - _REACH, 0) if first else 0, -1
    )


def _going_on(free: Frames, loud: Frames) -> float:
    """Seconds from an edge to the last loud frame of unlabelled speech, dips bridged."""
    reach = len(free) if free.all() else int(np.argmin(free))
    last = -1
    for frame in np.flatnonzero(loud[:reach]).tolist():
        if frame - last > _DIP:
            break
        last = frame
    return (last + 1) * FRAME_S
