"""Something is not known of a recording or a speaker that is known of most others.

What it does:
    Looks at every field of the manifest and of the table of metadata, of recordings and of speakers, and names those that most
    have and this one lacks. Consent and split have checks of their own.

Why it matters:
    A recording without its place or district falls out of every table by place or district, and scores cannot be compared.

How to mend:
    Fill in the cell; where it can never be known, write "unknown" for all who lack it.

Limits:
    `usual-share` (0.75): what this share of at least three recordings (or speakers) has, the others ought to have.

Example:
    It says: "most recordings have district, this one has not".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from parakh.qc import Check, Material, Settings, Whole
from parakh.qc._places import described
from parakh.qc._usual import LIMITS, lacking
from parakh.types import Finding, Severity, Speaker

_FIELDS = ("person", "role", "age", "sex", "language", "dialect")
_ELSEWHERE = {"consent", "split"}


def _whole(whole: Whole, settings: Settings) -> Iterator[Finding]:
    if not whole.has_manifest:
        return
    recordings = [_of_recording(one) for one in whole.materials]
    for index, names in _lacks(recordings, settings):
        material = whole.materials[index]
        yield CHECK.at(material, f"most recordings have {names}, this one has not", *described(material))
    speakers = [(one, speaker) for one in whole.materials for speaker in one.entry.speakers]
    for index, names in _lacks([_of_speaker(speaker) for _, speaker in speakers], settings):
        material, speaker = speakers[index]
        message = f"most speakers have {names}, {speaker.speaker} has not"
        yield CHECK.at(material, message, *described(material, speaker.speaker))


def _lacks(known: Sequence[Mapping[str, object]], settings: Settings) -> Iterator[tuple[int, str]]:
    """Which ones lack what, the fields listed."""
    lacks: dict[int, list[str]] = {}
    for name in dict.fromkeys(name for one in known for name in one if name not in _ELSEWHERE):
        for index in lacking([bool(one.get(name)) for one in known], settings):
            lacks.setdefault(index, []).append(name)
    return ((index, ", ".join(lacks[index])) for index in sorted(lacks))


def _of_recording(material: Material) -> dict[str, object]:
    one = material.entry.recording
    return {"language": one.language, "duration": one.duration, **one.metadata}


def _of_speaker(speaker: Speaker) -> dict[str, object]:
    return {**{name: getattr(speaker, name) for name in _FIELDS}, **speaker.metadata}


CHECK = Check(
    "QC201", "metadata-missing", "Something is not known that is known of most", Severity.WARNING, whole=_whole, limits=LIMITS
)
