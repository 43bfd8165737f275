"""From the systems that stand on a board to its rows, with ranks and groups for all recordings and for each slice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from parakh.errors import counted
from parakh.leaderboard.boards.board import ALL, Board, Place, Row, in_order, key_of
from parakh.leaderboard.boards.entries import Entry
from parakh.leaderboard.boards.groups import LEVEL, Systems
from parakh.leaderboard.boards.scored import Scored
from parakh.leaderboard.challenge import MetricSet
from parakh.leaderboard.clock import now
from parakh.leaderboard.ranking import ranks
from parakh.resample import few_units
from parakh.significance import steady


@dataclass(frozen=True)
class System:
    """A submission that stands on a board, how many it stands for, and its figures."""

    entry: Entry
    submissions: int
    scored: Scored

    @property
    def alike(self) -> tuple[str, tuple[str, ...]]:
        """What has to be the same for two systems to be compared: every choice, and the recordings."""
        return self.scored.signature, tuple(self.scored.stats)

    def row(self) -> Row:
        """Its row, not placed yet."""
        one = self.entry
        return Row(
            rank=None,
            group="",
            team=one.team,
            team_id=one.team_id,
            kind=one.kind,
            submission=one.submission,
            system=one.system,
            tags=one.tags,
            paper=one.paper,
            made_at=one.made_at,
            submissions=self.submissions,
            values=self.scored.values,
        )


@dataclass(frozen=True)
class _Usual:
    """What most systems have in common; others are not compared with them."""

    signature: str
    recordings: tuple[str, ...]
    slices: Mapping[str, Mapping[str, tuple[str, ...]]]

    @property
    def alike(self) -> tuple[str, tuple[str, ...]]:
        return self.signature, self.recordings

    def recordings_of(self, by: str, value: str) -> list[str]:
        """The recordings of a slice; none where it is one of speakers."""
        return [one for one in self.recordings if by == ALL or value in self.slices[one].get(by, ())]


def arranged(systems: Sequence[System], metric_set: MetricSet, *, references: str, version: int) -> Board:
    """The board of some systems.

    Args:
        systems: In the order that equals keep.
        metric_set: What they were scored with.
        references: Digest of what they were scored from.
        version: ``Contest.version``.
    """
    usual, slices, rows = _usual(systems), _slices(systems), [one.row() for one in systems]
    places: list[dict[str, dict[str, Place]]] = [{} for _ in rows]
    for by, values in {ALL: (ALL,), **slices}.items():
        for value in values:
            for place, found in zip(places, _places(systems, rows, metric_set, (by, value), usual), strict=True):
                place.setdefault(by, {})[value] = found
    placed = [
        replace(row, rank=own[ALL][ALL].rank, group=own[ALL][ALL].group, places=own)
        for row, own in zip(rows, places, strict=True)
    ]
    return Board(
        rows=tuple(in_order(placed, metric_set)),
        slices=slices,
        metric_set=metric_set,
        references=references,
        version=version,
        made_at=now(),
        recordings=len(usual.recordings),
        signature=usual.signature,
        small=tuple(dict.fromkeys(field for one in systems for field in one.scored.small)),
        notes=tuple(_notes(systems, usual, metric_set.level or LEVEL)),
    )


def _usual(systems: Sequence[System]) -> _Usual:
    most = Counter(one.alike for one in systems).most_common(1)
    for one in systems:
        if one.alike == most[0][0]:
            return _Usual(*one.alike, one.scored.slices)
    return _Usual("", (), {})


def _slices(systems: Sequence[System]) -> dict[str, tuple[str, ...]]:
    """The values of each field, in the order of the first system that has it."""
    found: dict[str, dict[str, None]] = {}
    for one in systems:
        for by, values in one.scored.values.items():
            if by != ALL:
                found.setdefault(by, {}).update(dict.fromkeys(values))
    return {by: tuple(values) for by, values in found.items()}


def _places(
    systems: Sequence[System], rows: Sequence[Row], metric_set: MetricSet, where: tuple[str, str], usual: _Usual
) -> list[Place]:
    """The rank and the group of each row in one slice."""
    keys = [key_of(row, metric_set, *where) for row in rows]
    ranked = ranks(keys, [row.is_ranked for row in rows])
    recordings = usual.recordings_of(*where)
    tested = [
        place
        for place in sorted(range(len(rows)), key=keys.__getitem__)
        if recordings and systems[place].alike == usual.alike and _value(rows[place], metric_set, where) is not None
    ]
    together = Systems(
        keys=[systems[place].entry.results for place in tested],
        stats=[[systems[place].scored.stats[one] for one in recordings] for place in tested],
        metric=metric_set.rank_by,
        recordings=recordings,
        level=metric_set.level or LEVEL,
    )
    letters = together.letters([rows[place].is_ranked for place in tested])
    groups = dict(zip(tested, letters, strict=True))
    return [Place(rank, groups.get(place, "")) for place, rank in enumerate(ranked)]


def _value(row: Row, metric_set: MetricSet, where: tuple[str, str]) -> float | None:
    return row.cell(metric_set.rank_by, *where).value


def _notes(systems: Sequence[System], usual: _Usual, level: float) -> Iterator[str]:
    """What a reader should keep in mind."""
    others = sum(one.alike != usual.alike for one in systems)
    if others:
        yield f"{counted(others, 'row')} scored with other choices than the rest: in no group; score the contest again"
    versions = sorted({one.scored.parakh for one in systems})
    if len(versions) > 1:
        yield f"scored by different versions of Parakh: {', '.join(versions)}"
    tests, recordings = len(systems) - others - 1, len(usual.recordings)
    if tests > 0 and tests * 2.0 ** (1 - recordings) >= steady(1 - level):
        yield f"{counted(recordings, 'recording')} are too few to tell {counted(tests + 1, 'system')} apart"
    elif systems:
        yield from (finding.message for finding in few_units(recordings))
