"""The health problems of a recording are not given, though most recordings have them.

What it does:
    Looks for recordings that no topics file speaks of, where most recordings have an entry in one.

Why it matters:
    The recording cannot be scored in that task, so that systems are compared on fewer recordings than the set claims to have.

How to mend:
    Write the topics down; "None" where no health problem was raised.

Limits:
    `usual-share` (0.75): what this share of at least three recordings has, the others ought to have.

Example:
    It says: "the recording has no topics, though most have".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc import Check, Settings, Whole
from parakh.qc._usual import LIMITS, without_answer
from parakh.types import Finding, Severity


def _whole(whole: Whole, settings: Settings) -> Iterator[Finding]:
    return without_answer(CHECK, whole, settings, "topics")


CHECK = Check("QC509", "topics-missing", "The health problems are missing", Severity.WARNING, whole=_whole, limits=LIMITS)
