"""Speakers overlap in the RTTM but not in the transcript, or the other way round, or the tags do not say so.

What it does:
    Compares the stretches in which two speakers or more talk in both files. In a recording whose transcript uses the overlap tag,
    every overlap of the RTTM needs a tag in one of the segments there.

Why it matters:
    Scores of overlapped speech rest on these stretches; where the files differ, one of them leaves somebody out.

How to mend:
    Listen to the stretch; add the segment, the turn or the tag that is missing.

Limits:
    `min-overlap` (0.5 s): what is shorter is not told.

Example:
    It says: "speakers overlap from 0:21.8 to 0:22.7, but no segment there is tagged".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import clock
from parakh.qc import Check, Material, Settings
from parakh.qc._markup import has_any, overlap_keys
from parakh.qc._turns import active, overlapped, timed, without
from parakh.types import Finding, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    turns, transcript = material.turns, material.transcript
    spoken, written = timed(turns), timed(transcript)
    if turns is None or transcript is None or not spoken or not written:
        return
    least = settings.limit("min-overlap")
    in_turns, in_transcript = overlapped(turns, spoken), overlapped(transcript, written)
    only_turns = without(in_turns, in_transcript, least)
    for start, end in only_turns:
        at = active(spoken, start, end)[-1]
        message = f"speakers overlap from {clock(start)} to {clock(end)}, but not in the transcript"
        yield CHECK.at(material, message, turns, at)
    for start, end in without(in_transcript, in_turns, least):
        at = active(written, start, end)[-1]
        message = f"speakers overlap from {clock(start)} to {clock(end)}, but not in the RTTM"
        yield CHECK.at(material, message, transcript, at)
    tags = overlap_keys(settings.vocabulary)
    if not any(has_any(one.words, tags) for one in transcript.items):
        return
    for start, end in without(in_turns, only_turns, least):
        there = active(written, start, end)
        if there and not any(has_any(transcript.items[index].words, tags) for index in there):
            message = f"speakers overlap from {clock(start)} to {clock(end)}, but no segment there is tagged"
            yield CHECK.at(material, message, transcript, there[-1])


CHECK = Check(
    "QC406",
    "unlabelled-overlap",
    "An overlap stands in one file only",
    Severity.WARNING,
    recording=_recording,
    limits={"min-overlap": 0.5},
)
