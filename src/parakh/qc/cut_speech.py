"""Speech goes on across the edge of a label, where no other label covers it.

What it does:
    At each edge of a label (turns, or the transcript where there are no turns) looks whether the speech detector hears speech
    beyond it, and whether it is nearly as loud there as in the label itself. Pauses that the detector bridges are not
    loud, so they do not count. Longer rests are `speech-without-label`.

Why it matters:
    A word cut in half is in no reference: a system that writes it down whole is charged for it. Cutting by habit a little too
    early also biases every measure of pauses and turn-taking.

How to mend:
    Listen at the time told and move the edge to the pause.

Limits:
    `shortest-cut` (0.2): seconds of loud speech beyond the edge from which it is told. `cut-level` (10): dB below the
    label's own median level that are still loud, though never below the middle between it and the quiet around.
    `unlabelled-speech` (0.5) and `label-slack` (0.2) as in `speech-without-label`. Speech between two labels that both
    cut into it is told once, at the edge with more of it.

Example:
    It says: "speech begins 0.2 s before the label's start at 0:01.0".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import clock
from parakh.qc import Check, Material, Settings
from parakh.qc._turns import who_spoke_when
from parakh.qc._unlabelled import LIMITS, Cut, is_long, unlabelled
from parakh.types import Finding, Severity


def _look(material: Material, settings: Settings) -> Iterator[Finding]:
    for stretch in unlabelled(material, settings):
        if stretch.cuts and not is_long(stretch, settings):
            cut = max(stretch.cuts, key=lambda one: one.seconds)
            yield CHECK.at(material, _message(cut), who_spoke_when(material), cut.index)


def _message(cut: Cut) -> str:
    if cut.at_end:
        return f"speech goes on for {cut.seconds:.1f} s after the label's end at {clock(cut.edge)}"
    return f"speech begins {cut.seconds:.1f} s before the label's start at {clock(cut.edge)}"


CHECK = Check("QC412", "cut-speech", "A label cuts through speech", Severity.WARNING, recording=_look, hears=True, limits=LIMITS)
