"""Numbers in a token sequence: which stretches are one number, and what tells apart words of one value that inflect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import lru_cache

from parakh.languages.number_tables import Role, fold, grammar
from parakh.languages.number_words import Parser, Reading, ending, written
from parakh.languages.value_words import Sense, number_key
from parakh.text.tokens import Token

SLASHES, DASHES = ("/", "\u2044"), ("-", "\u2010", "\u2011", "\u2013", "\u2014", "~")
"""Between the numbers of a ratio, and of a range."""
_SKIPPED, _NUMBER = 10**6, 10**3
QUARTERS = (Decimal("0.25"), Decimal("0.5"), Decimal("0.75"))
"""Parts of one that have words of their own."""
_PART_KEYS = frozenset(f"n:{part}" for part in QUARTERS)


@dataclass(slots=True)
class Text:
    """The tokens of one segment and the values found in them so far.

    Args:
        tokens: The tokens.
        words: What each is, as written.
        senses: What each can contribute.
        tag: BCP-47 primary tag; None if unknown.
        found: (kind, keys) by first token and token after the last.
        endings: How a number of that stretch with that key ends, where its words inflect.
        starts: Numbers by their first token: (token after the last, what it says).
        ends: Numbers by the token after their last: (first token, what it says).
    """

    tokens: Sequence[Token]
    words: list[str]
    senses: list[Sense | None]
    tag: str | None
    found: dict[tuple[int, int], tuple[str, list[str]]] = field(default_factory=dict)
    endings: dict[tuple[int, int, str], tuple[str, ...]] = field(default_factory=dict)
    starts: dict[int, list[tuple[int, Reading]]] = field(default_factory=dict)
    ends: dict[int, list[tuple[int, Reading]]] = field(default_factory=dict)

    def add(self, start: int, stop: int, kind: str, *keys: str) -> None:
        """Note a value; a stretch may have several keys, and its kind is the one noted last."""
        known = self.found.get((start, stop), ("", []))[1]
        self.found[start, stop] = kind, list(dict.fromkeys((*known, *keys)))

    def at(self, index: int) -> Sense | None:
        """What the token there can contribute; None outside the text."""
        return self.senses[index] if 0 <= index < len(self.senses) else None

    def linked(self, index: int, name: str) -> bool:
        """Whether the token there is such a link (``Sense.links``)."""
        found = self.at(index)
        return found is not None and name in found.links


def joint(text: Text, at: int) -> str:
    """What a token between two numbers makes of them: "ratio", "range" or ""."""
    if at >= len(text.words):
        return ""
    for kind, signs in (("ratio", SLASHES), ("range", DASHES)):
        if text.words[at] in signs or text.linked(at, kind):
            return kind
    return ""


def find_numbers(text: Text) -> None:
    """Note every number: the parts of the shortest cuts of each run of number words."""
    at, count = 0, len(text.words)
    while at < count:
        stop = at
        while (here := text.at(stop)) is not None and here.number:
            stop += 1
        for first, last, readings in _cut(tuple(text.words[at:stop]), text.tag) if stop > at else ():
            _add_number(text, at + first, at + last, readings)
        at = max(stop, at + 1)


def find_written_ordinals(text: Text) -> None:
    """Note digits with the end of an ordinal's word written onto them: "4थी" is "चौथी"."""
    for start in sorted(text.starts):
        after = start + 1
        if after == len(text.words) or text.tokens[after].start != text.tokens[start].end or (start, after + 1) in text.found:
            continue
        digits, onto = text.at(start), fold(text.words[after])
        if digits is None or not text.words[start].isdecimal() or onto.isascii():
            continue
        value = Decimal(digits.digits)
        if any(word.endswith(onto) for word in _ordinals(text.tag, value)):
            _add_number(text, start, after + 1, (Reading(value, ordinal=True, ending=ending(onto)),))


@lru_cache(maxsize=256)
def _ordinals(tag: str | None, value: Decimal) -> tuple[str, ...]:
    """The words of their own that a place in an order has: "चौथा", "चौथी"."""
    forms = grammar(tag).forms.items()
    return tuple(word for word, rows in forms if any(row.role is Role.ORDINAL and row.value == value for row in rows))


def _add_number(text: Text, start: int, stop: int, readings: tuple[Reading, ...]) -> None:
    kind = "number" if any(not reading.ordinal for reading in readings) else "ordinal"
    keys = [f"{_letter(reading)}:{number_key(reading.value)}" for reading in readings]
    text.add(start, stop, kind, *keys)
    text.endings |= {
        (start, stop, key): ends
        for key, reading in zip(keys, readings, strict=True)
        if (ends := _endings(text, start, stop, reading))
    }
    text.starts.setdefault(start, []).extend((stop, reading) for reading in readings)
    text.ends.setdefault(stop, []).extend((start, reading) for reading in readings)


def _endings(text: Text, start: int, stop: int, reading: Reading) -> tuple[str, ...]:
    """How what is said ends, where its words inflect; "5th" may stand for any."""
    last = text.words[stop - 1]
    if reading.ordinal:
        return endings(text.tag, None) if last.isascii() and text.words[start][-1].isdecimal() else (reading.ending,)
    if reading.counted:
        return (reading.ending,)
    return (ending(fold(last)),) if start + 1 == stop and reading.value in QUARTERS and not last[-1].isnumeric() else ()


def alike_keys(text: Text, span: tuple[int, int], key: str) -> Iterator[str]:
    """A key refined by how the words end, so that inflected words of one value share none; digits go with any ending."""
    ends = text.endings.get((*span, key), ())
    if not ends and key in _PART_KEYS:
        yield key
        ends = endings(text.tag, Decimal(key[2:]))
    yield from (f"{key}:{end}" for end in ends) if ends else (key,)


@lru_cache(maxsize=256)
def endings(tag: str | None, value: Decimal | None) -> tuple[str, ...]:
    """How the ordinals of a language end, or its words for a part of one."""
    forms = grammar(tag).forms.items()
    if value is None:
        return tuple(sorted({ending(word) for word, rows in forms for row in rows if row.role in (Role.ORDINAL, Role.SUFFIX)}))
    return tuple(sorted({ending(word) for word, rows in forms for row in rows if row.role is Role.FIXED and row.value == value}))


def _letter(reading: Reading) -> str:
    return "o" if reading.ordinal else "q" if reading.counted else "n"


@lru_cache(maxsize=16384)
def _cut(words: tuple[str, ...], tag: str | None) -> tuple[tuple[int, int, tuple[Reading, ...]], ...]:
    """Every number of the shortest cuts of a run: (first word, index after its last word, what it says)."""
    edges = _edges(words, tag)
    count = len(words)
    costs = {(at, at + 1): _SKIPPED for at in range(count)} | {span: _cost(readings) for span, readings in edges.items()}
    before, behind = [0] + [_SKIPPED * count] * count, [_SKIPPED * count] * count + [0]
    for (first, last), cost in sorted(costs.items()):
        before[last] = min(before[last], before[first] + cost)
    for (first, last), cost in sorted(costs.items(), reverse=True):
        behind[first] = min(behind[first], behind[last] + cost)
    return tuple(
        (first, last, readings)
        for (first, last), readings in sorted(edges.items())
        if before[first] + costs[first, last] + behind[last] == behind[0]
    )


def _edges(words: tuple[str, ...], tag: str | None) -> dict[tuple[int, int], tuple[Reading, ...]]:
    pieces = [written(word) for word in words]
    offsets = {0: 0}
    for index, piece in enumerate(pieces):
        offsets[max(offsets) + len(piece)] = index + 1
    parser = Parser(grammar(tag), pieces)
    edges: dict[tuple[int, int], tuple[Reading, ...]] = {}
    for offset, first in list(offsets.items())[:-1]:
        for end, reading in parser.readings(offset):
            if end in offsets and reading not in edges.get((first, offsets[end]), ()):
                edges[first, offsets[end]] = (*edges.get((first, offsets[end]), ()), reading)
    return edges


def _cost(readings: tuple[Reading, ...]) -> int:
    return _NUMBER + all(reading.bare for reading in readings)
