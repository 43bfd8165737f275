"""What the manifest says of the people who ask for help, in words for a prompt: age and sex, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from parakh.clinical.roles import HEALTH_SEEKER, canonical_role

_SEX = {"f": "female", "m": "male", "o": "other sex"}
_PREFIXES = ("patient_", "health_seeker_", "")


def about_seekers(metadata: Mapping[str, str]) -> str:
    """Age and sex of the health seekers, in words.

    Args:
        metadata: Of the recording: an object ``speakers`` as data sets have it, else ``patient_age`` and ``patient_sex``, or
            ``age`` and ``sex``.

    Returns:
        One phrase a person; "" where nothing is known.

    >>> about_seekers({"speakers": '{"s1": {"role": "health_seeker", "age": "20-29", "sex": "f"}}'})
    'the health seeker is 20-29 years old, female'
    >>> about_seekers({"patient_age": "4", "patient_sex": "m"})
    'the patient is 4 years old, male'
    """
    seekers = list(_seekers(metadata.get("speakers", "")))
    if seekers:
        return "; ".join(seekers)
    for prefix in _PREFIXES:
        known = _age_and_sex({key: metadata.get(f"{prefix}{key}") for key in ("age", "sex")})
        if known:
            return f"the {prefix.strip('_').replace('_', ' ') or 'patient'} is {known}"
    return ""


def _seekers(text: str) -> Iterator[str]:
    try:
        speakers = json.loads(text)
    except (ValueError, RecursionError):
        return
    for speaker in speakers.values() if isinstance(speakers, dict) else ():
        role = speaker.get("role") if isinstance(speaker, dict) else None
        if isinstance(role, str) and canonical_role(role) == HEALTH_SEEKER and (known := _age_and_sex(speaker)):
            yield f"the {role.replace('_', ' ')} is {known}"


def _age_and_sex(person: Mapping[str, object]) -> str:
    age, sex = person.get("age"), person.get("sex")
    parts = [f"{age} years old"] if age else []
    if sex:
        parts.append(_SEX.get(str(sex).lower(), str(sex)))
    return ", ".join(parts)
