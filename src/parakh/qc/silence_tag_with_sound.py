"""A tag says that there is silence, and somebody speaks or something sounds.

What it does:
    For parts of the transcript that hold a tag of silence alone (<silence>, <sil>, <pause>, <no_speech>), looks for speech and
    for sound well above the quiet around.

Why it matters:
    What is said there is lost to the reference; a system that hears it is charged with insertions.

How to mend:
    Listen at the time told, and write down what is said or tag the sound.

Limits:
    `speech-in-silence` (0.3): seconds of speech from which it is told. `silence-level` (10): dB above the loudest 5 % of the
    quiet around from which it is a sound.

Example:
    It says: "<silence> from 1:02.2 to 1:05.2, but somebody speaks".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.errors import clock
from parakh.qc import Check, Material, Settings
from parakh.qc._sound import SILENCE_TAGS
from parakh.qc._tags import lone_tags
from parakh.types import Finding, Severity


def _look(material: Material, settings: Settings) -> Iterator[Finding]:
    most, loud = settings.limit("speech-in-silence"), settings.limit("silence-level")
    for one in lone_tags(material, SILENCE_TAGS):
        heard = "somebody speaks" if one.speech >= most else "something sounds" if (one.above or 0.0) >= loud else ""
        if heard:
            message = f"{one.tags[0]} from {clock(one.start)} to {clock(one.end)}, but {heard}"
            yield CHECK.at(material, message, material.transcript, one.index)


CHECK = Check(
    "QC312",
    "silence-tag-with-sound",
    "A silence tag stands where something sounds",
    Severity.WARNING,
    recording=_look,
    hears=True,
    limits={"speech-in-silence": 0.3, "silence-level": 10.0},
)
