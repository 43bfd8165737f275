"""Errors that can hurt a patient or a record: what was stated on one side and not, or otherwise, on the other.

The statements of both sides (``statements``) are found around every error and matched: first those that are the same and near
each other, so that a word in another place, another notation or another negation changes nothing; then, near each other, those
of one kind that differ: a number changed, a medicine swapped. What is left was lost or gained. A statement whose pairs hold no
error is never an alarm by itself: a difference in writing is none.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from parakh.diagnostics import Pair
from parakh.diagnostics.passages import Context, Corpus, example_at
from parakh.diagnostics.statements import BODY, DRUG, NEGATION, NUMBER, SIDE, Statement, statements
from parakh.languages.values import value_of
from parakh.text.tokens import Kind
from parakh.types import Severity

AROUND = 8
"""Pairs around an error in which statements are looked for."""
_SAME_WITHIN = 3
_NEAR = {NUMBER: 2, DRUG: 2, BODY: 1, SIDE: 1}
_WINDOW = 24
"""No statement spans so many pairs."""
_UNSURE = frozenset({"number lost", "number gained", "drug lost", "drug gained"})
_TIMES = {10.0: "ten", 100.0: "a hundred", 1000.0: "a thousand"}


@dataclass(frozen=True, slots=True)
class Alarm:
    """One change of meaning.

    Args:
        kind: "negation lost", "negation gained", "number changed", "number lost", "number gained", "unit changed",
            "drug swapped", "drug lost", "drug gained", "body part swapped", "side swapped", "side lost" or "side gained".
        severity: ERROR where the meaning is another one; WARNING where the words may mean something else.
        session_id: The recording.
        speaker: Who said it, as the reference names its speakers.
        time: (start, end) in seconds; None without times.
        reference: What was said there.
        hypothesis: What the system wrote there.
        message: One sentence.
        factor: New value over old of a changed number; None where there is none.
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
        Alarms in the order of the corpus.

    >>> from parakh.diagnostics import Charge, Unit
    >>> from parakh.types import Op
    >>> dose, wrong = (Unit(text, Kind.NUMERAL, "NUMERAL", language="hi") for text in ("250", "25"))
    >>> pair = Pair((dose,), (wrong,), (Charge(Op.SUBSTITUTION, "NUMERAL", dose, wrong),))
    >>> [(one.kind, one.message) for one in alarms([("visit01", pair)])]
    [('number changed', '250 became 25: ten times less')]
    """
    found: list[tuple[int, str, Alarm]] = []
    for start, stop in _islands(corpus):
        pairs = [(at, corpus[at][1]) for at in range(start, stop)]
        wrong = [at for at, pair in pairs if has_word_error(pair)]
        said = statements([(at, unit) for at, pair in pairs for unit in pair.reference])
        heard = statements([(at, unit) for at, pair in pairs for unit in pair.hypothesis])
        for change in _changes(said, heard, wrong):
            found.append((change.first, change.kind, _alarm(corpus, change)))
    return tuple(alarm for *_, alarm in sorted(found, key=lambda one: one[:2]))


def has_word_error(pair: Pair) -> bool:
    """Whether something other than a mark is charged in a pair."""
    if not pair.errors:
        return False
    units = (unit for charge in pair.errors for unit in (charge.reference, charge.hypothesis))
    return any(unit is not None and unit.kind is not Kind.PUNCT for unit in units)


@dataclass(frozen=True, slots=True)
class _Change:
    """A statement that became another one, was lost (``heard`` is None) or gained (``said`` is None)."""

    kind: str
    said: Statement | None
    heard: Statement | None

    @property
    def both(self) -> list[Statement]:
        return [one for one in (self.said, self.heard) if one is not None]

    @property
    def first(self) -> int:
        return min(one.first for one in self.both)

    @property
    def last(self) -> int:
        return max(one.last for one in self.both)


def _islands(corpus: Corpus) -> Iterator[tuple[int, int]]:
    """Stretches of pairs of one recording that reach ``AROUND`` pairs beyond each error in them."""
    start = 0
    for _, session in groupby(corpus, key=lambda one: one[0]):
        pairs = [pair for _, pair in session]
        low = high = -1
        for at, pair in enumerate(pairs):
            if not has_word_error(pair):
                continue
            if at - AROUND > high >= 0:
                yield start + low, start + high
                low = -1
            low = max(0, at - AROUND) if low < 0 else low
            high = min(len(pairs), at + AROUND + 1)
        if low >= 0:
            yield start + low, start + high
        start += len(pairs)


def _changes(said: Sequence[Statement], heard: Sequence[Statement], wrong: Sequence[int]) -> Iterator[_Change]:
    for kind in (NEGATION, NUMBER, DRUG, BODY, SIDE):
        left = [one for one in said if one.kind == kind]
        right = [one for one in heard if one.kind == kind]
        for one, other in [*_matched(left, right, 0), *_matched(left, right, _SAME_WITHIN)]:
            if one.unit and other.unit and one.unit != other.unit and _in_error((one, other), wrong):
                yield _Change("unit changed", one, other)
        if kind in _NEAR:
            for one, other in [*_met(left, right, 0, wrong), *_met(left, right, _NEAR[kind], wrong)]:
                yield _Change(f"{kind} {'changed' if kind == NUMBER else 'swapped'}", one, other)
        if kind != BODY:
            yield from (_Change(f"{kind} lost", one, None) for one in left if _counts(one, wrong))
            yield from (_Change(f"{kind} gained", None, one) for one in right if _counts(one, wrong))


def _matched(said: list[Statement], heard: list[Statement], reach: int) -> Iterator[tuple[Statement, Statement]]:
    """Statements that are the same and at most ``reach`` pairs apart; they are taken off their lists."""
    return _taken(said, heard, lambda one, other: _gap(one, other) <= reach and _same(one, other))


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
        low = bisect_left(heard, one.first - _WINDOW, key=_first)
        high = bisect_right(heard, one.last + _WINDOW, key=_first)
        other = next((other for other in heard[low:high] if fits(one, other)), None)
        if other is not None:
            said.remove(one)
            heard.remove(other)
            yield one, other


def _first(one: Statement) -> int:
    return one.first


def _gap(one: Statement, other: Statement) -> int:
    """How many pairs two statements are apart; 0 if they share one."""
    return max(0, other.first - one.last, one.first - other.last)


def _same(one: Statement, other: Statement) -> bool:
    if not set(one.values).isdisjoint(other.values):
        return True
    value = value_of(one.values) if one.kind == NUMBER else None
    return value is not None and value == value_of(other.values)


def _in_error(both: Sequence[Statement], wrong: Sequence[int]) -> bool:
    return any((place := bisect_left(wrong, one.first)) < len(wrong) and wrong[place] <= one.last for one in both)


def _counts(one: Statement, wrong: Sequence[int]) -> bool:
    """Whether a statement without counterpart is told: not an article, nor a direction that may be none."""
    return _in_error((one,), wrong) and (one.sure or one.kind == NEGATION)


def _alarm(corpus: Corpus, change: _Change) -> Alarm:
    example = example_at(corpus, change.first, change.last + 1)
    factor = _factor(change) if change.kind == "number changed" else None
    sure = all(one.sure for one in change.both) and change.kind not in (
        "number lost",
        "number gained",
        "drug lost",
        "drug gained",
    )
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


def _message(change: _Change, factor: float | None) -> str:
    said, heard = change.said, change.heard
    if said is None:
        return f"nobody said {'' if heard is None else heard.text}"
    if heard is None:
        return f"{said.text} was lost"
    told = f"{said.text} became {heard.text}"
    return f"{told}: {_by_how_much(factor)}" if factor is not None and factor != 1 else told


def _factor(change: _Change) -> float | None:
    if change.said is None or change.heard is None:
        return None
    old, new = value_of(change.said.values), value_of(change.heard.values)
    return float(new / old) if old and new is not None else None


def _by_how_much(factor: float) -> str:
    if factor <= 0:
        return "nothing is left" if factor == 0 else "the sign is another"
    times = max(factor, 1 / factor)
    return f"{_TIMES.get(round(times, 9), f'{times:.3g}')} times {'more' if factor > 1 else 'less'}"
