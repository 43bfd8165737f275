"""Number words of a language -> the number they say; "same value?" rests on it, no text is ever rewritten.

A number is ``[crores][lakhs][thousands][hundreds][rest]``: a multiplier before each scale word, each part smaller than the
scale before it. Spaces do not count: a form may stand on its own or be written onto the next ("दोसौपचास", "ಇನ್ನೂರೈವತ್ತು").
Digits may stand for any part ("2 लाख 50 हज़ार"). A multiplier may hold a fraction ("ढाई सौ", "साढ़े तीन हज़ार"), after which
nothing is added. Number words that do not form one number never combine: "दो तीन" is no 23.

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
[decimal]    point = ["दशमलव", "पॉइंट"].
[sign]       minus = ["माइनस"].
[digits]     "0" = [words used only where digits are read one by one: "ओ"]; double = ["डबल"]; triple = ["ट्रिपल"].
[months]     "1" = ["जनवरी"].
[ratio]      words = ["बटा", "by"]: between the two numbers of a ratio.
[range]      words = ["से", "to"]: between the two ends of a range.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files

from parakh.text.normalize import ascii_digits, atomic_letters, canonical

_ANY = 10**15
_FRACTIONS = {"plus_quarter": "0.25", "plus_half": "0.5", "minus_quarter": "-0.25"}
_AFTER = {"after_quarter": "0.25", "after_half": "0.5", "after_three_quarters": "0.75"}
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3}")
_PLAIN = re.compile(r"[+-]?(\d+|" + _GROUPED.pattern + r")(?:\.\d+)?")
_OPEN, _CLOSE = "\x02", "\x03"


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
    POINT = "point"
    MINUS = "minus"


_SCALE = {"final": Role.FINAL, "before": Role.SCALE_BEFORE, "joined": Role.JOINED, "joined_before": Role.JOINED_BEFORE}
_ALONE = (Role.FINAL, Role.SCALE_BEFORE)
_LAST = (Role.FINAL, Role.JOINED)


@dataclass(frozen=True, slots=True)
class Form:
    """One thing a written form can say.

    Args:
        role: What it does in a number.
        value: Its value, the scale, or what it adds.
        below: Of a scale: multipliers in words are smaller than this.
    """

    role: Role
    value: Decimal
    below: int = 0


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
    """

    tag: str
    forms: Mapping[str, tuple[Form, ...]]
    lengths: Mapping[str, tuple[int, ...]]
    pieces: frozenset[str]
    names: Mapping[str, Mapping[str, str]]
    caps: frozenset[tuple[Decimal, int]]

    def __hash__(self) -> int:
        return hash(self.tag)


@dataclass(frozen=True, slots=True)
class Reading:
    """One number read from words.

    Args:
        value: The number, without trailing zeros behind the decimal point.
        ordinal: It is a place in an order, not a count.
        bare: A scale or fraction word in it has nothing before it ("हज़ार", "सवा"): the weaker reading where there is a choice.
    """

    value: Decimal
    ordinal: bool = False
    bare: bool = False


# --- Spelling ---------------------------------------------------------------------------------------------------------------

_SHARED = (0x0900, 0x0980, 0x0A00, 0x0A80, 0x0B00, 0x0C00, 0x0C80)
"""Blocks of Indic scripts laid out alike, whose homorganic nasals may be written as anusvara."""
_ROWS = ((0x15, 0x19), (0x1A, 0x1E), (0x1F, 0x23), (0x24, 0x28), (0x2A, 0x2E))
_DROPPED = dict.fromkeys(map(ord, "\u200c\u200d'\u2019")) | dict.fromkeys(base + 0x3C for base in _SHARED)
_SIGNS = _DROPPED | {base + 0x01: chr(base + 0x02) for base in _SHARED}


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


def numeral(text: str) -> Decimal | None:
    """The number that digits with a legal grouping and decimals write; None for anything else.

    >>> numeral("1,00,000"), numeral("100,000"), numeral("२.५"), numeral("3,4"), numeral("22.05.2023")
    (Decimal('100000'), Decimal('100000'), Decimal('2.5'), None, None)
    """
    plain = ascii_digits(text).replace("\u2212", "-")
    return Decimal(plain.replace(",", "")) if _PLAIN.fullmatch(plain) else None


def trimmed(value: Decimal) -> Decimal:
    """The same number without an exponent and without trailing zeros behind the point.

    >>> trimmed(Decimal("350.0")), trimmed(Decimal("1.50")), trimmed(Decimal("1E+3"))
    (Decimal('350'), Decimal('1.5'), Decimal('1000'))
    """
    whole = value.to_integral_value()
    return whole.quantize(Decimal(1)) if value == whole else value.normalize()


# --- Tables -----------------------------------------------------------------------------------------------------------------


@cache
def grammar(tag: str | None) -> Grammar:
    """The number words of a language and, for code-mixed speech, of English.

    Args:
        tag: BCP-47 primary tag; None, or a language without a table, gives the English words alone.

    >>> read("ढाई सौ", grammar("hi")), read("two hundred fifty", grammar("hi")), read("ढाई सौ", grammar(None))
    ((Decimal('250'),), (Decimal('250'),), ())
    """
    tables = [_table(name) for name in dict.fromkeys((tag, "en")) if name and _has_table(name)]
    forms: dict[str, list[Form]] = {}
    pieces: set[str] = set()
    for written, form in (row for table in tables for row in _rows(table)):
        known = forms.setdefault(_solid(written), [])
        if form not in known:
            known.append(form)
        pieces |= {fold(word) for word in written.split()}
    names = {section: _names(tables, section) for section in ("months", "ratio", "range", "digits")}
    caps = {(form.value, form.below) for rows in forms.values() for form in rows if form.below}
    return Grammar(
        tag or "en",
        {written: tuple(rows) for written, rows in forms.items()},
        _lengths(forms),
        frozenset(pieces),
        names,
        frozenset(caps),
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
    for section, key, role in (("decimal", "point", Role.POINT), ("sign", "minus", Role.MINUS)):
        yield from ((word, Form(role, Decimal(0))) for word in _strings(table.get(section, {}).get(key)))


# --- Reading ----------------------------------------------------------------------------------------------------------------


def read(words: str, grammar: Grammar) -> tuple[Decimal, ...]:
    """The numbers that words say if they are read as one cardinal number.

    Args:
        words: Number words and digits, spaces as they come.
        grammar: The language's number words.

    Returns:
        The values, usually one; none if the words are not one number.

    >>> read("साढ़े तीन सौ", grammar("hi")), read("दो तीन", grammar("hi")), read("2 लाख 50 हज़ार", grammar("hi"))
    ((Decimal('350'),), (), (Decimal('250000'),))
    """
    text = "".join(map(written, words.split()))
    found = (reading for end, reading in Parser(grammar, text).readings(0) if end == len(text) and not reading.ordinal)
    return tuple(dict.fromkeys(reading.value for reading in found))


def written(token: str) -> str:
    """A token as ``Parser`` takes it: a word folded, digits kept apart from what stands beside them."""
    value = numeral(token) if unicodedata.category(token[-1]) == "Nd" else None
    return fold(token) if value is None else f"{_OPEN}{value}{_CLOSE}"


_Part = tuple[int, Decimal, bool]
"""(where it ends, its value, whether a word in it stands bare)"""


class Parser:
    """Reads the numbers of one run of words; what was read once is remembered.

    Args:
        grammar: The language's number words.
        text: The run, its tokens passed through ``written`` and joined.
    """

    def __init__(self, grammar: Grammar, text: str) -> None:
        self._grammar = grammar
        self._text = text
        self._parts: dict[tuple[int, int, Role], tuple[_Part, ...]] = {}
        self._forms: dict[int, tuple[tuple[int, Form], ...]] = {}

    def readings(self, at: int) -> Iterator[tuple[int, Reading]]:
        """Every number that begins at an offset, with the offset where it ends."""
        for end, number, bare in self._cardinals(at):
            value = trimmed(number)
            yield end, Reading(value, bare=bare)
            for after, form in self._forms_at(end):
                if form.role is Role.SUFFIX:
                    yield after, Reading(value, ordinal=True, bare=bare)
        for end, value, bare in self._numbers(at, _ANY, Role.ORDINAL):
            yield end, Reading(trimmed(value), ordinal=True, bare=bare)
        for end, form in self._forms_at(at):
            if form.role is Role.MINUS:
                for after, value, bare in self._cardinals(end):
                    yield after, Reading(trimmed(-value), bare=bare)

    def _cardinals(self, at: int) -> Iterator[_Part]:
        yield from self._numbers(at, _ANY, Role.VALUE)
        yield from self._broken(at, _ANY)

    def _numbers(self, at: int, limit: int, last: Role) -> tuple[_Part, ...]:
        """Whole numbers below a limit; ``last`` is what its last part may be beside a digit: VALUE, TIMES or ORDINAL."""
        key = (at, limit, last)
        if key not in self._parts:
            found = (part for part in self._whole(at, limit, last) if part[1] < limit)
            self._parts[key] = tuple(sorted(set(found)))
        return self._parts[key]

    def _whole(self, at: int, limit: int, last: Role) -> Iterator[_Part]:
        for end, form in self._forms_at(at):
            if form.role is last or (form.role is Role.VALUE and last is Role.TIMES):
                yield end, form.value, False
            elif form.role is Role.BEFORE and form.value < limit:
                yield from self._sums(end, form.value, _unit(form.value), last, False)
            elif form.role in _ALONE and form.value < limit:
                yield from self._scaled((end, Decimal(1), True), form, end, last)
        if last is not Role.ORDINAL:
            yield from self._digits(at)
        for cap in {below for scale, below in self._grammar.caps if scale < limit}:
            for part in self._multipliers(at, cap):
                for end, form in self._forms_at(part[0]):
                    if form.below == cap and form.value < limit:
                        yield from self._scaled(part, form, end, last)

    def _scaled(self, part: _Part, form: Form, end: int, last: Role) -> Iterator[_Part]:
        _, times, bare = part
        if form.role in _LAST and last is not Role.ORDINAL:
            yield end, times * form.value, bare
        elif form.role not in _LAST and times == int(times):
            yield from self._sums(end, times * form.value, int(form.value), last, bare)

    def _sums(self, at: int, value: Decimal, limit: int, last: Role, bare: bool) -> Iterator[_Part]:
        for end, rest, weak in self._numbers(at, limit, last):
            if 0 < rest == int(rest):
                yield end, value + rest, bare or weak

    def _multipliers(self, at: int, cap: int) -> Iterator[_Part]:
        yield from (part for part in self._numbers(at, cap, Role.TIMES) if part[1] > 0)
        yield from self._broken(at, cap)
        yield from (part for part in self._digits(at) if part[1] >= cap)

    def _broken(self, at: int, limit: int) -> Iterator[_Part]:
        """Numbers with a fraction: "ढाई", "साढ़े तीन", "two and a half", "तीन दशमलव पाँच"."""
        for end, form in self._forms_at(at):
            if form.role is Role.FIXED:
                yield end, form.value, False
            elif form.role is Role.SHIFT:
                yield from self._shifted(end, form.value)
            elif form.role is Role.POINT:
                yield from ((after, Decimal(f"0.{digits}"), False) for after, digits in self._decimals(end))
        for end, value, bare in self._numbers(at, limit, Role.VALUE):
            for after, form in self._forms_at(end) if value == int(value) else ():
                if form.role is Role.AFTER:
                    yield after, value + form.value, bare
                elif form.role is Role.POINT:
                    yield from ((stop, Decimal(f"{int(value)}.{digits}"), bare) for stop, digits in self._decimals(after))

    def _shifted(self, at: int, shift: Decimal) -> Iterator[_Part]:
        if abs(shift) == Decimal("0.25"):
            yield at, 1 + shift, True
        for end, value, bare in self._numbers(at, 100, Role.TIMES):
            if 0 < value == int(value):
                yield end, value + shift, bare

    def _decimals(self, at: int) -> Iterator[tuple[int, str]]:
        """What follows a decimal point: digits one by one, or one number below 100."""
        for end, value, _ in self._numbers(at, 100, Role.VALUE):
            if value == int(value):
                yield end, str(int(value))
                if value < 10:
                    yield from ((after, f"{int(value)}{more}") for after, more in self._decimals(end) if len(more) < 4)

    def _digits(self, at: int) -> Iterator[_Part]:
        if self._text.startswith(_OPEN, at):
            end = self._text.index(_CLOSE, at)
            yield end + 1, Decimal(self._text[at + 1 : end]), False

    def _forms_at(self, at: int) -> tuple[tuple[int, Form], ...]:
        """Every form that is written at an offset, with where it ends."""
        if at not in self._forms:
            found = [
                (at + length, form)
                for length in self._grammar.lengths.get(self._text[at : at + 1], ())
                for form in self._grammar.forms.get(self._text[at : at + length], ())
                if at + length <= len(self._text)
            ]
            self._forms[at] = tuple(found)
        return self._forms[at]


def _unit(value: Decimal) -> int:
    """What follows a number said before a smaller one stays below this: twenty(-five), two hundred (fifty)."""
    return next((scale for scale in (10**7, 10**5, 1000, 100) if value >= scale), 10)
