"""A pause too short to end a turn splits one.

What it does:
    Finds neighbouring turns of one speaker with a pause of at most 0.3 s between them in which nobody else speaks; in the RTTM,
    else in the transcript. Turns that touch are split too.

Why it matters:
    Guidelines count a pause of up to 300 ms as part of the turn. Split turns change every statistic of turns, and boundaries that
    need not be there are scored.

How to mend:
    Join the two turns.

Limits:
    `max-pause` (0.3 s): the longest pause inside a turn.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from parakh.errors import clock
from parakh.qc import Check, Material, Settings, Source
from parakh.qc._turns import active, by_speaker, timed, who_spoke_when
from parakh.types import Finding, Segment, Severity

_SECONDS = 0.3
_ROUNDING = 1e-6


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    source = who_spoke_when(material)
    if source is None:
        return
    longest = settings.limit("max-pause", _SECONDS) + _ROUNDING
    turns = timed(source)
    for speaker, own in by_speaker(source).items():
        for (_, end, _), (start, _, index) in pairwise(own):
            if 0 <= start - end <= longest and not _others(source, active(turns, end - _ROUNDING, start + _ROUNDING), speaker):
                message = f"a pause of {start - end:.2f} s at {clock(end)} splits a turn of {speaker}"
                yield CHECK.at(material, message, source, index)


def _others(source: Source[Segment], indices: list[int], speaker: str) -> bool:
    return any(source.items[index].speaker != speaker for index in indices)


CHECK = Check("QC403", "split-turn", "A short pause splits a turn", Severity.WARNING, recording=_recording)
