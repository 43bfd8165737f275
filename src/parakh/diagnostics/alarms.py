"""Errors that can hurt a patient or a record: what was stated on one side and not, or otherwise, on the other.

The statements of both sides (``statements``) are found around every error and matched: first those that are the same and near
each other, so that a word in another place, another notation or another negation changes nothing; then, near each other, those
of one kind that differ: a number changed, a medicine swapped. What is left was lost or gained, unless another speaker of the
recording has it (``_moved``). A statement whose pairs hold no error is never an alarm by itself: a difference in writing is none.
Nor is a mark, but the one that makes a fraction of two numerals. Of a recording that the system lacks altogether nothing is told
here: it is missing, which is a finding already.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from parakh.diagnostics import Pair, Unit
from parakh.diagnostics._amounts import by_how_much, change_of_unit, factor_of, is_digit_string, same_number
from parakh.diagnostics._moved import without_moved
from parakh.diagnostics.notations import values_of
from parakh.diagnostics.passages import Context, Corpus, example_at, joined
from parakh.diagnostics.statements import (
    BODY,
    CLOCK,
    DAYPART,
    DRUG,
    MEAL,
    NEGATION,
    NUMBER,
    PERIOD,
    SIDE,
    TIMINGS,
    WEEKDAY,
    Change,
    Statement,
    statements,
)
from parakh.languages.values import value_of
from parakh.text.tokens import Kind
from parakh.types import Severity

AROUND = 8
"""Pairs around an error in which statements are looked for."""
_SAME_WITHIN = 3
_NEAR = {NUMBER: 2, DRUG: 2, BODY: 1, SIDE: 1, MEAL: 2, PERIOD: 2, DAYPART: 1, CLOCK: 1, WEEKDAY: 1}
_WINDOW = 24
"""No statement spans so many pairs."""
_BESIDE = 3
"""Pairs within which words belong together: "सुबह और शाम", or a medicine's name that is said again."""
_POSSIBLE = frozenset(f"{name} {what}" for name in (NUMBER, DRUG, "unit", "each", "timing") for what in ("lost", "gained"))
_CHANGED = {NUMBER: "number changed", **dict.fromkeys(TIMINGS, "timing changed")}
_TOLD_ALONE = frozenset({NEGATION, NUMBER, DRUG, SIDE, DAYPART})
_GRAVITY = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}
_TOLD = {
    "unit lost": "the unit was lost",
    "unit gained": "nobody said the unit",
    "each lost": '"each" was lost',
    "each gained": 'nobody said "each"',
}
_DIGITS = re.compile(r"\d+")
_SLASHES = frozenset({"/", "\u2044"})


@dataclass(frozen=True, slots=True)
class Alarm:
    """One change of meaning.

    Args:
        kind: "negation", "drug", "side" or "number" with "lost" or "gained"; "number", "digits", "unit", "currency" or
            "timing changed"; "unit", "each" or "timing" with "lost" or "gained"; "drug", "side" or "body part swapped".
        severity: ERROR where the meaning is another one; WARNING where the words may mean something else.
        session_id: The recording.
        speaker: Who said it, as the reference names its speakers.
        time: (start, end) in seconds; None without times.
        reference: What was said there.
        hypothesis: What the system wrote there.
        message: One sentence.
        factor: New amount over old of a changed number or unit; None where there is none.
    """

    kind: str
    severity: Severity
    session_id: str
    speaker: str | None
    time: tuple[float, float] | None
    reference: Context
    hypothesis: Context
    message: str
    factor: float | None = None


def alarms(corpus: Corpus) -> tuple[Alarm, ...]:
    """The changes of meaning in a corpus.

    Args:
        corpus: (session_id, pair) of every recording, in order.

    Returns:
        Alarms, those that are errors before warnings, then in the order of the recordings, then of time.

    >>> from parakh.diagnostics import Charge, Unit
    >>> from parakh.types import Op
    >>> dose, wrong = (Unit(text, Kind.NUMERAL, "NUMERAL", language="hi") for text in ("250", "25"))
    >>> pair = Pair((dose,), (wrong,), (Charge(Op.SUBSTITUTION, "NUMERAL", dose, wrong),))
    >>> [(one.kind, one.message) for one in alarms([("visit01", pair)])]
    [('number changed', '250 became 25: ten times less')]
    """
    found: list[Change] = []
    for start, stop, wrong in _islands(corpus):
        pairs = [(at, corpus[at][1]) for at in range(start, stop)]
        said = statements([(at, unit) for at, pair in pairs for unit in pair.reference])
        heard = statements([(at, unit) for at, pair in pairs for unit in pair.hypothesis])
        found += _changes(said, heard, wrong)
    left = [change for change in without_moved(corpus, found) if not change.quiet]
    changes = sorted(left, key=lambda one: (one.first, one.kind))
    told = [_alarm(corpus, change) for change in _together(corpus, changes)]
    places = {name: place for place, name in enumerate(dict.fromkeys(alarm.session_id for alarm in told))}
    return tuple(sorted(told, key=lambda one: (_GRAVITY[one.severity], places[one.session_id], one.time or (0.0, 0.0))))


def has_word_error(pair: Pair) -> bool:
    """Whether something other than a mark is charged in a pair."""
    if not pair.errors:
        return False
    units = (unit for charge in pair.errors for unit in (charge.reference, charge.hypothesis))
    return any(unit is not None and unit.kind is not Kind.PUNCT for unit in units)


def _islands(corpus: Corpus) -> Iterator[tuple[int, int, list[int]]]:
    """Stretches of pairs of one recording that reach ``AROUND`` pairs beyond each error in them, and where these errors are."""
    start = 0
    for _, session in groupby(corpus, key=lambda one: one[0]):
        pairs = [pair for _, pair in session]
        errors = [at for at, pair in enumerate(pairs) if pair.errors and (has_word_error(pair) or _cuts_a_fraction(pairs, at))]
        if not any(pair.hypothesis for pair in pairs):
            errors = []
        breaks = [at for at, (one, other) in enumerate(pairwise(errors), 1) if other - one > 2 * AROUND]
        for low, high in pairwise([0, *breaks, len(errors)]) if errors else ():
            wrong = errors[low:high]
            stop = min(len(pairs), wrong[-1] + AROUND + 1)
            yield start + max(0, wrong[0] - AROUND), start + stop, [start + at for at in wrong]
        start += len(pairs)


def _cuts_a_fraction(pairs: Sequence[Pair], at: int) -> bool:
    """Whether the mark of a pair makes a fraction of the numerals around it on one side: "1/2", not "1-2", nor "120/80"."""
    if not 0 < at < len(pairs) - 1:
        return False
    three = pairs[at - 1 : at + 2]
    return any(_is_fraction(side) for side in ([p.reference for p in three], [p.hypothesis for p in three]))


def _is_fraction(side: Sequence[tuple[Unit, ...]]) -> bool:
    if not all(side) or side[1][0].text not in _SLASHES or not side[0][-1].kind is side[2][0].kind is Kind.NUMERAL:
        return False
    spans = values_of((side[0][-1].text, "/", side[2][0].text), None)
    return any(span.stop - span.start == 3 and key.startswith("n:") for span in spans for key in span.keys)


def _changes(said: Sequence[Statement], heard: Sequence[Statement], wrong: Sequence[int]) -> Iterator[Change]:
    for kind in (NEGATION, NUMBER, DRUG, BODY, SIDE, *TIMINGS):
        left = [one for one in said if one.kind == kind]
        right = [one for one in heard if one.kind == kind]
        if kind == NUMBER:
            _take_apart(left, right)
        matched = [*_matched(left, right, 0)]
        exchanged = _exchanged(left, right, wrong) if kind in (NUMBER, SIDE) else []
        for one, other in [*matched, *_matched(left, right, _SAME_WITHIN)]:
            what = change_of_unit(one, other) if kind == NUMBER and _in_error((one, other), wrong) else ""
            if what and not (_shares_unit(one, other.unit, said) or _shares_unit(other, one.unit, heard)):
                yield Change(what, one, other)
        met = [*_met(left, right, 0, wrong), *_met(left, right, _NEAR[kind], wrong)] if kind in _NEAR else []
        for one, other in [*exchanged, *met]:
            digits = kind == NUMBER and (is_digit_string(one) or is_digit_string(other))
            yield Change("digits changed" if digits else _CHANGED.get(kind, f"{kind} swapped"), one, other)
        if kind in _TOLD_ALONE:
            name = "timing" if kind == DAYPART else kind
            places = sorted({*wrong, *(at for pair in met for one in pair for at in range(one.first, one.last + 1))})
            yield from (Change(f"{name} lost", one, None, not _counts(one, said)) for one in left if _in_error((one,), places))
            yield from (
                Change(f"{name} gained", None, one, not _counts(one, heard)) for one in right if _in_error((one,), places)
            )


def _shares_unit(one: Statement, unit: str, side: Sequence[Statement]) -> bool:
    """Whether a number without a unit stands next to one that has it: "30 to $40"."""
    near = (other for other in side if other.kind == NUMBER and other.unit == unit)
    return not one.unit and any(_gap(one, other) <= _BESIDE for other in near)


def _take_apart(said: list[Statement], heard: list[Statement]) -> None:
    """Take off both lists a ratio that the other side has as two numbers: "120/80", "120-80"."""
    for whole, parts in ((said, heard), (heard, said)):
        for one in [one for one in whole if one.form == "ratio"]:
            inside = [part for part in parts if one.first <= part.first and part.last <= one.last and part.form == "number"]
            values = [key[2:] for part in inside for key in part.values if key.startswith("n:")]
            if f"r:{'/'.join(values)}" in one.values and not any(key.startswith("n:") for key in one.values):
                whole.remove(one)
                for part in inside:
                    parts.remove(part)


def _matched(said: list[Statement], heard: list[Statement], reach: int) -> Iterator[tuple[Statement, Statement]]:
    """Statements that are the same and at most ``reach`` pairs apart; they are taken off their lists."""
    return _taken(said, heard, lambda one, other: _gap(one, other) <= reach and _same(one, other))


def _exchanged(said: list[Statement], heard: list[Statement], wrong: Sequence[int]) -> list[tuple[Statement, Statement]]:
    """Statements that took each other's place, as in "left knee, right eye"; they are taken off their lists."""
    facing = [
        (one, other) for one in said for other in _window(heard, one) if _gap(one, other) == 0 and _in_error((one, other), wrong)
    ]
    found: list[tuple[Statement, Statement]] = []
    for (one, other), (two, another) in pairwise(facing):
        if two is not one and _same(one, another) and _same(two, other) and one in said and other in heard:
            found += [(one, other), (two, another)]
            for taken, side in ((one, said), (two, said), (other, heard), (another, heard)):
                side.remove(taken)
    return found


def _met(
    said: list[Statement], heard: list[Statement], reach: int, wrong: Sequence[int]
) -> Iterator[tuple[Statement, Statement]]:
    """Statements that differ and stand near each other, where there is an error; they are taken off their lists."""

    def meet(one: Statement, other: Statement) -> bool:
        return _gap(one, other) <= (reach if one.sure and other.sure else 0) and _in_error((one, other), wrong)

    return _taken(said, heard, meet)


def _taken(
    said: list[Statement], heard: list[Statement], fits: Callable[[Statement, Statement], bool]
) -> Iterator[tuple[Statement, Statement]]:
    """Both sides in order, each with the first that fits: of ordered stretches on a line no other choice pairs more."""
    for one in list(said):
        other = next((other for other in _window(heard, one) if fits(one, other)), None)
        if other is not None:
            said.remove(one)
            heard.remove(other)
            yield one, other


def _window(side: Sequence[Statement], one: Statement) -> Sequence[Statement]:
    """The statements of a side that may be near one of the other."""
    low = bisect_left(side, one.first - _WINDOW, key=_first)
    return side[low : bisect_right(side, one.last + _WINDOW, key=_first)]


def _first(one: Statement) -> int:
    return one.first


def _gap(one: Statement, other: Statement) -> int:
    """How many pairs two statements are apart; 0 if they share one."""
    return max(0, other.first - one.last, one.first - other.last)


def _same(one: Statement, other: Statement) -> bool:
    return same_number(one, other) if one.kind == NUMBER else not set(one.values).isdisjoint(other.values)


def _in_error(both: Sequence[Statement], wrong: Sequence[int]) -> bool:
    return any((place := bisect_left(wrong, one.first)) < len(wrong) and wrong[place] <= one.last for one in both)


def _counts(one: Statement, side: Sequence[Statement]) -> bool:
    """Whether a statement without counterpart is told.

    An article is not, a "right" that may be none, a part of the day by itself, nor what a speaker repeats in one breath.
    """
    if one.kind == NEGATION:
        return True
    beside = [other for other in side if other.kind == one.kind and other is not one and _gap(one, other) <= _BESIDE]
    if one.kind != NUMBER and any(_same(one, other) for other in beside):
        return False
    return bool(beside) if one.kind == DAYPART else one.sure


def _together(corpus: Corpus, changes: Sequence[Change]) -> list[Change]:
    """Changes in which numbers that stand next to one another are one change: "2-3 days" became "23 days"."""
    row: list[Change] = []
    number = -1
    for change in changes:
        if not change.kind.startswith(NUMBER):
            row.append(change)
            continue
        whole = _united(corpus, row[number], change) if number >= 0 else None
        if whole is None:
            number = len(row)
            row.append(change)
        else:
            row[number] = whole
    return [change for change in row if not _is_same_apart(change)]


def _is_same_apart(change: Change) -> bool:
    """Whether numbers one by one became the date or the number that they tell, or it became them: "3, 6, 1949", "3/6/1949"."""
    said, heard = change.said, change.heard
    if said is None or heard is None:
        return False
    if said.values and heard.values and same_number(said, heard):
        return not change_of_unit(said, heard)
    if "date" not in (said.form, heard.form):
        return False
    return [int(part) for part in _DIGITS.findall(said.text)] == [int(part) for part in _DIGITS.findall(heard.text)]


def _united(corpus: Corpus, one: Change, other: Change) -> Change | None:
    """One change of numbers for two that touch, of which at most one is a number changed; None if they are two."""
    kinds = {one.kind, other.kind}
    if not kinds <= {"number changed", "number lost", "number gained"} or one.kind == other.kind == "number changed":
        return None
    if (len(kinds) > 1 and "number changed" not in kinds) or corpus[one.first][0] != corpus[other.first][0]:
        return None
    between = [pair for _, pair in corpus[one.last + 1 : other.first]]
    if len(between) > 1 or any(unit.kind is not Kind.PUNCT for pair in between for unit in (*pair.reference, *pair.hypothesis)):
        return None
    sides = ((one.said, other.said), (one.heard, other.heard))
    said, heard = (_whole(corpus, [part for part in side if part is not None], place) for place, side in enumerate(sides))
    return Change("number changed" if "number changed" in kinds else one.kind, said, heard)


def _whole(corpus: Corpus, parts: Sequence[Statement], side: int) -> Statement | None:
    """The stretch from the first to the last of some statements of a side (0 the reference), which has no value of its own."""
    if len(parts) < 2:
        return parts[0] if parts else None
    first, last = min(part.first for part in parts), max(part.last for part in parts)
    text = joined(unit for _, pair in corpus[first : last + 1] for unit in (pair.reference, pair.hypothesis)[side])
    return Statement(NUMBER, _spoken(parts), text, first, last, all(part.sure for part in parts), parts[-1].unit)


def _spoken(parts: Sequence[Statement]) -> tuple[str, ...]:
    """The value of number words with a mark or a slip between them, as "three hundred, twenty"; none where they are several."""
    values = [value_of(part.values) for part in parts if not part.text[0].isdecimal()]
    known = [value for value in values if value is not None]
    rows = len(known) == len(parts) and all(not one % 100 and 0 < other < 100 for one, other in pairwise(known))
    return (f"n:{sum(known)}",) if rows else ()


def _alarm(corpus: Corpus, change: Change) -> Alarm:
    example = example_at(corpus, change.first, change.last + 1)
    sure = all(one.sure for one in change.both) and change.kind not in _POSSIBLE
    scaled = change.kind in ("number changed", "unit changed")
    factor = factor_of(change.said, change.heard) if scaled and change.said and change.heard else None
    return Alarm(
        change.kind,
        Severity.ERROR if sure else Severity.WARNING,
        example.session_id,
        example.speaker,
        example.time,
        example.reference,
        example.hypothesis,
        _message(change, factor),
        factor,
    )


def _message(change: Change, factor: float | None) -> str:
    said, heard = change.said, change.heard
    if said is None:
        return f"nobody said {'' if heard is None else heard.text}"
    if heard is None:
        return f"{said.text} was lost"
    told = by_how_much(factor) or _TOLD.get(change.kind, "")
    return f"{said.text} became {heard.text}{': ' if told else ''}{told}"
