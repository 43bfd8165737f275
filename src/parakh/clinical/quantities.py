"""Every number of a text with its unit, in whatever script or words, and whether one number backs another.

``measurements`` reads what a conversation measured; this reads every number, to check whether a number in a summary was
said at all.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import regex

from parakh.clinical.cues import Phrases
from parakh.clinical.folding import Word, words_of
from parakh.clinical.lexicon import DATA, read_table
from parakh.clinical.measurements import announced, is_named
from parakh.clinical.numbers import number_at, ordinal_at, tells_number

_GROUPED = regex.compile(r"(?<=\d),(?=\d{2},\d{3}(?!\d)|\d{3}(?!\d))")
_SPELLED = ((regex.compile(r"\s*[%\uff05\u066a]"), " percent "), (regex.compile(r"\s*°"), " degree "))
_PER_MINUTE = regex.compile(r"\s*/\s*min(?:ute)?\b")
_LEAST_BARE = 3
_NEAR = 5
_QUARTERS = 4
_YEARS = 1900
_ADULT_PRESSURE = ((60, 260), (30, 160))
_NAMED_BY_NUMBER = ("type", "grade", "stage", "class", "टाइप", "ಟೈಪ್")
_ORDINAL_ENDS = ("st", "nd", "rd", "th")
_FORMS = ("tablet", "injection", "dose", "puff", "drop", "spoon", "packet")
_PRESSURE = "mmHg"
_IN_BLOOD = {("g", "hemoglobin"): "g/dL", ("%", "hemoglobin"): "g/dL", ("mg", "blood-sugar"): "mg/dL"}


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it stands in a text.

    Args:
        values: The number; the two ends of a range, or upper and lower blood pressure.
        unit: Name of the unit (``data/units.tsv``); "" where there is none.
        told: The unit was said; otherwise it follows from what was measured ("hemoglobin 9").
        start: Index of its first word.
        end: Index after its last word.
        claimed: It states a number; otherwise it only backs one stated elsewhere ("tomorrow" backs "in one day").
    """

    values: tuple[float, ...]
    unit: str
    told: bool
    start: int
    end: int
    claimed: bool = True


def quantity_words(text: str) -> tuple[Word, ...]:
    """The words of a text with signs that belong to numbers spelled out and grouping commas left out.

    >>> [word.text for word in quantity_words("1,00,000 at 98%")]
    ['100000', 'at', '98', 'percent']
    """
    plain = _PER_MINUTE.sub(" per minute", _GROUPED.sub("", text))
    for sign, spelled in _SPELLED:
        plain = sign.sub(spelled, plain)
    return words_of(plain)


def quantities(words: Sequence[Word]) -> Iterator[Quantity]:
    """Every number in a row of words, in order.

    "One" and "two" in words and without a unit are left out: they are articles, and in Hindi "two" is also "give". So is
    a digit within a name ("B12", "HbA1c").

    >>> words = quantity_words("पाँच सौ mg, दिन में तीन बार, बीपी 140/90, Vitamin B12")
    >>> [(one.values, one.unit) for one in quantities(words)]
    [((500.0,), 'mg'), ((3.0,), 'time'), ((140.0, 90.0), 'mmHg')]
    """
    at = 0
    while at < len(words):
        if _in_name(words, at):
            at += 1
            continue
        found = _phrase(words, at) or (_numeric(words, at) if tells_number(words[at]) else None)
        if found is None:
            at += 1
            continue
        if found.values:
            yield found
        at = found.end


def backs(evidence: Quantity, claim: Quantity) -> bool:
    """Whether a number that was said bears out a number that is claimed.

    The values must be equal once units of one kind are converted (7 days, 1 week); of a range and a single number, each
    claimed end must be said. A unit must not be contradicted: a number said without a unit backs one with any unit,
    and the other way round, and so does one whose unit was only inferred, because people leave units out; a number
    claimed with an inferred unit is not backed by one said with a unit of another kind, and a blood pressure backs
    nothing but a blood pressure.
    """
    if evidence.unit == _PRESSURE != claim.unit:
        return False
    one, other = measure_of(evidence.unit), measure_of(claim.unit)
    if evidence.unit and claim.unit and one[0] != other[0]:
        if evidence.told or not claim.told:
            return False
        one, other = ("", 1.0), ("", 1.0)
    elif not (evidence.unit and claim.unit):
        one, other = ("", 1.0), ("", 1.0)
    said = [value * one[1] for value in evidence.values]
    return all(any(math.isclose(value * other[1], heard, rel_tol=1e-6) for heard in said) for value in claim.values)


def is_dose(quantity: Quantity) -> bool:
    """Whether it is an amount of something taken: a told weight below a kilogram, or a volume."""
    kind, size = measure_of(quantity.unit)
    return quantity.told and ((kind == "grams" and size < 1000) or kind == "litres")


def _in_name(words: Sequence[Word], at: int) -> bool:
    if not words[at].text[0].isdigit():
        return False
    if "\n" in words[at].before and at + 1 < len(words) and words[at + 1].before.startswith((".", ")")):
        return True  # the number of a list's item
    if at == 0:
        return False
    if words[at - 1].tight in _NAMED_BY_NUMBER:
        return True
    before, between = words[at - 1].text, words[at].before
    if not between:
        return not before[-1].isdigit()
    return between == "-" and before[-1].isalpha() and (before.isupper() or len(before) == 1) and before.isascii()


def _phrase(words: Sequence[Word], at: int) -> Quantity | None:
    if words[at].tight not in _counted_heads():
        return None
    found: Quantity | None = None
    for use, value, unit, heads in _counted():
        stop = heads.at(words, at, len(words))
        if stop is not None and (found is None or stop > found.end):
            found = Quantity((value,), unit, True, at, stop, use == "claimed")
    if found is not None and not found.claimed and _unit_at(words, found.end - 1) and number_at(words, at) is not None:
        return None  # "एक गोली": the number tells more
    return found


def _numeric(words: Sequence[Word], at: int) -> Quantity | None:
    return _schedule(words, at) or _pressure(words, at) or _number(words, at)


def _schedule(words: Sequence[Word], at: int) -> Quantity | None:
    """A tablet twice a day as in "1-0-1"; three numbers with slashes, dots or hyphens are a date, which counts nothing."""
    three = words[at : at + 3]
    if len(three) < 3 or not all(word.text.isdigit() for word in three):
        return None
    between = {three[1].before.strip(), three[2].before.strip()}
    if between <= {"-", "\u2013"} and all(len(word.text) == 1 for word in three):
        return Quantity((float(sum(word.tight != "0" for word in three)),), "time", True, at, at + 3)
    if between <= {"-", "/", "."} and len(between) == 1:
        return Quantity((), "", True, at, at + 3)
    return None


def _pressure(words: Sequence[Word], at: int) -> Quantity | None:
    upper = _whole(words, at)
    if upper is None or upper[1] >= len(words):
        return None
    value, after = upper
    if words[after].before.strip() == ":" and words[after].text.isdigit() and value < 24:
        return Quantity((value + float(words[after].tight) / 60,), "o'clock", True, at, _past_unit(words, after + 1))
    over = _over().at(words, after, len(words))
    slash = "/" in words[after].before
    lower = _whole(words, over or after) if (over or after) < len(words) else None
    if lower is None:
        return None
    if slash and words[after].text.isdigit() and is_named(words, at, "blood-pressure"):
        return Quantity((value, lower[0]), _PRESSURE, True, at, lower[1])
    if slash and words[after].text.isdigit() and value < lower[0]:
        return _fraction(words, at, value, lower)
    (low, high), (lowest, highest) = _ADULT_PRESSURE
    fits = low <= value <= high and lowest <= lower[0] <= highest and lower[0] < value
    if not fits or not (over or slash or is_named(words, at, "blood-pressure")) or _unit_at(words, after):
        return None
    end = lower[1]
    unit_end = units_by_name()[_PRESSURE].at(words, end, len(words)) if end < len(words) else None
    return Quantity((value, lower[0]), _PRESSURE, True, at, unit_end or end)


def _fraction(words: Sequence[Word], at: int, value: float, lower: tuple[float, int]) -> Quantity:
    """A half in "1/2 tablet"; nine in "pain 9/10"; nothing in the date "10/2020"."""
    below, after = lower
    if below >= _YEARS:
        return Quantity((), "", True, at, after)
    unit, end = _unit(words, after, at)
    return Quantity((value / below if below <= _QUARTERS else value,), unit, bool(unit), at, end)


def _number(words: Sequence[Word], at: int) -> Quantity | None:
    ordinal = ordinal_at(words, at)
    if ordinal is not None:
        unit, end = _unit(words, at + 1, at)
        return Quantity((ordinal,), unit, True, at, end) if unit in ("month", "week", "day", "years") else None
    first = _whole(words, at)
    if first is None:
        return None
    value, after = first
    values, after = _range(words, at, value, after)
    numbered = after < len(words) and words[after].tight in _ORDINAL_ENDS and not words[after].before
    unit, end = _unit(words, after + numbered, at)
    if unit:
        return Quantity(values, unit, True, at, end)
    if after < len(words) and not words[after].before and words[after].text[0].isascii() and words[at].text.isdigit():
        return Quantity((), "", True, at, after + 1)
    implied = announced(words, at, 0)
    bare = not words[at].text[0].isdigit() and min(values) < _LEAST_BARE
    if bare and implied is None:
        return Quantity((), "", True, at, after)
    return Quantity(values, implied.unit if implied is not None else "", False, at, after)


def _whole(words: Sequence[Word], at: int) -> tuple[float, int] | None:
    """A number; "one forty" is 140."""
    found = number_at(words, at)
    if found is None or found[0] not in (1.0, 2.0) or words[at].text[0].isdigit() or found[1] >= len(words):
        return found
    rest = number_at(words, found[1])
    spelled = not words[found[1]].text[0].isdigit() and not words[found[1]].after_comma
    if rest is not None and spelled and 20 <= rest[0] < 100:
        return 100 * found[0] + rest[0], rest[1]
    return found


def _range(words: Sequence[Word], at: int, value: float, after: int) -> tuple[tuple[float, ...], int]:
    """Both ends of a range: "2 to 3", "2-3", "two three"; "one one" is one each."""
    if after >= len(words):
        return (value,), after
    joined = _joins().at(words, after, len(words))
    dashed = words[after].before.strip() in ("-", "\u2013", "\u2014")
    other = _whole(words, joined or after)
    if other is None or words[after].sentence != words[at].sentence or ("," in words[after].before and not joined):
        return (value,), after
    if other[0] == value and not joined:
        return (value,), other[1]
    reach = math.inf if joined or dashed else _NEAR
    if "/" in words[after].before or not 0 < other[0] - value <= reach:
        return (value,), after
    return (value, other[0]), other[1]


def _unit(words: Sequence[Word], after: int, at: int) -> tuple[str, int]:
    """The unit that follows a number, "" if none does, and the index after it; in "two iron tablets" a word stands between."""
    found = _unit_at(words, after)
    if found is None and after < len(words) and not words[after].after_comma and number_at(words, after) is None:
        found = _unit_at(words, after + 1)
        same = found is not None and words[found[1] - 1].sentence == words[at].sentence
        if found is None or found[0] not in _FORMS or not same or words[after + 1].after_comma:
            return "", after
    if found is None:
        return "", after
    unit, end = found
    for (short, kind), full in _IN_BLOOD.items():
        if unit == short and is_named(words, at, kind):
            return full, end
    return unit, end


def _unit_at(words: Sequence[Word], at: int) -> tuple[str, int] | None:
    """The longest unit that begins at a word."""
    if at >= len(words):
        return None
    best: tuple[str, int] | None = None
    for unit, phrases in units_by_name().items():
        end = phrases.at(words, at, len(words))
        if end is not None and (best is None or end > best[1]):
            best = unit, end
    return best


def _past_unit(words: Sequence[Word], at: int) -> int:
    found = _unit_at(words, at)
    return found[1] if found is not None else at


def measure_of(unit: str) -> tuple[str, float]:
    """What a unit measures and its size in the smallest unit of that; of an unknown unit itself and 1.

    >>> measure_of("mg"), measure_of("spoonful")
    (('grams', 0.001), ('spoonful', 1.0))
    """
    return _units().get(unit, (unit, 1.0))


@cache
def _rows(name: str) -> tuple[tuple[str, ...], ...]:
    lines = (DATA / name).read_text("utf-8").splitlines()
    return tuple(tuple(line.split("\t")) for line in lines if line and not line.startswith("#"))[1:]


@cache
def _units() -> dict[str, tuple[str, float]]:
    return {unit: (kind, float(size)) for unit, kind, size, _ in _rows("units.tsv")}


@cache
def units_by_name() -> dict[str, Phrases]:
    """What follows a number where a unit is said or written, by name of the unit.

    >>> units_by_name()["mg"].at(words_of("एम जी"), 0, 2)
    2
    """
    return {unit: Phrases.parse(words) for unit, _, _, words in _rows("units.tsv")}


@cache
def _counted() -> tuple[tuple[str, float, str, Phrases], ...]:
    return tuple((use, float(value), unit, Phrases.parse(words)) for use, value, unit, words in _rows("counted.tsv"))


@cache
def _counted_heads() -> frozenset[str]:
    return frozenset(head for *_, phrases in _counted() for head in phrases.exact)


@cache
def _over() -> Phrases:
    return Phrases.parse(read_table("measures.toml")["units"]["over"])


@cache
def _joins() -> Phrases:
    return Phrases.parse(read_table("measures.toml")["spans"]["range"])
