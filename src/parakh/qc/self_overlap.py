"""Two turns of one speaker overlap.

What it does:
    Compares each turn with the earlier ones of its speaker, in the RTTM and in the transcript. A turn that repeats an earlier one
    is told by `repeated-segment`.

Why it matters:
    Nobody talks over oneself. Some scorers join such turns, some count the time twice: the same files score 0 % and 23 %.

How to mend:
    Give one of the turns to the other speaker, or mend its times.

Limits:
    `self-overlap` (0.01 s): what is shorter is rounding.

Example:
    It says: "spk1 overlaps the turn of line 2 at 0:05.6 (0.06 s)".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import clock
from parakh.qc import Check, Material, Settings
from parakh.qc._turns import by_speaker
from parakh.types import Finding, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    least = settings.limit("self-overlap")
    for source in (material.turns, material.transcript):
        if source is None:
            continue
        for speaker, turns in by_speaker(source).items():
            widest = turns[0]
            for turn in turns[1:]:
                start, end, index = turn
                both = min(end, widest[1]) - start
                if both > least and turn[:2] != widest[:2]:
                    first, later = sorted((widest[2], index))
                    where = f"{clock(start)} ({both:.2f} s)"
                    yield CHECK.at(
                        material, f"{speaker} overlaps the turn of line {source.line(first)} at {where}", source, later
                    )
                if end > widest[1]:
                    widest = turn


CHECK = Check(
    "QC402",
    "self-overlap",
    "A speaker overlaps with oneself",
    Severity.WARNING,
    recording=_recording,
    limits={"self-overlap": 0.01},
)
