"""What is said of a reading: a blood pressure called high is hypertension, a hemoglobin called low is anemia.

A number alone makes no problem; somebody has to say that it is too high or too low.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from parakh.clinical.assertion import Scene
from parakh.clinical.cues import Phrases
from parakh.clinical.folding import Word
from parakh.clinical.lexicon import read_table
from parakh.clinical.matching import Match, denial_at
from parakh.clinical.measurements import Measurement
from parakh.clinical.roles import HEALTH_SEEKER

_REACH = 8
_REPLY_REACH = 5
_REPLY_TURNS = 2


@dataclass(frozen=True, slots=True)
class Judged:
    """A reading that somebody called too high or too low.

    Args:
        concept_id: The problem that makes it.
        start: Index of the reading's first word in its segment.
        end: Index after its last word.
        text: The reading, as written.
    """

    concept_id: str
    start: int
    end: int
    text: str


def judged_readings(scenes: Sequence[Scene], index: int, readings: Sequence[Measurement]) -> Iterator[Judged]:
    """Those of one segment's readings that are called high or low there or in the health worker's next words."""
    words = scenes[index].words
    for reading in readings:
        table = read_table("measures.toml").get(reading.kind, {})
        end = reading.start + len(reading.text.split())
        limit = min([end + _REACH, len(words), *(other.start for other in readings if other.start >= end)])
        for verdict in ("raised", "lowered"):
            if verdict in table and (_says(verdict, words, end, limit) or _says_later(verdict, scenes, index)):
                yield Judged(table[verdict], reading.start, end, reading.text)


def names_reading(match: Match, scene: Scene, readings: Sequence[Measurement]) -> bool:
    """Whether a word such as "sugar" only announces the number after it and names no illness."""
    if len(match.places) > 1 or scene.role == HEALTH_SEEKER:
        return False
    table = read_table("measures.toml")
    sentence = scene.words[match.start].sentence
    return any(
        table.get(reading.kind, {}).get("raised") == match.concept.id
        and reading.start > match.start
        and scene.words[reading.start].sentence == sentence
        for reading in readings
    )


def _says(verdict: str, words: Sequence[Word], start: int, end: int) -> bool:
    found = _verdict_words(verdict).find(words, start, end)
    return any(not (stop < len(words) and denial_at(words, stop)) for _, stop in found)


@cache
def _verdict_words(verdict: str) -> Phrases:
    return Phrases.parse(read_table("measures.toml")["compared"][verdict])


def _says_later(verdict: str, scenes: Sequence[Scene], index: int) -> bool:
    """The health worker's next turn may begin with the verdict: "yes, it is high"."""
    for later in range(index + 1, min(index + 1 + _REPLY_TURNS, len(scenes))):
        scene = scenes[later]
        if scene.role != HEALTH_SEEKER and scene.words:
            first_match = min((match.start for match in scene.matches), default=_REPLY_REACH)
            return _says(verdict, scene.words, 0, min(first_match, _REPLY_REACH, len(scene.words)))
    return False
