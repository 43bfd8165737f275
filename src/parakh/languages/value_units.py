"""Units, percentages and amounts of money beside the numbers of a token sequence."""

from __future__ import annotations

from parakh.languages.value_numbers import Text, joint
from parakh.languages.value_words import (
    CURRENCIES,
    counts,
    measures,
    number_key,
    solid_unit,
    unit_word,
    units_beginning,
)


def is_measured(text: Text, span: tuple[int, int]) -> bool:
    """Whether a number has a unit, what it counts, or money beside it; a percent word or currency may stand before it.

    Of a range its last number has the unit: "डेढ़ से दो गोली".
    """
    start, stop = span
    if joint(text, stop) == "range" and stop + 1 in text.starts:
        return any(is_measured(text, (stop + 1, end)) for end, _ in text.starts[stop + 1])
    before = start - 2 if start > 1 and text.words[start - 1] == "." else start - 1
    if any(here is not None and here.currency for here in (text.at(stop), text.at(before))):
        return True
    here = text.at(before)
    named = units_beginning(text.words[before]) if here is not None and here.unit and before not in text.ends else ()
    if any(unit == "%" or unit in CURRENCIES for unit in named):
        return True
    return counts([unit_word(word) for word in text.words[stop : stop + 4]]) or _abbreviated(text, stop) is not None


def unit_end(text: Text, at: int, unit: str) -> int | None:
    """The index after the words of a unit that begin at a token; None if they do not."""
    here = text.at(at)
    if here is None or not here.unit:
        return None
    row = [unit_word(word) for word in text.words[at : at + 4]]
    return at + stop if (stop := measures()[unit].at(row, 0, len(row))) is not None else None


def _unit_at(text: Text, at: int) -> tuple[int, str] | None:
    """The longest unit that begins at a token: (index after it, its name)."""
    here = text.at(at)
    if here is None or not here.unit:
        return None
    ends = [(unit_end(text, at, unit), unit) for unit in units_beginning(text.words[at])]
    return max(((end, unit) for end, unit in ends if end is not None), default=None)


def add_units(text: Text) -> None:
    """Units beside a number; a percentage is also a value as a whole, since its word may stand before the number."""
    for at, here in enumerate(text.senses):
        if here is None or not here.unit or not (at in text.ends or "%" in units_beginning(text.words[at])):
            continue
        stop, unit = _unit_at(text, at) or (at, "")
        if not unit or unit in CURRENCIES:
            continue
        kind, before = ("percent" if unit == "%" else "unit"), text.ends.get(at, ())
        after = text.starts.get(stop, ()) if unit == "%" and not before else ()
        if before or after:
            text.add(at, stop, kind, f"u:{unit}")
        for start, reading in before if unit == "%" else ():
            text.add(start, stop, kind, f"p:{number_key(reading.value)}")
        for end, reading in after:
            text.add(at, end, kind, f"p:{number_key(reading.value)}")


def add_abbreviations(text: Text) -> None:
    """Units with dots, "मि.ग्रा."; the last dot may end the sentence instead."""
    for at in [at for at in text.ends if at + 2 < len(text.words) and text.words[at + 1] == "."]:
        if (found := _abbreviated(text, at)) is None:
            continue
        stop, unit = found
        text.add(at, stop, "unit", f"u:{unit}")
        if stop < len(text.words) and text.words[stop] == ".":
            text.add(at, stop + 1, "unit", f"u:{unit}")


def _abbreviated(text: Text, at: int) -> tuple[int, str] | None:
    """The unit of two or three words with dots between them: (index after the last word, its name); "mg." is none."""
    for stop in (at + 3, at + 5):
        row = text.words[at:stop]
        if len(row) < stop - at or set(row[1::2]) != {"."} or solid_unit(row[0]):
            return None
        if unit := solid_unit("".join(row[::2])):
            return stop, unit
    return None


def add_money(text: Text) -> None:
    """Amounts: a currency's sign or word with the number before or after it, as a whole."""
    for at, here in enumerate(text.senses):
        if here is None or not (
            here.currency or (here.unit and not CURRENCIES.keys().isdisjoint(units_beginning(text.words[at])))
        ):
            continue
        unit_stop, unit = _unit_at(text, at) or (at + 1, "")
        currency = here.currency or CURRENCIES.get(unit, "")
        if not currency:
            continue
        before = text.ends.get(at, ())
        dot = unit_stop < len(text.words) and text.words[unit_stop] == "." and not here.currency
        for start, reading in before:
            text.add(start, unit_stop, "currency", f"c:{currency}:{number_key(reading.value)}")
        for stop, reading in () if before else text.starts.get(unit_stop + dot, ()):
            text.add(at, stop, "currency", f"c:{currency}:{number_key(reading.value)}")
