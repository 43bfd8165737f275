"""Terms of several words against what stands in their place: one unit, compared by its words.

One wrong word in a term of the reference is one error, and the rest of its words are not inserted; a term of the hypothesis that
has no counterpart is compared word by word, as if it were no term.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from parakh.diagnostics import Unit
from parakh.diagnostics.spans import Spans, Stretch
from parakh.text.tokens import Kind
from parakh.types import Op


def add_terms(spans: Spans, reference: Sequence[Unit], hypothesis: Sequence[Unit], folded: tuple[list[str], list[str]]) -> None:
    """Add the stretches that share half of the words of a term of the other side.

    Args:
        spans: Where the rows go.
        reference: Units of the reference.
        hypothesis: Units of the hypothesis.
        folded: The folded text of each unit, of either side.
    """
    for term, places in _terms(reference, folded[0]).items():
        partial = [Stretch(start, stop, 0, term) for start, stop in _sharing(term, hypothesis, folded[1])]
        if partial:
            spans.add(spans.new_key(), [Stretch(place, place + 1, 1, term) for place in places], partial, "term")
    for term, places in _terms(hypothesis, folded[1]).items():
        by_words: dict[tuple[str, ...], list[tuple[int, int]]] = {}
        for start, stop in _sharing(term, reference, folded[0], 1):
            by_words.setdefault(tuple(folded[0][start:stop]), []).append((start, stop))
        for words, stretches in by_words.items():
            cost = sum(op is not Op.MATCH for op, _, _ in word_steps(words, tuple(term.split())))
            said = [Stretch(start, stop, cost, term) for start, stop in stretches]
            spans.add(spans.new_key(), said, [Stretch(place, place + 1, 0, term) for place in places], "words")


def _terms(units: Sequence[Unit], folded: Sequence[str]) -> dict[str, list[int]]:
    """Where each term of several words stands."""
    found: dict[str, list[int]] = {}
    for place, unit in enumerate(units):
        if " " in folded[place] and unit.kind is not Kind.PUNCT:
            found.setdefault(folded[place], []).append(place)
    return found


def _sharing(term: str, units: Sequence[Unit], folded: Sequence[str], more: int = 0) -> Iterator[tuple[int, int]]:
    """Two or more neighbouring words, ``more`` beyond as many as the term has at most, that share at least half of its words."""
    words = term.split()
    wanted, least = Counter(words), -(-len(words) // 2)
    first, most = set(words), len(words) + more
    near = {start for place, word in enumerate(folded) if word in first for start in range(place - most + 1, place + 1)}
    for start in sorted(one for one in near if one >= 0):
        for stop in range(start + 2, min(start + most, len(units)) + 1):
            kinds = {unit.kind for unit in units[start:stop]}
            if Kind.PUNCT not in kinds and (wanted & Counter(folded[start:stop])).total() >= least:
                yield start, stop


@lru_cache(maxsize=4096)
def word_steps(reference: tuple[str, ...], hypothesis: tuple[str, ...]) -> tuple[tuple[Op, int | None, int | None], ...]:
    """The cheapest steps from one short sequence of words to another, with indices of either side.

    >>> [str(op) for op, _, _ in word_steps(("iron", "tablet"), ("iron", "pills", "now"))]
    ['match', 'insertion', 'substitution']
    """
    from rapidfuzz.distance import Levenshtein

    steps: list[tuple[Op, int | None, int | None]] = []
    for code in Levenshtein.opcodes(reference, hypothesis):
        said, heard = range(code.src_start, code.src_end), range(code.dest_start, code.dest_end)
        if said and heard:
            op = Op.MATCH if code.tag == "equal" else Op.SUBSTITUTION
            steps += [(op, i, j) for i, j in zip(said, heard, strict=True)]
        steps += [(Op.DELETION, i, None) for i in said if not heard]
        steps += [(Op.INSERTION, None, j) for j in heard if not said]
    return tuple(steps)
