"""A speaker has two roles, or two speakers share a role that one person has elsewhere.

What it does:
    Finds segments of the transcript whose role is not that of the speaker's other segments. Where most recordings have one
    speaker in a role, it names recordings with several.

Why it matters:
    Scores by role take each role for one person. Two health workers in a talk of two are a mistake, or one voice under two
    labels.

How to mend:
    Mend the role of the segment, or the role or label of the speaker.

Limits:
    `usual-share` (0.75): what this share of at least three recordings has, the others ought to have. The role "other" is free.

Example:
    It says: "spk0 is other here, but health_worker in 6 segments".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import counted
from parakh.qc import Check, Material, Settings, Whole
from parakh.qc._places import described
from parakh.qc._roles import main_role, roles
from parakh.qc._usual import LIMITS, is_usual
from parakh.types import Finding, Severity

_FREE = {"other"}


def _whole(whole: Whole, settings: Settings) -> Iterator[Finding]:
    for material in whole.materials:
        yield from _two_roles(material)
    known = [_speakers(material) for material in whole.materials]
    for role in dict.fromkeys(role for one in known for role in one):
        having = [len(one[role]) for one in known if role in one]
        if role in _FREE or not is_usual(having.count(1), len(having), settings):
            continue
        for material, one in zip(whole.materials, known, strict=True):
            if len(one.get(role, ())) > 1:
                names = " and ".join(one[role])
                message = f"{names} have the role {role}, which one speaker has in most recordings"
                yield CHECK.at(material, message, *described(material, one[role][-1]))


def _two_roles(material: Material) -> Iterator[Finding]:
    if material.transcript is None:
        return
    known = roles(material.transcript)
    mixed = {speaker: main_role(counts) for speaker, counts in known.items() if len(counts) > 1}
    for index, one in enumerate(material.transcript.items if mixed else ()):
        if one.speaker in mixed and one.role not in (None, mixed[one.speaker]):
            usual = counted(known[one.speaker][mixed[one.speaker] or ""], "segment")
            message = f"{one.speaker} is {one.role} here, but {mixed[one.speaker]} in {usual}"
            yield CHECK.at(material, message, material.transcript, index)


def _speakers(material: Material) -> dict[str, list[str]]:
    """The speakers of each role: those of the manifest, else of the transcript."""
    named: dict[str, str | None] = {one.speaker: one.role for one in material.entry.speakers if one.role}
    if not named and material.transcript is not None:
        named = {speaker: main_role(counts) for speaker, counts in roles(material.transcript).items()}
    found: dict[str, list[str]] = {}
    for speaker, role in named.items():
        if role:
            found.setdefault(role, []).append(speaker)
    return found


CHECK = Check(
    "QC503", "role-speaker-bijection", "Roles and speakers are not one to one", Severity.WARNING, whole=_whole, limits=LIMITS
)
