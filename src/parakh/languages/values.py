"""Stretches of a token sequence that say a value, with keys by which two of them are the same value.

Two stretches are the same value exactly if they share a key: "n:250" a number, "o:5" a place in an order, "q:10" a number with
a counter ("দশটা"), "d:2023-05-22" a date ("d:--05-22" without its year, "d:23-05-22" with two digits of it), "t:10:30" a time
of day, "c:INR:250" an amount of money, "u:mg" a unit beside a number, "p:50" a percentage, "r:120/80" a ratio, "g:2-3" a range,
"x:9876543210" digits read out. Nothing is rewritten. Where one is to stand for the other in writing, inflection counts too
(``alike``).

Only whole numbers count: a run of number words is cut into the fewest numbers, so "दो सौ पचास" is 250 and never 200 and 50,
while "दो तीन" is two numbers. Of equally short cuts those count that leave the fewest scale words bare ("एक सौ | दो सौ", not
"एक सौ दो | सौ"). Time readings of plain numbers ("10.30", "दस") need a word for a time of day beside them; "10:30" on the other
side will do for "10.30" and "साढ़े दस" unless they have a unit beside them: "10.30 kg" and "डेढ़ गोली" are no times. A year of two
digits may be one of the last century and of this one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise

from parakh.languages.number_tables import Role, fold, grammar
from parakh.languages.number_words import Reading, sign_value
from parakh.languages.value_numbers import DASHES, QUARTERS, SLASHES, Text, alike_keys, find_numbers, find_written_ordinals, joint
from parakh.languages.value_units import add_abbreviations, add_money, add_units, is_measured, unit_end
from parakh.languages.value_words import link, number_key, sense
from parakh.text.tokens import Token

_SINGLES, _GROUPED_DIGITS = 5, 10
_PARTS = {"1/2": "½", "1/4": "¼", "3/4": "¾", "1/3": "⅓", "2/3": "⅔"}


@dataclass(frozen=True, slots=True)
class ValueSpan:
    """Tokens that say one value.

    Args:
        start: Index of the first token.
        stop: Index after the last token.
        keys: What it can mean; never empty.
        kind: "number", "ordinal", "date", "time", "unit", "currency", "percent", "ratio", "range", "digits" or "link".
        alike: Keys by which it may stand for another in writing: its keys, but "पहला" and "पहली", "आधा" and "आधी", "একটা" and
            "একটি" share none, as words that differ in more than notation.
    """

    start: int
    stop: int
    keys: tuple[str, ...]
    kind: str
    alike: tuple[str, ...]


def value_spans(tokens: Sequence[Token], tag: str | None) -> list[ValueSpan]:
    """Every stretch of a token sequence that may be the same value as a stretch of another.

    Args:
        tokens: The tokens of one segment, in order.
        tag: BCP-47 primary tag of its language; None if unknown. English number words are read in every language.

    Returns:
        The stretches by start, then stop. They may overlap: "₹250" is an amount, and "250" in it a number.

    >>> from parakh.text.tokens import tokenize
    >>> [(span.start, span.stop, *span.keys) for span in value_spans(tokenize("ढाई सौ रुपये, दो दो गोली"), "hi")]
    [(0, 2, 'n:250'), (0, 3, 'c:INR:250'), (4, 5, 'n:2'), (5, 6, 'n:2')]
    """
    senses = [sense(token.text, tag) for token in tokens]
    if not any(senses):
        return []
    text = Text(tokens, [token.text for token in tokens], senses, tag)
    rules = (
        find_numbers,
        find_written_ordinals,
        _signs,
        _digit_runs,
        _chains,
        _dates,
        _times,
        add_units,
        add_abbreviations,
        add_money,
    )
    for rule in rules:
        rule(text)
    return [
        ValueSpan(*span, tuple(keys), kind, tuple(shared for key in keys for shared in alike_keys(text, span, key)))
        for span, (kind, keys) in sorted(text.found.items())
    ]


def value_of(keys: Sequence[str]) -> Decimal | None:
    """The number that the keys of a stretch say, for telling by how much two differ; None for dates, times, ratios and units.

    >>> value_of(("c:INR:250",)), value_of(("r:120/80",))
    (Decimal('250'), None)
    """
    for key in keys:
        kind, _, rest = key.partition(":")
        if kind in ("n", "o", "q", "c", "p"):
            return Decimal(rest.rpartition(":")[2])
    return None


# --- What one token says, and digits read out -------------------------------------------------------------------------------


def _signs(text: Text) -> None:
    for at, here in enumerate(text.senses):
        if here is not None and here.key:
            text.add(at, at + 1, here.kind, here.key, *([_dotted(here.key)] if here.kind == "time" else _centuries(here.key)))


def _digit_runs(text: Text) -> None:
    """Telephone and identity numbers: five digits or more one by one, or ten and more in groups."""
    at = 0
    for start, here in enumerate(text.senses):
        if start < at or here is None or not (here.digits or here.repeat):
            continue
        at = start
        groups: list[str] = []
        while (step := _group(text, at, bool(groups))) is not None:
            at, digits = step
            groups.append(digits)
        digits = "".join(groups)
        if len(digits) >= (_SINGLES if all(len(group) == 1 for group in _apart(groups)) else _GROUPED_DIGITS):
            text.add(start, at, "digits" if len(groups) > 1 else "number", f"x:{digits}")


def _apart(groups: list[str]) -> Iterator[str]:
    """Groups with "double" and "triple" digits as the digits that they are; a single numeral stands for its digits."""
    if len(groups) == 1:
        yield from groups[0]
        return
    for group in groups:
        yield from group if len(set(group)) == 1 else [group]


def _group(text: Text, at: int, inside: bool) -> tuple[int, str] | None:
    here = text.at(at)
    if here is None:
        dash = inside and at < len(text.words) and text.words[at] in DASHES
        return _group(text, at + 1, False) if dash and text.words[at - 1][-1:].isdecimal() else None
    after = text.at(at + 1)
    if here.repeat and after is not None and len(after.digits) == 1:
        return at + 2, after.digits * here.repeat
    return (at + 1, here.digits) if here.digits else None


# --- Numbers joined ---------------------------------------------------------------------------------------------------------


def _chains(text: Text) -> None:
    """Ratios and ranges: numbers with a slash, a dash or a word between them."""
    for start in sorted(text.starts):
        if text.ends.get(start - 1) and joint(text, start - 1):
            continue
        for kind in ("ratio", "range"):
            _chain(text, start, kind)


def _chain(text: Text, start: int, kind: str) -> None:
    values: list[Decimal] = []
    links: list[int] = []
    stop, after, spelled = start, start, False
    while (ahead := _plain(text, after)) is not None:
        stop, value = ahead
        values.append(value)
        if joint(text, stop) != kind:
            break
        spelled = spelled or text.words[stop] not in (*SLASHES, *DASHES)
        links.append(stop)
        after = stop + 1
    rising = all(low < high for low, high in pairwise(values))
    if len(values) < 2 or (kind == "range" and spelled and not rising):
        return
    said = ("/" if kind == "ratio" else "-").join(map(number_key, values))
    text.add(start, stop, kind, f"{'r' if kind == 'ratio' else 'g'}:{said}", *_slashed(values, said, spelled))
    for at in links if kind == "ratio" else ():
        text.add(at, at + 1, "link", "l:ratio")  # "/" and "by" are the same, also where a number beside is wrong
    before = text.at(start - 1)
    if said in _PARTS and before is not None and before.digits and text.words[start - 1].isdecimal():
        text.add(start - 1, stop, "number", f"n:{number_key(int(before.digits) + sign_value(_PARTS[said]))}")  # "1 1/2"


def _slashed(values: list[Decimal], said: str, spelled: bool) -> Iterator[str]:
    """What two numbers with a slash may be besides: a part of one, a day and month, a month and year."""
    if said in _PARTS:
        yield f"n:{number_key(sign_value(_PARTS[said]))}"
    if len(values) == 2 and not spelled and "/" in said and all(value == int(value) > 0 for value in values):
        first, second = map(int, values)
        if first <= 31 and second <= 12:
            yield f"d:--{second:02}-{first:02}"
        if first <= 12 and 1000 <= second <= 2999:
            yield f"d:{second}-{first:02}"


def _plain(text: Text, start: int) -> tuple[int, Decimal] | None:
    """The longest cardinal number that begins at a token."""
    found = [(stop, reading.value) for stop, reading in text.starts.get(start, ()) if not reading.ordinal]
    return max(found, default=None)


# --- Dates and times --------------------------------------------------------------------------------------------------------


def _dates(text: Text) -> None:
    for at, here in enumerate(text.senses):
        if here is None or not here.month:
            continue
        days = [(start, at + 1, int(reading.value)) for start, reading in text.ends.get(at, ()) if _is_day(reading)]
        if not days:
            days = [(at, stop, int(reading.value)) for stop, reading in text.starts.get(at + 1, ()) if _is_day(reading)]
        if not days:
            days = [(at, at + 1, 0)]
        for start, stop, day in days:
            _date(text, (start, stop), here.month, day)


def _date(text: Text, span: tuple[int, int], month: int, day: int) -> None:
    start, stop = span
    comma = stop < len(text.words) and text.words[stop] == ","
    years = [(end, reading.value) for end, reading in text.starts.get(stop + comma, ()) if _is_year(text, stop + comma, reading)]
    for end, year in years:
        key = f"d:{int(year):02}-{month:02}" + (f"-{day:02}" if day else "")
        text.add(start, end, "date", key, *_centuries(key))
    if day and not years:
        text.add(start, stop, "date", f"d:--{month:02}-{day:02}")


def _centuries(key: str) -> tuple[str, ...]:
    """The dates of four digits of the year that one with two of them can be."""
    return tuple(f"d:{century}{key[2:]}" for century in (19, 20)) if key[2:4].isdecimal() and key[4:5] == "-" else ()


def _is_day(reading: Reading) -> bool:
    return 1 <= reading.value <= 31 and reading.value == int(reading.value)


def _is_year(text: Text, at: int, reading: Reading) -> bool:
    short = len(text.words[at]) == 2 and text.words[at].isdecimal()
    return not reading.ordinal and (1000 <= reading.value <= 2999 or short) and reading.value == int(reading.value)


def _times(text: Text) -> None:
    for start, numbers in list(text.starts.items()):
        for stop, reading in numbers:
            if reading.ordinal or not 0 <= reading.value <= 24:
                continue
            _clock(text, (start, stop), reading)
            _hour_and_minutes(text, (start, stop), reading.value)


def _clock(text: Text, span: tuple[int, int], reading: Reading) -> None:
    """The time that a number is beside a word for a time of day; "साढ़े दस" and "10.30" may be one where no unit is beside them."""
    start, stop = span
    beside = any(text.linked(at, name) for at in (stop, start - 1) for name in ("clock", "past"))
    here = text.senses[start]
    hour, part = divmod(reading.value, 1)
    dotted = here.dotted if stop == start + 1 and here is not None else ""
    spelled = part in QUARTERS and 1 <= hour <= 12 and not any(_is_digits(word, text.tag) for word in text.words[start:stop])
    if beside and (spelled or not part):
        text.add(start, stop, "time", f"t:{int(hour)}:{int(part * 60):02}")
    elif beside and dotted:
        text.add(start, stop, "time", dotted)
    elif (spelled or dotted) and not is_measured(text, span):
        text.add(start, stop, "number", f"t:{int(hour)}:{int(part * 60):02}" if spelled else _dotted(dotted))


def _dotted(key: str) -> str:
    """The key by which "10.30" without a word for a time meets "10:30", which says that it is one, and no other writing."""
    return f"s{key[1:]}"


def _is_digits(word: str, tag: str | None) -> bool:
    """Whether a word is written in digits or is the word for a decimal point."""
    return word[-1:].isnumeric() or any(form.role is Role.POINT for form in grammar(tag).forms.get(fold(word), ()))


def _hour_and_minutes(text: Text, span: tuple[int, int], hour: Decimal) -> None:
    """A time told by two numbers: "10 बजकर 30 मिनट", "ten thirty am"."""
    start, stop = span
    after = _past(text, stop)
    for end, reading in text.starts.get(after, ()):
        minutes = reading.value
        if reading.ordinal or hour % 1 or minutes % 1 or not 0 < minutes < 60:
            continue
        if after > stop:
            text.add(start, unit_end(text, end, "minute") or end, "time", f"t:{hour}:{int(minutes):02}")
        elif minutes >= 10 and text.linked(end, "clock"):
            text.add(start, end, "time", f"t:{hour}:{int(minutes):02}")


def _past(text: Text, at: int) -> int:
    """The index after the words between an hour and its minutes, if they stand at a token."""
    known = grammar(text.tag)
    for count in (2, 1):
        words = text.words[at : at + count]
        if len(words) == count and link(fold("".join(words)), "clock", known) == "past":
            return at + count
    return at
