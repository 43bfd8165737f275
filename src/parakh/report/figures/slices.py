"""A metric on each slice of the recordings: every field that results were sliced by, a row a slice, a mark a system.

Fields are those of ``parakh score ... --slice FIELD``: language, condition, role, overlap and whatever else the manifest knows. A
field with one slice is left out: it is the whole.
"""

from __future__ import annotations

from collections.abc import Mapping

from parakh.report.chart import Intervals, Mark
from parakh.report.figures import Figure
from parakh.report.figures._systems import Systems, named, sliced, systems
from parakh.report.inputs import Inputs
from parakh.results import Results, Score

FIGURE = Figure("A metric by slice, with intervals", "Parakh")
Row = tuple[str, tuple[Mark, ...]]


def chart(inputs: Inputs, *, metric: str | None = None) -> Intervals | None:
    """The rows by field; None where nothing was sliced.

    >>> chart(Inputs(())) is None
    True
    """
    found = systems(inputs, metric)
    if found is None:
        return None
    labels = [label for label, one in found.results.items() if _fields(one)]
    made = {field: sliced(found, labels, field) for label in labels for field in _fields(found.results[label])}
    groups = {field: rows for field, (scores, _) in made.items() if len(rows := _rows(found, scores, field)) > 1}
    if not groups:
        return None
    return Intervals(
        title=f"{found.title} by {', '.join(groups)}",
        axis=found.axis,
        notes=(*found.without(labels, "Not sliced"), *(note for field in groups for note in made[field][1])),
        series=tuple(labels) if len(labels) > 1 else ("",),
        groups=groups,
        lower_is_better=found.lower_is_better,
    )


def _fields(results: Results) -> list[str]:
    return list(dict.fromkeys([*results.slices, *(field for one in results.recordings for field in one.slices)]))


def _rows(found: Systems, held: Mapping[str, Mapping[str, Score]], field: str) -> list[Row]:
    """A row for each slice in which some system has a figure."""
    values = dict.fromkeys(value for scores in held.values() for value in scores)
    rows = [(named(field, value), tuple(found.mark(scores.get(value)) for scores in held.values())) for value in values]
    return [row for row in rows if any(mark.value is not None for mark in row[1])]
