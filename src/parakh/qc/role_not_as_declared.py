"""A speaker has another role in the transcript than in the manifest.

What it does:
    Takes the role that most of a speaker's segments have and compares it with the manifest's. Single segments with another role
    than the speaker's others are told by `role-speaker-bijection`.

Why it matters:
    Scores by role mix up the health worker and the person who seeks help; often the labels of two speakers were swapped.

How to mend:
    Listen to who it is, and mend the role, or swap the labels.

Example:
    It says: "spk1 is health_seeker in 8 segments, but other in the manifest".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import counted
from parakh.qc import Check, Material, Settings
from parakh.qc._roles import main_role, roles
from parakh.types import Finding, Severity


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    if material.transcript is None:
        return
    declared = {one.speaker: one.role for one in material.entry.speakers}
    for speaker, counts in roles(material.transcript).items():
        role = main_role(counts)
        if role is not None and declared.get(speaker) not in (None, role):
            first = next(k for k, one in enumerate(material.transcript.items) if (one.speaker, one.role) == (speaker, role))
            where = counted(counts[role], "segment")
            message = f"{speaker} is {role} in {where}, but {declared[speaker]} in the manifest"
            yield CHECK.at(material, message, material.transcript, first)


CHECK = Check("QC203", "role-not-as-declared", "A role is not that of the manifest", Severity.ERROR, recording=_recording)
