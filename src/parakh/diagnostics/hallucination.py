"""Words nobody said: phrases in a loop, words over silence, long runs of insertions that no other speaker said.

A loop is a phrase that stands at least 4 times in a row in the hypothesis, and at least 3 times more often than the reference
has it in a row there.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import groupby

import numpy as np

from parakh.diagnostics import Pair, Unit
from parakh.diagnostics.passages import SAME_WORDS, Corpus, Example, example_at, joined
from parakh.text.tokens import Kind
from parakh.types import Segment

LEAST_REPEATS = 4
LEAST_RUN = 6
COLLAR = 0.5
_LONGEST_PHRASE = 24
_REPEATED_SIGNS = re.compile(r"(\S{1,8}?)\1{7,}")


@dataclass(frozen=True, slots=True)
class Loop:
    """A phrase said over and over.

    Args:
        text: The phrase, once.
        count: How often it stands in a row.
        reference_count: How often it stands in a row where the reference speaks.
        example: The place of all of it.
    """

    text: str
    count: int
    reference_count: int
    example: Example


@dataclass(frozen=True, slots=True)
class Hallucination:
    """Words that nobody said.

    Args:
        kind: "empty reference" (a recording or a segment without words), "silence" (further than the collar from every
            segment with words) or "run" (at least 6 insertions in a row beside speech).
        text: The words.
        words: How many.
        example: The place.
    """

    kind: str
    text: str
    words: int
    example: Example


def loops(corpus: Corpus) -> tuple[Loop, ...]:
    """The phrases that a hypothesis repeats beyond the reference.

    Args:
        corpus: (session_id, pair) of every recording, in order.

    Returns:
        One record a place, in the order of the corpus; a loop inside one word counts its repeated signs.

    >>> from parakh.diagnostics import Charge
    >>> from parakh.types import Op
    >>> word = Unit("हाँ", Kind.LEXICAL, "LEXICAL")
    >>> more = Pair((), (word,), (Charge(Op.INSERTION, "LEXICAL", None, word),))
    >>> [(one.text, one.count) for one in loops([("v", Pair((word,), (word,))), *[("v", more)] * 3])]
    [('हाँ', 4)]
    """
    voices: dict[tuple[str, str | None], list[tuple[int, Unit]]] = defaultdict(list)
    found: list[tuple[int, Loop]] = []
    for at, (session, pair) in enumerate(corpus):
        for unit in pair.hypothesis:
            if unit.kind is not Kind.PUNCT:
                voices[session, unit.speaker].append((at, unit))
            if pair.errors:
                found.extend((at, loop) for loop in _inside(corpus, at, unit))
    for said in voices.values():
        found.extend(_loops_of(corpus, said))
    return tuple(loop for _, loop in sorted(found, key=lambda one: one[0]))


def hallucinations(corpus: Corpus, reference: Sequence[Segment], collar: float = COLLAR) -> tuple[Hallucination, ...]:
    """The inserted words where the reference has no speech, and long runs of them anywhere.

    Args:
        corpus: (session_id, pair) of every recording, in order.
        reference: Every segment of the reference, those without words included.
        collar: Seconds around a segment with words that still count as speech.

    Returns:
        One record a place, in the order of the corpus.

    >>> from parakh.diagnostics import Charge
    >>> from parakh.types import Op
    >>> word = Unit("नमस्ते", Kind.LEXICAL, "LEXICAL")
    >>> pair = Pair((), (word,), (Charge(Op.INSERTION, "LEXICAL", None, word),))
    >>> [(one.kind, one.text) for one in hallucinations([("v", pair)], [Segment("v")])]
    [('empty reference', 'नमस्ते')]
    """
    speech, silent = _Spans.of(reference, True), _Spans.of(reference, False)
    spoken = {session for session, pair in corpus if pair.reference}
    found: list[Hallucination] = []

    def place(at: int) -> str:
        session, pair = corpus[at]
        if session not in spoken:
            return "empty reference"
        time = pair.hypothesis[0].time
        if time is None or not speech.known(session) or speech.near(session, time, collar):
            return "run"
        return "empty reference" if silent.near(session, time, 0.0) else "silence"

    inserted = [at for at, (_, pair) in enumerate(corpus) if _is_inserted(pair)]
    lost = _lost(corpus)
    for kind, places in _runs(corpus, inserted, place):
        words = [unit for at in places for unit in corpus[at][1].hypothesis]
        count = sum(unit.kind is not Kind.PUNCT for unit in words)
        if kind == "run" and _said_by_another(words, lost[corpus[places[0]][0]]):
            continue
        if count >= (LEAST_RUN if kind == "run" else 1):
            found.append(Hallucination(kind, joined(words), count, example_at(corpus, places[0], places[-1] + 1)))
    return tuple(found)


def _lost(corpus: Corpus) -> dict[str, list[Unit]]:
    """The reference words of each recording that nothing stands for."""
    found: dict[str, list[Unit]] = defaultdict(list)
    for session, pair in corpus:
        if not pair.hypothesis:
            found[session] += [unit for unit in pair.reference if unit.kind is not Kind.PUNCT]
    return found


def _said_by_another(run: Sequence[Unit], lost: Sequence[Unit]) -> bool:
    """Whether half of the words of a run are lost about then: they were said, and written under a wrong speaker."""
    times = [unit.time for unit in run if unit.time is not None]
    start, end = (times[0][0] - SAME_WORDS, times[-1][1] + SAME_WORDS) if times else (0.0, 0.0)
    near = Counter(unit.text for unit in lost if unit.time is None or not times or start <= unit.time[0] <= end)
    words = Counter(unit.text for unit in run if unit.kind is not Kind.PUNCT)
    return 2 * (near & words).total() >= words.total() > 0


def _is_inserted(pair: Pair) -> bool:
    return bool(pair.hypothesis) and not pair.reference


def _runs(corpus: Corpus, inserted: Sequence[int], place: Callable[[int], str]) -> Iterator[tuple[str, list[int]]]:
    """Insertions next to one another in one recording and of one kind, from a list of pair indices."""
    keyed = ((corpus[at][0], at - order, place(at), at) for order, at in enumerate(inserted))
    for (_, _, kind), group in groupby(keyed, key=lambda one: one[:3]):
        yield kind, [at for *_, at in group]


@dataclass(frozen=True, slots=True)
class _Spans:
    """Sorted, disjoint stretches of time of each recording."""

    starts: dict[str, list[float]]
    ends: dict[str, list[float]]

    @classmethod
    def of(cls, segments: Sequence[Segment], with_words: bool) -> _Spans:
        starts: dict[str, list[float]] = defaultdict(list)
        ends: dict[str, list[float]] = defaultdict(list)
        timed = [one for one in segments if one.start_time is not None and bool(one.words.strip()) is with_words]
        for one in sorted(timed, key=lambda one: (one.start_time, one.end_time)):
            start, end = one.start_time or 0.0, one.end_time or 0.0
            if ends[one.session_id] and start <= ends[one.session_id][-1]:
                ends[one.session_id][-1] = max(end, ends[one.session_id][-1])
            else:
                starts[one.session_id].append(start)
                ends[one.session_id].append(end)
        return cls(dict(starts), dict(ends))

    def known(self, session: str) -> bool:
        return session in self.starts

    def near(self, session: str, time: tuple[float, float], collar: float) -> bool:
        """Whether a stretch comes within the collar of a time."""
        ends = self.ends.get(session, [])
        at = bisect_left(ends, time[0] - collar)
        return at < len(ends) and self.starts[session][at] <= time[1] + collar


def _inside(corpus: Corpus, at: int, unit: Unit) -> Iterator[Loop]:
    said = joined(corpus[at][1].reference)
    for match in _REPEATED_SIGNS.finditer(unit.text):
        if unit.kind is Kind.LEXICAL and match[0] not in said:
            yield Loop(match[1], len(match[0]) // len(match[1]), 0, example_at(corpus, at))


def _loops_of(corpus: Corpus, said: Sequence[tuple[int, Unit]]) -> Iterator[tuple[int, Loop]]:
    words = [unit.text.casefold() for _, unit in said]
    runs = _repeats(words)
    covered = 0
    while runs:
        start, length, stop = heappop(runs)
        if start < covered:
            heappush(runs, (covered, length, stop))
            continue
        count = (stop - start) // length
        if count < LEAST_REPEATS:
            continue
        end = start + length * count
        first, last = said[start][0], said[end - 1][0]
        meant = (unit for _, pair in corpus[first : last + 1] for unit in pair.reference)
        spoken = [unit.text.casefold() for unit in meant if unit.kind is not Kind.PUNCT]
        times = _most_in_a_row(spoken, words[start : start + length])
        if count - max(times, 1) >= LEAST_REPEATS - 1:
            covered = end
            text = joined(unit for _, unit in said[start : start + length])
            yield first, Loop(text, count, times, example_at(corpus, first, last + 1))


def _repeats(words: Sequence[str]) -> list[tuple[int, int, int]]:
    """(start, length of the phrase, end) of every stretch in which a phrase stands often in a row, as a heap."""
    ids: dict[str, int] = {}
    if len(words) - len(set(words)) < LEAST_REPEATS - 1:  # no word stands there often enough
        return []
    row = np.array([ids.setdefault(word, len(ids)) for word in words], dtype=np.int64)
    found: list[tuple[int, int, int]] = []
    for length in range(1, min(_LONGEST_PHRASE, len(words) // LEAST_REPEATS) + 1):
        same = np.flatnonzero(np.diff(np.concatenate(([0], row[length:] == row[:-length], [0]))))
        for start, stop in zip(same[::2].tolist(), same[1::2].tolist(), strict=True):
            if stop - start >= (LEAST_REPEATS - 1) * length:
                found.append((start, length, stop + length))
    return sorted(found)


def _most_in_a_row(words: Sequence[str], phrase: Sequence[str]) -> int:
    best, length = 0, len(phrase)
    for start in range(len(words)):
        times = 0
        while words[start + times * length : start + (times + 1) * length] == phrase:
            times += 1
        best = max(best, times)
    return best
