"""Nobody wrote down that those who speak agreed to the recording's use.

What it does:
    Asks for consent "yes" of every speaker, or of the recording where its speakers have no consent of their own; any other value
    is told wherever it stands. Needs a manifest. Where no recording says anything about consent, that is told once.

Why it matters:
    A conversation about somebody's health may not be released without consent.

How to mend:
    Write "yes" where the signed form exists; else take the recording out.

Example:
    It says: "consent of spk1 is missing".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc import Check, Material, Settings, Whole
from parakh.qc._places import described
from parakh.types import Finding, Severity

_YES = "yes"


def _whole(whole: Whole, settings: Settings) -> Iterator[Finding]:
    if not whole.has_manifest or not whole.materials:
        return
    if not any(_says_anything(one) for one in whole.materials):
        message = "no recording of the data set says whether those who speak consented"
        yield Finding(CHECK.code, message, CHECK.severity, path=whole.folder or None)
        return
    for material in whole.materials:
        yield from _of_recording(material)


def _of_recording(material: Material) -> Iterator[Finding]:
    general = material.entry.recording.metadata.get("consent")
    own = [one.consent for one in material.entry.speakers]
    if general not in (None, _YES):
        yield CHECK.at(material, f"consent of the recording is {general!r}", *described(material))
    elif general is None and not own:
        yield CHECK.at(material, "no consent is written down for the recording", *described(material))
    for speaker in material.entry.speakers:
        silent = speaker.consent is None and general is not None and not any(own)
        if speaker.consent != _YES and not silent:
            found = "missing" if speaker.consent is None else repr(speaker.consent)
            yield CHECK.at(material, f"consent of {speaker.speaker} is {found}", *described(material, speaker.speaker))


def _says_anything(material: Material) -> bool:
    return "consent" in material.entry.recording.metadata or any(one.consent for one in material.entry.speakers)


CHECK = Check("QC505", "consent-missing", "No consent is written down", Severity.ERROR, whole=_whole)
