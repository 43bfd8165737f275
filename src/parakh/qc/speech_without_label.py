"""Somebody speaks where no label says so.

What it does:
    Takes the stretches in which the speech detector hears speech and takes away the labels: the turns, or the transcript where
    there are no turns. A part of the transcript that holds tags alone (<laugh>, <cry>) counts as a label. What is left, apart
    from the slack next to labels, is told. Speech that a label's edge cuts through for less than that is `cut-speech`.

Why it matters:
    Systems that hear it are charged with false alarms and insertions, so the best ones lose most.

How to mend:
    Listen at the times told. Label what was said; where it is a television or people who take no part, tag it or leave the
    stretch out of the UEM.

Limits:
    `unlabelled-speech` (0.5): seconds from which it is told. `label-slack` (0.2): seconds next to a label that do not count,
    as annotators differ by that much. A missing answer shorter than 0.9 s between two labels may so escape. `shortest-cut` (0.2)
    and `cut-level` (10) as in `cut-speech`, which tells what is shorter.

Example:
    It says: "speech from 1:02.0 to 1:05.1 has no label".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import clock
from parakh.qc import Check, Material, Settings
from parakh.qc._turns import who_spoke_when
from parakh.qc._unlabelled import LIMITS, is_long, unlabelled
from parakh.types import Finding, Severity


def _look(material: Material, settings: Settings) -> Iterator[Finding]:
    for stretch in unlabelled(material, settings):
        if is_long(stretch, settings):
            message = f"speech from {clock(stretch.start)} to {clock(stretch.end)} has no label"
            yield CHECK.at(material, message, who_spoke_when(material))


CHECK = Check(
    "QC211", "speech-without-label", "Speech has no label", Severity.WARNING, recording=_look, hears=True, limits=LIMITS
)
