"""Words of a noisy transcript and the two spellings they are compared by.

``tight`` undoes what writers vary freely (composition, nukta, chandrabindu, joiners, digit script, case); cues are compared
by it. ``loose`` also forgets vowel length, gemination, nasal dots and vowel killers, as a recogniser does; only words
of four signs and more are compared by it, because short words become one another (``पिता``, ``पीता``).
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import regex

_TOKEN = regex.compile(r"\d+(?:\.\d+)?|[\p{L}\p{M}\u200c\u200d]+(?:['\u2019][\p{L}]+)*")
_SENTENCE = regex.compile(r"[.?!।॥|\n]")
_DROPPED = str.maketrans("", "", "\u200c\u200d\u093c\u0903\u0cbc")
_TIGHT = str.maketrans({"ँ": "ं", "ऑ": "ओ", "ॉ": "ो", "ॅ": "े", "\u2019": "'"})
_NASAL = regex.compile(r"([ङञणनम]्|[ಙಞಣನಮ]್)(?=[क-भ]|[ಕ-ಭ])(?![नमನಮ])")
_LOOSE = str.maketrans("ीूईऊैौऐऔळणशषೀೂೇೋಈಊಏಓಳಣಶಷ", "िुइउेोएओलनससಿುೆೊಇಉಎಒಲನಸಸ", "््ं್ಂ")
_ROMAN = (("aa", "a"), ("ee", "i"), ("oo", "u"), ("ph", "f"), ("w", "v"), ("z", "j"))
_DOUBLED = regex.compile(r"(.)\1+")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a segment.

    Args:
        text: As written.
        tight: The spelling that cues are compared by.
        sentence: Number of its sentence within the segment, from 0.
        before: The punctuation and space between the previous word and this one.
        asked: Its sentence ends in a question mark.
    """

    text: str
    tight: str
    sentence: int
    before: str = ""
    asked: bool = False

    @property
    def after_comma(self) -> bool:
        """A comma, semicolon or dash stands before this word."""
        return any(mark in self.before for mark in ",;\u2014\u2013")


@lru_cache(maxsize=65536)
def tight(word: str) -> str:
    """The spelling of ``word`` without what writers vary freely.

    >>> tight("माँ") == tight("मां"), tight("बढ़") == tight("बढ"), tight("१४०")
    (True, True, '140')
    """
    plain = unicodedata.normalize("NFC", word).casefold().translate(_DROPPED).translate(_TIGHT)
    plain = "".join(str(unicodedata.digit(c)) if c.isdigit() and not c.isascii() else c for c in plain)
    return _NASAL.sub(lambda m: "ं" if "\u0900" <= m.group() < "\u0980" else "ಂ", plain)


@lru_cache(maxsize=65536)
def loose(word: str) -> str:
    """The spelling of a tight ``word`` without vowel length, gemination, nasal dots and vowel killers.

    >>> loose(tight("उल्टी")) == loose(tight("उलटि")), loose("khaansi") == loose("khansi")
    (True, True)
    """
    plain = word.translate(_LOOSE)
    if plain.isascii():
        for long, short in _ROMAN:
            plain = plain.replace(long, short)
    return _DOUBLED.sub(r"\1", plain)


def words_of(text: str) -> tuple[Word, ...]:
    """Split a transcript into words and sentences.

    >>> [(w.text, w.sentence, w.asked) for w in words_of("बुखार है? जी, 102.")]
    [('बुखार', 0, True), ('है', 0, True), ('जी', 1, False), ('102', 1, False)]
    """
    rows: list[tuple[str, int, str]] = []
    asked: set[int] = set()
    sentence, end = 0, 0
    for match in _TOKEN.finditer(text):
        between = text[end : match.start()]
        if rows and _SENTENCE.search(between):
            if "?" in between:
                asked.add(sentence)
            sentence += 1
        rows.append((match.group(), sentence, between))
        end = match.end()
    if "?" in text[end:]:
        asked.add(sentence)
    return tuple(Word(word, tight(word), number, before, number in asked) for word, number, before in rows)
