"""A file of the recording cannot be read.

What it does:
    Tells every fault of every file that a reader refused, each with its line.

Why it matters:
    What cannot be read is not scored, and no other check sees it.

How to mend:
    Do what the message says, at the line that it names.

Example:
    It says: "found 4 fields, expected 8 to 10 fields: SPEAKER recording channel onset duration <NA> <NA> speaker [confidence
    [<NA>]]. A name with a blank in it is the usual cause: replace the blank.".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from parakh.qc import Check, Material, Settings
from parakh.types import Finding, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    for one in material.trouble:
        if one.severity == Severity.ERROR:
            yield replace(one, code=CHECK.code)


CHECK = Check("QC130", "unreadable-file", "A file cannot be read", Severity.ERROR, recording=_recording)
