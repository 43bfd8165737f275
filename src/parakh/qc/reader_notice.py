"""A file could be read, but something in it is odd.

What it does:
    Tells what the readers noticed: turns without duration, lines that come twice, records that make no turns, keys that are left
    out. The name of the notice stands in brackets. A file without any content is told as `empty-annotation`.

Why it matters:
    Another tool may read the file in another way, or refuse it.

How to mend:
    Look at the line, and write what was meant.

Example:
    It says: "1 entry: NOSCORE makes no difference: give the scored regions as a UEM file (noscore-ignored)".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from parakh.qc import Check, Material, Settings
from parakh.types import Finding, Severity

_TOLD_ELSEWHERE = {"empty-file"}


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    for one in material.trouble:
        if one.severity != Severity.ERROR and one.code not in _TOLD_ELSEWHERE:
            message = f"{one.message} ({one.code})"
            yield replace(one, code=CHECK.code, message=message)


CHECK = Check("QC131", "reader-notice", "Something in a file is odd", Severity.WARNING, recording=_recording)
