"""Number words of a language -> the number they say; "same value?" rests on it, no text is ever rewritten.

A number is ``[crores][lakhs][thousands][hundreds][rest]``: a multiplier before each scale word, each part smaller than the
scale before it. Spaces do not count: a form may stand on its own or be written onto the next ("दोसौपचास", "ಇನ್ನೂರೈವತ್ತು").
Digits may stand for any part ("2 लाख 50 हज़ार"). A multiplier may hold a fraction ("ढाई सौ", "साढ़े तीन हज़ार"), after which
nothing is added. Number words that do not form one number never combine: "दो तीन" is no 23.

The words stand in one table a language: ``number_tables`` explains them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate

from parakh.languages.number_tables import Form, Grammar, Role, fold, grammar
from parakh.text.normalize import ascii_digits
from parakh.text.tokens import VULGAR

__all__ = ["Grammar", "Parser", "Reading", "grammar", "numeral", "read", "sign_value", "trimmed", "written"]

_ANY = 10**15
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3}")
_PLAIN = re.compile(r"[+-]?(?:(?:\d+|" + _GROUPED.pattern + r")(?:\.\d+)?|\.\d+)")
_OPEN, _CLOSE = "\x02", "\x03"
_ALONE = (Role.FINAL, Role.SCALE_BEFORE)
_LAST = (Role.FINAL, Role.JOINED)


@dataclass(frozen=True, slots=True)
class Reading:
    """One number read from words.

    Args:
        value: The number, without trailing zeros behind the decimal point.
        ordinal: It is a place in an order, not a count.
        counted: A counter is written onto it ("দশটা").
        ending: What it ends in where its words inflect: the last sign of an ordinal without nasality, the counter; else "".
        bare: A scale or fraction word in it has nothing before it ("हज़ार", "सवा"): the weaker reading where there is a choice.
    """

    value: Decimal
    ordinal: bool = False
    counted: bool = False
    ending: str = ""
    bare: bool = False


def numeral(text: str) -> Decimal | None:
    """The number that digits with a legal grouping and decimals write, or with a fraction after them; None for anything else.

    >>> numeral("1,00,000"), numeral("100,000"), numeral("२.५"), numeral("3,4"), numeral("22.05.2023")
    (Decimal('100000'), Decimal('100000'), Decimal('2.5'), None, None)
    >>> numeral(".5"), numeral("1½")
    (Decimal('0.5'), Decimal('1.5'))
    """
    if len(text) == 1 and unicodedata.category(text) in ("Nl", "No"):
        return sign_value(text)  # "½", "௰"
    if text[-1:] and text[-1] in VULGAR:
        whole = numeral(text[:-1])
        return None if whole is None or whole % 1 else whole + sign_value(text[-1]).copy_sign(whole)
    plain = ascii_digits(text).replace("\u2212", "-")
    return Decimal(plain.replace(",", "")) if _PLAIN.fullmatch(plain) else None


def sign_value(sign: str) -> Decimal:
    """The number that one sign says.

    >>> sign_value("½"), sign_value("௰")
    (Decimal('0.5'), Decimal('10.0'))
    """
    return Decimal(str(unicodedata.numeric(sign)))


def trimmed(value: Decimal) -> Decimal:
    """The same number without an exponent and without trailing zeros behind the point.

    >>> trimmed(Decimal("350.0")), trimmed(Decimal("1.50")), trimmed(Decimal("1E+3"))
    (Decimal('350'), Decimal('1.5'), Decimal('1000'))
    """
    whole = value.to_integral_value()
    return whole.quantize(Decimal(1)) if value == whole else value.normalize()


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
    pieces = [written(word) for word in words.split()]
    whole = sum(map(len, pieces))
    found = (reading for end, reading in Parser(grammar, pieces).readings(0) if end == whole and not reading.ordinal)
    return tuple(dict.fromkeys(reading.value for reading in found))


def written(token: str) -> str:
    """A token as ``Parser`` takes it: a word folded, digits kept apart from what stands beside them."""
    value = numeral(token) if unicodedata.category(token[-1])[0] == "N" else None
    return fold(token) if value is None else f"{_OPEN}{token if token in VULGAR else value}{_CLOSE}"


def ending(folded: str) -> str:
    """The last sign of a folded word, a nasal sign aside: what tells its inflection.

    >>> ending(fold("पाँचवाँ")) == ending(fold("पहला")), ending(fold("पहली")) == ending(fold("पहला"))
    (True, False)
    """
    return folded.rstrip("\u0902\u0982\u0a02\u0a82\u0b02")[-1:]


_Part = tuple[int, Decimal, bool]
"""(where it ends, its value, whether a word in it stands bare)"""


class Parser:
    """Reads the numbers of one run of words; what was read once is remembered.

    Args:
        grammar: The language's number words.
        pieces: The tokens of the run, each passed through ``written``; offsets count in them joined.
    """

    def __init__(self, grammar: Grammar, pieces: Sequence[str]) -> None:
        self._grammar = grammar
        self._text = "".join(pieces)
        self._starts = frozenset(accumulate(map(len, pieces), initial=0))
        self._parts: dict[tuple[int, int, Role], tuple[_Part, ...]] = {}
        self._forms: dict[int, tuple[tuple[int, Form], ...]] = {}

    def readings(self, at: int) -> Iterator[tuple[int, Reading]]:
        """Every number that begins at an offset, with the offset where it ends."""
        cardinals = tuple(self._cardinals(at))
        met = {form.role for forms in self._forms.values() for _, form in forms}  # what else can begin here was met by now
        for end, number, bare in cardinals:
            value = trimmed(number)
            yield end, Reading(value, bare=bare)
            for after, form in self._forms_at(end) if value == int(value) else ():
                if form.role is Role.SUFFIX:
                    yield after, Reading(value, ordinal=True, ending=ending(self._text[:after]), bare=bare)
        counted = (*self._numbers(at, _ANY, Role.TIMES), *self._broken(at, _ANY)) if Role.COUNTER in met else ()
        for end, value, bare in counted:
            for after, form in self._forms_at(end):
                if form.role is Role.COUNTER:
                    yield after, Reading(trimmed(value), counted=True, ending=self._text[end:after], bare=bare)
        for end, value, bare in self._numbers(at, _ANY, Role.ORDINAL) if Role.ORDINAL in met else ():
            yield end, Reading(trimmed(value), ordinal=True, ending=ending(self._text[:end]), bare=bare)
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

    def _broken(self, at: int, limit: int) -> tuple[_Part, ...]:
        """Numbers with a fraction: "ढाई", "साढ़े तीन", "two and a half", "तीन दशमलव पाँच"."""
        key = (at, limit, Role.FIXED)
        if key not in self._parts:
            self._parts[key] = tuple(self._fractions(at, limit))
        return self._parts[key]

    def _fractions(self, at: int, limit: int) -> Iterator[_Part]:
        yield from self._fixed(at)
        for end, form in self._forms_at(at):
            if form.role is Role.SHIFT:
                yield from self._shifted(end, form.value)
            elif form.role is Role.POINT:
                yield from ((after, Decimal(f"0.{digits}"), False) for after, digits in self._decimals(end))
        for end, value, bare in self._numbers(at, limit, Role.VALUE):
            if value == int(value) and self._text[end - 1] == _CLOSE and self._text[end + 1 : end + 2] in (*VULGAR,):
                yield from ((after, value + part, bare) for after, part, _ in self._digits(end))  # "1 ½"
            for after, form in self._forms_at(end) if value == int(value) else ():
                if form.role is Role.AFTER:
                    yield after, value + form.value, bare
                elif form.role is Role.POINT:
                    yield from ((stop, Decimal(f"{int(value)}.{digits}"), bare) for stop, digits in self._decimals(after))

    def _fixed(self, at: int) -> Iterator[_Part]:
        """Words for a number and a half or quarters, alone or behind a larger part: "ಎರಡೂವರೆ" is 2.5, "മുപ്പത്തിയേഴര" 30 + 7.5."""
        for end, form in self._forms_at(at):
            if form.role is Role.FIXED:
                yield end, form.value, False
            elif form.role is Role.BEFORE:
                rests = (part for part in self._fixed(end) if 1 < part[1] < _unit(form.value))
                yield from ((after, form.value + rest, bare) for after, rest, bare in rests)

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
            digits = self._text[at + 1 : end]
            yield end + 1, sign_value(digits) if digits in VULGAR else Decimal(digits), False

    def _forms_at(self, at: int) -> tuple[tuple[int, Form], ...]:
        """Every form that is written at an offset, with where it ends."""
        if at not in self._forms:
            found = [
                (at + length, form)
                for length in self._grammar.lengths.get(self._text[at : at + 1], ())
                for form in self._grammar.forms.get(self._text[at : at + length], ())
                if at + length <= len(self._text) and not (form.onto and at in self._starts)
            ]
            self._forms[at] = tuple(found)
        return self._forms[at]


def _unit(value: Decimal) -> int:
    """What follows a number said before a smaller one stays below this: twenty(-five), two hundred (fifty)."""
    return next((scale for scale in (10**7, 10**5, 1000, 100) if value >= scale), 10)
