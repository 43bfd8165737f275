"""Somebody reads out the digits of a number.

What it does:
    Looks for six digits or more that follow one another in the words of a speaker, within a segment and over neighbouring
    ones: number words of the recording's language and of English, in native script or in Latin letters ("nau aath double saat"),
    mixed with written digits, with hesitations and "and then" between them. Pairs count ("अट्ठानवे छिहत्तर चौवन बत्तीस").
    Counting ("one two three ..."), dates, dose schemes of noughts, ones and twos, round or even lists, and six digits after a
    word for a pin code are none.

Why it matters:
    A telephone number that is spoken is one that is published, whether or not it stands there in digits.

How to mend:
    Replace the words by a tag or by other digits in every form of the transcript, and silence them in the audio.

Limits:
    `spoken-digits` (6): digits from which a run counts; pairs need two more.
    `spoken-digits-gap` (5.0): seconds between two segments of a speaker after which a new run begins.

Example:
    "nine eight seven, double six, four three two one zero".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from parakh.errors import counted
from parakh.qc._check import Check
from parakh.qc._digits import Run, is_personal, may_reach, runs
from parakh.qc._material import Material, Source
from parakh.qc._settings import Settings
from parakh.qc._texts import at_time
from parakh.text.personal import find
from parakh.types import Finding, Segment, Severity


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a run; numbers written in digits alone are left to the checks of their kinds."""
    least, gap_s = int(settings.limit("spoken-digits")), settings.limit("spoken-digits-gap")
    for source in (material.transcript, material.native):
        for said in _by_speaker(source) if source else ():
            found = runs(said, material.language, gap_s) if may_reach(least, said, material.language, gap_s) else []
            for run in found:
                if source and is_personal(run, least) and not _is_written(run, source):
                    yield _finding(material, source, run)


def _by_speaker(source: Source[Segment]) -> list[list[tuple[int, Segment]]]:
    numbered = sorted(enumerate(source.items), key=lambda one: (one[1].speaker or "", one[1].start_time or 0.0, one[0]))
    return [list(group) for _, group in groupby(numbered, key=lambda one: one[1].speaker)]


def _is_written(run: Run, source: Source[Segment]) -> bool:
    """Whether a run stands within one segment in digits that another check finds."""
    places = {part.segment for part in run.parts}
    return (
        all(part.written and not part.repeated for part in run.parts)
        and len(places) == 1
        and bool(find(source.items[places.pop()].words))
    )


def _finding(material: Material, source: Source[Any], run: Run) -> Finding:
    places = sorted({part.segment for part in run.parts})
    over = f" over {counted(len(places), 'segment')}" if len(places) > 1 else ""
    first = run.parts[0].segment
    message = f"{counted(len(run.digits), 'digit')} read out one after another{over}{at_time(source.items[first])}"
    return CHECK.at(material, message, source, first)


CHECK = Check(
    "QC126",
    "spoken-digits",
    "The digits of a number are read out",
    Severity.WARNING,
    recording,
    limits={"spoken-digits": 6, "spoken-digits-gap": 5.0},
)
