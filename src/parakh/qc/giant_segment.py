"""A segment goes on for longer than people talk without a pause.

What it does:
    Looks at the length of every turn of the RTTM and every segment of the transcript.

Why it matters:
    Usually its end was forgotten, or several turns were never divided. Recognisers take 30 s at most at a time.

How to mend:
    Divide it where the speaker pauses, or mend its end.

Limits:
    `max-segment` (30 s): the longest segment that is not told; the longest in PriMock57 lasts 27.4 s.

Example:
    It says: "the segment at 0:00.8 lasts 31.1 s".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import clock
from parakh.qc import Check, Material, Settings
from parakh.types import Finding, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    most = settings.limit("max-segment")
    for source in (material.turns, material.transcript):
        for index, one in enumerate(source.items if source else ()):
            if one.start_time is not None and one.duration > most:
                message = f"the segment at {clock(one.start_time)} lasts {one.duration:.1f} s"
                yield CHECK.at(material, message, source, index)


CHECK = Check(
    "QC408", "giant-segment", "A segment is very long", Severity.WARNING, recording=_recording, limits={"max-segment": 30.0}
)
