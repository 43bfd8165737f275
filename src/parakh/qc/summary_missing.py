"""A recording has no summary, though most recordings have one.

What it does:
    Looks for recordings that no summary file speaks of, where most recordings have an entry in one.

Why it matters:
    The recording cannot be scored in that task, so that systems are compared on fewer recordings than the set claims to have.

How to mend:
    Write the summary.

Limits:
    `usual-share` (0.75): what this share of at least three recordings has, the others ought to have.

Example:
    It says: "the recording has no summary, though most have".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc import Check, Settings, Whole
from parakh.qc._usual import LIMITS, without_answer
from parakh.types import Finding, Severity


def _whole(whole: Whole, settings: Settings) -> Iterator[Finding]:
    return without_answer(CHECK, whole, settings, "summary")


CHECK = Check("QC510", "summary-missing", "The summary is missing", Severity.WARNING, whole=_whole, limits=LIMITS)
