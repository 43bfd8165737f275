"""Aksharas: the orthographic syllables of the Indian scripts, what their readers call one letter.

An akshara is a consonant or independent vowel, the consonants joined to it by viramas, and the signs that follow. It is found by
the rule of the script in Devanagari, Bengali, Gurmukhi, Gujarati, Odia, Telugu, Kannada, Tamil and Malayalam; anything else is
cut into Unicode's extended grapheme clusters. Source: Unicode 16, chapter 12; UAX #29, rule GB9c. Where we differ on purpose:

- Kannada and Gurmukhi conjuncts stay whole (GB9c joins consonants in six scripts, of which they are none).
- Tamil has two conjuncts only, க்ஷ and ஸ்ரீ (ஶ்ரீ); any other consonant with pulli is by itself. GB9c has none.
- A virama may follow an independent vowel, as in Bengali অ্যা, and a chillu, as in Malayalam ൻ്റ.
- Malayalam virama + ZWJ writes a chillu, so that an akshara ends there, as after an atomic chillu, which is one by itself.
- A virama joins only if it follows its consonant (nukta and joiner aside), not after a vowel sign, as in Malayalam അതു്.

A virama with ZWNJ after it is shown and ends the akshara, as in GB9c.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import regex


def aksharas(text: str) -> list[str]:
    """The aksharas of a text, spaces and marks between them included.

    Args:
        text: Any text, in any script; NFC is not needed.

    Returns:
        Pieces that give the text when joined.

    Source: Unicode 16, chapter 12; UAX #29 for other scripts.

    >>> aksharas("क्षत्रिय"), aksharas("ನನ್ಮ್ಮ"), aksharas("பக்கம்")
    (['क्ष', 'त्रि', 'य'], ['ನ', 'ನ್ಮ್ಮ'], ['ப', 'க்', 'க', 'ம்'])
    """
    return _pattern().findall(text)


_CONJOINING = ("Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Telugu", "Kannada")
_VIRAMA, _NUKTA, _ZWJ = r"\p{InSC=Virama}", r"\p{InSC=Nukta}", "\u200d"


@cache
def _pattern() -> regex.Pattern[str]:
    import regex  # takes a while to load

    joined = [rf"{_base(script)}{_NUKTA}?(?:{_ZWJ}?{_VIRAMA}{_ZWJ}?{_consonant(script)}{_NUKTA}?)*" for script in _CONJOINING]
    tamil = rf"க்ஷ|[ஸஶ]்ர(?=ீ)|{_base('Tamil')}"
    malayalam = rf"\u0d4e?{_base('Malayalam')}(?:{_ZWJ}?{_VIRAMA}{_consonant('Malayalam')})*"
    cores = "|".join((*joined, tamil, malayalam))
    return regex.compile(rf"(?:{cores})[\p{{M}}\u200c\u200d]*|\X", regex.VERSION1)


def _base(script: str) -> str:
    """What an akshara of a script may begin with."""
    kinds = (r"\p{InSC=Consonant}", r"\p{InSC=Consonant_Dead}", r"\p{InSC=Consonant_Placeholder}", r"\p{InSC=Vowel_Independent}")
    return rf"[[{''.join(kinds)}]&&\p{{Script={script}}}]"


def _consonant(script: str) -> str:
    return rf"[\p{{InSC=Consonant}}&&\p{{Script={script}}}]"
