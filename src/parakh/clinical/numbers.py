"""Numbers as they are spoken in Hindi, Kannada and English, small enough for measurements and spans of time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from parakh.clinical.folding import Word, loose, tight
from parakh.clinical.lexicon import DATA

_LOOSE_SIGNS = 4


def number_at(words: Sequence[Word], at: int) -> tuple[float, int] | None:
    """The number that begins at a word.

    Args:
        words: One segment's words.
        at: Index of the first word of the number.

    Returns:
        (value, index after its last word); None if no number begins there.

    >>> from parakh.clinical.folding import words_of
    >>> [number_at(words_of(text), 0)[0] for text in ("एक सौ चालीस", "डेढ़ सौ", "साढ़े तीन", "ನೂರ ನಲವತ್ತು", "forty five", "9.5")]
    [140.0, 150.0, 3.5, 140.0, 45.0, 9.5]
    """
    if at >= len(words):
        return None
    part, value = _reading(words[at].tight)
    if part == "shift":
        return _shifted(words, at, value)
    if part == "scale":
        return _plus_small(words, at + 1, value)
    if part not in ("value", "tens"):
        return None
    after = at + 1
    if part == "tens" or value in _HUNDREDS:
        value, after = _plus_small(words, after, value)
    return _scaled(words, after, value)


def ordinal_at(words: Sequence[Word], at: int) -> float | None:
    """The place that an ordinal word names ("छठा" is 6); None for any other word."""
    part, value = _reading(words[at].tight)
    return value if part == "ordinal" else None


def tells_number(word: Word) -> bool:
    """Whether a word is of a number or an ordinal, so that one may begin there."""
    return _reading(word.tight)[0] != ""


_HUNDREDS = frozenset(100.0 * count for count in range(1, 10))


def _shifted(words: Sequence[Word], at: int, shift: float) -> tuple[float, int] | None:
    if at + 1 >= len(words):
        return None
    part, value = _reading(words[at + 1].tight)
    if part == "scale":
        return (1 + shift) * value, at + 2
    if part != "value":
        return None
    return _scaled(words, at + 2, value + shift)


def _scaled(words: Sequence[Word], after: int, value: float) -> tuple[float, int]:
    if after < len(words):
        part, scale = _reading(words[after].tight)
        if part == "scale":
            return _plus_small(words, after + 1, value * scale)
        if part == "point" and after + 1 < len(words):
            part, decimals = _reading(words[after + 1].tight)
            if part == "value" and decimals.is_integer():
                return float(f"{value:g}.{decimals:g}"), after + 2
    return value, after


def _plus_small(words: Sequence[Word], after: int, value: float) -> tuple[float, int]:
    """The smaller number that follows a round one joins it: "एक सौ", "चालीस"."""
    limit = 10 if value < 100 else 100
    rest, end = 0.0, after
    if after < len(words) and not words[after].after_comma and not words[after].text[0].isdigit():
        part, small = _reading(words[after].tight)
        if part in ("value", "tens") and 1 <= small < limit and small.is_integer():
            rest, end = small, after + 1
            if part == "tens":
                rest, end = _plus_small(words, end, small)
    return value + rest, end


@lru_cache(maxsize=65536)
def _reading(word: str) -> tuple[str, float]:
    """What a word contributes to a number: its part and value; ("", 0) for a word that is none."""
    if word[0].isdigit():
        return "value", float(word)
    table, loosened = _table()
    if word in table:
        return table[word]
    return loosened.get(loose(word), ("", 0.0)) if len(word) >= _LOOSE_SIGNS and not word.isascii() else ("", 0.0)


@cache
def _table() -> tuple[dict[str, tuple[str, float]], dict[str, tuple[str, float]]]:
    lines = (DATA / "numbers.tsv").read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")][1:]
    table = {tight(word): (part, float(value)) for word, part, value in rows}
    return table, {loose(word): reading for word, reading in reversed(table.items())}
