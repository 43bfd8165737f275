"""Words of the Indian scripts in Latin letters, by ISO 15919.

The Unicode blocks of the nine scripts of Brahmi descent share one layout (Unicode 16, chapter 12), so one table by offset serves
them all; a few letters are a script's own. A consonant without a vowel sign or virama has the vowel a. Where it is not spoken it
is left out: at the end of a word in Devanagari, Bengali, Gurmukhi and Gujarati, and in all of them but Bengali also between VC
and CV within it, from right to left (M. Ohala, "Aspects of Hindi Phonology", 1983). Which language a Devanagari text is in is
not asked, so that Sanskrit loses its final a as well.
"""

from __future__ import annotations

from functools import lru_cache

from parakh.text.folds import atomic_letters, canonical
from parakh.text.scripts import script_of
from parakh.text.tokens import INVISIBLE


def _row(offset: int, names: str) -> dict[int, str]:
    """Letters of neighbouring offsets."""
    return dict(enumerate(names.split(), offset))


_CONSONANTS = _row(0x15, "k kh g gh ṅ c ch j jh ñ ṭ ṭh ḍ ḍh ṇ t th d dh n ṉ p ph b bh m y r ṟ l ḷ ḻ v ś ṣ s h")
_VOWELS = _row(0x05, "a ā i ī u ū r̥ l̥ ê e ē ai ô o ō au") | {0x60: "r̥̄", 0x61: "l̥̄"}
_SIGNS = _row(0x3E, "ā i ī u ū r̥ r̥̄ ê e ē ai ô o ō au") | {0x62: "l̥", 0x63: "l̥̄", 0x57: "au"}
_MARKS = {0x00: "m̐", 0x01: "m̐", 0x02: "ṁ", 0x03: "ḥ"}
_NUKTA, _VIRAMA = 0x3C, 0x4D
_WITH_NUKTA = {"k": "q", "kh": "k͟h", "g": "ġ", "j": "z", "ḍ": "ṛ", "ḍh": "ṛh", "ph": "f", "y": "ẏ", "s": "ś", "l": "ḷ"}
_OWN_CONSONANTS = {"ৰ": "r", "ৱ": "v", "ୱ": "v", "ୟ": "ẏ", "ੜ": "ṛ", "ೞ": "ḻ", "ॻ": "g", "ॼ": "j", "ॾ": "ḍ", "ॿ": "b"}
_CLOSED = {"ൺ": "ṇ", "ൻ": "n", "ർ": "r", "ൽ": "l", "ൾ": "ḷ", "ൿ": "k", "ৎ": "t", "ஃ": "ḵ"}
_OWN_VOWELS = {"ॲ": "ê", "ऄ": "a"}
_OWN_MARKS = {"ੰ": "ṁ"}
_ADDAK = "ੱ"

_SILENT_AT_END = frozenset({"Deva", "Beng", "Guru", "Gujr"})
_SILENT_WITHIN = _SILENT_AT_END - {"Beng"}
INHERENT = "ə"
"""How ``letters`` writes the vowel that is not written."""
VOWELS = frozenset({*_VOWELS.values(), *_SIGNS.values(), INHERENT})


def transliterate(word: str) -> str:
    """A word in Latin letters.

    Args:
        word: One word.

    Returns:
        By ISO 15919, without the vowels a that are written by no sign and not spoken; letters of other scripts as they are.

    Source: ISO 15919:2001.

    >>> transliterate("डॉक्टर"), transliterate("ಮೆಡಿಸಿನ್"), transliterate("जनता"), transliterate("doctor")
    ('ḍôkṭar', 'meḍisin', 'jantā', 'doctor')
    """
    spoken = _without_silent(list(letters(word)), script_in(word))
    return "".join(spoken).replace(INHERENT, "a")


@lru_cache(maxsize=4096)
def letters(word: str) -> tuple[str, ...]:
    """The letters of a word by ISO 15919, one an item; the vowel that no sign writes is ``INHERENT``.

    >>> letters("नमक")
    ('n', 'ə', 'm', 'ə', 'k', 'ə')
    """
    found: list[str] = []
    open_consonant = False  # whether the last letter is a consonant whose vowel is still to come
    double = False
    for sign in atomic_letters(canonical(word)):
        if sign in INVISIBLE:
            continue
        offset = _offset(sign)
        vowel = _SIGNS.get(offset)
        if offset == _NUKTA and open_consonant:
            found[-1] = _WITH_NUKTA.get(found[-1], found[-1])
        elif offset == _VIRAMA or vowel:
            found += [vowel] if vowel else []
            if sign == "്" and not open_consonant and found[-1:] == ["u"]:
                del found[-1]  # the half u of Malayalam, in the spelling of അതു്
            open_consonant = False
        elif sign == _ADDAK:
            found += [INHERENT] if open_consonant else []
            open_consonant, double = False, True
        else:
            found += [INHERENT] if open_consonant else []
            letter, open_consonant = _letter(sign, offset)
            found += [letter] * (1 + (double and open_consonant))
            double = False
    return (*found, INHERENT) if open_consonant else tuple(found)


def script_in(word: str) -> str | None:
    """The one script of a word's letters; None without any, or with several."""
    scripts = {script_of(sign) for sign in word if sign not in INVISIBLE} - {None}
    return scripts.pop() if len(scripts) == 1 else None


def _offset(sign: str) -> int:
    """Of a letter or sign in its block; -1 outside of the nine."""
    code = ord(sign)
    return code % 0x80 if 0x900 <= code < 0xD80 and sign not in "।॥" else -1


def _letter(sign: str, offset: int) -> tuple[str, bool]:
    """A letter in Latin, and whether it is a consonant that may take a vowel."""
    for own, open_consonant in ((_OWN_CONSONANTS, True), (_CLOSED, False), (_OWN_VOWELS, False), (_OWN_MARKS, False)):
        if sign in own:
            return own[sign], open_consonant
    if offset in _CONSONANTS:
        return _CONSONANTS[offset], True
    return _VOWELS.get(offset) or _MARKS.get(offset) or sign, False


def _without_silent(found: list[str], script: str | None) -> list[str]:
    if script in _SILENT_AT_END and found[-1:] == [INHERENT] and any(letter in VOWELS for letter in found[:-1]):
        del found[-1]
    at = len(found) - 3 if script in _SILENT_WITHIN else 0
    while at >= 2:
        between = found[at - 1] not in VOWELS and found[at - 2] in VOWELS and found[at + 1] not in VOWELS
        if found[at] == INHERENT and between and found[at + 2] in VOWELS:
            del found[at]
            at -= 1  # the vowel before it is spoken
        at -= 1
    return found
