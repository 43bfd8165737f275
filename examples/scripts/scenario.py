"""A conversation as written: speakers, turns and how they fall on each other, read from one TOML file."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Speaker:
    """One voice of a conversation.

    Args:
        name: Label in the annotations ("spk0").
        role: "health_worker", "health_seeker" or "health_seeker_attendant".
        person: Code of the made-up person.
        age: Years, or a range.
        sex: "f" or "m".
        dialect: What is spoken.
        voices: Weight of each of the model's voices; they sum to 1.
        pitch: Factor on pitch and formants; the speaking rate stays.
        speed: Speaking rate, 1 = the model's own.
        distance_m: Metres from the microphone.
    """

    name: str
    role: str
    person: str
    age: str
    sex: str
    dialect: str
    voices: Mapping[str, float]
    pitch: float
    speed: float
    distance_m: float


@dataclass(frozen=True)
class Turn:
    """One turn and where it starts.

    Args:
        speaker: Who speaks.
        text: The words, which are also the reference transcript.
        gap: Seconds after everything before it has ended; negative cuts in. Unused when ``over`` is set.
        over: Fraction of the previous floor-holding turn at which a back-channel starts; None for an ordinary turn.
    """

    speaker: str
    text: str
    gap: float = 0.0
    over: float | None = None


@dataclass(frozen=True)
class Scenario:
    """One conversation: what is said by whom, in which room, and its reference topics and summary."""

    id: str
    language: str
    seed: int
    metadata: Mapping[str, str]
    noise_kind: str
    snr_db: float
    reverberation_s: float
    topics: tuple[str, ...]
    summary: str
    speakers: Mapping[str, Speaker]
    turns: tuple[Turn, ...]


def read_scenario(path: Path) -> Scenario:
    """Read one conversation; a field that is missing or unknown raises KeyError or TypeError with its name."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    return Scenario(
        id=data["id"],
        language=data["language"],
        seed=data["seed"],
        metadata=data["metadata"],
        noise_kind=data["noise"]["kind"],
        snr_db=data["noise"]["snr_db"],
        reverberation_s=data["noise"]["reverberation_s"],
        topics=tuple(data["annotation"]["topics"]),
        summary=data["annotation"]["summary"].strip(),
        speakers={name: Speaker(name=name, **fields) for name, fields in data["speakers"].items()},
        turns=tuple(Turn(**fields) for fields in data["turns"]),
    )
