"""A segment comes twice.

What it does:
    Finds entries with the speaker and the times of an earlier one, in the RTTM and in the transcript, and segments with the words
    of the same speaker's segment before.

Why it matters:
    Its words or its time count twice. Repeated words are often left over from copying, or from a recogniser that went in circles.

How to mend:
    Take the second one out; where it was really said twice, nothing is wrong.

Limits:
    `repeated-words` (6): so many words have to be the same; people do repeat short answers.

Example:
    It says: "spk1 from 0:08.8 to 0:10.8 stands in line 5 already".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import clock, counted
from parakh.qc import Check, Material, Settings, Source
from parakh.types import Finding, Segment, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    fewest = int(settings.limit("repeated-words"))
    for source in (material.turns, material.transcript):
        if source is not None:
            yield from _repeated(material, source, fewest)


def _repeated(material: Material, source: Source[Segment], fewest: int) -> Iterator[Finding]:
    places: dict[tuple[str | None, float, float | None], int] = {}
    latest: dict[str | None, str] = {}
    for index, one in enumerate(source.items):
        if one.start_time is not None:
            first = places.setdefault((one.speaker, one.start_time, one.end_time), index)
            if first != index:
                when = f"{clock(one.start_time)} to {clock(one.end_time or 0)}"
                message = f"{one.speaker or 'a segment'} from {when} stands in line {source.line(first)} already"
                yield CHECK.at(material, message, source, index)
                continue
        words = one.words
        if words and latest.get(one.speaker) == words and (count := len(words.split())) >= fewest:
            yield CHECK.at(material, f"the segment repeats the {counted(count, 'word')} of the segment before", source, index)
        latest[one.speaker] = words


CHECK = Check(
    "QC136", "repeated-segment", "A segment comes twice", Severity.WARNING, recording=_recording, limits={"repeated-words": 6}
)
