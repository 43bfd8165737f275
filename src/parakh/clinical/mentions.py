"""Every concept a conversation mentions, with its status once questions have been answered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from parakh.clinical.assertion import Scene, Status, about_child, if_affirmed, status_of
from parakh.clinical.cues import phrases
from parakh.clinical.folding import words_of
from parakh.clinical.lexicon import Concept, concepts
from parakh.clinical.matching import Match, find
from parakh.clinical.measurements import in_words
from parakh.clinical.readings import Judged, judged_readings, names_reading
from parakh.clinical.roles import ATTENDANT_NAMES, HEALTH_SEEKER, HEALTH_WORKER, asks, assign_roles, canonical_role, sentences_of
from parakh.types import Segment

_ANSWER_WORDS = 5
_ANSWER_TURNS = 2
_FEW_TURNS = 6  # a longer talk without a single question mark does not mark its questions


@dataclass(frozen=True, slots=True)
class Mention:
    """A concept named in a segment.

    Args:
        concept: What was named.
        segment_index: Index of the segment in the sequence given.
        text: The words that name it, as written.
        status: What was said of it.
        start: Index of its first word in the segment.
        end: Index after its last word.
        role: Who named it; None if unknown.
        answer_index: The segment whose "yes" or "no" settled the status of a question; None otherwise.
        of_child: It was said of a child.
    """

    concept: Concept
    segment_index: int
    text: str
    status: Status
    start: int
    end: int
    role: str | None = None
    answer_index: int | None = None
    of_child: bool = False

    @property
    def turns(self) -> tuple[int, ...]:
        """Indices of the segments that carry it."""
        return (self.segment_index,) if self.answer_index is None else (self.segment_index, self.answer_index)


def mentions(segments: Sequence[Segment]) -> list[Mention]:
    """Every concept mentioned in the turns of one conversation, in order.

    Args:
        segments: The turns in order; roles are guessed where the file gives none.

    >>> turns = [
    ...     Segment("v", "w", words="बुखार है? खांसी?", role="health_worker"),
    ...     Segment("v", "s", words="नहीं दीदी, मेरे घुटने में दर्द है। माँ को शुगर है।", role="health_seeker"),
    ... ]
    >>> [(m.concept.term, str(m.status)) for m in mentions(turns)]
    [('Fever', 'negated'), ('Cough', 'negated'), ('Knee pain', 'present'), ('Diabetes', 'family')]
    """
    return mentions_in(scenes_of(segments))


def mentions_in(scenes: Sequence[Scene]) -> list[Mention]:
    """Every concept mentioned in scenes that have been read already (``scenes_of``), in order."""
    found: list[Mention] = []
    for index, scene in enumerate(scenes):
        readings = list(in_words(scene.words, index))
        for match in scene.matches:
            if names_reading(match, scene, readings):
                continue
            mention = _mention(match, scene, index)
            if mention.status is Status.PRESENT and _answers_for_family(mention, scenes, index):
                mention = replace(mention, status=Status.FAMILY)
            if mention.status is Status.ASKED and (scene.role != HEALTH_SEEKER or match.concept.is_problem):
                mention = _answered(mention, match, scenes, index)
            elif mention.status is Status.PRESENT and scene.role == HEALTH_WORKER and match.concept.is_problem:
                mention = _contradicted(mention, scenes, index)
            if not match.normal:
                found.append(mention)
            elif mention.status is Status.NEGATED:  # denying that one sleeps well is not sleeping well
                found.append(replace(mention, status=Status.PRESENT))
        found.extend(_judged(judged, index, scene.role) for judged in judged_readings(scenes, index, readings))
    return _speaking_for_another(found)


def scenes_of(segments: Sequence[Segment]) -> list[Scene]:
    """The words, matches and role of every segment."""
    roles = assign_roles(segments)
    punctuated = len(segments) < _FEW_TURNS or any("?" in segment.words for segment in segments)
    scenes = []
    for segment in segments:
        words = words_of(segment.words)
        role = canonical_role(segment.role) or (roles.get(segment.speaker) if segment.speaker is not None else None)
        attendant = any(name in (segment.role or "").casefold() for name in ATTENDANT_NAMES)
        scenes.append(Scene(words, find(words, segment.language), role, attendant, punctuated))
    return scenes


def _mention(match: Match, scene: Scene, index: int) -> Mention:
    text = " ".join(scene.words[place].text for place in match.places)
    status, of_child = status_of(match, scene), about_child(match, scene)
    return Mention(match.concept, index, text, status, match.start, match.end, scene.role, of_child=of_child)


def _judged(judged: Judged, index: int, role: str | None) -> Mention:
    return Mention(concepts()[judged.concept_id], index, judged.text, Status.PRESENT, judged.start, judged.end, role)


def _answered(mention: Mention, match: Match, scenes: Sequence[Scene], index: int) -> Mention:
    """The mention with the status its answer gives it: "no" denies all that was asked, "yes" affirms the last question."""
    reply = _reply(scenes, index)
    if reply is None or mention.concept.kind in ("immunisation", "advice", "procedure"):
        return mention  # a "yes" there says that it was done, which is no problem
    answer = scenes[reply]
    if any(other.concept == mention.concept for other in answer.matches):
        return mention
    affirmed = if_affirmed(match, scenes[index])
    verdict = _verdict(answer)
    if verdict is False:
        status = Status.NEGATED if affirmed is Status.PRESENT else Status.ASKED
        return replace(mention, status=status, answer_index=reply)
    last = sentences_of(scenes[index].words)[-1]
    also = phrases("question", "also").within(answer.words, 0, len(answer.words))
    if verdict and also and any(other.concept == asked.concept for other in answer.matches for asked in scenes[index].matches):
        return replace(mention, status=affirmed, answer_index=reply)
    named_another = any(other.concept.is_problem for other in answer.matches)
    presumed = phrases("question", "since").within(scenes[index].words, *last)
    if mention.start >= last[0] and not named_another and (verdict or (presumed and answer.words)):
        return replace(mention, status=_owner_of_answer(answer, affirmed), answer_index=reply)
    return mention


def _contradicted(mention: Mention, scenes: Sequence[Scene], index: int) -> Mention:
    """Without punctuation a question in Hindi reads like a statement; a "no" to the turn's last sentence gives it away."""
    reply = _reply(scenes, index)
    last = sentences_of(scenes[index].words)[-1]
    if reply is None or mention.start < last[0] or _verdict(scenes[reply]) is not False:
        return mention
    return replace(mention, status=Status.NEGATED, answer_index=reply)


def _answers_for_family(mention: Mention, scenes: Sequence[Scene], index: int) -> bool:
    """After "does anyone at home have ..." a health seeker speaks of relatives, unless they name themselves."""
    scene = scenes[index]
    if scene.role == HEALTH_WORKER or not mention.concept.is_problem:
        return False
    asked = next((s for s in reversed(scenes[max(0, index - _ANSWER_TURNS) : index]) if s.role == HEALTH_WORKER), None)
    if asked is None or not asked.words:
        return False
    start, end = sentences_of(asked.words)[-1]
    of_family = phrases("family", "history").within(asked.words, start, end) and asks(asked.words, start, end)
    return of_family and not phrases("family", "self").within(scene.words, 0, mention.start)


def _reply(scenes: Sequence[Scene], index: int) -> int | None:
    """The next turn of the other side; whoever's role is unknown answers the health worker."""
    seeker_asks = scenes[index].role == HEALTH_SEEKER
    for later in range(index + 1, min(index + 1 + _ANSWER_TURNS, len(scenes))):
        if scenes[later].words and (scenes[later].role == HEALTH_WORKER) is seeker_asks:
            return later
    return None


def _verdict(answer: Scene) -> bool | None:
    """True for "yes", False for "no", None when the words before the first concept named are neither."""
    end = min([len(answer.words), _ANSWER_WORDS, *(max(match.start, 1) for match in answer.matches)])
    if phrases("question", "unsure").within(answer.words, 0, end):
        return None
    for at in range(end):
        if phrases("question", "no").at(answer.words, at, end) or answer.words[at].tight.endswith("ಿಲ್ಲ"):
            return False
        if phrases("question", "yes").at(answer.words, at, end):
            later = answer.words[at + 1 : min(at + 4, len(answer.words))]
            return not (answer.words[at].tight in ("जी", "ji") and any(word.tight in ("नहीं", "nahi") for word in later))
    return None


def _owner_of_answer(answer: Scene, owner: Status) -> Status:
    for at, word in enumerate(answer.words[:_ANSWER_WORDS]):
        if phrases("family", "person").at(answer.words, at, len(answer.words)) and (
            word.tight.endswith("ಗೆ") or phrases("family", "to").within(answer.words, at + 1, min(at + 3, len(answer.words)))
        ):
            return Status.FAMILY
    return owner


def _speaking_for_another(found: list[Mention]) -> list[Mention]:
    """Where the seekers name only relatives' complaints, they came for the relative: those are present."""
    own = [m for m in found if m.concept.is_problem and m.role != HEALTH_WORKER]
    if any(m.status is Status.PRESENT for m in own) or not any(m.status is Status.FAMILY for m in own):
        return found
    return [
        replace(m, status=Status.PRESENT) if m.status is Status.FAMILY and m.concept.kind == "symptom" and m in own else m
        for m in found
    ]
