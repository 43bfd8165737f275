"""What the word metrics share: statistics of an edit distance, their rates, and the steps of an alignment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from parakh.metrics._times import SAID, word_times
from parakh.results import Stats, ratio
from parakh.types import AlignedWord, Op, Segment


def edit_stats(errors: int, substitutions: int, length: int, hypothesis_length: int) -> Stats:
    """Counts of an alignment; deletions and insertions follow from the lengths of both sides."""
    insertions = (errors - substitutions + hypothesis_length - length) // 2
    deletions = errors - substitutions - insertions
    return Stats(
        errors=errors,
        length=length,
        substitutions=substitutions,
        deletions=deletions,
        insertions=insertions,
        hits=length - substitutions - deletions,
    )


def error_rate(total: Stats) -> float | None:
    """``errors / length``; None when the reference has no words."""
    return ratio(total["errors"], total["length"])


def rates(total: Stats) -> Mapping[str, float | None]:
    """The three kinds of error, each as a share of the reference length."""
    kinds = {"substitution": "substitutions", "deletion": "deletions", "insertion": "insertions"}
    return {name: ratio(total[key], total["length"]) for name, key in kinds.items()}


class Place(NamedTuple):
    """A word of a session: the index of its segment, who said it, and its (start, end) in seconds, as far as known."""

    word: str
    segment: int
    speaker: str | None = None
    time: tuple[float, float] | None = None


def places(index: int, segment: Segment, text: str, timing: str = SAID) -> list[Place]:
    """The words of a transcript of a segment, each with its share of the segment's time."""
    return _placed(text.split(), index, segment, timing)


def sign_places(index: int, segment: Segment, text: str, timing: str = SAID) -> list[Place]:
    """The code points of a transcript of a segment, with a space before every word, each with its share of the time."""
    return _placed([sign for word in text.split() for sign in f" {word}"], index, segment, timing)


def _placed(words: Sequence[str], index: int, segment: Segment, timing: str) -> list[Place]:
    start, end = segment.start_time, segment.end_time
    if start is None or end is None:
        return [Place(word, index, segment.speaker) for word in words]
    times = word_times(words, start, end, timing)
    return [Place(word, index, segment.speaker, time) for word, time in zip(words, times, strict=True)]


def aligned_word(reference: Place | None, hypothesis: Place | None) -> AlignedWord:
    """One step of an alignment; at least one side is there."""
    if reference is None:
        word, segment, speaker, time = hypothesis or Place("", -1)
        return AlignedWord(Op.INSERTION, None, word, None, segment, None, speaker, None, time)
    if hypothesis is None:
        return AlignedWord(Op.DELETION, reference[0], None, reference[1], None, reference[2], None, reference[3])
    op = Op.MATCH if reference[0] == hypothesis[0] else Op.SUBSTITUTION
    said, first, who, when = reference
    heard, second, whom, then = hypothesis
    return AlignedWord(op, said, heard, first, second, who, whom, when, then)
