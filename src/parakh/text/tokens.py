"""Tokens of a transcript for diagnosis: words, numerals and punctuation marks, in every script.

A word keeps its vowel signs, conjuncts and joiners, and a hyphen or apostrophe between two letters. A numeral is a run of
digits with a legal grouping or decimals, a date or a time of day; a currency or percent sign is a numeral of its own, and the
border between a digit and a letter always divides ("500mg" is two tokens). Every other mark is one token.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a token is: SCRIBE's three buckets."""

    LEXICAL = "LEXICAL"
    NUMERAL = "NUMERAL"
    PUNCT = "PUNCT"


@dataclass(frozen=True, slots=True)
class Token:
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
