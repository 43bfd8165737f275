"""Which speaker is the health worker and which the health seeker, from the file's roles or from how they talk.

Where the file tells no roles, each speaker has a score, and the probability to be the health worker is

    p(speaker) = exp(score) / sum over all speakers of exp(score)

The score adds what was said, where there is text in a language whose cues are known (``text``: points a sentence for asking,
advising, addressing and naming a medicine, test or advice, less those for speaking of the self and answering yes or no), and how
the turns go, where there are enough of them: who opens, how much of the talk is whose, and how long turns are. Who closes, and
how many turns are hardly more than a nod, said nothing more where it was measured.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import median

from parakh.clinical.cues import endings, phrases
from parakh.clinical.folding import Word, words_of
from parakh.clinical.matching import find
from parakh.types import Segment

HEALTH_WORKER = "health_worker"
HEALTH_SEEKER = "health_seeker"
_WORKER_NAMES = ("worker", "doctor", "clinician", "asha", "anm", "nurse", "physician", "hw", "provider")
ATTENDANT_NAMES = ("attendant", "companion", "relative", "caregiver", "accompan")
_SEEKER_NAMES = ("seeker", "patient", "hs", "guest", *ATTENDANT_NAMES)
_WEIGHTS = {"text": 2.7, "opens": 0.57, "talk": 0.47, "length": 0.48}
"""Fitted on the first half of the visits of primock57 (benchmarks/roles.py --fit)."""
_SURE = 0.75
"""The least probability with which somebody is called the health worker."""
_FEWEST_TURNS = 8
"""Turns of a conversation below which their statistics say nothing."""


def assign_roles(segments: Sequence[Segment]) -> dict[str, str | None]:
    """The role of every speaker of one conversation.

    The file's own roles win. Otherwise the speaker who is the health worker with a probability of at least 0.75 by what is said
    and how the turns go is taken for it, and the others for health seekers. Turns without text are enough.

    Args:
        segments: The turns of one recording, in order.

    Returns:
        ``health_worker``, ``health_seeker`` or, where unsure, None, by speaker; turns without a speaker are left out.

    >>> turns = [Segment("v", "a", words="क्या तकलीफ है आपको? बताइए।"), Segment("v", "b", words="मुझे दो दिन से बुखार है।")]
    >>> assign_roles(turns)
    {'a': 'health_worker', 'b': 'health_seeker'}
    """
    named: dict[str, Counter[str]] = defaultdict(Counter)
    speakers = dict.fromkeys(segment.speaker for segment in segments if segment.speaker is not None)
    for segment in segments:
        if segment.speaker is None:
            continue
        role = canonical_role(segment.role)
        if role is not None:
            named[segment.speaker][role] += 1
    if named:
        return {speaker: named[speaker].most_common(1)[0][0] if named[speaker] else None for speaker in speakers}
    likely = worker_probabilities(segments)
    worker = max(likely, key=lambda speaker: likely[speaker], default=None)
    if worker is None or likely[worker] < _SURE:
        return dict.fromkeys(speakers)
    told = {speaker: HEALTH_WORKER if speaker == worker else HEALTH_SEEKER for speaker in likely}
    return {speaker: told.get(speaker) for speaker in speakers}


def with_roles(turns: Sequence[Segment]) -> tuple[Segment, ...]:
    """The turns with the role of each speaker, where it is told or can be; what a turn says of itself stays.

    >>> said = [Segment("v", "a", words="क्या तकलीफ है आपको? बताइए।"), Segment("v", "b", words="मुझे दो दिन से बुखार है।")]
    >>> [turn.role for turn in with_roles(said)]
    ['health_worker', 'health_seeker']
    """
    roles = assign_roles(turns)
    return tuple(replace(turn, role=turn.role or roles.get(turn.speaker or "")) for turn in turns)


def worker_probabilities(segments: Sequence[Segment]) -> dict[str, float]:
    """How likely each speaker of one conversation is its health worker, by what is said and how the turns go.

    Args:
        segments: The turns of one recording; times, or else words, tell how long they are. Roles of the file are not looked at.

    Returns:
        Probabilities in [0, 1] that sum to 1, by speaker in order of the first turn; empty with fewer than two speakers who say
        anything.

    >>> worker_probabilities([Segment("v", "a", 0.0, 4.0), Segment("v", "b", 4.0, 8.0)])
    {'a': 0.5, 'b': 0.5}
    """
    turns: dict[str, list[Segment]] = defaultdict(list)
    for segment in segments:
        if segment.speaker is not None and (segment.duration > 0 or segment.words.strip()):
            turns[segment.speaker].append(segment)
    if len(turns) < 2:
        return {}
    scores = {
        speaker: sum(_WEIGHTS[name] * value for name, value in own.items()) for speaker, own in _features(segments, turns).items()
    }
    most = max(scores.values())
    parts = {speaker: math.exp(score - most) for speaker, score in scores.items()}
    whole = math.fsum(parts.values())
    return {speaker: part / whole for speaker, part in parts.items()}


def _features(segments: Sequence[Segment], turns: Mapping[str, Sequence[Segment]]) -> dict[str, dict[str, float]]:
    """What is measured of each speaker; what says nothing is left out for all."""
    found: dict[str, dict[str, float]] = {speaker: {} for speaker in turns}
    talk = {speaker: [words for turn in own if (words := words_of(turn.words))] for speaker, own in turns.items()}
    if all(talk.values()):
        for speaker, said in talk.items():
            found[speaker]["text"] = _worker_score(said)
    if sum(map(len, turns.values())) < _FEWEST_TURNS:
        return found
    timed = all(turn.duration > 0 for own in turns.values() for turn in own)
    first = next(segment.speaker for segment in _in_order(segments, timed) if segment.speaker in turns)
    for speaker, own in turns.items():
        lengths = [turn.duration if timed else float(len(turn.words.split())) for turn in own]
        found[speaker] |= {
            "opens": float(speaker == first),
            "talk": math.log(math.fsum(lengths)),
            "length": math.log(median(lengths)),
        }
    return found


def _in_order(segments: Sequence[Segment], timed: bool) -> Sequence[Segment]:
    return sorted(segments, key=lambda turn: turn.start_time or 0.0) if timed else segments


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
