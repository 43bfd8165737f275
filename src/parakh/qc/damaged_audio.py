"""An audio file is cut short, damaged inside, or its header does not fit what it holds.

What it does:
    Tells what decoding met: less sound than the header promises, pieces that cannot be decoded, missing stretches, samples that
    are no numbers, no samples at all, and headers whose numbers contradict each other or the data. A file that cannot be
    opened at all is told as unreadable, not here.

Why it matters:
    A copy that broke off loses the end of a conversation and the annotations of it become false alarms or misses of every system.
    Programs differ in where they stop and what they fill in, so times shift between them.

How to mend:
    Copy the file again from the recorder and compare checksums. Where there is no sound copy, cut the recording and its
    annotations at the last good second, and say so in its metadata.

Limits:
    None. A header may promise up to 0.5 s or 5 % more than there is, and may tell of up to 0.5 s or 2 % less: encoders pad.

Example:
    It says: "the audio: the header tells of bytes a second or a frame that do not fit its rate, channels and bits".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc import Check, Material, Settings
from parakh.types import Finding, Severity

_CODES = ("truncated-audio", "damaged-audio", "header-lies")


def _look(material: Material, _: Settings) -> Iterator[Finding]:
    for finding in material.audio.findings if material.audio else ():
        if finding.code in _CODES:
            yield CHECK.at(material, f"the audio: {finding.message}")


CHECK = Check(
    "QC102", "damaged-audio", "The audio is cut short, damaged, or not as its header says", Severity.ERROR, recording=_look
)
