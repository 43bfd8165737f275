"""The units of a session's transcript: its tokens in order, with the terms of charged categories as one unit each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial

from parakh.diagnostics import Unit
from parakh.diagnostics.categories import TermSpan, find_all, find_terms
from parakh.diagnostics.setup import Setup
from parakh.metrics._times import word_times
from parakh.text import tiers
from parakh.text.tokens import Kind, Token, tokenize
from parakh.types import Segment

_NONE: frozenset[str] = frozenset()


def units_of(segment: Segment, place: int, setup: Setup, used: tuple[str, ...], language: str | None) -> list[Unit]:
    """The units of one segment.

    Args:
        segment: The segment; its words are read as they stand.
        place: Index of the segment, for the units' ``segment``.
        setup: The choices of the diagnosis.
        used: The tiers that hold.
        language: Of the units; the segment's own wins.

    Returns:
        The units in order. A unit's time is the share of the segment of the white-space word it stands in, by length.

    >>> [unit.text for unit in units_of(Segment("v1", words="500mg लो।"), 0, Setup(), (), "hi")]
    ['500', 'mg', 'लो', '।']
    """
    tokens = tokenize(segment.words)
    fold = folding(used)
    spans = {span.start: span for span in find_terms(tokens, setup.categories, fold)} if setup.categories else {}
    views = _views(tokens, setup, fold)
    time = _times(segment)
    units: list[Unit] = []
    index = 0
    while index < len(tokens):
        span = spans.get(index)
        stop = span.stop if span else index + 1
        first, last = tokens[index], tokens[stop - 1]
        units.append(
            Unit(
                text=" ".join(token.text for token in tokens[index:stop]),
                kind=first.kind if not span else _kind(tokens[index:stop]),
                category=span.category if span else first.kind.value,
                views=_NONE.union(*(views.get(k, _NONE) for k in range(index, stop))) if views else _NONE,
                glued=index > 0 and tokens[index - 1].end == first.start,
                segment=place,
                speaker=segment.speaker,
                time=time(first.start) if time else None,
                language=segment.language or language,
                start=first.start,
                end=last.end,
            )
        )
        index = stop
    return units


@cache
def folding(used: tuple[str, ...]) -> Callable[[str], str]:
    """The folding of words by tiers, one function for the same tiers: lists of terms are prepared once for each."""
    return partial(tiers.fold, tiers=used)


def _kind(tokens: Sequence[Token]) -> Kind:
    """A term with a word in it is a word; one of numerals only is a numeral."""
    kinds = {token.kind for token in tokens}
    return next(kind for kind in (Kind.LEXICAL, Kind.NUMERAL, Kind.PUNCT) if kind in kinds)


def _views(tokens: Sequence[Token], setup: Setup, fold: Callable[[str], str]) -> dict[int, frozenset[str]]:
    """Names of the views that each token belongs to, where there are any."""
    found: dict[int, set[str]] = {}
    for span in _view_spans(tokens, setup, fold):
        for index in range(span.start, span.stop):
            found.setdefault(index, set()).add(span.category)
    return {index: frozenset(names) for index, names in found.items()}


def _view_spans(tokens: Sequence[Token], setup: Setup, fold: Callable[[str], str]) -> Iterator[TermSpan]:
    for view in setup.views:
        yield from find_all(tokens, view, fold)


def _times(segment: Segment) -> Callable[[int], tuple[float, float]] | None:
    """From an offset in the segment's words to the time of the white-space word there; None without times."""
    if segment.start_time is None or segment.end_time is None:
        return None
    words = segment.words.split()
    shares = word_times(words, segment.start_time, segment.end_time)
    ends, offset = [], 0
    for word in words:
        offset = segment.words.index(word, offset) + len(word)
        ends.append(offset)

    def time(start: int) -> tuple[float, float]:
        return shares[bisect_right(ends, start)]

    return time
