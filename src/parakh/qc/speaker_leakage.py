"""The same person speaks in two parts of the data set.

What it does:
    Follows the `person` of every speaker through all splits. A person in several splits is told in each split but the one that
    has most of the person's recordings.

Why it matters:
    A system that was trained or tuned on a voice knows it in the test: the score is too good, and no paper can use it.

How to mend:
    Move the recordings so that each person is in one split (`parakh dataset split` does), or take them out.

Example:
    It says: "spk1 of the split dev1 is the person p11, who also speaks in dev2".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc import Check, Material, Settings, Whole
from parakh.qc._places import described
from parakh.types import Finding, Severity


def _whole(whole: Whole, settings: Settings) -> Iterator[Finding]:
    persons: dict[str, dict[str, list[tuple[Material, str]]]] = {}
    for material in whole.materials:
        for one in material.entry.speakers:
            if one.person and material.entry.split:
                persons.setdefault(one.person, {}).setdefault(material.entry.split, []).append((material, one.speaker))
    for person, splits in persons.items():
        home = min(splits, key=lambda split: (-len(splits[split]), split))
        for split, places in splits.items():
            for material, speaker in places if split != home else ():
                message = f"{speaker} of the split {split} is the person {person}, who also speaks in {home}"
                yield CHECK.at(material, message, *described(material, speaker))


CHECK = Check("QC504", "speaker-leakage", "A person speaks in two splits", Severity.ERROR, whole=_whole)
