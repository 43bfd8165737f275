"""A text has a character that no transcript needs.

What it does:
    Looks for control characters, line and paragraph separators, blanks other than the space and the tab, the replacement
    character, the dotted circle, private, unassigned and surrogate code points, and for a vowel sign or mark that stands on no
    letter. Curly quotes, dashes and the symbols of units are good writing, and pass; scorers fold them.

Why it matters:
    A non-breaking space makes two words one, a line separator breaks files that are read by lines, and a replacement
    character is a letter that was lost for good.

How to mend:
    Write a plain space for odd blanks. Go back to the source where letters were lost: the file was saved in a wrong encoding.

Example:
    U+00A0, the non-breaking space that word processors put before a unit: "500" U+00A0 "mg".
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from parakh.qc._check import Check
from parakh.qc._material import Material
from parakh.qc._settings import Settings
from parakh.qc._texts import at_time, holding
from parakh.text.tokens import INVISIBLE
from parakh.types import Finding, Severity

_NAMES = {
    "Cc": "a control character", "Zl": "a line separator", "Zp": "a paragraph separator", "Zs": "an odd blank",
    "Co": "a private code point", "Cn": "an unassigned code point", "Cs": "half of a surrogate pair", "Cf": "a format character",
}  # fmt: skip
_LOST = {"\ufffd": "a replacement character", "\u25cc": "a dotted circle", "\ufffc": "an object replacement character"}
_PLAIN = " \t\n"
_NUMBER_SIGNS = "\u0600\u0601\u0602\u0603\u0604\u06dd"
"""Format characters that are seen: the number signs of Arabic."""


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a text."""
    for passage in holding(material, _odd):
        counts = Counter(odd(passage.text))
        if counts:
            names = ", ".join(f"{name}{f' x {count}' if count > 1 else ''}" for name, count in counts.items())
            yield CHECK.at(material, f"{names}{at_time(passage.segment)}", passage.source, passage.index)


def odd(text: str) -> Iterator[str]:
    r"""What is odd in a text, in order, each with its code point.

    >>> list(odd("500\u00a0mg \u093f")), list(odd("“ठीक” – 98.6°F"))
    (['an odd blank (U+00A0)', 'a mark without a letter (U+093F)'], [])
    """
    for word in text.split(" "):
        yield from _odd(word)


@lru_cache(maxsize=1 << 16)
def _odd(word: str) -> tuple[str, ...]:
    """What is odd between two blanks: a blank ends what a mark may stand on."""
    return () if word.isascii() and word.isprintable() else tuple(_in_order(word))


def _in_order(word: str) -> Iterator[str]:
    stands = False
    for sign in word:
        category = unicodedata.category(sign)
        name = _LOST.get(sign) or (None if sign in _PLAIN or sign in INVISIBLE or sign in _NUMBER_SIGNS else _NAMES.get(category))
        if name is None and category[0] == "M" and not stands and not 0xFE00 <= ord(sign) <= 0xFE0F:
            name = "a mark without a letter"
        if name:
            yield f"{name} (U+{ord(sign):04X})"
        stands = category[0] in "LMN" or (sign in INVISIBLE and stands) or sign in _LOST or category == "So"


CHECK = Check("QC113", "odd-character", "A text has a character that no transcript needs", Severity.WARNING, recording)
