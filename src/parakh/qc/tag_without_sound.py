"""A sound tag stands where nothing but the silence around is to be heard.

What it does:
    For parts of the transcript that hold sound tags alone (<noise>, <cough>, <laugh>), compares the loudest moment inside with
    the quiet around: frames without label and without speech within 15 s, or anywhere where there are too few.

Why it matters:
    Tags are deleted or scored by rule. A tag at a wrong time hides what was said there, and trains detectors on silence.

How to mend:
    Listen at the time told, and move the tag to the sound or remove it.

Limits:
    `tag-level` (3): dB above the loudest 5 % of the quiet that the sound has to reach. A tag among words has no time of its own
    and is not looked at, nor are tags that mean silence or overlap.

Example:
    It says: "<noise> from 1:20.0 to 1:20.4 is as quiet as the silence around it".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import clock
from parakh.qc import Check, Material, Settings
from parakh.qc._sound import SILENCE_TAGS
from parakh.qc._tags import lone_tags
from parakh.types import Finding, Severity

_NO_SOUND = {*SILENCE_TAGS, "<overlap>", "</overlap>", "[overlap]"}


def _look(material: Material, settings: Settings) -> Iterator[Finding]:
    least = settings.limit("tag-level")
    for one in lone_tags(material, settings.vocabulary.tags):
        sounds = [tag for tag in one.tags if tag not in _NO_SOUND]
        if sounds and one.above is not None and one.above < least and not one.speech:
            message = f"{sounds[0]} from {clock(one.start)} to {clock(one.end)} is as quiet as the silence around it"
            yield CHECK.at(material, message, material.transcript, one.index)


CHECK = Check(
    "QC311",
    "tag-without-sound",
    "A sound tag stands where nothing sounds",
    Severity.WARNING,
    recording=_look,
    hears=True,
    limits={"tag-level": 3.0},
)
