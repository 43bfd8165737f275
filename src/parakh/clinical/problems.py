"""The health seeker's ongoing problems, weighed and ranked from what a conversation mentions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from parakh.clinical.assertion import Status
from parakh.clinical.lexicon import composites, concepts, in_sentence
from parakh.clinical.mentions import Mention, mentions
from parakh.clinical.roles import HEALTH_SEEKER, HEALTH_WORKER, assign_roles
from parakh.types import Segment

_TOLD, _UNATTRIBUTED, _AFFIRMED, _STATED, _SUSPECTED, _TRANSLATED, _AGAIN = 2.0, 1.5, 1.5, 1.0, 1.0, 0.8, 0.25
_KIND_WEIGHT = {"condition": 0.9, "immunisation": 0.6, "family-planning": 0.8, "nutrition": 0.8}
_LEAST = 0.7
_LITTLE = 2


@dataclass(frozen=True, slots=True)
class Problem:
    """One ongoing problem of the health seeker.

    Args:
        id: The concept's id; the parts joined by "+" for a composite.
        term: Its English name as a topic.
        score: Weight of the evidence, higher is stronger.
        told: The health seeker told of it, or affirmed it when asked; otherwise the health worker stated or affirmed it.
        mentions: What speaks for it, in order.
        translated: It was found in the English translation, not in the transcript.
    """

    id: str
    term: str
    score: float
    told: bool
    mentions: tuple[Mention, ...] = field(repr=False)
    translated: bool = False

    @property
    def turns(self) -> tuple[int, ...]:
        """Indices of the segments that carry it, in order."""
        return tuple(sorted({turn for mention in self.mentions for turn in mention.turns}))


def problems(transcript: Sequence[Segment], translation: Sequence[Segment] = ()) -> list[Problem]:
    r"""The ongoing problems of one conversation, strongest first.

    score = kind weight \* (best evidence + 0.25 for every further turn), where a complaint of the health seeker weighs
    2, one whose speaker's role is unknown and a question affirmed 1.5, a health worker's statement or suspicion 1, and a
    finding in the translation 0.8. The translation is consulted only where the transcript yields fewer than two problems.

    Args:
        transcript: The turns in order, in the language spoken.
        translation: The same turns in English; may be empty.

    >>> turns = [Segment("v", "s", words="तीन महीने की गर्भवती हूँ, खून की कमी है, चक्कर आते हैं।", role="health_seeker")]
    >>> [problem.term for problem in problems(turns)]
    ['Anemia in pregnancy', 'Dizziness']
    """
    found = _weigh(mentions(transcript), translated=False)
    if len(found) < _LITTLE and translation:
        heard = {problem.id for problem in found}
        found += [p for p in _weigh(mentions(_with_roles(transcript, translation)), translated=True) if p.id not in heard]
    return _ranked(found)


def ongoing(found: Sequence[Mention]) -> list[Problem]:
    """The ongoing problems among what a conversation mentions (``mentions``), as ``problems`` has them, strongest first.

    >>> ongoing([])
    []
    """
    return _ranked(_weigh(found, translated=False))


def _ranked(found: Sequence[Problem]) -> list[Problem]:
    merged = _compose(_without_broader(found))
    return sorted(merged, key=lambda problem: (-problem.score, problem.mentions[0].segment_index, problem.mentions[0].start))


def _with_roles(transcript: Sequence[Segment], translation: Sequence[Segment]) -> list[Segment]:
    roles = assign_roles(transcript)
    known = {speaker: role for speaker, role in roles.items() if role is not None}
    return [
        Segment(t.session_id, t.speaker, words=t.words, role=t.role or known.get(t.speaker or ""), language="en")
        for t in translation
    ]


def _weigh(found: Sequence[Mention], *, translated: bool) -> list[Problem]:
    grouped: dict[str, list[Mention]] = {}
    for mention in found:
        if mention.concept.is_problem:
            grouped.setdefault(mention.concept.id, []).append(mention)
    weighed = (_problem(name, group, translated=translated) for name, group in grouped.items())
    return [problem for problem in weighed if problem is not None and problem.score >= _LEAST]


def _problem(name: str, group: Sequence[Mention], *, translated: bool) -> Problem | None:
    present = tuple(mention for mention in group if mention.status is Status.PRESENT)
    suspected = tuple(mention for mention in group if mention.status is Status.SUSPECTED)
    if suspected and not any(mention.role != HEALTH_WORKER for mention in present):
        return Problem(name, f"Suspected {in_sentence(concepts()[name].term)}", _SUSPECTED, False, suspected, translated)
    denied = any(m.status is Status.NEGATED and (m.role == HEALTH_SEEKER or m.answer_index is not None) for m in group)
    told = any((mention.role == HEALTH_WORKER) is (mention.answer_index is not None) for mention in present)
    if not present or (denied and not told):
        return None
    best = _TRANSLATED if translated else max(_weight(mention) for mention in present)
    concept = concepts()[name]
    score = _KIND_WEIGHT.get(concept.kind, 1.0) * (best + _AGAIN * (len({mention.segment_index for mention in present}) - 1))
    return Problem(name, concept.term, score, told, present, translated)


def _weight(mention: Mention) -> float:
    if mention.answer_index is not None:
        return _AFFIRMED
    if mention.role == HEALTH_WORKER:
        return _STATED
    return _TOLD if mention.role == HEALTH_SEEKER else _UNATTRIBUTED


def _without_broader(found: Sequence[Problem]) -> list[Problem]:
    superfluous = {concepts()[problem.id].broader for problem in found}
    return [problem for problem in found if problem.id not in superfluous]


def _compose(found: Sequence[Problem]) -> list[Problem]:
    """Two problems that make a third give way to it."""
    by_id = {problem.id: problem for problem in found}
    made: list[Problem] = []
    used: set[str] = set()
    for term, first, second in composites():
        if first in by_id and second in by_id:
            one, two = by_id[first], by_id[second]
            both = tuple(sorted((*one.mentions, *two.mentions), key=lambda m: (m.segment_index, m.start)))
            told, heard_in_english = one.told, one.translated or two.translated
            made.append(Problem(f"{first}+{second}", term, max(one.score, two.score), told, both, heard_in_english))
            used |= {first, second}
    return [*made, *(problem for problem in found if problem.id not in used)]
