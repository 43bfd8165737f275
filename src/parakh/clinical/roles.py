"""Which speaker is the health worker and which the health seeker, from the file's roles or from how they talk."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from parakh.clinical.cues import endings, phrases
from parakh.clinical.folding import Word, words_of
from parakh.clinical.matching import find
from parakh.types import Segment

HEALTH_WORKER = "health_worker"
HEALTH_SEEKER = "health_seeker"
_WORKER_NAMES = ("worker", "doctor", "clinician", "asha", "anm", "nurse", "physician", "hw", "provider")
ATTENDANT_NAMES = ("attendant", "companion", "relative", "caregiver", "accompan")
_SEEKER_NAMES = ("seeker", "patient", "hs", "guest", *ATTENDANT_NAMES)
_MARGIN = 0.15


def assign_roles(segments: Sequence[Segment]) -> dict[str, str | None]:
    """The role of every speaker of one conversation.

    The file's own roles win. Otherwise each speaker gets a point a sentence that asks, advises, addresses ("you") or names
    a medicine, a test or an advice, less one that speaks of the self or begins a turn with yes or no; the speaker with
    the most points a sentence is the health worker when the lead is clear.

    Args:
        segments: The turns of one recording, in order.

    Returns:
        ``health_worker``, ``health_seeker`` or, where unsure, None, by speaker; turns without a speaker are left out.

    >>> turns = [Segment("v", "a", words="क्या तकलीफ है आपको? बताइए।"), Segment("v", "b", words="मुझे दो दिन से बुखार है।")]
    >>> assign_roles(turns)
    {'a': 'health_worker', 'b': 'health_seeker'}
    """
    named: dict[str, Counter[str]] = defaultdict(Counter)
    talk: dict[str, list[tuple[Word, ...]]] = defaultdict(list)
    for segment in segments:
        if segment.speaker is None:
            continue
        talk[segment.speaker].append(words_of(segment.words))
        role = canonical_role(segment.role)
        if role is not None:
            named[segment.speaker][role] += 1
    if named:
        return {speaker: named[speaker].most_common(1)[0][0] if named[speaker] else None for speaker in talk}
    return _guess(talk)


def canonical_role(role: str | None) -> str | None:
    """``health_worker`` or ``health_seeker`` for what a file calls them ("Doctor", "PATIENT", "HW"); None for anything else."""
    name = (role or "").casefold().replace("-", "_")
    parts = name.split("_")
    if any(known in name if len(known) > 2 else known in parts for known in _WORKER_NAMES):
        return HEALTH_WORKER
    if any(known in name if len(known) > 2 else known in parts for known in _SEEKER_NAMES):
        return HEALTH_SEEKER
    return None


def asks(words: Sequence[Word], start: int, end: int) -> bool:
    """Whether a sentence asks something: a question mark, a question word or a questioning verb ending."""
    if start >= end:
        return False
    if words[start].asked or phrases("question", "word").within(words, start, end):
        return True
    suffixes = endings("question", "suffix")
    return any(word.tight.endswith(suffixes) and word.tight.isalpha() is False for word in words[start:end])


def asks_after_child(segments: Sequence[Segment]) -> bool:
    """Whether somebody asks what is wrong with a child ("मुन्नी को क्या हुआ?")."""
    for segment in segments:
        words = words_of(segment.words)
        for start, end in sentences_of(words):
            if phrases("question", "trouble").within(words, start, end) and phrases("family", "child").within(words, start, end):
                return True
    return False


def sentences_of(words: Sequence[Word]) -> list[tuple[int, int]]:
    """The (first word, word after the last) of every sentence."""
    starts = [at for at in range(len(words)) if at == 0 or words[at].sentence != words[at - 1].sentence]
    ends = [*starts[1:], len(words)] if starts else []
    return list(zip(starts, ends, strict=True))


def _guess(talk: dict[str, list[tuple[Word, ...]]]) -> dict[str, str | None]:
    score = {speaker: _worker_score(turns) for speaker, turns in talk.items() if any(turns)}
    ranked = sorted(score, key=lambda speaker: -score[speaker])
    if len(ranked) < 2 or score[ranked[0]] - score[ranked[1]] < _MARGIN:
        return dict.fromkeys(talk)
    others = dict.fromkeys(ranked[1:], HEALTH_SEEKER)
    return {**dict.fromkeys(talk), **others, ranked[0]: HEALTH_WORKER}


def _worker_score(turns: Sequence[tuple[Word, ...]]) -> float:
    points, total = 0.0, 0
    for words in turns:
        spans = sentences_of(words)
        total += len(spans)
        points += sum(_sentence_score(words, start, end) for start, end in spans)
        points += len({words[m.start].sentence for m in find(words, None) if not m.concept.is_problem})
        points -= bool(words) and (_begins(words, "yes") or _begins(words, "no"))
    return points / total


def _sentence_score(words: Sequence[Word], start: int, end: int) -> int:
    signs = (
        asks(words, start, end),
        phrases("advice", "do").within(words, start, end),
        phrases("role", "worker").within(words, start, end),
    )
    return sum(signs) - phrases("role", "seeker").within(words, start, end)


def _begins(words: Sequence[Word], answer: str) -> bool:
    return phrases("question", answer).at(words, 0, len(words)) is not None
