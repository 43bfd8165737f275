"""What a board needs of the Results of a submission, read once from the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from parakh.leaderboard import small_slices
from parakh.leaderboard.boards.board import ALL, Cell, Values
from parakh.leaderboard.store import Store
from parakh.results import Results, Score, Stats

_HELD = 1000
"""Results kept in memory: about 50 kB each with a hundred recordings."""
_NO_CHOICE = ("interval", "parakh")
"""Entries of a signature that change no value."""


@dataclass(frozen=True)
class Scored:
    """The figures of one submission.

    Args:
        values: Of every metric, for all recordings and each slice.
        stats: Statistics of the metric that ranks, by recording.
        slices: The slices of each recording, by field; none of speakers.
        small: Fields with a slice of few recordings.
        signature: Every choice that changes a value.
        parakh: The version that scored it.
    """

    values: Values
    stats: Mapping[str, Stats]
    slices: Mapping[str, Mapping[str, tuple[str, ...]]]
    small: tuple[str, ...]
    signature: str
    parakh: str

    @property
    def totals(self) -> dict[str, float | None]:
        """The values for all recordings, by metric."""
        return {name: cell.value for name, cell in self.values[ALL][ALL].items()}


def scored(store: Store, key: str, rank_by: str, metrics: Sequence[str]) -> Scored:
    """The figures in a Results file of the store, which never changes.

    Raises:
        InputError: The file is not there, or is no Results.
    """
    return _scored(str(store.path(key)), rank_by, tuple(metrics))


@lru_cache(_HELD)
def _scored(path: str, rank_by: str, metrics: tuple[str, ...]) -> Scored:
    results = Results.load(path)
    every = {ALL: {ALL: results.metrics}, **results.slices}
    choices = results.signature.choices
    return Scored(
        values={by: {value: _cells(scores, metrics) for value, scores in values.items()} for by, values in every.items()},
        stats={one.id: one.stats[rank_by] for one in results.recordings if rank_by in one.stats},
        slices={one.id: one.slices for one in results.recordings},
        small=small_slices.in_results(results),
        signature="|".join(f"{name}:{value}" for name, value in choices.items() if name not in _NO_CHOICE),
        parakh=choices.get("parakh", ""),
    )


def _cells(scores: Mapping[str, Score], metrics: Sequence[str]) -> dict[str, Cell]:
    return {name: Cell(scores[name].value, *(scores[name].interval or ())) for name in metrics if name in scores}
