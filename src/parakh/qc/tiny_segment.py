"""A segment is too short to hold a word.

What it does:
    Looks at the length of every turn of the RTTM and every segment of the transcript. Those without any duration are noticed by
    the readers (`reader-notice`).

Why it matters:
    It is a slip of the mouse; it counts as a turn, and no system can find it.

How to mend:
    Take it out, or join it to its neighbour.

Limits:
    `min-segment` (0.1 s): the shortest segment that is not told.

Example:
    It says: "the segment at 0:36.0 lasts 0.050 s".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import clock
from parakh.qc import Check, Material, Settings
from parakh.types import Finding, Severity

_ROUNDING = 1e-6


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    least = settings.limit("min-segment") - _ROUNDING
    for source in (material.turns, material.transcript):
        for index, one in enumerate(source.items if source else ()):
            if one.start_time is not None and 0 < (length := one.duration) < least:
                message = f"the segment at {clock(one.start_time)} lasts {length:.3f} s"
                yield CHECK.at(material, message, source, index)


CHECK = Check(
    "QC407",
    "tiny-segment",
    "A segment is too short to hold a word",
    Severity.WARNING,
    recording=_recording,
    limits={"min-segment": 0.1},
)
