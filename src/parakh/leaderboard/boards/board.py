"""A board as values: rows with their figures, for all recordings and for each slice."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from parakh.leaderboard.challenge import MetricSet
from parakh.leaderboard.database.tables import Kind
from parakh.leaderboard.ranking import SortKey, sort_key

_T = TypeVar("_T")
ALL = ""
"""The field, and the value, that stand for all recordings."""


class Cell(NamedTuple):
    """One metric of one row.

    Args:
        value: In the metric's unit, rates as ratios; None where undefined.
        low: Lower end of its confidence interval; None where there is none.
        high: Upper end.
    """

    value: float | None
    low: float | None = None
    high: float | None = None


class Place(NamedTuple):
    """Where a row stands.

    Args:
        rank: From 1, equals share it; None for a row that is not ranked.
        group: The letters of the groups that it belongs to, "a" before "b"; "" where no test was made.
    """

    rank: int | None = None
    group: str = ""


Values = Mapping[str, Mapping[str, Mapping[str, Cell]]]
"""By field, value of the field, and metric."""
Places = Mapping[str, Mapping[str, Place]]
"""By field and value of the field."""


@dataclass(frozen=True)
class Row:
    """One system on a board.

    Args:
        rank: As in ``Place``, of the slice that the board is ordered by.
        group: As in ``Place``.
        team: Its name.
        team_id: Its key.
        kind: What the row is, a ``Kind``.
        submission: Its key; "" before scores may be seen, as a team's best would give away which one that is.
        system: Its name; "" as well then.
        tags: Words of its makers.
        paper: An address, or "".
        made_at: When it was handed in; None before scores may be seen.
        submissions: How many scored submissions it stands for.
        values: Figures for all recordings, under ``ALL``, and for each slice.
        places: Ranks and groups for all recordings, under ``ALL``, and for each slice.
    """

    rank: int | None
    group: str
    team: str
    team_id: str
    kind: str
    submission: str
    system: str
    tags: tuple[str, ...]
    paper: str
    made_at: datetime | None
    submissions: int
    values: Values = field(default_factory=dict)
    places: Places = field(default_factory=dict)

    def cell(self, metric: str, by: str = ALL, value: str = ALL) -> Cell:
        """The figure of a metric, for all recordings or a slice; without a value where there is none."""
        return self.values.get(by, {}).get(value, {}).get(metric, Cell(None))

    @property
    def is_ranked(self) -> bool:
        """Whether rows of its kind have ranks."""
        return self.kind != Kind.BASELINE


@dataclass(frozen=True)
class Board:
    """All rows of one contest, in order.

    Args:
        rows: Ranked and marked rows in the order of their values, then those without a value.
        slices: The values of each field that is reported separately, in order.
        metric_set: What the figures were made with.
        references: Digest of what they were made from.
        version: ``Contest.version`` that it was made from.
        made_at: When.
        recordings: How many were scored; 0 without rows.
        signature: Every choice behind the figures, as text; "" without rows.
        notes: What to keep in mind, one line each.
        small: Fields with a slice of so few recordings that it is not for everybody.
        freezes: It holds only what came in before this moment; None for everything.
        is_blind: Whether scores may not be seen yet: no values, rows in order of team.
        by: The field that ranks are of; ``ALL`` for all recordings.
        value: Its value.
    """

    rows: tuple[Row, ...]
    slices: Mapping[str, tuple[str, ...]]
    metric_set: MetricSet
    references: str
    version: int
    made_at: datetime
    recordings: int = 0
    signature: str = ""
    notes: tuple[str, ...] = ()
    small: tuple[str, ...] = ()
    freezes: datetime | None = None
    is_blind: bool = False
    by: str = ALL
    value: str = ALL

    def sliced(self, by: str, value: str) -> Board:
        """The same board ranked by a slice.

        Raises:
            KeyError: There is no such slice.
        """
        if by != ALL and value not in self.slices[by]:
            raise KeyError(value)
        placed = [(row, row.places.get(by, {}).get(value, Place())) for row in self.rows]
        rows = [replace(row, rank=place.rank, group=place.group) for row, place in placed]
        return replace(self, rows=tuple(in_order(rows, self.metric_set, by, value)), by=by, value=value)

    def without(self, withheld: Collection[str], notes: Sequence[str]) -> Board:
        """The same board without the slices of some fields, and what a reader is told of that."""
        rows = [replace(row, values=_without(row.values, withheld), places=_without(row.places, withheld)) for row in self.rows]
        return replace(self, rows=tuple(rows), slices=_without(self.slices, withheld), notes=(*self.notes, *notes))

    def to_dict(self) -> dict[str, Any]:
        """As JSON holds it."""
        document = {one.name: getattr(self, one.name) for one in fields(self)}
        document["rows"] = [_row_to_dict(row) for row in self.rows]
        document["slices"] = {name: list(values) for name, values in self.slices.items()}
        document["metric_set"] = self.metric_set.to_dict()
        document["notes"], document["small"] = list(self.notes), list(self.small)
        for name in ("made_at", "freezes"):
            document[name] = document[name] and document[name].isoformat()
        return document

    @staticmethod
    def from_dict(document: Mapping[str, Any]) -> Board:
        """From what ``to_dict`` made."""
        given = dict(document)
        given["rows"] = tuple(map(_row_from_dict, given["rows"]))
        given["slices"] = {name: tuple(values) for name, values in given["slices"].items()}
        given["metric_set"] = MetricSet.from_dict(given["metric_set"])
        given["notes"] = tuple(given["notes"])
        given["small"] = tuple(given.get("small", given["slices"]))  # of a board that did not count yet: any may be
        for name in ("made_at", "freezes"):
            given[name] = given[name] and datetime.fromisoformat(given[name])
        return Board(**given)


def in_order(rows: Sequence[Row], metric_set: MetricSet, by: str = ALL, value: str = ALL) -> list[Row]:
    """Rows from the best to the worst, those without a value last; equals stay as they are."""
    return sorted(rows, key=lambda row: key_of(row, metric_set, by, value))


def key_of(row: Row, metric_set: MetricSet, by: str = ALL, value: str = ALL) -> SortKey:
    """What orders a row among others, for all recordings or a slice."""
    names = (metric_set.rank_by, *metric_set.tie_break)
    return sort_key([row.cell(name, by, value).value for name in names], names)


def _without(held: Mapping[str, _T], withheld: Collection[str]) -> dict[str, _T]:
    return {name: value for name, value in held.items() if name not in withheld}


def _row_to_dict(row: Row) -> dict[str, Any]:
    document = {one.name: getattr(row, one.name) for one in fields(row)}
    document["made_at"] = row.made_at and row.made_at.isoformat()
    document["tags"] = list(row.tags)
    for name in ("values", "places"):
        document[name] = {by: dict(values) for by, values in document[name].items()}
    return document


def _row_from_dict(document: Mapping[str, Any]) -> Row:
    given = dict(document)
    given["made_at"] = given["made_at"] and datetime.fromisoformat(given["made_at"])
    given["tags"] = tuple(given["tags"])
    given["values"] = {
        by: {value: {metric: Cell(*cell) for metric, cell in cells.items()} for value, cells in values.items()}
        for by, values in given["values"].items()
    }
    given["places"] = {by: {value: Place(*place) for value, place in values.items()} for by, values in given["places"].items()}
    return Row(**given)
