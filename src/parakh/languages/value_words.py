"""What one token can contribute to a value: number words, a date, a time, a unit, a currency, a month, a link of numbers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache

from parakh import languages
from parakh.clinical.cues import Phrases
from parakh.clinical.folding import Word, tight
from parakh.clinical.quantities import units_by_name
from parakh.languages.number_tables import Grammar, Role, fold, grammar
from parakh.languages.number_words import numeral, read, trimmed
from parakh.text.normalize import ascii_digits, canonical

MEASURES = frozenset(
    ("mcg", "mg", "g", "kg", "ml", "litre", "unit", "%", "°F", "°C", "mmHg", "g/dL", "mg/dL", "cm", "mm", "metre", "km", "inch")
) | {"foot", "minute", "per minute", "spoon", "tablespoon"}
"""Units whose spoken and written names are one unit's: "mg", "एमजी"."""
CURRENCIES = {"rupee": "INR", "dollar": "USD"}
"""Units that are money, with their ISO 4217 codes."""
_SIGNS = {"₹": "INR", "₨": "INR", "$": "USD", "€": "EUR", "£": "GBP"}
_SPELLED = {"%": "percent", "\uff05": "percent", "°": "degree"}
_DAY_FIRST = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})")
_YEAR_FIRST = re.compile(r"(\d{4})([./-])(\d{1,2})\2(\d{1,2})")
_COLONS = re.compile(r"(\d{1,2}):(\d{2})(:\d{2})?")
_DOTTED = re.compile(r"(\d{1,2})\.(\d{2})")
_HYPHEN = re.compile("[-\u2010\u2011\u2013]")


@dataclass(frozen=True, slots=True)
class Sense:
    """What a token can contribute.

    Args:
        number: It may belong to a number: a numeral or a piece of number words.
        kind: "date", "time" or "range" if it is one by itself.
        key: The value it then has.
        digits: What it says where digits are read in groups: "7", "98".
        repeat: How often the next digit is meant ("double" is 2), else 0.
        unit: A unit may begin here.
        currency: Code of the currency whose sign it is, else "".
        month: 1 to 12, else 0.
        dotted: The time of day it is beside a word for one ("10.30"), else "".
        links: What it is between two numbers: "ratio", "range", "past", or beside one: "clock".
    """

    number: bool = False
    kind: str = ""
    key: str = ""
    digits: str = ""
    repeat: int = 0
    unit: bool = False
    currency: str = ""
    month: int = 0
    dotted: str = ""
    links: frozenset[str] = frozenset()


@lru_cache(maxsize=131072)
def sense(text: str, tag: str | None) -> Sense | None:
    """What a token can contribute to a value; None for one that never does.

    Args:
        text: The token as written.
        tag: BCP-47 primary tag of its language; None if unknown.

    >>> sense("दवा", "hi"), sense("22/5/2023", "hi").key, sense("मई", "hi").month, sense("डबल", "hi").repeat
    (None, 'd:2023-05-22', 5, 2)
    """
    if text in _SIGNS:
        return Sense(currency=_SIGNS[text])
    if text in _SPELLED:
        return Sense(unit=True)
    if unicodedata.category(text[-1])[0] == "N":
        return _numeral_sense(text)
    return _word_sense(text, grammar(tag))


@lru_cache(maxsize=4096)
def unit_word(text: str) -> Word:
    """A token as the table of units compares it, with signs spelled out."""
    spelled = _SPELLED.get(text, text)
    return Word(spelled, tight(spelled), 0)


def _numeral_sense(text: str) -> Sense | None:
    plain = ascii_digits(text)
    for key, kind in ((date_key(plain), "date"), (time_key(_COLONS.fullmatch(plain)), "time")):
        if key:
            return Sense(kind=kind, key=key)
    if numeral(text) is None:
        return None
    digits = plain.removeprefix("+")
    return Sense(True, digits=digits if digits.isdecimal() else "", dotted=time_key(_DOTTED.fullmatch(plain)))


def _word_sense(text: str, known: Grammar) -> Sense | None:
    folded = fold(text)
    if not folded:
        return None
    digits = known.names["digits"].get(folded, "")
    links = frozenset(filter(None, (link(folded, name, known) for name in ("ratio", "range", "clock"))))
    found = Sense(
        number=canonical(text) not in known.others and (folded in known.pieces or _covered(folded, known)),
        digits=digits if digits.isdecimal() else _digits(folded, known),
        repeat={"double": 2, "triple": 3}.get(digits, 0),
        unit=_begins_unit(unit_word(text).tight),
        month=int(known.names["months"].get(folded, 0)),
        links=links,
    )
    ends = _hyphened(text, known) if _HYPHEN.search(text) and not found.number else None
    if ends:
        return Sense(kind="range", key=f"g:{ends}")
    return None if found == Sense() else found


@cache
def _words_of(name: str, tag: str) -> tuple[dict[str, str], dict[str, str]]:
    """The words of a section and those with any ending; for the clock, also what the languages' own files have."""
    known = grammar(tag).names[name]
    if name == "clock":
        own = (word for code in (tag, "en") for word in languages.get(code).time_words)
        known = {fold("".join(word.split())): "words" for word in own} | dict(known)
    stems = {word[:-1]: key for word, key in known.items() if word.endswith("*")}
    return dict(known), stems


@cache
def measures() -> Mapping[str, Phrases]:
    """Phrases of every unit and currency that makes a value."""
    return {unit: phrases for unit, phrases in units_by_name().items() if unit in MEASURES or unit in CURRENCIES}


@cache
def _unit_heads() -> tuple[frozenset[str], tuple[str, ...]]:
    exact = frozenset(head for phrases in measures().values() for head in phrases.exact)
    return exact, tuple(head for phrases in measures().values() for head in phrases.heads)


def _begins_unit(word: str) -> bool:
    exact, stems = _unit_heads()
    return word in exact or word.startswith(stems)


@lru_cache(maxsize=16384)
def units_beginning(text: str, every: bool = False) -> tuple[str, ...]:
    """The units and currencies that make a value, or ``every`` unit there is, of which a phrase begins with a token."""
    word, units = unit_word(text).tight, units_by_name() if every else measures()
    return tuple(unit for unit, phrases in units.items() if word in phrases.exact or word.startswith(phrases.heads))


@lru_cache(maxsize=4096)
def solid_unit(word: str) -> str:
    """The unit that one word names, currencies aside; "" for none.

    >>> solid_unit("मिग्रा"), solid_unit("दवा")
    ('mg', '')
    """
    row = [unit_word(word)]
    return next((unit for unit, phrases in measures().items() if unit not in CURRENCIES and phrases.at(row, 0, 1)), "")


def counts(row: Sequence[Word]) -> bool:
    """Whether a row of words begins with a unit or with what is counted, a word for a time of day aside."""
    units = units_by_name().items() if row else ()
    return any(unit != "o'clock" and phrases.at(row, 0, len(row)) for unit, phrases in units)


def date_key(text: str) -> str:
    """The key of a date in ASCII digits, day first unless the year is; "" for what is no date.

    A month above 12 in the second place is a day, as in American dates; a year of two digits is kept apart.

    >>> date_key("22.05.2023"), date_key("2023-5-22"), date_key("5/22/2023"), date_key("22.05.23"), date_key("32.05.2023")
    ('d:2023-05-22', 'd:2023-05-22', 'd:2023-05-22', 'd:23-05-22', '')
    """
    if match := _DAY_FIRST.fullmatch(text):
        day, month, year = int(match[1]), int(match[3]), match[4]
        if month > 12 >= day and match[2] == "/":
            day, month = month, day
    elif match := _YEAR_FIRST.fullmatch(text):
        year, month, day = match[1], int(match[3]), int(match[4])
    else:
        return ""
    return f"d:{year}-{month:02}-{day:02}" if 1 <= month <= 12 and 1 <= day <= 31 else ""


def time_key(match: re.Match[str] | None) -> str:
    """The key of the hours and minutes matched; "" without a match or beyond the clock."""
    if match is None or int(match[1]) > 24 or int(match[2]) > 59:
        return ""
    seconds = match[3] if match.re.groups > 2 and match[3] and match[3] != ":00" else ""
    return f"t:{int(match[1])}:{match[2]}{seconds}"


def number_key(value: Decimal) -> str:
    """A number as it stands in keys, without an exponent.

    >>> number_key(Decimal("1.50")), number_key(Decimal("1E+5"))
    ('1.5', '100000')
    """
    return f"{trimmed(value):f}"


def link(folded: str, name: str, known: Grammar) -> str:
    """What a folded word is between or beside numbers by the section ``name``: "ratio", "range", "clock", "past", or ""."""
    exact, stems = _words_of(name, known.tag)
    found = exact.get(folded)
    if found is None and folded.startswith(tuple(stems)):
        found = next(key for stem, key in stems.items() if folded.startswith(stem))
    return {"words": name}.get(found or "", found or "")


def _digits(folded: str, known: Grammar) -> str:
    alone = (form for form in known.forms.get(folded, ()) if form.role is Role.VALUE and not form.onto)
    values = [form.value for form in alone if form.value < 100]
    return str(values[0]) if values else ""


def _covered(folded: str, known: Grammar) -> bool:
    """Whether a word is made of forms and nothing else."""
    reached = {0}
    for at in range(len(folded)):
        if at > max(reached):
            return False
        if at in reached:
            lengths = known.lengths.get(folded[at], ())
            forms = {at + length: known.forms.get(folded[at : at + length], ()) for length in lengths}
            reached |= {end for end, rows in forms.items() if any(at or not form.onto for form in rows)}
    return len(folded) in reached


def _hyphened(text: str, known: Grammar) -> str:
    """Numbers joined by hyphens ("दो-तीन"), as a key; "" if a part is none."""
    values = [read(part, known) if part else () for part in _HYPHEN.split(text)]
    return "-".join(number_key(value[0]) for value in values) if all(len(value) == 1 for value in values) else ""
