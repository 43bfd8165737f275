"""What bears out a summary, statement by statement and with the places: what ``summary_safety`` counts, to be shown.

Every number, medicine and denial of a summary is marked with its verdict and with where the conversation says so. What the
reference summary holds and this one does not is missing, as counted; beside it stands what was said and nobody wrote down:
numbers with a unit, medicines, ongoing problems. Problems that a summary states are marked too, which no metric counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import regex

from parakh.clinical.assertion import Status
from parakh.clinical.folding import Word, words_of
from parakh.clinical.mentions import Mention, mentions_in
from parakh.clinical.problems import Problem, ongoing
from parakh.clinical.quantities import quantity_words
from parakh.metrics._references import Texts
from parakh.metrics._statements import (
    MEDICINES,
    NEGATIONS,
    NUMBERS,
    Kind,
    Number,
    Statement,
    Turns,
    Verdict,
    as_turns,
    scenes,
)
from parakh.metrics.summary_safety import chosen_reference, evidence_of, judged, lack_of, recalled
from parakh.types import Segment

KINDS = (NUMBERS, MEDICINES, NEGATIONS)
PROBLEM = "problem"
_AFFIRMED = {Status.PRESENT, Status.SUSPECTED, Status.PAST}
_NAMED = {Status.FAMILY, Status.ADVISED}
"""Somebody spoke of it without having it: a summary that states it may mean just that."""
_SPELLED = {"percent": "percent|[%\uff05\u066a]", "degree": "degree|°", "per": "per|/"}
"""Signs that are spelled out where numbers are read."""


@dataclass(frozen=True)
class Place:
    """A passage of a conversation: index of the turn, and offsets in its words."""

    turn: int
    start: int
    end: int


@dataclass(frozen=True)
class Mark:
    """A statement of a summary.

    Args:
        kind: "number", "medicine", "negation" or "problem".
        verdict: What was said of it.
        text: As the summary writes it.
        places: Offsets in the summary, of every time that it is stated.
        said: Where the conversation bears it out or contradicts it; for a wrong dose, what was said of the medicine.
    """

    kind: str
    verdict: Verdict
    text: str
    places: tuple[tuple[int, int], ...]
    said: tuple[Place, ...] = ()


@dataclass(frozen=True)
class Missing:
    """What a summary does not say.

    Args:
        kind: "number", "medicine", "negation" or "problem".
        text: What is missing, as written or said.
        said: Where it was said.
        in_reference: The reference summary has it: then the metrics count it as missed.
    """

    kind: str
    text: str
    said: tuple[Place, ...]
    in_reference: bool


@dataclass(frozen=True)
class Support:
    """What bears out a summary.

    Args:
        source: "transcript", or "reference" where there is no transcript that can be read.
        marks: Its statements, in order.
        missing: What it does not say, that of the reference first.
        topics: Turns in which a problem was affirmed, by the id of its concept.
    """

    source: str
    marks: tuple[Mark, ...]
    missing: tuple[Missing, ...]
    topics: Mapping[str, tuple[int, ...]]


def support(reference: Texts, hypothesis: str, transcript: Sequence[Segment] | None) -> Support:
    """What bears out a summary, as the metrics of ``summary_safety`` count it.

    Args:
        reference: The reference summary, or several accepted ones.
        hypothesis: The system's summary.
        transcript: What was said; None takes the reference as what must bear out.
    """
    turns = None if transcript is None or lack_of(transcript) else tuple(transcript)
    chosen = {kind.name: chosen_reference(kind, reference, hypothesis, transcript) for kind in KINDS}
    marks = [mark for kind in KINDS for mark in _marks(kind, chosen[kind.name], hypothesis, turns)]
    missing = [one for kind in KINDS for one in _missed(kind, chosen[kind.name], hypothesis, turns)]
    topics: dict[str, tuple[int, ...]] = {}
    if turns is not None:
        found = mentions_in(scenes(turns))
        marks += _problems(turns, hypothesis, found)
        missing += _unsaid(turns, hypothesis, found, missing)
        topics = _topics(found)
    source = "reference" if turns is None else "transcript"
    return Support(source, tuple(sorted(marks, key=lambda mark: mark.places)), tuple(missing), topics)


def _marks(kind: Kind, reference: str, summary: str, turns: Turns | None) -> Iterator[Mark]:
    evidence = evidence_of(kind, reference, turns)
    stated = kind.read(as_turns(summary))
    for claim, verdict in judged(kind, summary, evidence):
        same = [one for one in stated if one.key == claim.key]
        places = tuple(dict.fromkeys((place.start, place.end) for place in _places(kind, same, as_turns(summary))))
        said: Sequence[Statement] = ()
        if turns is not None:
            said = kind.witnesses(claim, evidence)
            if verdict is Verdict.UNSUPPORTED and isinstance(claim, Number):
                said = [one for one in evidence if isinstance(one, Number) and {*one.medicine} & {*claim.medicine}]
        yield Mark(kind.name, verdict, claim.text, places, _places(kind, said, turns or ()))


def _problems(turns: Turns, summary: str, found: Sequence[Mention]) -> Iterator[Mark]:
    """The problems that a summary states: affirmed in the conversation, only denied there, or nowhere in it."""
    written = as_turns(summary)
    stated: dict[str, list[Mention]] = {}
    for one in mentions_in(scenes(written)):
        if one.concept.is_problem and one.status in {Status.PRESENT, Status.SUSPECTED}:
            stated.setdefault(one.concept.id, []).append(one)
    for name, same in stated.items():
        said = [
            one for one in found if name in {one.concept.id, one.concept.broader} or one.concept.id == same[0].concept.broader
        ]
        verdict = _verdict([one.status for one in said])
        places = tuple((place.start, place.end) for one in same if (place := _of_mention(one, written)) is not None)
        if verdict is not None and places:
            wanted = _AFFIRMED if verdict is Verdict.SUPPORTED else {Status.NEGATED}
            shown = (_of_mention(one, turns) for one in said if one.status in wanted)
            yield Mark(
                PROBLEM, verdict, same[0].text, places, tuple(dict.fromkeys(place for place in shown if place is not None))
            )


def _verdict(statuses: Sequence[Status]) -> Verdict | None:
    if _AFFIRMED.intersection(statuses):
        return Verdict.SUPPORTED
    if _NAMED.intersection(statuses):
        return None
    return Verdict.CONTRADICTED if Status.NEGATED in statuses else Verdict.UNSUPPORTED


def _missed(kind: Kind, reference: str, summary: str, turns: Turns | None) -> Iterator[Missing]:
    for claim, verdict in recalled(kind, reference, summary):
        if verdict is not Verdict.SUPPORTED:
            said = kind.witnesses(claim, kind.read(turns)) if turns is not None else ()
            yield Missing(kind.name, claim.text, _places(kind, said, turns or ()), in_reference=True)


def _unsaid(turns: Turns, summary: str, found: Sequence[Mention], known: Sequence[Missing]) -> Iterator[Missing]:
    """What was said and stands in no summary."""
    told = {place for one in known for place in one.said}
    for kind in (NUMBERS, MEDICINES):
        given = kind.read(as_turns(summary))
        by_key: dict[object, list[Statement]] = {}
        for one in kind.read(turns):
            if one.claimed and kind.judge(one, given) is not Verdict.SUPPORTED and _is_important(one):
                by_key.setdefault(one.key, []).append(one)
        for same in by_key.values():
            places = _places(kind, same, turns)
            if told.isdisjoint(places):
                yield Missing(kind.name, same[0].text, places, in_reference=False)
    written = {one.concept.id: one.concept for one in mentions_in(scenes(as_turns(summary)))}
    for problem in ongoing(found):
        if not _is_written(problem, {*written, *(one.broader for one in written.values())}):
            places = tuple(place for one in problem.mentions if (place := _of_mention(one, turns)) is not None)
            yield Missing("problem", problem.term, places, in_reference=False)


def _is_important(one: Statement) -> bool:
    """Of numbers those with a unit; "one" is as often an article."""
    return not isinstance(one, Number) or (bool(one.quantity.unit) and one.quantity.values != (1.0,))


def _is_written(problem: Problem, written: set[str | None]) -> bool:
    concepts = {mention.concept.id: mention.concept for mention in problem.mentions}
    return all({name, concept.broader} - {None} & written for name, concept in concepts.items())


def _topics(found: Sequence[Mention]) -> dict[str, tuple[int, ...]]:
    turns: dict[str, dict[int, None]] = {}
    for one in found:
        if one.concept.is_problem and one.status in _AFFIRMED:
            turns.setdefault(one.concept.id, {}).update(dict.fromkeys(one.turns))
    return {name: tuple(places) for name, places in turns.items()}


# --- Places -----------------------------------------------------------------------------------------------------------------


def _places(kind: Kind, statements: Sequence[Statement], turns: Turns) -> tuple[Place, ...]:
    cut = quantity_words if kind is NUMBERS else words_of
    found = ((one.turn, _offsets(turns[one.turn].words, cut(turns[one.turn].words), one.start, one.end)) for one in statements)
    return tuple(dict.fromkeys(Place(turn, *span) for turn, span in found if span is not None))


def _of_mention(one: Mention, turns: Turns) -> Place | None:
    text = turns[one.segment_index].words
    span = _offsets(text, words_of(text), one.start, one.end)
    return None if span is None else Place(one.segment_index, *span)


def _offsets(text: str, words: Sequence[Word], start: int, end: int) -> tuple[int, int] | None:
    """Where some of its words stand in a text; None where they were only spelled out."""
    at, found = 0, []
    for number, word in enumerate(words[:end]):
        span = _find(word.text, text, at)
        if span is not None:
            at = span[1]
            if number >= start:
                found.append(span)
    return (found[0][0], found[-1][1]) if found else None


def _find(word: str, text: str, start: int) -> tuple[int, int] | None:
    """Where a word stands next, as the text may write it: with grouping commas in a number, a sign for what is spelled out."""
    if word in _SPELLED or word.isdigit():
        match = regex.compile(_SPELLED.get(word) or ",?".join(word)).search(text, start)
        return match.span() if match is not None else None
    at = text.find(word, start)
    return None if at < 0 else (at, at + len(word))
