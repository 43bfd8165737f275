"""A file is not the one whose checksum the manifest holds.

What it does:
    Compares the SHA-256 of each file with the manifest's, for the files that have one there.

Why it matters:
    The file was changed after it was checked, or damaged on its way: nothing that was said of it holds any more.

How to mend:
    Get the file again; if the change was meant, check it and write the new checksum.

Example:
    It says: "the checksum of the file (rttm) is 30fc88e6…, the manifest says 544cac77…".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc import Check, Material, Settings
from parakh.types import Finding, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    found = dict(material.sha256)
    if material.audio and material.audio.sha256:
        found.setdefault("audio", material.audio.sha256)
    for kind, stated in material.entry.sha256.items():
        if kind in found and found[kind] != stated:
            path = material.entry.recording.audio if kind == "audio" else material.entry.files.get(kind)
            message = f"the checksum of the file ({kind}) is {found[kind][:8]}…, the manifest says {stated[:8]}…"
            yield Finding(CHECK.code, message, CHECK.severity, material.session_id, path)


CHECK = Check("QC507", "checksum-mismatch", "A file is not that of the manifest", Severity.ERROR, recording=_recording)
