"""People talk over each other for an unusually large part of the speech.

What it does:
    Divides the time in which two speakers or more talk by the time in which anybody talks, of the RTTM, else of the transcript.

Why it matters:
    So much overlap is rare in a conversation: turns may have been marked too long, and transcripts of overlapped speech are the
    least sure. Such a recording deserves a second annotator.

How to mend:
    Listen to a few overlaps; tighten the turns where only one person speaks.

Limits:
    `overlap-share` (0.25): the largest share that is not told. Of the 448 recordings of VoxConverse 97 in 100 have at most 0.20.

Example:
    It says: "in 26% of the speech two speakers or more talk".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc import Check, Material, Settings
from parakh.qc._turns import overlapped, speech, timed, total, who_spoke_when
from parakh.types import Finding, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    source = who_spoke_when(material)
    turns = timed(source)
    if source is None or not turns:
        return
    share = total(overlapped(source, turns)) / total(speech(turns))
    if share > settings.limit("overlap-share"):
        yield CHECK.at(material, f"in {share:.0%} of the speech two speakers or more talk", source)


CHECK = Check(
    "QC401",
    "overlap-density",
    "Much of the speech is overlapped",
    Severity.NOTE,
    recording=_recording,
    limits={"overlap-share": 0.25},
)
