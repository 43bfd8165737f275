"""The RTTM and the transcript do not say the same about who speaks when.

What it does:
    Finds speech in one that the other lacks, boundaries that are further apart than the limit, and stretches in which they name
    different speakers. Where a file's labels are names of its own, speakers are paired as they overlap most.

Why it matters:
    The same system gets two scores from the two references, and nobody can say which is right.

How to mend:
    Listen to the stretch, and mend the file that is wrong.

Limits:
    `annotation-tolerance` (0.5 s): what is shorter is not told. Overlaps that only one of them has: `unlabelled-overlap`.
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh import _native, timeline
from parakh.errors import clock
from parakh.qc import Check, Material, Settings, Source
from parakh.qc._turns import Turn, active, speech, timed, without
from parakh.types import Finding, Segment, Severity

_SECONDS = 0.5
_CONFUSION = 2


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    turns, transcript = material.turns, material.transcript
    if turns is None or transcript is None or _times(turns) == _times(transcript):
        return
    least = settings.limit("annotation-tolerance", _SECONDS)
    spoken, written = timed(turns), timed(transcript)
    if not spoken or not written:
        return
    for start, end in without(speech(spoken), speech(written), least):
        message = f"speech from {clock(start)} to {clock(end)} that the transcript lacks"
        yield CHECK.at(material, message, turns, active(spoken, start, end)[0])
    for start, end in without(speech(written), speech(spoken), least):
        message = f"speech from {clock(start)} to {clock(end)} that the RTTM lacks"
        yield CHECK.at(material, message, transcript, active(written, start, end)[0])
    yield from _confused(material, turns, transcript, written, least)


def _times(source: Source[Segment]) -> list[tuple[str | None, float | None, float | None]]:
    return [(one.speaker, one.start_time, one.end_time) for one in source.items]


def _confused(
    material: Material, turns: Source[Segment], transcript: Source[Segment], written: list[Turn], least: float
) -> Iterator[Finding]:
    """Speakers that the files name differently, in stretches or throughout."""
    if any(one.speaker is None or one.start_time is None for one in (*turns.items, *transcript.items)):
        return
    sides = timeline.turns(turns.items), timeline.turns(transcript.items)
    regions = timeline.spans(*sides, None)
    both = {one.speaker for one in turns.items} & {one.speaker for one in transcript.items}
    for name, other, *_ in _native.pairs(*sides, regions):
        if name != other and {name, other} & both:
            first = next(index for index, one in enumerate(transcript.items) if one.speaker == other)
            yield CHECK.at(material, f"{other} of the transcript is {name} in the RTTM", transcript, first)
    for start, end, kind, _ in _native.stretches(*sides, regions, 0.0, 0, len(both) + len(turns.items)):
        if kind == _CONFUSION and end - start >= least:
            message = f"from {clock(start)} to {clock(end)} the RTTM names another speaker"
            yield CHECK.at(material, message, transcript, active(written, start, end)[0])


CHECK = Check("QC501", "annotations-disagree", "RTTM and transcript disagree", Severity.ERROR, recording=_recording)
