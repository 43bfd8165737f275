"""The units of a session's transcript: its tokens in order, with the terms of charged categories as one unit each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial

from parakh.diagnostics import Unit
from parakh.diagnostics.categories import Category, TermSpan, beginnings, find_all, find_terms
from parakh.diagnostics.setup import Setup
from parakh.metrics._times import word_times
from parakh.text import tiers
from parakh.text.tokens import Kind, Token, tokenize
from parakh.types import Segment

_NONE: frozenset[str] = frozenset()
_NAMES = {kind: kind.value for kind in Kind}


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
    tokens = _tokens(segment.words)
    fold = folding(used)
    spans = {span.start: span for span in find_terms(tokens, setup.categories, fold)} if setup.categories else {}
    views = _views(tokens, setup, fold) if setup.views else {}
    if not spans and not views and segment.start_time is None:
        return _plain_units(tokens, place, segment.speaker, segment.language or language)
    time = _times(segment)
    language = segment.language or language
    speaker, before = segment.speaker, -1
    units: list[Unit] = []
    index = 0
    while index < len(tokens):
        text, kind, start, end = tokens[index]
        category, seen = _NAMES[kind], views.get(index, _NONE)
        glued, before = start == before, end
        stop = index + 1
        if index in spans:
            stop, category = spans[index].stop, spans[index].category
            text, kind = " ".join(token.text for token in tokens[index:stop]), _kind(tokens[index:stop])
            end = before = tokens[stop - 1].end
            seen = _NONE.union(*(views.get(k, _NONE) for k in range(index, stop)))
        at = time(start) if time else None
        units.append(Unit(text, kind, category, seen, glued, place, speaker, at, language, start, end))
        index = stop
    return units


def _plain_units(tokens: Sequence[Token], place: int, speaker: str | None, language: str | None) -> list[Unit]:
    """Of a segment without terms and times, as most of a corpus of utterances are."""
    before, units = -1, []
    for text, kind, start, end in tokens:
        units.append(Unit(text, kind, _NAMES[kind], _NONE, start == before, place, speaker, None, language, start, end))
        before = end
    return units


def _tokens(text: str) -> list[Token]:
    """As ``tokenize``, which no white space crosses: each word is cut once."""
    tokens, start = [], 0
    for word in text.split():
        start = text.index(word, start)
        tokens += [Token(piece, kind, start + first, start + last) for piece, kind, first, last in pieces_of(word)]
        start += len(word)
    return tokens


@lru_cache(maxsize=131072)
def pieces_of(word: str) -> tuple[Token, ...]:
    """The tokens of one word, remembered, as the words of a corpus recur.

    >>> [piece.text for piece in pieces_of("लो।")]
    ['लो', '।']
    """
    return tuple(tokenize(word))


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
    begun = beginnings(setup.views, fold)
    wanted = set[Category]().union(*[begun[token.text] for token in tokens])
    for view in setup.views if wanted else ():
        if view in wanted:
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
