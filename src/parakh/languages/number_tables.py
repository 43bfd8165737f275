"""Tables of number words, one a language, and the spelling that their words are compared by.

The table of a language is ``numbers/<tag>.toml``; every form is written as people write it, spaces inside a form are free,
and nukta, chandrabindu, homorganic nasals, joiners, apostrophes and case are folded, so they need no variants. Its sections:

[values]     "21" = [forms said alone or last]; 0..99 and any irregular larger one ("200" = ["ಇನ್ನೂರು"]). The first is usual.
[before]     "20", "100", "200", "1000" = [forms said only when a smaller number follows]: "twenty", "ನೂರ", "ಇನ್ನೂರ", "ആയിരത്തി".
[times]      "2" = [forms said only before a scale word]: ml "ഇരു" (ഇരുനൂറ്), "രണ്ടാ" (രണ്ടായിരം). [values] count there too.
[scales]     "100", "1000", "100000", "10000000" ... = {final = [], before = [], joined = [], joined_before = [], below = N}:
             final: nothing follows, before: a smaller number follows (left out: as final), joined and joined_before: the same,
             but only after a multiplier, never alone; below: multipliers in words are smaller (left out: 100; 1,000 beyond a
             crore; 10,000,000 for a crore). final and before also stand alone: "हज़ार" is 1,000.
[fractions]  plus_quarter, plus_half, minus_quarter: before a number ("सवा", "साढ़े", "पौने"); after_quarter, after_half,
             after_three_quarters: after a whole number ("and a half"); and fixed numbers: "2.5" = ["ढाई", "ಎರಡೂವರೆ"].
[ordinals]   "1" = ["पहला", "पहली"]; suffixes = [what makes any number an ordinal: "वाँ", "th"].
[counters]   words = [what is written onto a number to count things or hours: bn "টা" (দশটা)]; "10 টা" and "দশটা" are the same.
[decimal]    point = ["दशमलव", "पॉइंट"].
[sign]       minus = ["माइनस"].
[digits]     "0" = [words used only where digits are read one by one: "ओ"]; double = ["डबल"]; triple = ["ट्रिपल"].
[months]     "1" = ["जनवरी"].
[joining]    links = [what stands between a form and one that begins with a vowel, written onto it as a sign: "" (ನೂರ and ಐವತ್ತು in
             ನೂರೈವತ್ತು), "യ" (നൂറ്റി and എട്ട് in നൂറ്റിയെട്ട്)]; left out: no form is joined so. The sign for a is none (നൂറ്റമ്പത്).
[ratio]      words = ["बटा", "by"]: between the two numbers of a ratio.
[range]      words = ["से", "to"]: between the two ends of a range.
[clock]      words = ["बजे", "o'clock", "ಗಂಟೆ*"]: beside a time of day, "x*" any ending; past = ["बजकर"]: between hour and minutes.
[other]      words = ["બેસો"]: tokens that, so written, are another word than the number that their letters make ("sit", not 200).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files

from parakh.text.normalize import ascii_digits, atomic_letters, canonical

_FRACTIONS = {"plus_quarter": "0.25", "plus_half": "0.5", "minus_quarter": "-0.25"}
_AFTER = {"after_quarter": "0.25", "after_half": "0.5", "after_three_quarters": "0.75"}


class Role(StrEnum):
    """What a form does in a number."""

    VALUE = "value"
    BEFORE = "before"
    TIMES = "times"
    FINAL = "final"
    SCALE_BEFORE = "scale before"
    JOINED = "joined"
    JOINED_BEFORE = "joined before"
    FIXED = "fixed"
    SHIFT = "shift"
    AFTER = "after"
    ORDINAL = "ordinal"
    SUFFIX = "suffix"
    COUNTER = "counter"
    POINT = "point"
    MINUS = "minus"


_SCALE = {"final": Role.FINAL, "before": Role.SCALE_BEFORE, "joined": Role.JOINED, "joined_before": Role.JOINED_BEFORE}
_JOINING = frozenset({Role.VALUE, Role.BEFORE, Role.TIMES, Role.FIXED, Role.ORDINAL, *_SCALE.values()})
"""What may be written onto the form before it."""
_A, _AU, _SIGN = 0x05, 0x14, 0x38
"""In every Indic block: its first and last vowel letters, and how far a vowel's sign stands behind its letter."""


_WORDS = (("decimal", "point", Role.POINT), ("sign", "minus", Role.MINUS), ("counters", "words", Role.COUNTER))


@dataclass(frozen=True, slots=True)
class Form:
    """One thing a written form can say.

    Args:
        role: What it does in a number.
        value: Its value, the scale, or what it adds.
        below: Of a scale: multipliers in words are smaller than this.
        onto: It is so written only onto the form before it, never at the beginning of a word.
    """

    role: Role
    value: Decimal
    below: int = 0
    onto: bool = False


@dataclass(frozen=True, slots=True)
class Grammar:
    """The number words of one language, English ones in Latin script among them.

    Args:
        tag: BCP-47 primary tag.
        forms: What each folded form can say.
        lengths: Lengths of the forms that begin with a letter, longest first.
        pieces: Folded words that are only a part of a form of several words.
        names: Folded words of the further sections, by section: {"months": {"मई": "5"}, "ratio": {"बटा": "words"}}.
        caps: (scale, multipliers below) of every scale.
        others: Words as written that are no number although their letters would make one.
    """

    tag: str
    forms: Mapping[str, tuple[Form, ...]]
    lengths: Mapping[str, tuple[int, ...]]
    pieces: frozenset[str]
    names: Mapping[str, Mapping[str, str]]
    caps: frozenset[tuple[Decimal, int]]
    others: frozenset[str] = frozenset()

    def __hash__(self) -> int:
        return hash(self.tag)


# --- Spelling ---------------------------------------------------------------------------------------------------------------

_SHARED = (0x0900, 0x0980, 0x0A00, 0x0A80, 0x0B00, 0x0C00, 0x0C80)
"""Blocks of Indic scripts laid out alike, whose homorganic nasals may be written as anusvara."""
_ROWS = ((0x15, 0x19), (0x1A, 0x1E), (0x1F, 0x23), (0x24, 0x28), (0x2A, 0x2E))
_DROPPED = dict.fromkeys(map(ord, "\u200c\u200d'\u2019")) | dict.fromkeys(base + 0x3C for base in _SHARED)
_LETTERS = {ord(letter): plain for letter, plain in zip("\u0929\u0931\u0934ੰيىكهںৰ", "नरळਂییکہنর", strict=True)}
_LETTERS |= dict.fromkeys((0x0A71, *range(0x064B, 0x0653)), "")
"""Letters that hold a nukta, addak and tippi of Gurmukhi, Arabic forms of Urdu letters and its vowel points, Assamese ra."""
_SIGNS = _DROPPED | {base + 0x01: chr(base + 0x02) for base in _SHARED} | _LETTERS


@cache
def _nasals() -> re.Pattern[str]:
    parts = [
        f"{chr(base + nasal)}{chr(base + 0x4D)}(?=[{chr(base + first)}-{chr(base + nasal - 1)}])"
        for base in _SHARED
        for first, nasal in _ROWS
    ]
    return re.compile("|".join(parts))


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """The spelling that number words are compared by: vowels and consonants stay, what writers vary freely goes.

    >>> fold("पाँच") == fold("पांच"), fold("पन्द्रह") == fold("पंद्रह"), fold("२५०"), fold("सात") == fold("साठ")
    (True, True, '250', False)
    """
    if word.isascii():
        return word.lower().replace("'", "")
    plain = ascii_digits(atomic_letters(canonical(word))).lower().translate(_SIGNS)
    return _nasals().sub(lambda match: chr((ord(match[0][0]) & ~0x7F) + 0x02), plain)


# --- Tables -----------------------------------------------------------------------------------------------------------------


@cache
def grammar(tag: str | None) -> Grammar:
    """The number words of a language and, for code-mixed speech, of English.

    Args:
        tag: BCP-47 primary tag; None, or a language without a table, gives the English words alone.

    >>> grammar("hi").names["months"]["मई"], grammar("hi").forms["lakh"] == grammar(None).forms["lakh"]
    ('5', True)
    """
    tables = [_table(name) for name in dict.fromkeys((tag, "en")) if name and _has_table(name)]
    forms: dict[str, list[Form]] = {}
    pieces: set[str] = set()
    for written, row, links in ((*row, _links(table)) for table in tables for row in _rows(table)):
        for spelling, form in _spellings(_solid(written), row, links):
            known = forms.setdefault(spelling, [])
            if form not in known:
                known.append(form)
        pieces |= {fold(word) for word in written.split()}
    names = {section: _names(tables, section) for section in ("months", "ratio", "range", "digits", "clock")}
    caps = {(form.value, form.below) for rows in forms.values() for form in rows if form.below}
    return Grammar(
        tag or "en",
        {written: tuple(rows) for written, rows in forms.items()},
        _lengths(forms),
        frozenset(pieces),
        names,
        frozenset(caps),
        frozenset(canonical(word) for table in tables for word in _strings(table.get("other", {}).get("words"))),
    )


@cache
def tables() -> tuple[str, ...]:
    """Tags of the languages whose number words are known."""
    names = (entry.name for entry in (files("parakh.languages") / "numbers").iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def _has_table(tag: str) -> bool:
    return tag in tables()


@cache
def _table(tag: str) -> Mapping[str, Mapping[str, object]]:
    import tomllib

    return tomllib.loads((files("parakh.languages") / "numbers" / f"{tag}.toml").read_text("utf-8"))


def _solid(written: str) -> str:
    return fold("".join(written.split()))


def _links(table: Mapping[str, Mapping[str, object]]) -> tuple[str, ...]:
    return _strings(table.get("joining", {}).get("links"))


def _spellings(solid: str, form: Form, links: Sequence[str]) -> Iterator[tuple[str, Form]]:
    """A form as said first, and as written onto the one before it: "ಐವತ್ತು", and "ೈವತ್ತು" in "ನೂರೈವತ್ತು"."""
    yield solid, form
    vowel = ord(solid[0])
    place = vowel & 0x7F if vowel > 0x7F else 0
    if _A <= place <= _AU and form.role in _JOINING:
        sign = chr(vowel + _SIGN) if place > _A else ""
        yield from ((link + sign + solid[1:], replace(form, onto=True)) for link in links)


def _lengths(forms: Mapping[str, object]) -> Mapping[str, tuple[int, ...]]:
    found: dict[str, set[int]] = {}
    for written in forms:
        found.setdefault(written[0], set()).add(len(written))
    return {first: tuple(sorted(lengths, reverse=True)) for first, lengths in found.items()}


def _names(tables: Sequence[Mapping[str, Mapping[str, object]]], section: str) -> Mapping[str, str]:
    """The words of a section that is no part of a number; the language's own come before English ones."""
    found: dict[str, str] = {}
    for table in tables:
        for key, written in table.get(section, {}).items():
            for word in _strings(written):
                found.setdefault(_solid(word), key)
    return found


def _strings(written: object) -> tuple[str, ...]:
    return tuple(str(word) for word in written) if isinstance(written, list) else ()


def _rows(table: Mapping[str, Mapping[str, object]]) -> Iterator[tuple[str, Form]]:
    for section, role in (("values", Role.VALUE), ("before", Role.BEFORE), ("times", Role.TIMES)):
        for value, written in table.get(section, {}).items():
            yield from ((word, Form(role, Decimal(value))) for word in _strings(written))
    for scale, entry in table.get("scales", {}).items():
        if isinstance(entry, dict):
            yield from _scale_rows(int(scale), entry)
    yield from _special_rows(table)


def _scale_rows(scale: int, entry: Mapping[str, object]) -> Iterator[tuple[str, Form]]:
    below = entry.get("below")
    cap = below if isinstance(below, int) else 100 if scale < 10**7 else min(scale, 10**7) if scale == 10**7 else 1000
    for key, role in _SCALE.items():
        for word in _strings(entry.get(key, entry.get("final") if key == "before" else ())):
            yield word, Form(role, Decimal(scale), cap)


def _special_rows(table: Mapping[str, Mapping[str, object]]) -> Iterator[tuple[str, Form]]:
    for key, written in table.get("fractions", {}).items():
        role = Role.SHIFT if key in _FRACTIONS else Role.AFTER if key in _AFTER else Role.FIXED
        value = Decimal(_FRACTIONS.get(key) or _AFTER.get(key) or key)
        yield from ((word, Form(role, value)) for word in _strings(written))
    for key, written in table.get("ordinals", {}).items():
        form = Form(Role.SUFFIX, Decimal(0)) if key == "suffixes" else Form(Role.ORDINAL, Decimal(key))
        yield from ((word, form) for word in _strings(written))
    for section, key, role in _WORDS:
        yield from ((word, Form(role, Decimal(0))) for word in _strings(table.get(section, {}).get(key)))
