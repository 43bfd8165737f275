"""A value of the metadata is not one that the data set allows.

What it does:
    Compares roles, places, sex ("f", "m", "o") and the fields of `[check.vocabulary.metadata]` with their vocabularies, of
    recordings and of speakers; an age has to be years ("34") or a range ("40-49"), a language a tag ("hi"). Without a manifest it
    looks at the roles in the transcript.

Why it matters:
    "PHC", "phc" and "Phc centre" are three places in every table. A misspelt role belongs to nobody.

How to mend:
    Write one of the values that the message lists, or add the value to the vocabulary in `parakh.toml`.

Example:
    It says: "spk1: sex is 'female', not one of f, m, o".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from parakh.qc import Check, Material, Settings, Vocabulary
from parakh.qc._places import described
from parakh.types import Finding, Severity, Speaker

_AGE = re.compile(r"(\d{1,3})(?:-(\d{1,3}))?", re.ASCII)
_TAG = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*", re.ASCII)
_OLDEST = 120


def _recording(material: Material, settings: Settings) -> Iterator[Finding]:
    vocabulary = settings.vocabulary
    one = material.entry.recording
    values = {"language": one.language, **one.metadata}
    for problem in _problems(values, vocabulary):
        yield CHECK.at(material, problem, *described(material))
    for speaker in material.entry.speakers:
        for problem in _problems(_of_speaker(speaker), vocabulary):
            yield CHECK.at(material, f"{speaker.speaker}: {problem}", *described(material, speaker.speaker))
    if not material.entry.speakers:
        yield from _of_transcript(material, vocabulary)


def _of_speaker(speaker: Speaker) -> dict[str, str | None]:
    own = {name: getattr(speaker, name) for name in ("role", "age", "sex", "language", "dialect")}
    return {**own, **speaker.metadata}


def _problems(values: dict[str, str | None], vocabulary: Vocabulary) -> Iterator[str]:
    allowed: dict[str, Sequence[str]] = {
        "role": vocabulary.roles,
        "place": vocabulary.places,
        "sex": ("f", "m", "o"),
        **vocabulary.metadata,
    }
    for name, value in values.items():
        if value is None:
            continue
        if name in allowed:
            if value not in allowed[name]:
                yield f"{name} is {value!r}, not one of {', '.join(allowed[name])}"
        elif name == "age" and not _is_age(value):
            yield f"age is {value!r}, not years or a range of years"
        elif name == "language" and not _TAG.fullmatch(value):
            yield f"language is {value!r}, not a tag such as hi or kn"


def _is_age(text: str) -> bool:
    found = _AGE.fullmatch(text)
    if not found:
        return False
    first, last = int(found[1]), int(found[2] or found[1])
    return first <= last <= _OLDEST


def _of_transcript(material: Material, vocabulary: Vocabulary) -> Iterator[Finding]:
    source = material.transcript
    told = set(vocabulary.roles)
    for index, one in enumerate(source.items if source else ()):
        if one.role is not None and one.role not in told:
            told.add(one.role)
            yield CHECK.at(material, f"role is {one.role!r}, not one of {', '.join(vocabulary.roles)}", source, index)


CHECK = Check(
    "QC202", "metadata-not-in-vocabulary", "A value of the metadata is not allowed", Severity.WARNING, recording=_recording
)
