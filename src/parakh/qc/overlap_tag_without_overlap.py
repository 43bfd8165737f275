"""A segment is tagged as overlapped, but nobody else speaks then.

What it does:
    Looks for the overlap tags of the vocabulary in the transcript, and for another speaker in the same time, in the RTTM and in
    the transcript.

Why it matters:
    Either the tag is wrong, or the turn of the other speaker is missing.

How to mend:
    Take the tag out, or annotate the other speaker.

Example:
    It says: "the segment from 0:16.4 to 0:18.6 is tagged as overlapped, but nobody else speaks".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import clock
from parakh.qc import Check, Material, Settings
from parakh.qc._markup import has_any, overlap_keys
from parakh.qc._turns import overlapped, timed
from parakh.timeline import Spans
from parakh.types import Finding, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    source = material.transcript
    tags = overlap_keys(settings.vocabulary)
    if source is None or not any(has_any(one.words, tags) for one in source.items):
        return
    spans: Spans = []
    for one in (material.turns, source):
        spans += overlapped(one, timed(one)) if one else []
    for index, segment in enumerate(source.items):
        start, end = segment.start_time, segment.end_time
        if start is None or end is None or not has_any(segment.words, tags):
            continue
        if not any(first < end and last > start for first, last in spans):
            message = f"the segment from {clock(start)} to {clock(end)} is tagged as overlapped, but nobody else speaks"
            yield CHECK.at(material, message, source, index)


CHECK = Check(
    "QC405",
    "overlap-tag-without-overlap",
    "An overlap tag stands where nobody else speaks",
    Severity.WARNING,
    recording=_recording,
)
