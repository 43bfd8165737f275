"""Whether two numbers with their units are the same amount, what became of the unit of one, and by how much another changed.

Amounts of units that measure the same are compared in the smallest of these (``clinical/data/units.tsv``): 1 g is 1000 mg. A time
of the clock is no length of time. Digits that count nothing (telephone numbers), dates, times and ratios have no factor.
"""

from __future__ import annotations

import math

from parakh.clinical.quantities import measure_of
from parakh.diagnostics.statements import Statement
from parakh.languages.value_words import CURRENCIES
from parakh.languages.values import value_of

_CLOCK = "o'clock"
_TOLD_BY_THEIR_NOUN = frozenset({"child", _CLOCK})
_DEGREES = frozenset({"°F", "°C"})
_NO_AMOUNT = frozenset({"date", "ratio", "digits"})
_TIMES = {2.0: "two", 10.0: "ten", 100.0: "a hundred", 1000.0: "a thousand"}
_HARDLY = 1.05


def same_number(one: Statement, other: Statement) -> bool:
    """Whether two numbers say the same value, whatever the units, or the same amount in units of one measure."""
    if not set(one.values).isdisjoint(other.values):
        return True
    value = value_of(one.values)
    return value is not None and (value == value_of(other.values) or same_amount(one, other))


def same_amount(one: Statement, other: Statement) -> bool:
    """Whether two numbers with units of one measure are equal in the smallest of these."""
    ratio = _ratio(one, other) if one.unit and other.unit else None
    return ratio is not None and math.isclose(ratio, 1.0, rel_tol=1e-9)


def change_of_unit(said: Statement, heard: Statement) -> str:
    """What changed between two numbers of one value beside it: the kind of an alarm, or "" for nothing."""
    if said.each != heard.each and said.unit and heard.unit:
        return "each lost" if said.each else "each gained"
    if said.unit == heard.unit or same_amount(said, heard):
        return ""
    if said.unit and heard.unit:
        return _other_unit({said.unit, heard.unit}, bare=any(_is_bare(one) for one in (said, heard)))
    if _TOLD_BY_THEIR_NOUN.isdisjoint((said.unit, heard.unit)) and "time" not in (said.form, heard.form):
        return "unit lost" if said.unit else "unit gained"
    return ""


def _other_unit(units: set[str], bare: bool) -> str:
    """The kind of alarm for two units; degrees that are not said to be Celsius or Fahrenheit may be either."""
    if bare and units == _DEGREES:
        return ""
    return "currency changed" if units <= _currencies() else "unit changed"


def _is_bare(one: Statement) -> bool:
    return one.unit in _DEGREES and one.text.lower().rstrip(".")[-1:] not in "cf" and "fahr" not in one.text.lower()


def is_digit_string(one: Statement) -> bool:
    """Whether a number is six digits and more that count nothing we know of: a telephone or an identity number."""
    return not one.unit and any(key.startswith("x:") for key in one.values)


def factor_of(said: Statement, heard: Statement) -> float | None:
    """New amount over old; None where one of them is no amount, or they measure different things."""
    return _ratio(said, heard) if _is_amount(said) and _is_amount(heard) else None


def _is_amount(one: Statement) -> bool:
    if one.form == "time":
        return one.unit not in ("", _CLOCK)
    return one.form not in _NO_AMOUNT and not is_digit_string(one)


def by_how_much(factor: float | None) -> str:
    """A factor in words; "" where there is none, or hardly any change.

    >>> by_how_much(0.1), by_how_much(2.5), by_how_much(1.01)
    ('ten times less', '2.5 times more', '')
    """
    if factor is None or 1 / _HARDLY <= factor <= _HARDLY:
        return ""
    if factor <= 0:
        return "nothing is left" if factor == 0 else "the sign is another"
    times = max(factor, 1 / factor)
    return f"{_TIMES.get(round(times, 9), f'{times:.3g}')} times {'more' if factor > 1 else 'less'}"


def _ratio(said: Statement, heard: Statement) -> float | None:
    old, new = value_of(said.values), value_of(heard.values)
    if not old or new is None:
        return None
    (measure, size), (other, other_size) = _measure(said.unit), _measure(heard.unit)
    if not said.unit or not heard.unit:
        return float(new / old)
    return float(new) * other_size / (float(old) * size) if measure == other else None


def _measure(unit: str) -> tuple[str, float]:
    return (unit, 1.0) if unit == _CLOCK else measure_of(unit)


def _currencies() -> frozenset[str]:
    return frozenset({"EUR", "GBP", *CURRENCIES.values()})
