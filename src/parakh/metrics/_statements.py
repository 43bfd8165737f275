"""What a summary states and what was said: numbers, medicines and denied findings, and whether one bears out the other.

``read`` takes the turns of a conversation or, as a single turn, a summary; ``judge`` weighs one statement of a summary
against everything that was read from the evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache

from parakh.clinical.assertion import Scene, Status
from parakh.clinical.cues import phrases
from parakh.clinical.folding import Word
from parakh.clinical.lexicon import Concept
from parakh.clinical.medicines import Medicine, medicines, substances
from parakh.clinical.mentions import Mention, mentions_in, scenes_of
from parakh.clinical.quantities import Quantity, backs, is_dose, quantities, quantity_words
from parakh.types import Segment

_KEPT = 64
_NEAR = 3
_AFFIRMED = {Status.PRESENT, Status.SUSPECTED}
_NOT_SO = {Status.NEGATED, Status.ASKED, Status.PAST}
_NO_AFFIRMATION = {Status.NEGATED, Status.ASKED, Status.ADVISED}
Turns = tuple[Segment, ...]


class Verdict(StrEnum):
    """What the evidence says of a statement."""

    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"
    CONTRADICTED = "contradicted"


@dataclass(frozen=True)
class Statement:
    """One statement of a text.

    Args:
        text: The words that make it, as written.
        key: Equal statements of a text count once.
        claimed: It must be borne out; otherwise it is only evidence.
        turn: Index of the turn that states it.
        start: Index of its first word in the turn, as the words of its kind are cut.
        end: Index after its last word.
    """

    text: str
    key: Hashable
    claimed: bool
    turn: int = field(default=0, kw_only=True)
    start: int = field(default=0, kw_only=True)
    end: int = field(default=0, kw_only=True)


@dataclass(frozen=True)
class Number(Statement):
    """A number with its unit, and the medicine it is a dose of."""

    quantity: Quantity
    medicine: tuple[str, ...]


@dataclass(frozen=True)
class Substance(Statement):
    """A medicine, by what is in it."""

    name: str


@dataclass(frozen=True)
class Assertion(Statement):
    """A finding with what is said of it. It is claimed where it is denied; where affirmed it can still contradict."""

    concept: Concept
    status: Status
    answer: int | None = None
    """Index of the turn whose "yes" or "no" gave the status."""


def as_turns(text: str) -> Turns:
    """A summary as the one turn of nobody."""
    return (Segment("summary", words=text, language="en"),)


@lru_cache(maxsize=_KEPT)
def numbers(turns: Turns) -> tuple[Number, ...]:
    """Every number of some turns."""
    found: list[Number] = []
    for index, turn in enumerate(turns):
        words = quantity_words(turn.words)
        named = list(medicines(words))
        for one in quantities(words):
            medicine = _dosed(one, named, words) if is_dose(one) else ()
            text, key = _written(words, one.start, one.end), (one.values, one.unit, medicine, one.claimed)
            found.append(Number(text, key, one.claimed, one, medicine, turn=index, start=one.start, end=one.end))
    return tuple(found)


def _dosed(dose: Quantity, named: Sequence[Medicine], words: Sequence[Word]) -> tuple[str, ...]:
    """The medicine of the same sentence that a dose belongs to: right before it, else right after it, else last before it."""
    sentence = words[dose.start].sentence
    near = [one for one in named if words[one.start].sentence == sentence]
    before = next((one for one in reversed(near) if one.end <= dose.start), None)
    after = next((one for one in near if one.start >= dose.end), None)
    joined = phrases("clause", "join")
    if before is not None and dose.start - before.end <= 1 and not joined.within(words, before.end, dose.start):
        return before.parts
    if after is not None and after.start - dose.end <= 1 and not words[after.start].after_comma:
        return after.parts
    return before.parts if before is not None else ()


def judge_number(claim: Statement, evidence: Sequence[Statement]) -> Verdict:
    """A number must have been said, and a dose of a medicine whose doses were said must be one of them."""
    assert isinstance(claim, Number)
    supported = any(backs(one.quantity, claim.quantity) for one in about_number(claim, evidence))
    return Verdict.SUPPORTED if supported else Verdict.UNSUPPORTED


def about_number(claim: Statement, evidence: Sequence[Statement]) -> list[Number]:
    """The numbers that may bear out one: doses of the same medicine where any were said, else all."""
    assert isinstance(claim, Number)
    said = [one for one in evidence if isinstance(one, Number)]
    return [one for one in said if not set(one.medicine).isdisjoint(claim.medicine)] or said


@lru_cache(maxsize=_KEPT)
def named_medicines(turns: Turns) -> tuple[Substance, ...]:
    """Every medicine of some turns; one that is only described ("fever tablets") is evidence, no claim."""
    found: list[Substance] = []
    for index, scene in enumerate(scenes(turns)):
        for one in medicines(scene.words):
            text, place = _written(scene.words, one.start, one.end), {"turn": index, "start": one.start, "end": one.end}
            found += [Substance(text, (part, True), True, part, **place) for part in one.parts]
        for match in scene.matches:
            if (name := match.concept.id) in substances():
                place = {"turn": index, "start": match.start, "end": match.end}
                found.append(Substance(match.concept.term, (name, False), False, name, **place))
    return tuple(found)


def judge_medicine(claim: Statement, evidence: Sequence[Statement]) -> Verdict:
    """A medicine must have been named, by whatever name."""
    return Verdict.SUPPORTED if about_medicine(claim, evidence) else Verdict.UNSUPPORTED


def about_medicine(claim: Statement, evidence: Sequence[Statement]) -> list[Substance]:
    """Where a medicine was named, by whatever name."""
    assert isinstance(claim, Substance)
    return [one for one in evidence if isinstance(one, Substance) and one.name == claim.name]


@lru_cache(maxsize=_KEPT)
def assertions(turns: Turns) -> tuple[Assertion, ...]:
    """Every finding of some turns with what is said of it."""
    return tuple(_assertion(one) for one in mentioned(turns) if one.concept.is_problem)


@lru_cache(maxsize=_KEPT)
def mentioned(turns: Turns) -> tuple[Mention, ...]:
    """Every mention of a concept in some turns; of problems in a summary, with the status as summaries write it."""
    found = mentions_in(scenes(turns))
    if turns == as_turns(turns[0].words if turns else ""):
        words = scenes(turns)[0].words
        found = [replace(one, status=_in_summary(one, words)) if one.concept.is_problem else one for one in found]
    return tuple(found)


def _assertion(one: Mention) -> Assertion:
    key, denied = (one.concept.id, one.status), one.status is Status.NEGATED
    place = {"turn": one.segment_index, "start": one.start, "end": one.end}
    return Assertion(one.text, key, denied, one.concept, one.status, one.answer_index, **place)


def _in_summary(one: Mention, words: Sequence[Word]) -> Status:
    """The status as a clinical summary writes it, where "denies" reaches to the end of a long list.

    What follows advice ("return if there is blood") is what may come, not what is.
    """
    inside = [place for place, word in enumerate(words) if word.sentence == words[one.start].sentence]
    start, end = inside[0], inside[-1] + 1
    if phrases("summary", "advice").within(words, start, one.start):
        return Status.ADVISED
    if one.status is not Status.PRESENT:
        return one.status
    denials = [stop for _, stop in phrases("summary", "denies").find(words, start, one.start)]
    listed = bool(denials) and not phrases("summary", "denial_ends").within(words, denials[-1], one.start)
    after = phrases("summary", "denied_after").within(words, one.end, min(one.end + _NEAR, end))
    prefixed = one.start > start and words[one.start - 1].tight == "non"
    return Status.NEGATED if listed or after or prefixed else Status.PRESENT


def judge_assertion(claim: Statement, evidence: Sequence[Statement]) -> Verdict:
    """A denial must agree with what was said, and nothing may be affirmed that was only denied.

    A denied finding is contradicted where it, or a narrower one, was affirmed and never denied. It is borne out where it was
    denied, also by a broader or narrower name, where it was asked after without an answer that could be read, or where
    it is over.
    """
    assert isinstance(claim, Assertion)
    own, name = claim.concept, claim.concept.id
    said = [(one.concept, one.status) for one in evidence if isinstance(one, Assertion)]
    same = {status for concept, status in said if concept.id == name}
    narrower = {status for concept, status in said if concept.broader == name}
    broader = {status for concept, status in said if concept.id == own.broader}
    if claim.status is Status.NEGATED:
        if Status.NEGATED not in same and (same | narrower) & _AFFIRMED:
            return Verdict.CONTRADICTED
        return Verdict.SUPPORTED if (same | narrower | broader) & _NOT_SO else Verdict.UNSUPPORTED
    about = same | narrower | (broader if Status.NEGATED in broader else set())
    denied = claim.status is Status.PRESENT and Status.NEGATED in same | broader
    return Verdict.CONTRADICTED if denied and about <= _NO_AFFIRMATION else Verdict.SUPPORTED


def about_assertion(claim: Statement, evidence: Sequence[Statement]) -> list[Assertion]:
    """What was said of a finding, by its own name, a narrower or a broader one."""
    assert isinstance(claim, Assertion)
    own = claim.concept
    said = [one for one in evidence if isinstance(one, Assertion)]
    return [one for one in said if own.id in (one.concept.id, one.concept.broader) or one.concept.id == own.broader]


@lru_cache(maxsize=_KEPT)
def scenes(turns: Turns) -> tuple[Scene, ...]:
    """The words, matches and role of every turn."""
    return tuple(scenes_of(turns))


def _written(words: Sequence[Word], start: int, end: int) -> str:
    return words[start].text + "".join(word.before + word.text for word in words[start + 1 : end])


@dataclass(frozen=True)
class Kind:
    """One kind of statement.

    Args:
        name: As it stands in the codes of findings ("number").
        read: The statements of some turns, or of a summary (``as_turns``).
        judge: What evidence says of one of them.
        about: The part of the evidence that it is judged by.
    """

    name: str
    read: Callable[[Turns], Sequence[Statement]]
    judge: Callable[[Statement, Sequence[Statement]], Verdict]
    about: Callable[[Statement, Sequence[Statement]], Sequence[Statement]]

    def witnesses(self, claim: Statement, evidence: Sequence[Statement]) -> list[Statement]:
        """The statements of the evidence that by themselves say of a claim what all of it says."""
        verdict = self.judge(claim, evidence)
        return [one for one in self.about(claim, evidence) if self.judge(claim, [one]) is verdict]


NUMBERS = Kind("number", numbers, judge_number, about_number)
MEDICINES = Kind("medicine", named_medicines, judge_medicine, about_medicine)
NEGATIONS = Kind("negation", assertions, judge_assertion, about_assertion)
