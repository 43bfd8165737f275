"""Where what the manifest says of a recording stands, so that a finding can point there."""

from __future__ import annotations

from typing import Any

from parakh.qc._material import Material, Source


def described(material: Material, speaker: str = "") -> tuple[Source[Any] | None, int | None]:
    """The row of the table of metadata about a recording or one of its speakers, else its entry in the manifest.

    Args:
        material: The recording.
        speaker: Label of the speaker; "" for the recording itself.

    Returns:
        Source and index, as ``Check.at`` takes them; (None, None) where there is no manifest.

    >>> from parakh.types import Entry, Recording
    >>> table = Source("metadata.csv", ("", "spk0"), (2, 3))
    >>> source, index = described(Material(Entry(Recording("v1")), rows=table), "spk0")
    >>> source.path, source.line(index)
    ('metadata.csv', 3)
    """
    if material.rows and speaker in material.rows.items:
        return material.rows, list(material.rows.items).index(speaker)
    return declared(material)


def declared(material: Material) -> tuple[Source[Any] | None, int | None]:
    """The entry of a recording in the manifest, as ``described``."""
    return (material.manifest, 0) if material.manifest else (None, None)
