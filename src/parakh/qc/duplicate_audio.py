"""Two recordings have the same audio.

What it does:
    Compares the checksums (SHA-256) of the audio files; where a file was not looked at, the checksum of the manifest.

Why it matters:
    A recording that counts twice weighs double in every score, and in two splits it leaks the answers.

How to mend:
    Take one of the two out, or put the right audio in its place.

Limits:
    The same sound in another encoding has another checksum; `duplicate-transcript` may still find it.

Example:
    It says: "the audio is that of hi_child_02a, byte by byte".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc import Check, Material, Settings, Whole
from parakh.types import Finding, Severity


def _whole(whole: Whole, settings: Settings) -> Iterator[Finding]:
    first: dict[str, Material] = {}
    for one in whole.materials:
        digest = _digest(one)
        if digest is None:
            continue
        other = first.setdefault(digest, one)
        if other is not one and other.entry.recording.audio != one.entry.recording.audio:
            yield CHECK.at(one, f"the audio is that of {other.session_id}, byte by byte")
        elif other is not one:
            yield CHECK.at(one, f"the audio file is also that of {other.session_id}")


def _digest(material: Material) -> str | None:
    heard = material.audio.sha256 if material.audio else None
    return material.sha256.get("audio") or heard or material.entry.sha256.get("audio")


CHECK = Check("QC134", "duplicate-audio", "Two recordings have the same audio", Severity.ERROR, whole=_whole)
