"""Tokens of a transcript for diagnosis: words, numerals and punctuation marks, in every script.

A word keeps its vowel signs, conjuncts and joiners, and a hyphen or apostrophe between two letters. A numeral is a run of
digits with a legal grouping or decimals, a date or a time of day; a currency or percent sign is a numeral of its own, and the
border between a digit and a letter always divides ("500mg" is two tokens). A fraction written as one sign belongs to the digits
before it ("1½"), a point to the digits after it where nothing, white space, an opening bracket or a currency sign stands before
it (".5"). Every other mark is one token.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import regex

INVISIBLE = "".join(
    chr(sign)
    for first, last in ((0xAD, 0xAD), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x2064), (0x2066, 0x2069), (0xFEFF, 0xFEFF))
    for sign in range(first, last + 1)
)
"""Joiners, zero-width spaces, byte order and direction marks, the soft hyphen: part of the word that they stand in."""

VULGAR = "".join(chr(sign) for sign in (*range(0xBC, 0xBF), *range(0x2150, 0x215F), 0x2189))
"""Fractions that are one sign: "½"."""


class Kind(StrEnum):
    """What a token is: SCRIBE's three buckets."""

    LEXICAL = "LEXICAL"
    NUMERAL = "NUMERAL"
    PUNCT = "PUNCT"


class Token(NamedTuple):
    """One token of a text.

    Args:
        text: As written.
        kind: What it is.
        start: Offset of its first code point in the text.
        end: Offset after its last code point.
    """

    text: str
    kind: Kind
    start: int
    end: int


def tokenize(text: str) -> list[Token]:
    """The tokens of a text, in order; white space and what is invisible by itself is none.

    Args:
        text: Any text, in any script, as written.

    Returns:
        Tokens whose texts are the text's own, so that ``text[token.start : token.end] == token.text``.

    Source: the three buckets are SCRIBE's (arXiv 2605.20712).

    >>> [token.text for token in tokenize("भाई-साहब, 500mg लो। 22.05.2023 10:30 ₹1,00,000")]
    ['भाई-साहब', ',', '500', 'mg', 'लो', '।', '22.05.2023', '10:30', '₹', '1,00,000']
    >>> [str(token.kind) for token in tokenize("3,4 दु:ख -5%")]
    ['NUMERAL', 'PUNCT', 'NUMERAL', 'LEXICAL', 'NUMERAL', 'NUMERAL']
    """
    return [Token(text[start:end], kind, start, end) for kind, start, end in _cut(text)]


def _cut(text: str) -> Iterator[tuple[Kind, int, int]]:
    for match in _pattern().finditer(text):
        start, end = match.span()
        group = match.lastgroup
        if group == "word":
            if any(sign not in INVISIBLE for sign in match[0]):
                yield Kind.LEXICAL, start, end
        else:
            yield (Kind.NUMERAL if group == "numeral" else Kind.PUNCT), start, end


@cache
def _pattern() -> regex.Pattern[str]:
    import regex  # takes a while to load

    letter = rf"[\p{{L}}\p{{M}}{INVISIBLE}]"
    inner = r"['’\-\u2010\u2011]"
    date = r"\d{1,2}(?P<a>[./-])\d{1,2}(?P=a)(?:\d{4}|\d{2})|\d{4}(?P<b>[./-])\d{1,2}(?P=b)\d{1,2}"
    time = r"\d{1,2}:\d{2}(?::\d{2})?"
    grouped = r"\d{1,2}(?:,\d{2})*,\d{3}|\d{1,3}(?:,\d{3})+"
    sign = r"(?<![\p{L}\p{M}\p{N}.,)\]])[-+\u2212]"
    number = rf"(?:{sign}(?=\d))?(?:(?:{grouped})(?!,?\d)|\d+)(?:\.\d+|[{VULGAR}])?"
    leading = rf"(?:{sign}(?=\.)|(?<![^\s\p{{Ps}}\p{{Sc}}]))\.\d++(?!\.\d)"
    colon = r"(?<=[\p{L}\p{M}])(?<=[\u0900-\u0dff]):(?=[\u0900-\u0dff])(?=[\p{L}\p{M}])"
    return regex.compile(
        rf"(?P<word>{letter}+(?:(?:{inner}(?=\p{{L}})|{colon}){letter}+)*)"
        rf"|(?P<numeral>(?:{date}(?![.:/-]?\d)|{time}(?![.:/]?\d))|{number}|{leading}|[\p{{N}}\p{{Sc}}%\u2030\u00b0])"
        r"|(?P<mark>\S)"
    )
