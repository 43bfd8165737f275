"""Every system with every metric of every track: a row a system, values with intervals."""

from __future__ import annotations

from parakh.report.inputs import Inputs
from parakh.report.tables import Table, TableKind
from parakh.report.tables._columns import Wanted, labelled
from parakh.report.tables._columns import table as table_of

TABLE = TableKind("Systems by every metric")


def table(inputs: Inputs) -> Table | None:
    """A column a metric; of several tracks, each under its own heading.

    >>> table(Inputs(()))
    """
    results = labelled(inputs.results)
    tracks = list(dict.fromkeys(one.track for one in results))
    wanted = []
    for track in tracks:
        own = [one for one in results if one.track == track]
        names = dict.fromkeys(name for one in own for name in one.metrics)
        wanted += [Wanted(own, name, group=track if len(tracks) > 1 else "") for name in names]
    return table_of("systems", f"Scores of {', '.join(tracks)}.", {"": wanted})
