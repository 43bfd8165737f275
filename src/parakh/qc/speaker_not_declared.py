"""Somebody speaks whom the manifest does not know, or the manifest knows somebody who never speaks.

What it does:
    Compares the speaker labels of RTTM, transcript and native transcript with the speakers of the manifest, both ways. Labels
    that differ only in their writing are left to `speaker-name-variants`.

Why it matters:
    The metadata of an unknown label is lost: neither role nor consent can be told.

How to mend:
    Add the speaker to the table of metadata, mend the label, or take the row out.

Example:
    It says: "spk9 is a speaker of the manifest, but never speaks".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import counted
from parakh.qc import Check, Material, Settings
from parakh.qc._labels import first_places, folded
from parakh.qc._places import described
from parakh.types import Finding, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    declared = {folded(one.speaker) for one in material.entry.speakers}
    sources = [source for source in (material.turns, material.transcript, material.native) if source]
    if not declared or not sources:
        return
    speaking: set[str] = set()
    for source in sources:
        for label, (index, count) in first_places(source).items():
            speaking.add(folded(label))
            if folded(label) not in declared:
                message = f"{label} speaks in {counted(count, 'segment')}, but is no speaker of the manifest"
                yield CHECK.at(material, message, source, index)
    for one in material.entry.speakers:
        if folded(one.speaker) not in speaking and any(source.items for source in sources):
            message = f"{one.speaker} is a speaker of the manifest, but never speaks"
            yield CHECK.at(material, message, *described(material, one.speaker))


CHECK = Check(
    "QC204", "speaker-not-declared", "The speakers are not those of the manifest", Severity.WARNING, recording=_recording
)
