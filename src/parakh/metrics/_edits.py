"""What the word metrics share: statistics of an edit distance, their rates, and the steps of an alignment."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein

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


def sequence_stats(reference: array[int] | str, hypothesis: array[int] | str) -> Stats:
    """Counts of the alignment that rapidfuzz (and with it jiwer) makes of two sequences."""
    steps = Levenshtein.editops(reference, hypothesis).as_list()
    substitutions = sum(step[0] == "replace" for step in steps)
    return edit_stats(len(steps), substitutions, len(reference), len(hypothesis))


def sequence_steps(reference: array[int], hypothesis: array[int]) -> Iterator[tuple[int | None, int | None]]:
    """The same alignment, step by step: a pair of indices, None where a side has no word."""
    for step in Levenshtein.opcodes(reference, hypothesis):
        first, second = range(step.src_start, step.src_end), range(step.dest_start, step.dest_end)
        if step.tag == "insert":
            yield from ((None, j) for j in second)
        elif step.tag == "delete":
            yield from ((i, None) for i in first)
        else:
            yield from zip(first, second, strict=True)


class Place(NamedTuple):
    """A word of a session: the index of its segment, who said it, and its (start, end) in seconds, as far as known."""

    word: str
    segment: int
    speaker: str | None = None
    time: tuple[float, float] | None = None


def places(index: int, segment: Segment, text: str, timing: str = SAID) -> list[Place]:
    """The words of a transcript of a segment, each with its share of the segment's time."""
    words = text.split()
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
