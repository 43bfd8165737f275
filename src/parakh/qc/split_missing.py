"""A recording belongs to no part of a data set that is split.

What it does:
    Names recordings without a split where others have one.

Why it matters:
    Nobody knows whether one may train on it.

How to mend:
    Write its split into the manifest; `parakh dataset split` does so for all.

Example:
    It says: "the recording has no split, though others have one".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc import Check, Settings, Whole
from parakh.qc._places import declared
from parakh.types import Finding, Severity


def _whole(whole: Whole, settings: Settings) -> Iterator[Finding]:
    if any(one.entry.split for one in whole.materials):
        for material in whole.materials:
            if not material.entry.split:
                yield CHECK.at(material, "the recording has no split, though others have one", *declared(material))


CHECK = Check("QC508", "split-missing", "A recording belongs to no split", Severity.ERROR, whole=_whole)
