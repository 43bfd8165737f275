"""Changes that are none, because another speaker of the recording has the words.

Words under the wrong speaker are lost to one stream of the alignment and gained by another. Where both say the same thing at the
same time, give or take some seconds, nothing was lost to the record: the ledger charges it to the speaker; it is no alarm. Lost
and gained statements are paired one to one, in order, each with the nearest. Without times those of the whole recording meet.
Recordings in which some unit has no speaker are one stream, where nothing can be under the wrong speaker.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from parakh.diagnostics import Unit
from parakh.diagnostics._amounts import change_of_unit, same_number
from parakh.diagnostics.passages import SAME_WORDS, Corpus
from parakh.diagnostics.statements import BODY, NUMBER, TIMINGS, Change, Statement

_PAIRED = ("lost", "gained", "changed", "swapped")
_BESIDE = ("unit", "currency", "each")
"""Changes of what stands beside a number that itself stayed."""


def without_moved(corpus: Corpus, changes: Sequence[Change]) -> list[Change]:
    """Changes without what one speaker lost and another gained.

    Args:
        corpus: (session_id, pair) of every recording, in order.
        changes: What changed, in order.
    """
    if not changes:
        return []
    streams = _streams(corpus)
    losses = [place for change in changes if _may_move(change) for place in streams.places(change.said, said=True)]
    gains = [place for change in changes if _may_move(change) for place in streams.places(change.heard, said=False)]
    by_kind: dict[tuple[str, str], list[_Place]] = {}
    for gain in gains:
        by_kind.setdefault((gain.session, gain.statement.kind), []).append(gain)
    moved: set[int] = set()
    for loss in losses:
        there = by_kind.get((loss.session, loss.statement.kind), [])
        found = min(
            (gain for gain in there if _is_moved(loss, gain)), key=lambda gain: _apart(loss.time, gain.time), default=None
        )
        if found is not None:
            there.remove(found)
            moved |= {id(loss.statement), id(found.statement)}
    return [left for change in changes for left in _left(change, moved)]


def _may_move(change: Change) -> bool:
    name, _, what = change.kind.rpartition(" ")
    return what in _PAIRED and name not in _BESIDE


def _left(change: Change, moved: set[int]) -> Iterator[Change]:
    """What is left of a change without the statements that moved."""
    left = [one if one is not None and id(one) not in moved else None for one in (change.said, change.heard)]
    gone = [one for one in change.both if id(one) in moved]
    if not gone:
        yield change
        return
    kind = gone[0].kind
    for one, what in zip(left, ("lost", "gained"), strict=True):
        if one is not None and one.sure and kind not in (BODY, *TIMINGS):
            yield Change(f"{kind} {what}", left[0], left[1])


@dataclass(frozen=True, eq=False)
class _Place:
    """A statement that only one side has, and where it stands."""

    statement: Statement
    session: str
    stream: int
    time: tuple[float, float] | None


@dataclass(frozen=True)
class _Streams:
    corpus: Corpus
    starts: Sequence[int]
    attributed: Set[str]

    def places(self, statement: Statement | None, said: bool) -> Iterator[_Place]:
        """The place of a statement; none in a recording of one stream."""
        if statement is None or self.corpus[statement.first][0] not in self.attributed:
            return
        pairs = [pair for _, pair in self.corpus[statement.first : statement.last + 1]]
        time = _time(unit for pair in pairs for unit in (pair.reference if said else pair.hypothesis))
        stream = bisect_right(self.starts, statement.first)
        yield _Place(statement, self.corpus[statement.first][0], stream, time)


def _streams(corpus: Corpus) -> _Streams:
    """Where the pairs of one reference speaker and the hypothesis speaker assigned to them begin."""
    starts: list[int] = []
    unattributed: set[str] = set()
    session: str | None = None
    said = heard = None
    for at, (name, pair) in enumerate(corpus):
        one = pair.reference[0].speaker if pair.reference else said
        other = pair.hypothesis[0].speaker if pair.hypothesis else heard
        if (pair.reference and one is None) or (pair.hypothesis and other is None):
            unattributed.add(name)
        if name != session or (said and one != said) or (heard and other != heard):
            starts.append(at)
            one = pair.reference[0].speaker if pair.reference else None
            other = pair.hypothesis[0].speaker if pair.hypothesis else None
        session, said, heard = name, one, other
    several = Counter(corpus[start][0] for start in starts)
    return _Streams(corpus, starts, {name for name, count in several.items() if count > 1} - unattributed)


def _is_moved(loss: _Place, gain: _Place) -> bool:
    one, other = loss.statement, gain.statement
    if loss.stream == gain.stream or _apart(loss.time, gain.time) > SAME_WORDS:
        return False
    if one.kind == NUMBER:
        return same_number(one, other) and not change_of_unit(one, other).endswith("changed")
    return not set(one.values).isdisjoint(other.values)


def _apart(one: tuple[float, float] | None, other: tuple[float, float] | None) -> float:
    """Seconds between two times; 0 where they overlap, or where one is not known."""
    return max(0.0, other[0] - one[1], one[0] - other[1]) if one is not None and other is not None else 0.0


def _time(units: Iterable[Unit]) -> tuple[float, float] | None:
    times = [unit.time for unit in units if unit.time is not None]
    return (min(start for start, _ in times), max(end for _, end in times)) if times else None
