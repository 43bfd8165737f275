"""The length of the audio is not what the manifest or the UEM says.

What it does:
    Compares the duration of the audio with the manifest's, and looks for scored regions that go on after the audio ends.

Why it matters:
    The audio was cut or replaced after it was annotated, or rates per hour are computed from a wrong length. A system cannot
    answer for time that is not in the file.

How to mend:
    Put the right audio in place, or mend the duration or the region.

Limits:
    `duration-tolerance` (0.1 s): the largest difference that is not told.

Example:
    It says: "the audio lasts 39.65 s, the manifest says 39.15 s".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import clock
from parakh.qc import Check, Material, Settings
from parakh.qc._places import declared
from parakh.types import Finding, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    most = settings.limit("duration-tolerance")
    heard = material.audio.duration if material.audio else None
    stated = material.entry.recording.duration
    if heard is not None and stated is not None and abs(heard - stated) > most:
        message = f"the audio lasts {heard:.2f} s, the manifest says {stated:.2f} s"
        yield CHECK.at(material, message, *declared(material))
    last = material.duration
    for index, one in enumerate(material.regions.items if material.regions else ()):
        if last is not None and one.end_time > last + most:
            message = f"the region ends at {clock(one.end_time)}, after the audio ({clock(last)})"
            yield CHECK.at(material, message, material.regions, index)


CHECK = Check(
    "QC502",
    "duration-mismatch",
    "A stated length is not the audio's",
    Severity.ERROR,
    recording=_recording,
    limits={"duration-tolerance": 0.1},
)
