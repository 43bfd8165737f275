"""A row a slice value (language, condition, role): each system by the metric that its track is ranked by."""

from __future__ import annotations

from parakh.report.inputs import Inputs
from parakh.report.tables import Cell, Table, TableKind
from parakh.report.tables._by_row import What, arranged, whats
from parakh.report.tables._columns import Figures, Wanted, figures, labelled, notes
from parakh.report.tables._slices import fields_of, of_slice, values_of

TABLE = TableKind("Systems by slice")


def table(inputs: Inputs) -> Table | None:
    """A column a system, or a metric where there is one system; None where no result was cut.

    >>> table(Inputs(()))
    """
    results = [one for one in labelled(inputs.results) if one.slices]
    found: list[Figures] = []
    made: dict[tuple[str, str], dict[What, dict[str, Cell]]] = {}
    for field in fields_of(results):
        for value in values_of(results, field):
            for track, metric in whats(results):
                own = [of_slice(one, field, value) for one in results if one.track == track]
                figured = figures(Wanted(own, metric))
                if figured is not None:
                    found.append(figured)
                    made.setdefault((field, value), {})[track, metric] = dict(figured.cells)
    if not made:
        return None
    columns, rows = arranged(made)
    return Table("slices", "Scores by slice.", "slice", columns, rows, tuple(notes(found, results, of="row")))
