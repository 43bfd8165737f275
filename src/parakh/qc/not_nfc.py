"""A text is not in Unicode NFC.

What it does:
    Compares every text with its NFC form and names the letters that differ.
    Canonical are, after NFC: the nukta letters of Devanagari, Bengali, Gurmukhi and Odia as letter and nukta (क़ is U+0915
    U+093C, never U+0958: they are excluded from composition), but ऩ, ऱ and ऴ as one code point; the two-part vowel signs of
    Kannada, Tamil, Malayalam, Bengali and Odia as one code point (ೊ, not ೆ and ೂ).

Why it matters:
    The same word in two encodings is two words to a scorer, a search and a vocabulary, and looks like one.

How to mend:
    Save the file in NFC; `unicodedata.normalize("NFC", text)` does it. Nothing is seen to change.

Example:
    U+0921 U+093C stands for ड़; U+095C does so only until the text is normalised.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from parakh.qc._check import Check
from parakh.qc._material import Material
from parakh.qc._settings import Settings
from parakh.qc._texts import at_time, holding, many
from parakh.text.folds import canonical
from parakh.types import Finding, Severity

_SHOWN = 2


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a text."""
    for passage in holding(material, _is_drifted):
        found = drifted(passage.text)
        if found:
            kinds = dict.fromkeys(found)
            shown = ", ".join(f"{_codes(one)} for {_codes(canonical(one))}" for one in list(kinds)[:_SHOWN])
            more = f" and {len(kinds) - _SHOWN} more" if len(kinds) > _SHOWN else ""
            message = f"{many(len(found), 'letter')} not in NFC: {shown}{more}{at_time(passage.segment)}"
            yield CHECK.at(material, message, passage.source, passage.index)


def _is_drifted(text: str) -> bool:
    return not unicodedata.is_normalized("NFC", text)


def drifted(text: str) -> list[str]:
    r"""The letters, with the marks on them, that NFC would write otherwise.

    >>> [len(one) for one in drifted("प\u095d\u093cना")], drifted("पढ़ना")
    ([2], [])
    """
    if unicodedata.is_normalized("NFC", text):
        return []
    found = [one for one in _clusters(text) if canonical(one) != one]
    return found or [text[:1]]  # the difference lies between letters


def _clusters(text: str) -> Iterator[str]:
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or unicodedata.category(text[at])[0] != "M":
            yield text[start:at]
            start = at


def _codes(text: str) -> str:
    return " ".join(f"U+{ord(sign):04X}" for sign in text)


CHECK = Check("QC111", "not-nfc", "A text is not in Unicode NFC", Severity.WARNING, recording)
