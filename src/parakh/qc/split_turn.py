"""A pause too short to end a turn splits one.

What it does:
    Finds two turns of one speaker that follow each other with a pause of at most 0.3 s in which nobody else speaks, in the RTTM,
    else in the transcript. Turns that touch are split too. Where somebody else's turn began in between, the speaker was answered,
    and the second turn is one of its own.

Why it matters:
    Guidelines count a pause of up to 300 ms as part of the turn. Split turns change every statistic of turns, and boundaries that
    need not be there are scored.

How to mend:
    Join the two turns.

Limits:
    `max-pause` (0.3 s): the longest pause inside a turn.

Example:
    It says: "a pause of 0.29 s at 0:05.7 splits a turn of spk1".
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from parakh.errors import clock
from parakh.qc import Check, Material, Settings
from parakh.qc._turns import timed, who_spoke_when
from parakh.types import Finding, Severity

_ROUNDING = 1e-6


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    source = who_spoke_when(material)
    if source is None:
        return
    longest = settings.limit("max-pause") + _ROUNDING
    reach = 0.0  # until when those before the two turns speak
    for (_, end, first), (start, _, second) in pairwise(timed(source)):
        speaker = source.items[first].speaker
        if 0 <= start - end <= longest and reach <= end and speaker is not None and speaker == source.items[second].speaker:
            message = f"a pause of {start - end:.2f} s at {clock(end)} splits a turn of {speaker}"
            yield CHECK.at(material, message, source, second)
        reach = max(reach, end)


CHECK = Check(
    "QC403", "split-turn", "A short pause splits a turn", Severity.WARNING, recording=_recording, limits={"max-pause": 0.3}
)
