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

Example:
    It says: "speech from 1:02.2 to 1:05.1 that the transcript lacks".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from parakh.errors import clock
from parakh.metrics.der import ErrorKind, mapping, score_timeline
from parakh.qc import Check, Material, Settings, Source
from parakh.qc._labels import folded
from parakh.qc._turns import Turn, active, speech, timed, without
from parakh.types import Finding, Segment, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    turns, transcript = material.turns, material.transcript
    if turns is None or transcript is None or _times(turns) == _times(transcript):
        return
    least = settings.limit("annotation-tolerance")
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
    names: dict[str, str] = {}
    spoken, said = _renamed(turns, names), _renamed(transcript, names)
    both = {one.speaker for one in spoken} & {one.speaker for one in said}
    for other, name in mapping(spoken, said).items():
        if name != other and {name, other} & both:
            first = next(index for index, one in enumerate(said) if one.speaker == other)
            yield CHECK.at(material, f"{other} of the transcript is {name} in the RTTM", transcript, first)
    for one in score_timeline(spoken, said):
        if one.kind is ErrorKind.CONFUSION and one.end_time - one.start_time >= least:
            message = f"from {clock(one.start_time)} to {clock(one.end_time)} the RTTM names another speaker"
            yield CHECK.at(material, message, transcript, active(written, one.start_time, one.end_time)[0])


def _renamed(source: Source[Segment], names: dict[str, str]) -> Sequence[Segment]:
    """Segments whose speakers have one name each, the first that is met: other spellings are `speaker-name-variants`."""
    own = [names.setdefault(folded(one.speaker or ""), one.speaker or "") for one in source.items]
    if all(name == one.speaker for name, one in zip(own, source.items, strict=True)):
        return source.items
    return [replace(one, speaker=name) for name, one in zip(own, source.items, strict=True)]


CHECK = Check(
    "QC501",
    "annotations-disagree",
    "RTTM and transcript disagree",
    Severity.ERROR,
    recording=_recording,
    limits={"annotation-tolerance": 0.5},
)
