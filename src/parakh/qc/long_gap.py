"""For a long time nobody is annotated as speaking.

What it does:
    Finds gaps before, between and after the turns, of the RTTM, else of the transcript; inside the UEM where there is one. Where
    the audio was searched for speech, `speech-without-label` knows better and this check is silent.

Why it matters:
    Often an annotator stopped in the middle, or left a part out.

How to mend:
    Listen to the gap; annotate it, or leave it out of the UEM.

Limits:
    `max-gap` (30 s): the longest gap that is not told.

Example:
    It says: "nobody speaks from 0:17.1 to 0:50.2".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import clock
from parakh.qc import Check, Material, Settings
from parakh.qc._turns import active, speech, timed, union, who_spoke_when, without
from parakh.timeline import Spans
from parakh.types import Finding, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    source = who_spoke_when(material)
    turns = timed(source)
    if not turns or (material.audio and material.audio.speech is not None):
        return
    spoken = speech(turns)
    for start, end in without(_scored(material, spoken[-1][1]), spoken, settings.limit("max-gap")):
        after = active(turns, end, float("inf"))
        message = f"nobody speaks from {clock(start)} to {clock(end)}"
        yield CHECK.at(material, message, source, after[0] if after else turns[-1][2])


def _scored(material: Material, last: float) -> Spans:
    if material.regions and material.regions.items:
        return union(sorted((one.start_time, one.end_time) for one in material.regions.items))
    return [(0.0, max(last, material.duration or 0.0))]


CHECK = Check("QC409", "long-gap", "Nobody speaks for a long time", Severity.NOTE, recording=_recording, limits={"max-gap": 30.0})
