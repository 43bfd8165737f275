"""What happened in the demo's six weeks: which team handed in what, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from parakh.leaderboard.demo_systems import (
    PLACES,
    Embedded,
    Made,
    add_topic,
    confuse_voices,
    delay,
    first_sentences,
    first_topics,
    lose_short_turns,
    lose_turns,
    lose_words,
    one_voice,
    repeat_words,
)

DAYS = 42
"""How long ago the demo began."""
FREEZE = 4
"""How many days ago the evaluation's public board froze."""
_EVALUATION = 16
_CLOSES = 10

PHASES: dict[str, tuple[float | None, float | None, float | None]] = {
    "dev": (DAYS, -30, None),
    "eval": (_EVALUATION, -_CLOSES, FREEZE),
    "after": (-_CLOSES, None, None),
}
"""Phase -> how many days ago it opened, closes and froze; what is below 0 is to come."""
ORGANISERS = "Organisers"
"""The team of the baselines."""

TEAMS: dict[str, Sequence[Made]] = {
    "Lost turns": (
        Made("diarization", "reference", "every third turn lost", lose_turns(3)),
        Made("asr", "reference", "every third turn lost", lose_turns(3)),
        Made("diarization", "reference", "every fifth turn lost", lose_turns(5)),
        Made("asr", "reference", "every sixth turn lost", lose_turns(6)),
        Made("diarization", "reference", "every ninth turn lost", lose_turns(9)),
    ),
    "Late turns": (
        Made("diarization", "reference", "turns begin 0.8 s late", delay(0.8)),
        Made("asr", "reference", "every fourth word twice", repeat_words(4)),
        Made("diarization", "reference", "turns begin 0.3 s late", delay(0.3)),
        Made("asr", "reference", "every tenth word twice", repeat_words(10)),
    ),
    "Voices mixed up": (
        Made("diarization", "reference", "one voice for all", one_voice),
        Made("asr", "reference", "one voice for all", one_voice),
        Made("diarization", "reference", "every fourth turn another's voice", confuse_voices(4)),
        Made("asr", "reference", "every fourth turn another's voice", confuse_voices(4)),
    ),
    "Short answers": (
        Made("topics", "reference", "first two topics", first_topics(2)),
        Made("summarization", "reference", "first two sentences", first_sentences(2)),
        Made("topics", "reference", "first four topics", first_topics(4)),
        Made("summarization", "reference", "every fourth word lost", lose_words(4)),
    ),
    "Cascade, spoilt": (
        Made("diarization", "embedded", "turns under 1.5 s lost", lose_short_turns(1.5)),
        Made("asr", "embedded", "every fifth word lost", lose_words(5)),
        Made("topics", "embedded", "Fever added to each", add_topic("Fever")),
        Made("summarization", "embedded", "first three sentences", first_sentences(3)),
    ),
}
"""Team -> what it handed in, one after another; the last of each track goes to the evaluation as well."""


@dataclass(frozen=True)
class Moment:
    """That a team handed something in.

    Args:
        days_ago: When.
        phase: Key of the phase.
        team: Name of the team.
        made: What.
    """

    days_ago: float
    phase: str
    team: str
    made: Made | Embedded


def history() -> Iterator[Moment]:
    """Every submission, in the order of time."""
    yield from sorted([*_baselines(), *_development(), *_evaluation()], key=lambda moment: -moment.days_ago)


def _baselines() -> Iterator[Moment]:
    """Handed in as soon as a phase has opened."""
    for phase, began in (("dev", DAYS), ("eval", _EVALUATION)):
        for track in PLACES:
            yield Moment(began - 0.5, phase, ORGANISERS, Embedded(track))


def _development() -> Iterator[Moment]:
    """Teams begin some days apart and hand in about once a week."""
    for place, (team, series) in enumerate(TEAMS.items()):
        for number, made in enumerate(series):
            yield Moment(DAYS - 3 - 2.3 * place - 6.4 * number, "dev", team, made)


def _evaluation() -> Iterator[Moment]:
    """Every other team comes only after the freeze, so that the organiser's board differs from the public one."""
    for place, (team, series) in enumerate(TEAMS.items()):
        for track in PLACES:
            last = [made for made in series if made.track == track][-1:]
            for made in last:
                yield Moment(FREEZE - 1.5 if place % 2 else _EVALUATION - 2 - place, "eval", team, made)
