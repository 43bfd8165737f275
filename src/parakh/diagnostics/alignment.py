"""Boundary-tolerant alignment: the fewest errors, where a difference in writing is none.

Units of both sides are aligned so that the errors are fewest. Equal after the tiers of the language, or the same by a list
of variants: no error. A mark meets only marks. Stretches of several units may meet as a whole (``spans``, ``terms``). Among
alignments with as few errors, the one with most matches is taken; inside each run of errors, words are then paired so that
those that look alike meet. Every error is charged once: to the category of the reference unit, or of the hypothesis unit if it
was inserted, so that the rates of the categories add up to the total. The number of reference units never depends on the
hypothesis.

Source: the method is SCRIBE's (arXiv 2605.20712). Where we differ on purpose, ``docs/diagnosis.md`` says why.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from parakh import _native
from parakh.collection import uncollected
from parakh.diagnostics import Charge, Event, EventKind, Pair, Unit
from parakh.diagnostics._pairing import Row, pair_alike
from parakh.diagnostics.boundaries import across_words, add_boundaries, solid
from parakh.diagnostics.notations import add_values
from parakh.diagnostics.passages import joined
from parakh.diagnostics.setup import Setup
from parakh.diagnostics.spans import Spans
from parakh.diagnostics.terms import add_terms, word_steps
from parakh.diagnostics.units import units_of
from parakh.diagnostics.writing import joined_spelling, letters, spelling
from parakh.languages import Language
from parakh.metrics._sentences import in_time_order
from parakh.metrics.cpwer import speaker_mapping as without_times
from parakh.metrics.tcpwer import speaker_mapping as with_times
from parakh.text import tiers
from parakh.text.sandhi import PLAIN
from parakh.text.tokens import Kind
from parakh.types import Op, Segment

Folded = tuple[list[str], list[str]]
Times = tuple[NDArray[np.float64], NDArray[np.float64]]
_NO_SPANS, _NO_BLOCKS = (np.empty((0, columns), np.int32) for columns in (4, 5))
_CLASSES = {Kind.PUNCT: 0, Kind.LEXICAL: 1, Kind.NUMERAL: 2}


def align_texts(reference: str, hypothesis: str, setup: Setup) -> list[Pair]:
    """Align two texts.

    Args:
        reference: What was said.
        hypothesis: What the system wrote.
        setup: The choices of the diagnosis.

    Returns:
        The pairs in order; every unit of either side is in exactly one.

    Source: SCRIBE, arXiv 2605.20712.

    >>> pairs = align_texts("भाई साहब ने 250 रुपये दिए", "भाईसाहब ने 205 रुपये दिए", Setup("hi"))
    >>> [(str(event.kind), event.after) for pair in pairs for event in pair.events]
    [('boundary', 'भाईसाहब')]
    >>> [(charge.category, charge.hypothesis.text) for pair in pairs for charge in pair.errors]
    [('NUMERAL', '205')]
    """
    return align_session([Segment("", words=reference)], [Segment("", words=hypothesis)], setup)


def align_session(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], setup: Setup, *, collar: float | None = None
) -> list[Pair]:
    """Align the transcripts of one session, speaker by speaker where both sides have speakers.

    Args:
        reference: The reference segments of the session.
        hypothesis: The system's segments.
        setup: The choices of the diagnosis.
        collar: Seconds by which a hypothesis word is widened on each side, for units to meet only where their times overlap and
            for speakers to be assigned as tcpWER does; None ignores times and assigns speakers as cpWER does.

    Returns:
        One pair of assigned speakers after the other, each in time order; speakers without a partner come as deletions or
        insertions. Segment indices are those of the sequences given.

    Raises:
        InputError: A segment lacks what tcpWER or cpWER needs.

    >>> said = [Segment("v1", "A", 0.0, 1.0, "दवा ली"), Segment("v1", "B", 1.0, 2.0, "जी")]
    >>> [len(pair.errors) for pair in align_session(said, [Segment("v1", "p", 0.0, 1.0, "दवा ली")], Setup("hi"), collar=5.0)]
    [0, 0, 1]
    """
    with uncollected():
        return _aligned(reference, hypothesis, setup, collar)


def _aligned(reference: Sequence[Segment], hypothesis: Sequence[Segment], setup: Setup, collar: float | None) -> list[Pair]:
    language = setup.language_of(reference)
    used = setup.tiers(language.tag)
    pairs: list[Pair] = []
    for said, heard in _streams(reference, hypothesis, collar):
        units = tuple(
            [unit for k in places for unit in units_of(side[k], k, setup, used, language.tag)]
            for side, places in ((reference, said), (hypothesis, heard))
        )
        pairs += _align(units[0], units[1], setup, used, language, collar)
    return pairs


def _streams(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None
) -> Iterator[tuple[list[int], list[int]]]:
    """Indices of the segments that are compared with each other: of assigned speakers, or all where a side has no speakers."""
    orders = in_time_order(reference), in_time_order(hypothesis)
    if any(segment.speaker is None for segment in (*reference, *hypothesis)):
        yield orders
        return
    mapping = without_times(reference, hypothesis) if collar is None else with_times(reference, hypothesis, collar=collar)
    heard_as = {said: heard for heard, said in mapping.items()}
    for speaker in dict.fromkeys(reference[k].speaker for k in orders[0]):
        other = heard_as.get(speaker or "")
        yield _of(reference, orders[0], speaker), _of(hypothesis, orders[1], other) if other is not None else []
    for speaker in dict.fromkeys(hypothesis[k].speaker for k in orders[1]):
        if speaker not in mapping:
            yield [], _of(hypothesis, orders[1], speaker)


def _of(segments: Sequence[Segment], order: Sequence[int], speaker: str | None) -> list[int]:
    return [k for k in order if segments[k].speaker == speaker]


def _align(
    reference: list[Unit], hypothesis: list[Unit], setup: Setup, used: tuple[str, ...], language: Language, collar: float | None
) -> list[Pair]:
    folded = _keys(reference, setup, used), _keys(hypothesis, setup, used)
    times = _times(reference, hypothesis, collar)
    spans = Spans()
    rows: list[Row]
    if not reference or not hypothesis:
        rows = [(k, k + 1, 0, 0, -1, -1) for k in range(len(reference))]
        rows += [(0, 0, k, k + 1, -1, -1) for k in range(len(hypothesis))]
    elif folded[0] == folded[1] and times is None:
        rows = [(k, k + 1, k, k + 1, -1, -1) for k in range(len(reference))]
    else:
        if setup.boundaries:
            joining = across_words(used)
            letters = folded if joining == used else (_keys(reference, setup, joining), _keys(hypothesis, setup, joining))
            add_boundaries(spans, reference, hypothesis, letters, language)
        if setup.numbers:
            add_values(spans, reference, hypothesis, folded, language)
        add_terms(spans, reference, hypothesis, folded)
        rows = _steps(reference, hypothesis, folded, spans, times)
        rows = pair_alike(rows, reference, hypothesis, folded, _overlap(times))
    meeting = _Meeting(reference, hypothesis, folded, spans, used, language)
    return [meeting.pair(*row) for row in rows]


def _keys(units: Sequence[Unit], setup: Setup, used: tuple[str, ...]) -> list[str]:
    """What units are compared by: their folded text, or that of the word they are a variant of."""
    return [setup.canonical(tiers.fold(" ".join(unit.text.split()), used), used) for unit in units]


def _times(reference: Sequence[Unit], hypothesis: Sequence[Unit], collar: float | None) -> Times | None:
    """Intervals in which units may meet, the hypothesis widened around its centre; None where times do not matter."""
    if collar is None:
        return None
    said = [unit.time for unit in reference if unit.time is not None]
    heard = [unit.time for unit in hypothesis if unit.time is not None]
    if len(said) < len(reference) or len(heard) < len(hypothesis):
        return None
    centres = [(start + end) / 2 for start, end in heard]
    widened = [(centre - collar, centre + collar) for centre in centres]
    return np.array(said, np.float64).reshape(-1, 2), np.array(widened, np.float64).reshape(-1, 2)


def _overlap(times: Times | None) -> Callable[[int, int], bool]:
    if times is None:
        return lambda i, j: True
    said, heard = times
    return lambda i, j: bool(said[i, 0] < heard[j, 1] and heard[j, 0] < said[i, 1])


def _steps(reference: Sequence[Unit], hypothesis: Sequence[Unit], folded: Folded, spans: Spans, times: Times | None) -> list[Row]:
    """The cheapest steps, as the kernel finds them."""
    numbers: dict[str, int] = defaultdict(count().__next__)
    said, heard = (_array([numbers[text] for text in side]) for side in folded)
    classes = [np.array([_CLASSES[unit.kind] for unit in side], np.int8) for side in (reference, hypothesis)]
    rows = [_array(side).reshape(-1, 4) if side else _NO_SPANS for side in (spans.reference, spans.hypothesis)]
    first, second = times or (None, None)
    found = _native.align_units(said, heard, classes[0], classes[1], first, second, rows[0], rows[1], _NO_BLOCKS)
    return [(i0, i1, j0, j1, a, b) for i0, i1, j0, j1, a, b in found.tolist()]


def _split(units: Sequence[Unit], used: tuple[str, ...]) -> list[str]:
    """The folded words of units, those of terms one by one."""
    return [tiers.fold(word, used) for unit in units for word in unit.words]


def deleted(unit: Unit) -> Charge:
    """The charge for a unit that nothing stands for."""
    return Charge(Op.DELETION, unit.category, unit, None)


def _array(numbers: Sequence[int] | Sequence[Sequence[int]]) -> NDArray[np.int32]:
    return np.array(numbers, np.int32)


def _word_by_word(said: Sequence[Unit], words: Sequence[str], term: Unit, folded: str) -> tuple[Charge, ...]:
    """The errors of words of the reference against a term of the hypothesis, both as they were compared."""
    charges = []
    for op, i, _ in word_steps(tuple(words), tuple(folded.split())):
        if op is Op.INSERTION:
            charges.append(Charge(op, term.category, None, term))
        elif op is not Op.MATCH and i is not None:
            charges.append(Charge(op, said[i].category, said[i], term if op is Op.SUBSTITUTION else None))
    return tuple(charges)


@dataclass(frozen=True)
class _Meeting:
    """What is needed to tell a step in errors and events."""

    reference: Sequence[Unit]
    hypothesis: Sequence[Unit]
    folded: Folded
    spans: Spans
    used: tuple[str, ...]
    language: Language

    def pair(self, i0: int, i1: int, j0: int, j1: int, a: int, b: int) -> Pair:
        """The pair of a step."""
        said, heard = tuple(self.reference[i0:i1]), tuple(self.hypothesis[j0:j1])
        if a >= 0:
            kind, rule = self.spans.reference_rules[a]
            if kind == "words":
                return Pair(said, heard, _word_by_word(said, self.folded[0][i0:i1], heard[0], self.folded[1][j0]))
            return self._whole(said, heard, kind, rule if rule != PLAIN else self.spans.hypothesis_rules[b][1])
        if not heard:
            return Pair(said, heard, (deleted(said[0]),))
        if not said:
            return Pair(said, heard, (Charge(Op.INSERTION, heard[0].category, None, heard[0]),))
        if self.folded[0][i0] != self.folded[1][j0]:
            return Pair(said, heard, (Charge(Op.SUBSTITUTION, said[0].category, said[0], heard[0]),))
        return Pair(said, heard, (), spelling(said[0].text, heard[0].text, self.used))

    def _whole(self, said: tuple[Unit, ...], heard: tuple[Unit, ...], kind: str, rule: str) -> Pair:
        if kind == "number":
            errors = (Charge(Op.SUBSTITUTION, said[0].category, said[0], heard[0]), *(deleted(unit) for unit in said[1:]))
            return Pair(said, heard, errors)
        if kind == "term":
            return Pair(said, heard, (Charge(Op.SUBSTITUTION, said[0].category, said[0], heard[0]),))
        if kind == "format" and not self._same_letters(said, heard):
            return Pair(said, heard, (), (Event(EventKind.FORMAT, rule, joined(said), joined(heard)),))
        return self._together(said, heard, rule)

    def _same_letters(self, said: Sequence[Unit], heard: Sequence[Unit]) -> bool:
        """Whether both are the same words, written together or apart: no other notation."""
        return (
            len(said) != len(heard)
            and all(unit.kind is Kind.LEXICAL for unit in (*said, *heard))
            and (solid(tiers.fold(letters(said), self.used)) == solid(tiers.fold(letters(heard), self.used)))
        )

    def _together(self, said: tuple[Unit, ...], heard: tuple[Unit, ...], rule: str) -> Pair:
        """Words written together on one side and apart on the other; marks between them are charged."""
        errors = (
            *(deleted(unit) for unit in said if unit.kind is Kind.PUNCT),
            *(Charge(Op.INSERTION, unit.category, None, unit) for unit in heard if unit.kind is Kind.PUNCT),
        )
        words, others = (tuple(unit for unit in side if unit.kind is not Kind.PUNCT) for side in (said, heard))
        spelt = joined_spelling(words, others, rule, across_words(self.used), self.language)
        if _split(words, self.used) == _split(others, self.used):  # the words of a term, with a mark between them
            return Pair(said, heard, errors, spelt)
        name = "hyphen" if rule == PLAIN and len(words) == len(others) == 1 else rule
        return Pair(said, heard, errors, (Event(EventKind.BOUNDARY, name, joined(said), joined(heard)), *spelt))
