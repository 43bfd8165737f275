"""Sentences as IndicTrans2 was trained on them, and its English as people write it.

Scripts of Brahmi descent are unified to Devanagari by their place in the block; punctuation stands apart; addresses and numbers
with signs inside are replaced by ``<ID1>`` and put back. Source: IndicTransToolkit 1.1 (preprocessing of IndicTrans2) and
indic-nlp-library 0.92 (normaliser, trivial tokeniser, transliterator by offset).
"""

from __future__ import annotations

import re
import string
import unicodedata
from collections.abc import Mapping, Sequence

from parakh.text.folds import ascii_digits, dashes, quotes
from parakh.text.scripts import PARALLEL

TAGS = {
    "as": "asm_Beng", "bn": "ben_Beng", "brx": "brx_Deva", "doi": "doi_Deva", "gu": "guj_Gujr", "hi": "hin_Deva",
    "kn": "kan_Knda", "kok": "gom_Deva", "ks": "kas_Arab", "mai": "mai_Deva", "ml": "mal_Mlym", "mni": "mni_Mtei",
    "mr": "mar_Deva", "ne": "npi_Deva", "or": "ory_Orya", "pa": "pan_Guru", "sa": "san_Deva", "sat": "sat_Olck",
    "sd": "snd_Arab", "ta": "tam_Taml", "te": "tel_Telu", "ur": "urd_Arab",
}  # fmt: skip
"""IndicTrans2's name of each language, with the script that it is mostly written in."""
ENGLISH = "eng_Latn"

_LAST, _NUKTA = 0x6F, 0x3C
_DANDAS = (0x64, 0x65)

_APART = re.compile(f"([{re.escape(string.punctuation)}।॥۔،؛؟᱾᱿])")
_NUMBER = re.compile(r"([0-9]+ [,.:/] )+[0-9]+")
_KEPT = re.compile(
    r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+"  # mail
    r"|(?:https?|ftp)://\S+|\bwww\.\S+"
    r"|\d+(?:[-/.,:'+]\d+)+%?|\d+(?:\.\d+)?\s?%"
    r"|[#@]\w+"
)
_LEAST_KEPT = 4
"""Signs, separators left out, from which on a number is put back rather than translated."""
_END = re.compile(r"(?<=[।॥?!۔؟᱾])\s+|(?<=[^\d.]\.)\s+")


def sentences(text: str) -> list[str]:
    """The sentences of a turn.

    >>> sentences("बुखार है। कब से? 3.5 दिन")
    ['बुखार है।', 'कब से?', '3.5 दिन']
    """
    return [one for one in _END.split(text.strip()) if one]


def prepared(text: str, tag: str) -> tuple[str, dict[str, str]]:
    """A sentence as the model reads it, and what is to be put back by its placeholder.

    Args:
        text: In the language's own script.
        tag: The model's name of the language, such as "kan_Knda".

    >>> prepared("ಜ್ವರ ೩ ದಿನ, BP 120/80.", "kan_Knda")
    ('ज्वर 3 दिन , BP < ID1 > .', {'ID1': '120/80'})
    """
    plain = ascii_digits(dashes(quotes(unicodedata.normalize("NFC", text))))
    kept: dict[str, str] = {}

    def placed(match: re.Match[str]) -> str:
        found = match[0]
        if len(re.sub(r"[ .:]", "", found)) < _LEAST_KEPT:
            return found
        kept[f"ID{len(kept) + 1}"] = found
        return f"<ID{len(kept)}>"

    spaced = _APART.sub(r" \1 ", _KEPT.sub(placed, plain))
    # The tokeniser of the training data left a number at the very start apart.
    joined = _NUMBER.sub(lambda match: match[0].replace(" ", "") if match.start() else match[0], " ".join(spaced.split()))
    return unified(joined, tag.partition("_")[2]), kept


def unified(text: str, script: str) -> str:
    """A text of a script of Brahmi descent in Devanagari, sign by sign; other scripts as they are.

    >>> unified("ಜ್ವರ", "Knda"), unified("بخار", "Arab"), unified("क़", "Deva") == "क़"
    ('ज्वर', 'بخار', True)
    """
    base = PARALLEL.get(script, PARALLEL["Deva"])
    return "".join(_moved(part, base) for sign in text for part in _without_nukta(sign))


def _moved(sign: str, base: int) -> str:
    offset = ord(sign) - base
    return chr(PARALLEL["Deva"] + offset) if 0 <= offset <= _LAST and offset not in _DANDAS else sign


def _without_nukta(sign: str) -> str:
    """A letter and its dot as two signs; what is made of others in another way stays one."""
    parts = unicodedata.normalize("NFD", sign)
    return parts if len(parts) > 1 and ord(parts[-1]) % 0x80 == _NUKTA else sign


def restored(text: str, kept: Mapping[str, str]) -> tuple[str, list[str]]:
    """A translation with what stood in for its placeholders, and what did not come back.

    >>> restored("BP is < ID1 > .", {"ID1": "120/80", "ID2": "98.6"})
    ('BP is 120/80 .', ['98.6'])
    """
    lost = []
    for name, value in kept.items():
        pattern = re.compile(rf"[<\[]\s*ID\s*{name[2:]}\s*[>\]]", re.IGNORECASE)
        text, times = pattern.subn(lambda _, value=value: value, text)  # type: ignore[misc]
        lost += [] if times else [value]
    return text, lost


def english(pieces: Sequence[str]) -> str:
    """The text of the model's pieces, with punctuation where it is written in English.

    >>> english(["▁I", "▁don", "▁'t", "▁know", "▁,", "▁sis", "ter", "▁(", "▁yet", "▁)", "▁."])
    "I don't know, sister (yet)."
    """
    text = " ".join("".join(pieces).replace("▁", " ").split())
    text = re.sub(r"\s+([,.!?;:%)\]}])", r"\1", text)
    text = re.sub(r"([(\[{])\s+", r"\1", text)
    text = re.sub(r"\s*\b(n't)\b", r"\1", text)
    return re.sub(r"\s+'\s?(s|t|re|ve|m|ll|d)\b", r"'\1", text)
