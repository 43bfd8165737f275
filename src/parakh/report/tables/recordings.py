"""A row a recording: each system by the metric that its track is ranked by."""

from __future__ import annotations

from parakh import metrics as metric_registry
from parakh.comparable import differing
from parakh.errors import printable
from parakh.report.inputs import Inputs
from parakh.report.tables import Cell, Table, TableKind
from parakh.report.tables._by_row import What, arranged, whats
from parakh.report.tables._columns import choices, labelled, lacking, marked

TABLE = TableKind("Systems by recording")


def table(inputs: Inputs) -> Table | None:
    """A column a system, or a metric where there is one system; None without recordings.

    >>> table(Inputs(()))
    """
    results = [one for one in labelled(inputs.results) if one.recordings]
    made: dict[tuple[str, str], dict[What, dict[str, Cell]]] = {}
    for track, metric in whats(results):
        held = [one for one in results if one.track == track]
        declared = metric_registry.get(metric)
        alike = not differing(held, [declared], [one.system for one in held])
        values = {one.system: {each.id: each.metrics.get(metric) for each in one.recordings} for one in held}
        for name in sorted({name for own in values.values() for name in own}):
            cells = {system: Cell(own[name]) for system, own in values.items() if name in own}
            shown = marked(cells, declared, ("", frozenset())) if alike else cells
            made.setdefault(("", printable(name)), {})[track, metric] = shown
    if not made:
        return None
    columns, rows = arranged(made)
    best = ["Bold: the best of a row."] if any(cell.best for row in rows for cell in row.cells) else []
    told = ("Rates in %.", *best, *lacking(results), *choices(results))
    return Table("recordings", "Scores by recording.", "recording", columns, rows, told)
