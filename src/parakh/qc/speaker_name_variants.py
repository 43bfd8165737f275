"""Two labels of one recording differ only in upper case, blanks, hyphens or leading zeros.

What it does:
    Compares all speaker labels of RTTM, transcript, native transcript and manifest: "spk1", "SPK 1" and "spk01" are one name
    written in three ways.

Why it matters:
    Every tool takes them for different people: one speaker becomes two, and half of the turns count as confused.

How to mend:
    Write the label the same everywhere.

Example:
    It says: "'SPK_0' and 'spk0' are one name in two ways of writing".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from parakh.qc import Check, Material, Settings, Source
from parakh.qc._labels import first_places, folded
from parakh.qc._places import described
from parakh.types import Finding, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    usual: dict[str, str] = {}
    told: set[str] = set()
    for label, source, index in _labels(material):
        first = usual.setdefault(folded(label), label)
        if label != first and label not in told:
            told.add(label)
            yield CHECK.at(material, f"{label!r} and {first!r} are one name in two ways of writing", source, index)


def _labels(material: Material) -> Iterator[tuple[str, Source[Any] | None, int | None]]:
    """Every label with its first place; in each file the one that comes most often first, so that the odd one is told."""
    for one in material.entry.speakers:
        yield one.speaker, *described(material, one.speaker)
    for source in (material.turns, material.transcript, material.native):
        if source is not None:
            places = first_places(source)
            for label in sorted(places, key=lambda label: -places[label][1]):
                yield label, source, places[label][0]


CHECK = Check("QC205", "speaker-name-variants", "A speaker's name is written in two ways", Severity.ERROR, recording=_recording)
