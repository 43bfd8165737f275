"""What bears out a summary, statement by statement and with the places: what ``summary_safety`` counts, to be shown.

Every number, medicine and denial of a summary is marked with its verdict and with where the conversation says so. What the
reference summary holds and this one does not is missing, as counted; beside it stands what was said and nobody wrote down:
numbers with a unit, medicines, ongoing problems. Problems, tests and advice that a summary states are marked too, which no
metric counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import regex

from parakh.clinical.assertion import Scene, Status
from parakh.clinical.cues import phrases
from parakh.clinical.folding import Word, words_of
from parakh.clinical.lexicon import Concept
from parakh.clinical.mentions import Mention
from parakh.clinical.problems import Problem, ongoing
from parakh.clinical.quantities import quantity_words
from parakh.clinical.roles import HEALTH_WORKER
from parakh.metrics._references import Texts
from parakh.metrics._statements import (
    MEDICINES,
    NEGATIONS,
    NUMBERS,
    Assertion,
    Kind,
    Number,
    Statement,
    Turns,
    Verdict,
    as_turns,
    mentioned,
    scenes,
)
from parakh.metrics.summary_safety import chosen_reference, evidence_of, judged, lack_of, recalled
from parakh.types import Segment

KINDS = (NUMBERS, MEDICINES, NEGATIONS)
PROBLEM, ADVICE = "problem", "advice"
_AFFIRMED = {Status.PRESENT, Status.SUSPECTED, Status.PAST}
_ANOTHER = {Status.FAMILY, Status.OTHER}
_UNCLEAR = {Status.ADVISED, Status.ASKED}
"""Too often something else than what it seems: such a problem gets no mark."""
_ADVICE_KINDS = frozenset({"procedure", "advice"})
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
        kind: "number", "medicine", "negation", "problem" or "advice" (also a test or an operation).
        verdict: What was said of it.
        text: As the summary writes it.
        places: Offsets in the summary, of every time that it is stated.
        said: Where the conversation bears it out or contradicts it; for a wrong dose, what was said of the medicine.
        status: "past", "family" or "other person" where it is unsupported because it was said only in that way; None otherwise.
    """

    kind: str
    verdict: Verdict
    text: str
    places: tuple[tuple[int, int], ...]
    said: tuple[Place, ...] = ()
    status: Status | None = None


@dataclass(frozen=True)
class Missing:
    """What a summary does not say.

    Args:
        kind: "number", "medicine", "negation" or "problem".
        text: What is missing, as written or said.
        said: Where it was said.
        in_reference: The reference summary has it; if it is no problem, the metrics count it as missed.
        is_refused: A medicine of which it was said that it is not to be taken, or not taken.
    """

    kind: str
    text: str
    said: tuple[Place, ...]
    in_reference: bool
    is_refused: bool = False


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
        found = mentioned(turns)
        wrong = {place for mark in marks if mark.verdict is Verdict.CONTRADICTED for place in mark.places}
        marks += (mark for mark in _stated(turns, hypothesis, found) if wrong.isdisjoint(mark.places))
        missing += _unsaid(turns, reference, hypothesis, found, missing)
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


def _stated(turns: Turns, summary: str, found: Sequence[Mention]) -> Iterator[Mark]:
    """The problems and the advice that a summary states, held against what a conversation mentions."""
    scene = scenes(as_turns(summary))[0]
    stated: dict[tuple[str, str], list[Mention]] = {}
    for one in mentioned(as_turns(summary)):
        if (kind := _kind(one, scene)) is not None:
            stated.setdefault((kind, one.concept.id), []).append(one)
    for (kind, _), same in stated.items():
        said = [one for one in found if _is_about(one.concept, same[0].concept)]
        judged = _of_advice(said) if kind == ADVICE else _of_problem(said, same, scene)
        places = tuple((place.start, place.end) for one in same if (place := _of_mention(one, as_turns(summary))) is not None)
        if judged is not None and places:
            verdict, status, witnesses = judged
            yield Mark(kind, verdict, same[0].text, places, _of_mentions(witnesses, turns), status)


def _kind(one: Mention, scene: Scene) -> str | None:
    """What a mention in a summary states; None for what is denied, another's, or a result and not advice."""
    if one.concept.is_problem:
        return PROBLEM if one.status in {Status.PRESENT, Status.SUSPECTED} else None
    is_advice = one.concept.kind in _ADVICE_KINDS and one.status is not Status.NEGATED
    return ADVICE if is_advice and _tells(one, scene, "advice") else None


def _is_about(said: Concept, stated: Concept) -> bool:
    return stated.id in {said.id, said.broader} or said.id == stated.broader


def _tells(one: Mention, scene: Scene, cue: str) -> bool:
    """Whether the sentence of a mention says that it is advice, past, or of the family."""
    number = scene.words[one.start].sentence
    inside = [place for place, word in enumerate(scene.words) if word.sentence == number]
    return phrases("summary", cue).within(scene.words, inside[0], inside[-1] + 1)


Judged = tuple[Verdict, Status | None, Sequence[Mention]]
"""Verdict, the way in which alone it was said, and the mentions that say so."""


def _of_problem(said: Sequence[Mention], stated: Sequence[Mention], scene: Scene) -> Judged | None:
    """Affirmed, over, another's, denied or said by nobody; None where the summary may tell that itself, or it is unclear."""

    def told(cue: str) -> bool:
        return any(_tells(one, scene, cue) for one in stated)

    if any(one.status in {Status.PRESENT, Status.SUSPECTED} for one in said):
        return Verdict.SUPPORTED, None, [one for one in said if one.status in _AFFIRMED]
    if past := [one for one in said if one.status is Status.PAST]:
        return (Verdict.SUPPORTED, None, past) if told("past") else (Verdict.UNSUPPORTED, Status.PAST, past)
    others = [one for one in said if one.status in _ANOTHER]
    if others:
        return None if told("family") else (Verdict.UNSUPPORTED, others[0].status, others)
    name = stated[0].concept.id
    unclear = {one.status for one in said if one.status in _UNCLEAR and name in {one.concept.id, one.concept.broader}}
    denied = [one for one in said if one.status is Status.NEGATED]
    if Status.ADVISED in unclear or (unclear and not denied):
        return None
    return (Verdict.CONTRADICTED, None, denied) if denied else (Verdict.UNSUPPORTED, None, [])


def _of_advice(said: Sequence[Mention]) -> Judged | None:
    """Advice is borne out by whoever speaks of it, unless all of that is past or denied."""
    statuses = {one.status for one in said}
    if not statuses or statuses == {Status.PAST}:
        return Verdict.UNSUPPORTED, Status.PAST if said else None, said
    return None if statuses == {Status.NEGATED} else (Verdict.SUPPORTED, None, said)


def _missed(kind: Kind, reference: str, summary: str, turns: Turns | None) -> Iterator[Missing]:
    for claim, verdict in recalled(kind, reference, summary):
        if verdict is not Verdict.SUPPORTED:
            said = kind.witnesses(claim, kind.read(turns)) if turns is not None else ()
            refused = _is_refused(kind, said, turns or ())
            yield Missing(kind.name, claim.text, _places(kind, said, turns or ()), in_reference=True, is_refused=refused)


def _unsaid(
    turns: Turns, reference: Texts, summary: str, found: Sequence[Mention], known: Sequence[Missing]
) -> Iterator[Missing]:
    """What was said and does not stand in the summary; of problems also where the reference has them."""
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
                yield Missing(kind.name, same[0].text, places, in_reference=False, is_refused=_is_refused(kind, same, turns))
    written = _written([summary])
    by_people = _written([reference] if isinstance(reference, str) else reference)
    for problem in ongoing(found):
        if not _is_written(problem, written):
            yield Missing(PROBLEM, problem.term, _of_mentions(problem.mentions, turns), _is_written(problem, by_people))


def _is_important(one: Statement) -> bool:
    """Of numbers those with a unit; "one" is as often an article."""
    return not isinstance(one, Number) or (bool(one.quantity.unit) and one.quantity.values != (1.0,))


def _written(texts: Sequence[str]) -> set[str | None]:
    """Ids of the concepts of some summaries, and of the broader ones."""
    found = [one.concept for text in texts for one in mentioned(as_turns(text))]
    return {name for one in found for name in (one.id, one.broader)}


def _is_refused(kind: Kind, said: Sequence[Statement], turns: Turns) -> bool:
    """Whether a "not" stands right before or after a medicine."""
    return kind is MEDICINES and any(_is_denied(one, words_of(turns[one.turn].words)) for one in said)


def _is_denied(one: Statement, words: Sequence[Word]) -> bool:
    start, end = max(0, one.start - 1), min(len(words), one.end + 1)
    same = [at for at in range(start, end) if words[at].sentence == words[one.start].sentence]
    before, after = phrases("deny", "before"), phrases("deny", "after")
    return before.within(words, same[0], one.start) or after.within(words, one.end, same[-1] + 1)


def _is_written(problem: Problem, written: set[str | None]) -> bool:
    concepts = {mention.concept.id: mention.concept for mention in problem.mentions}
    return all({name, concept.broader} - {None} & written for name, concept in concepts.items())


def _topics(found: Sequence[Mention]) -> dict[str, tuple[int, ...]]:
    affirmed: dict[str, list[Mention]] = {}
    for one in found:
        if one.concept.is_problem and one.status in _AFFIRMED:
            affirmed.setdefault(one.concept.id, []).append(one)
    return {name: tuple(dict.fromkeys(turn for one in _telling(same) for turn in one.turns)) for name, same in affirmed.items()}


def _telling(said: Sequence[Mention]) -> Sequence[Mention]:
    """Of some mentions those of whoever has it, or that they affirmed; where there are none, all."""
    own = [one for one in said if one.role != HEALTH_WORKER or one.answer_index is not None]
    return own or said


# --- Places -----------------------------------------------------------------------------------------------------------------


def _places(kind: Kind, statements: Sequence[Statement], turns: Turns) -> tuple[Place, ...]:
    cut = quantity_words if kind is NUMBERS else words_of
    found: list[Place | None] = []
    for one in statements:
        found.append(_place(turns, one.turn, cut(turns[one.turn].words), one.start, one.end))
        if isinstance(one, Assertion):
            found.append(_of_answer(one.answer, turns))
    return tuple(dict.fromkeys(place for place in found if place is not None))


def _of_mentions(mentions: Sequence[Mention], turns: Turns) -> tuple[Place, ...]:
    """Where some mentions stand, with the answers that settled them."""
    found = [place for one in _telling(mentions) for place in (_of_mention(one, turns), _of_answer(one.answer_index, turns))]
    return tuple(dict.fromkeys(place for place in found if place is not None))


def _of_mention(one: Mention, turns: Turns) -> Place | None:
    return _place(turns, one.segment_index, words_of(turns[one.segment_index].words), one.start, one.end)


def _of_answer(turn: int | None, turns: Turns) -> Place | None:
    """The first word of an answer, its yes or no."""
    return None if turn is None else _place(turns, turn, words_of(turns[turn].words), 0, 1)


def _place(turns: Turns, turn: int, words: Sequence[Word], start: int, end: int) -> Place | None:
    span = _offsets(turns[turn].words, words, start, end)
    return None if span is None else Place(turn, *span)


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
