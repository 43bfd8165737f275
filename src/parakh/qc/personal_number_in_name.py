"""A name in the data set holds a personal number or address.

What it does:
    Looks at the id of the recording, the names of its files, the labels and codes of its speakers, and every value of its
    metadata for Aadhaar, telephone and ABHA numbers, PANs, voter identity numbers and e-mail addresses.

Why it matters:
    Files are often named after the number that a call came from. Names are printed in every table and travel with every copy,
    also of data sets whose transcripts are clean.

How to mend:
    Give the recording another id, rename its files with it, and use codes for people. Mend the manifest and every annotation that
    uses the id.

Example:
    "call_9876543210.wav".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import PurePath
from typing import Any

from parakh.qc._check import Check
from parakh.qc._material import Material, Source
from parakh.qc._places import declared, described
from parakh.qc._settings import Settings
from parakh.text.masking import masked
from parakh.text.personal import find
from parakh.types import Finding, Severity

Place = tuple[Source[Any] | None, int | None]


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a name."""
    told: set[str] = set()
    for what, name, (source, index) in _names(material):
        for one in find(name, name=True):
            article = "an" if one.kind.value[0] in "AEe" else "a"
            message = f"{article} {one.kind} in {what}: {masked(name)}"
            if message not in told:
                told.add(message)
                yield CHECK.at(material, message, source, index)


def _names(material: Material) -> Iterator[tuple[str, str, Place]]:
    """Every name with what it is and where it stands."""
    entry, here, row = material.entry, declared(material), described(material)
    yield "the id of the recording", entry.session_id, here
    for kind, path in (("audio", entry.recording.audio), *entry.files.items()):
        if path:
            yield f"the file name of {kind}", PurePath(path).name, here
    yield from ((f"the metadata {masked(name)}", value, row) for name, value in entry.recording.metadata.items())
    for speaker in entry.speakers:
        place = described(material, speaker.speaker)
        known = {one.name: getattr(speaker, one.name) for one in fields(speaker) if one.name != "session_id"}
        known |= {masked(name): value for name, value in speaker.metadata.items()}
        yield from ((f"the {name} of a speaker", value, place) for name, value in known.items() if isinstance(value, str))
    for source in (material.turns, material.transcript, material.native):
        labels = {one.speaker: index for index, one in reversed(list(enumerate(source.items)))} if source else {}
        yield from (("a speaker label", label, (source, index)) for label, index in reversed(labels.items()) if label)


CHECK = Check("QC128", "personal-number-in-name", "A name or the metadata has a personal number", Severity.ERROR, recording)
