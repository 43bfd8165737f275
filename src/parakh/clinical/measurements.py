"""Measured values, spans of time and doses, with the turn each comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from parakh.clinical.cues import Phrases
from parakh.clinical.folding import Word, tight, words_of
from parakh.clinical.lexicon import read_table
from parakh.clinical.numbers import number_at, ordinal_at, tells_number
from parakh.types import Segment

_REACH_BACK = 6
_REACH_ON = 3
_TIME_UNITS = ("hour", "day", "week", "month", "year")


@dataclass(frozen=True, slots=True)
class Measurement:
    """A number with what it measures.

    Args:
        kind: "blood-pressure", "hemoglobin", "blood-sugar", "temperature", "weight", "pulse", "oxygen", "age",
            "gestation", "weight-change", "duration" (since when), "ago", "follow-up" (after how long), "course" (for how
            long a medicine), "span" (a stretch of time that is none of these), "dose" or "frequency" (times a day).
        value: The number; the lower one of a range; systolic pressure.
        unit: "mmHg", "g/dL", "mg/dL", "°F", "°C", "kg", "g", "per minute", "%", "hour", "day", "week", "month", "year",
            "mg", "tablet", "spoon" or "time".
        segment_index: Index of the segment in the sequence given.
        text: The words that state it, as written.
        start: Index of its first word in the segment.
        second: Diastolic pressure, or the upper end of a range; None if there is none.
    """

    kind: str
    value: float
    unit: str
    segment_index: int
    text: str
    start: int
    second: float | None = None


def measurements(segments: Sequence[Segment]) -> list[Measurement]:
    """Every measured value, span of time and dose in the turns of one conversation, in order.

    >>> turns = [Segment("v", "w", words="बीपी एक सौ चालीस बटा नब्बे है। तीन दिन से बुखार? हीमोग्लोबिन 9 है।")]
    >>> [(m.kind, m.value, m.second, m.unit) for m in measurements(turns)]
    [('blood-pressure', 140.0, 90.0, 'mmHg'), ('duration', 3.0, None, 'day'), ('hemoglobin', 9.0, None, 'g/dL')]
    """
    return [found for index, segment in enumerate(segments) for found in in_words(words_of(segment.words), index)]


def reading_name(kind: str) -> str | None:
    """What a measured value is called in English; None for spans of time, doses and age.

    >>> reading_name("blood-sugar"), reading_name("duration")
    ('blood sugar', None)
    """
    name = _kinds().get(kind, {}).get("name")
    return None if name is None else str(name)


def set_phrases(segments: Sequence[Segment], table: str) -> list[tuple[int, int, str]]:
    """Details told in a set phrase instead of a number.

    Args:
        segments: The turns in order.
        table: "relative" for spans of time ("since yesterday"), "dosing" for when a medicine is taken ("after food").

    Returns:
        (segment index, word index, English) of each, in order.
    """
    found: list[tuple[int, int, str]] = []
    for index, segment in enumerate(segments):
        words = words_of(segment.words)
        for english, heads in _set_phrases(table):
            found.extend((index, start, english) for start, _ in heads.find(words, 0, len(words)))
    return sorted(found)


def in_words(words: Sequence[Word], index: int) -> Iterator[Measurement]:
    """The measurements of one segment's words."""
    at = 0
    while at < len(words):
        if not tells_number(words[at]):
            at += 1
            continue
        found = _pressure(words, at, index) or _counted(words, at, index) or announced(words, at, index)
        if found is None or _prescriptive(words, at):
            at += 1
            continue
        yield found
        at += max(1, len(found.text.split()))


def _prescriptive(words: Sequence[Word], at: int) -> bool:
    """A number that says what a value ought to be measures nothing."""
    start, end = _sentence(words, at)
    return _spans("what_should_be").within(words, start, end)


def _make(
    kind: str,
    value: float,
    unit: str,
    words: Sequence[Word],
    span: tuple[int, int],
    index: int,
    second: float | None = None,
) -> Measurement:
    text = " ".join(word.text for word in words[span[0] : span[1]])
    return Measurement(kind, value, unit, index, text, span[0], second)


def _pressure(words: Sequence[Word], at: int, index: int) -> Measurement | None:
    upper = number_at(words, at)
    if upper is None:
        return None
    value, after = upper
    named = is_named(words, at, "blood-pressure")
    if value in (1.0, 2.0) and named:
        rest = number_at(words, after)
        if rest is not None and 10 <= rest[0] < 100:
            value, after = 100 * value + rest[0], rest[1]
    over = _units("over").at(words, after, len(words)) if after < len(words) else None
    slash = after < len(words) and "/" in words[after].before
    lower = number_at(words, over or after)
    if lower is None or not (named or slash or over) or not _fits("blood-pressure", value) or not 40 <= lower[0] <= 150:
        return None
    if lower[0] >= value or (value < 80 and not named):
        return None
    return _make("blood-pressure", value, "mmHg", words, (at, lower[1]), index, lower[0])


def _counted(words: Sequence[Word], at: int, index: int) -> Measurement | None:
    """A number, or a range of two, that a unit follows."""
    ordinal = ordinal_at(words, at)
    if ordinal is not None:
        month = _units("month").at(words, at + 1, len(words)) if at + 1 < len(words) else None
        near = month is not None and _spans("pregnant").within(words, month, _ahead(words, month))
        return _make("gestation", ordinal, "month", words, (at, month), index) if month is not None and near else None
    value, second, after = _range(words, at)
    if value is None or after >= len(words):
        return None
    for unit in ("degree", "kilogram", "gram", "milligram", "time", "tablet", "spoon", *_TIME_UNITS):
        end = _units(unit).at(words, after, len(words))
        if end is not None:
            return _with_unit(words, (at, end), index, value, second, unit)
    return None


def _range(words: Sequence[Word], at: int) -> tuple[float | None, float | None, int]:
    """A number and, as in "two three days" or "2 to 3 days", the one after it."""
    first = number_at(words, at)
    if first is None:
        return None, None, at
    value, after = first
    bridge = after + 1 if after < len(words) and _spans("range").at(words, after, len(words)) else after
    other = number_at(words, bridge)
    if other is not None and 0 < other[0] - value <= 5 and "/" not in words[after].before:
        return value, other[0], other[1]
    return value, None, after


def _with_unit(
    words: Sequence[Word], span: tuple[int, int], index: int, value: float, second: float | None, unit: str
) -> Measurement | None:
    at, end = span
    if unit == "degree":
        return _make("temperature", value, "°F" if value > 50 else "°C", words, span, index)
    if unit == "kilogram":
        changed = _spans("change_after").within(words, end, min(end + 2, len(words))) or _just_before(words, at, "change_before")
        return _make("weight-change" if changed else "weight", value, "kg", words, span, index, second)
    if unit == "gram":
        of_blood = is_named(words, at, "hemoglobin") and _fits("hemoglobin", value)
        return _make("hemoglobin" if of_blood else "weight", value, "g/dL" if of_blood else "g", words, span, index)
    if unit in ("milligram", "tablet", "spoon"):
        return _make("dose", value, "mg" if unit == "milligram" else unit, words, span, index, second)
    if unit == "time":
        return _make("frequency", value, "time", words, span, index, second) if _is_daily(words, at, end) else None
    return _make(_kind_of_span(words, at, end, unit), value, unit, words, span, index, second)


def _kind_of_span(words: Sequence[Word], at: int, end: int, unit: str) -> str:
    ahead = _ahead(words, end)
    if unit in ("month", "week") and _spans("pregnant").within(words, end, ahead):
        return "gestation"
    if unit == "year" and (is_named(words, at, "age") or _units("year_old").at(words, end - 1, len(words)) is not None):
        return "age"
    if _begins(words, end, "ago_after"):
        return "ago"
    if _spans("stopped").within(words, end, ahead):
        return "span"
    carries_since = words[end - 1].tight.endswith(_since_endings())
    if carries_since or _begins(words, end, "since_after") or _just_before(words, at, "since_before"):
        return "duration"
    later = _spans("later_after").within(words, end, min(end + 2, len(words))) or _just_before(words, at, "later_before")
    if later and unit != "hour":
        return "follow-up"
    return "course" if _begins(words, end, "course_after") else "span"


def announced(words: Sequence[Word], at: int, index: int) -> Measurement | None:
    """A bare number after the name of what it measures."""
    number = number_at(words, at)
    if number is None:
        return None
    value, after = number
    for kind, table in _kinds().items():
        named = kind != "blood-pressure" and _fits(kind, value) and is_named(words, at, kind)
        if named and not _number_between(words, at, kind):
            return _make(kind, value, str(table["unit"]), words, (at, after), index)
    return None


def _number_between(words: Sequence[Word], at: int, kind: str) -> bool:
    """Whether the name of the measure has had its number already."""
    named = _first_of(kind, words, at, _sentence(words, at)[0])
    return any(number_at(words, place) is not None for place in range(named + 1, at))


def _sentence(words: Sequence[Word], at: int) -> tuple[int, int]:
    inside = [place for place, word in enumerate(words) if word.sentence == words[at].sentence]
    return inside[0], inside[-1] + 1


def is_named(words: Sequence[Word], at: int, kind: str) -> bool:
    """Whether the nearest measure named before (or just after) the number in its sentence is ``kind``."""
    start, end = _sentence(words, at)
    nearest: tuple[int, str] | None = None
    for name in _kinds():
        for first, _ in _kind_words(name).find(words, max(start, at - _REACH_BACK), at):
            if nearest is None or first > nearest[0]:
                nearest = (first, name)
    if nearest is not None:
        return nearest[1] == kind or (nearest[0] == _first_of(kind, words, at, start))
    return kind == "blood-pressure" and _kind_words(kind).within(words, at, min(at + 5, end))


def _first_of(kind: str, words: Sequence[Word], at: int, start: int) -> int:
    return max((first for first, _ in _kind_words(kind).find(words, max(start, at - _REACH_BACK), at)), default=-1)


def _ahead(words: Sequence[Word], end: int) -> int:
    return min(end + _REACH_ON, len(words))


def _begins(words: Sequence[Word], at: int, name: str) -> bool:
    return at < len(words) and _spans(name).at(words, at, len(words)) is not None


def _just_before(words: Sequence[Word], at: int, name: str) -> bool:
    return any(stop == at for _, stop in _spans(name).find(words, max(0, at - 2), at))


def _is_daily(words: Sequence[Word], at: int, end: int) -> bool:
    before = _spans("daily_before").within(words, max(0, at - 4), at)
    return before or _spans("daily_after").within(words, end, _ahead(words, end))


def _fits(kind: str, value: float) -> bool:
    table = _kinds()[kind]
    return float(table["low"]) <= value <= float(table["high"])


@cache
def _kinds() -> dict[str, dict[str, str | float]]:
    table = read_table("measures.toml")
    return {name: row for name, row in table.items() if "low" in row}


@cache
def _kind_words(kind: str) -> Phrases:
    return Phrases.parse(str(_kinds()[kind]["words"]))


@cache
def _units(name: str) -> Phrases:
    return Phrases.parse(read_table("measures.toml")["units"][name])


@cache
def _spans(name: str) -> Phrases:
    return Phrases.parse(read_table("measures.toml")["spans"][name])


@cache
def _since_endings() -> tuple[str, ...]:
    return tuple(tight(ending.strip()) for ending in read_table("measures.toml")["spans"]["since_suffix"].split(";"))


@cache
def _set_phrases(table: str) -> tuple[tuple[str, Phrases], ...]:
    return tuple((english, Phrases.parse(words)) for english, words in read_table("measures.toml")[table].items())
