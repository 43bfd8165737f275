"""Parts of a transcript that are tags and nothing else, and what is to be heard there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from parakh.audio.facts import FRAME_S
from parakh.audio.levels import frames
from parakh.qc._material import Material
from parakh.qc._sound import Frames, Levels, around, smoothed, tags_alone, within
from parakh.qc._turns import timed

_REACH_S = 15.0
"""How far around a tag the quiet is looked for."""
_ENOUGH = 50
"""Frames of quiet (0.5 s) without which nothing can be said."""
_AWAY = 10
"""Frames next to speech and labels that are not taken for quiet."""


@dataclass(frozen=True, slots=True)
class LoneTags:
    """Tags that stand alone.

    Args:
        index: Of the item of the transcript.
        tags: Lower case, as written otherwise.
        start: Seconds.
        end: Seconds.
        above: dB of the loudest 50 ms over the loudest 5 % of the quiet around; None where there is no quiet to compare with.
        speech: Seconds of speech inside.
    """

    index: int
    tags: tuple[str, ...]
    start: float
    end: float
    above: float | None
    speech: float


def lone_tags(material: Material, tags: Sequence[str]) -> Iterator[LoneTags]:
    """Every part of the transcript that holds some of these tags and nothing else; none without levels or speech."""
    transcript, audio = material.transcript, material.audio
    if transcript is None or audio is None or audio.level_db is None or audio.speech is None:
        return
    found = [(index, start, end, tags_alone(transcript.items[index].words, tags)) for start, end, index in timed(transcript)]
    found = [one for one in found if one[3]]
    if not found:
        return
    level = smoothed(audio.level_db)
    spoken = frames(audio.speech, len(level))
    quiet = ~around(spoken | _labelled(material, len(level)), _AWAY)
    for index, start, end, own in found:
        here = within(start, end, len(level))
        if here.start < here.stop:
            heard = float(np.count_nonzero(spoken[here])) * FRAME_S
            yield LoneTags(index, own, start, end, _above(level, quiet, here), heard)


def _labelled(material: Material, count: int) -> Frames:
    """Frames under any label, that of a tag included."""
    spans = [*timed(material.turns), *timed(material.transcript)]
    return frames([(start, end) for start, end, _ in spans], count)


def _above(level: Levels, quiet: Frames, here: slice) -> float | None:
    reach = round(_REACH_S / FRAME_S)
    near = slice(max(0, here.start - reach), here.stop + reach)
    around_it = level[near][quiet[near]]
    if len(around_it) < _ENOUGH:
        around_it = level[quiet]
    if len(around_it) < _ENOUGH:
        return None
    return float(level[here].max() - np.percentile(around_it, 95))
