"""The same value in another notation, and what a number may stand for.

Values are read over the tokens of a side, so that a number inside a term is seen ("500 mg" as a term). A value that fills units
meets the same value of the other side. A term that holds values meets a stretch with the same values and words in order:
"500 mg" and "पाँच सौ मिलीग्राम". A number of k units and a longer phrase of another value are k errors: the phrase counts as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from parakh.diagnostics import Unit
from parakh.diagnostics.spans import Spans, Stretch
from parakh.languages import Language
from parakh.languages.values import ValueSpan, value_spans
from parakh.text.tokens import Kind, Token

_COUNTED = frozenset({"number", "date", "time", "ratio", "currency", "ordinal", "digits", "range"})
_MOST_READINGS = 16
"""Of a term: more are not looked for."""
_MOST_REMEMBERED = 100
"""Tokens of a text whose values are remembered: it is aligned twice, and read for alarms."""


class _Piece(NamedTuple):
    """Tokens from one place to another that say something: a value by its keys, or a word by itself."""

    stop: int
    keys: tuple[str, ...]


Pieces = list[list[_Piece]]
"""What begins at each token."""


class _Side(NamedTuple):
    """The tokens of one side: their folded words, the unit that begins at each, if one does, and the values they say."""

    words: list[str]
    unit_at: dict[int, int]
    values: tuple[ValueSpan, ...]


def add_values(
    spans: Spans, reference: Sequence[Unit], hypothesis: Sequence[Unit], folded: tuple[list[str], list[str]], language: Language
) -> None:
    """Add the same values in other notations, and let a number phrase stand for another number as one substitution.

    Args:
        spans: Where the rows go.
        reference: Units of the reference.
        hypothesis: Units of the hypothesis.
        folded: The folded text of each unit, of either side.
        language: Whose numbers, units and dates are read.
    """
    said = _side(reference, folded[0], language)
    heard = _side(hypothesis, folded[1], language) if said.values else None
    if heard is None or not heard.values:
        return
    whole = _whole(said), _whole(heard)
    keys: dict[str, tuple[list[Stretch], list[Stretch]]] = {}
    for place, side in enumerate(whole):
        for stretch, span in side:
            for key in span.alike:
                keys.setdefault(key, ([], []))[place].append(stretch)
    for key in sorted(keys):
        if all(keys[key]):
            spans.add(spans.new_key(), *keys[key], "format")
    if len(said.words) > len(reference) or len(heard.words) > len(hypothesis):
        _add_terms(spans, said, heard)
    _add_changed_numbers(spans, *([stretch for stretch, span in side if span.kind in _COUNTED] for side in whole))


def _side(units: Sequence[Unit], folded: Sequence[str], language: Language) -> _Side:
    if not any(" " in text for text in folded):
        texts = [unit.text for unit in units]
        onto = [place for place, unit in enumerate(units) if unit.glued and place and texts[place - 1].isdecimal()]
        unit_at = dict(enumerate(range(len(units) + 1)))
        return _Side(list(folded), unit_at, values_of(tuple(texts), language.tag, tuple(onto)))
    texts, onto, unit_at = [], [], {}
    words: list[str] = []
    for place, (unit, text) in enumerate(zip(units, folded, strict=True)):
        unit_at[len(texts)] = place
        if unit.glued and texts and texts[-1].isdecimal():
            onto.append(len(texts))
        parts = unit.words
        texts += parts
        words += text.split() if len(parts) > 1 and len(text.split()) == len(parts) else [text, *parts[1:]]
    unit_at[len(texts)] = len(units)
    return _Side(words, unit_at, values_of(tuple(texts), language.tag, tuple(onto)))


def values_of(texts: tuple[str, ...], tag: str | None, onto: tuple[int, ...] = ()) -> tuple[ValueSpan, ...]:
    """As ``value_spans``, by the texts of the tokens; remembered for short texts, which are read several times.

    Args:
        texts: The tokens.
        tag: BCP-47 primary tag of their language; None if unknown.
        onto: Indices of those that are written onto digits, as in "4थी".

    >>> [span.keys for span in values_of(("ढाई", "सौ"), "hi")]
    [('n:250',)]
    """
    return (_values_of if len(texts) <= _MOST_REMEMBERED else _values_of.__wrapped__)(texts, tag, onto)


@lru_cache(maxsize=1 << 16)
def _values_of(texts: tuple[str, ...], tag: str | None, onto: tuple[int, ...]) -> tuple[ValueSpan, ...]:
    tokens, end = list[Token](), 0
    glued = frozenset(onto)
    for at, text in enumerate(texts):
        start = end + (at not in glued)
        end = start + len(text)
        tokens.append(Token(text, Kind.LEXICAL, start, end))
    return tuple(value_spans(tokens, tag))


def _whole(side: _Side) -> list[tuple[Stretch, ValueSpan]]:
    """The values that fill units, by those units."""
    at = side.unit_at
    filling = (span for span in side.values if span.start in at and span.stop in at)
    return [(Stretch(at[span.start], at[span.stop], 0, span.kind), span) for span in filling]


def _add_terms(spans: Spans, said: _Side, heard: _Side) -> None:
    """Let terms that hold values meet what says the same in the other side."""
    pieces = _pieces(said), _pieces(heard)
    for place, stretches in _meeting(said, heard, pieces):
        spans.add(spans.new_key(), [Stretch(place, place + 1, 0, "value")], stretches, "format")
    for place, stretches in _meeting(heard, said, pieces[::-1]):
        spans.add(spans.new_key(), stretches, [Stretch(place, place + 1, 0, "value")], "format")


def _pieces(side: _Side) -> Pieces:
    """What begins at each token: the word, and the values."""
    pieces = [[_Piece(place + 1, (f"w:{word}",))] for place, word in enumerate(side.words)]
    for span in side.values:
        pieces[span.start].append(_Piece(span.stop, span.alike))
    return pieces


def _meeting(side: _Side, other: _Side, pieces: tuple[Pieces, Pieces]) -> Iterator[tuple[int, list[Stretch]]]:
    """Of each term with a value in it: its unit, and the stretches of the other side that say the same."""
    begin: dict[str, list[int]] = {}
    for start, here in enumerate(pieces[1]):
        for key in {key for piece in here for key in piece.keys} if start in other.unit_at else ():
            begin.setdefault(key, []).append(start)
    borders = sorted(side.unit_at)
    for first, last in pairwise(borders):
        if last - first < 2:
            continue
        for reading in islice(_readings(pieces[0], first, last), _MOST_READINGS):
            starts = sorted({start for key in reading[0] for start in begin.get(key, ())})
            ends = ((start, stop) for start in starts for stop in _following(pieces[1], start, reading))
            found = [
                Stretch(other.unit_at[start], other.unit_at[stop], 0, "value") for start, stop in ends if stop in other.unit_at
            ]
            if found:
                yield side.unit_at[first], found


def _readings(pieces: Pieces, first: int, last: int, valued: bool = False) -> Iterator[tuple[tuple[str, ...], ...]]:
    """The keys of the words and values that a term can be read as, with a value among them."""
    if first == last:
        if valued:
            yield ()
        return
    for piece in pieces[first]:
        if piece.stop <= last:
            for rest in _readings(pieces, piece.stop, last, valued or not piece.keys[0].startswith("w:")):
                yield (piece.keys, *rest)


def _following(pieces: Pieces, start: int, reading: tuple[tuple[str, ...], ...]) -> Iterator[int]:
    """Where stretches end that begin at a token and say what a reading says."""
    if not reading:
        yield start
    elif start < len(pieces):
        for piece in pieces[start]:
            if not set(reading[0]).isdisjoint(piece.keys):
                yield from _following(pieces, piece.stop, reading[1:])


def _add_changed_numbers(spans: Spans, said: Sequence[Stretch], heard: Sequence[Stretch]) -> None:
    """A number of k units and a longer phrase of another value: k errors, and the phrase counts as one word."""
    for count in sorted({one.stop - one.start for one in said}):
        same = [one._replace(cost=count) for one in said if one.stop - one.start == count]
        longer = [one for one in heard if one.stop - one.start > count]
        if longer:
            spans.add(spans.new_key(), same, longer, "number")
