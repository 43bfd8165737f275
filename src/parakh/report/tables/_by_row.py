"""Tables whose columns are systems: every row is something that all of them were measured on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parakh import metrics as metric_registry
from parakh.metrics import Better
from parakh.report.tables import Cell, Column, Row
from parakh.report.tables._columns import column_decimals, title
from parakh.results import Results
from parakh.tracks import get as get_track

What = tuple[str, str]
"""A track and the name of a metric."""
Place = tuple[str, str]
"""The heading over a row, and its label."""
Made = Mapping[Place, Mapping[What, Mapping[str, Cell]]]
"""The cells of each row, by what they are and by system."""


def whats(results: Sequence[Results]) -> list[What]:
    """What columns show: every metric where there is one system, else the one that each track is ranked by."""
    several = len({one.system for one in results}) > 1
    found: list[What] = []
    for track in dict.fromkeys(one.track for one in results):
        own = [one for one in results if one.track == track]
        names = list(dict.fromkeys(name for one in own for name in one.metrics))
        first = [name for name in get_track(track).metrics if name in names] or names
        found += [(track, name) for name in (first[:1] if several else names)]
    return found


def arranged(made: Made) -> tuple[tuple[Column, ...], tuple[Row, ...]]:
    """Columns and rows: under each metric the systems that have it, with one number of decimals for all of them."""
    several = len({system for row in made.values() for own in row.values() for system in own}) > 1
    keys: dict[What, dict[str, None]] = {}
    for row in made.values():
        for what, own in row.items():
            keys.setdefault(what, {}).update(dict.fromkeys(own))
    tracks = {track for track, _ in keys}
    columns: list[Column] = []
    for what, systems in keys.items():
        over = [what[0]] if len(tracks) > 1 else []
        metric = metric_registry.get(what[1])
        scale = 100.0 if metric.unit == "%" else 1.0
        decimals = column_decimals([cell for row in made.values() for cell in row.get(what, {}).values()], scale)
        for system in systems:
            heading, group = (system, " ".join((*over, title(metric)))) if several else (title(metric), "".join(over))
            lower = None if several else metric.better is Better.LOWER
            columns.append(Column(" ".join((*what, system)), heading, group, scale, decimals, lower))
    places = [(what, system) for what, systems in keys.items() for system in systems]
    rows = [
        Row(label, tuple(row.get(what, {}).get(system, Cell(None)) for what, system in places), group)
        for (group, label), row in made.items()
    ]
    return tuple(columns), tuple(rows)
