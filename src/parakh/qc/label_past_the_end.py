"""A label or a scored region ends after the recording does.

What it does:
    Compares the end of every turn, part of the transcript and UEM region with the length of the audio.

Why it matters:
    Nothing can be heard there, so every system misses it. Many such labels mean that the annotation belongs to another
    recording, or that the audio was cut after it was annotated.

How to mend:
    End the label with the recording. Where there are many, compare checksums and versions of the audio.

Limits:
    `past-the-end` (0.1): seconds beyond the end that are rounding and padding of encoders.

Example:
    It says: "it ends at 1:18.8, 0.3 s after the recording".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from parakh.errors import clock
from parakh.qc import Check, Material, Settings, Source
from parakh.types import Finding, Severity


def _look(material: Material, settings: Settings) -> Iterator[Finding]:
    duration = material.duration
    if not duration:
        return
    last = duration + settings.limit("past-the-end")
    sources: tuple[Source[Any] | None, ...] = (material.turns, material.transcript, material.native, material.regions)
    for source in sources:
        for index, one in enumerate(source.items if source else ()):
            if one.end_time is not None and one.end_time > last:
                message = f"it ends at {clock(one.end_time)}, {one.end_time - duration:.1f} s after the recording"
                yield CHECK.at(material, message, source, index)


CHECK = Check(
    "QC411",
    "label-past-the-end",
    "A label ends after the recording",
    Severity.ERROR,
    recording=_look,
    limits={"past-the-end": 0.1},
)
