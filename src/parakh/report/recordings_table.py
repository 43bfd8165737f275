"""The table of a report: a row a recording, a column a task and system.

It is complete without the script, which sorts, filters and, where there are many rows, keeps only those in view. Rows beyond
the first stand in a ``noscript`` element: a browser with scripts reads them as text, and no cell of them costs loading.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from parakh.markup import Html, escape, join, tag
from parakh.metrics import Better
from parakh.report.places import Places, worst_first
from parakh.report.summary import SystemSummary, TaskSummary, missing_reason, noticed, reading, shown
from parakh.results import RecordingResult

FIRST = 200
"""Rows that a browser with scripts reads at once."""
MOST_VALUES = 100
"""Values of a field up to which rows can be chosen by it."""
_TALL = 20
"""Rows from which on the table scrolls in itself, under its head."""


class Column(NamedTuple):
    """One task of one system."""

    system: SystemSummary
    task: TaskSummary


def render(systems: Sequence[SystemSummary], places: Places) -> Html:
    """The table with its foot; the tasks in reading order, the systems in each in the order given.

    >>> render([], Places(()))
    ''
    """
    if not places.ids:
        return Html("")
    systems = [one for one in systems if one.scored]
    columns = _columns(systems)
    choices = _choices(columns)
    rows = [_row(name, columns, systems, places, choices) for name in worst_first(systems, places.ids)]
    head, foot = _head(columns, len(systems) > 1), _foot(columns)
    order = tag("small", {}, "; those with the least right over all tasks first") if len(rows) > 1 else Html("")
    caption = tag("caption", {}, "Each recording, each task", order)
    scrolls = {"class": "wide tall" if len(rows) > _TALL else "wide", "tabindex": "0", "role": "group"}
    body = tag("tbody", {}, *rows[:FIRST])
    known = json.dumps(choices, ensure_ascii=False) if choices else None
    noted = "yes" if any(noticed(one.task, name) for one in columns for name in places.ids) else None
    own = {"class": "overview", "id": "recordings-table", "data-slices": known, "data-notes": noted}
    whole = tag("table", own, caption, head, body, foot)
    return join([tag("div", {**scrolls, "aria-label": "Each recording, each task; scrolls"}, whole), _rest(head, rows[FIRST:])])


def _rest(head: Html, rows: Sequence[Html]) -> Html:
    if not rows:
        return Html("")
    more = tag("table", {"class": "overview"}, tag("caption", {}, "Further recordings"), head, tag("tbody", {}, *rows))
    return tag("noscript", {"id": "more-rows"}, tag("div", {"class": "wide"}, more))


def _columns(systems: Sequence[SystemSummary]) -> list[Column]:
    """What was scored; figures that are only published have no recordings."""
    tracks = list(dict.fromkeys(task.results.track for one in systems for task in one.tasks))
    held = [Column(one, task) for one in systems for task in one.tasks if task.source is None]
    return [column for track in tracks for column in held if column.task.results.track == track]


def _head(columns: Sequence[Column], several: bool) -> Html:
    """The heads: tasks above their systems where there are several."""
    tall = "2" if several else None
    first = tag("th", {"scope": "col", "aria-sort": "other", "data-key": "id", "rowspan": tall}, _button("Recording"))
    if not several:
        return tag("thead", {}, tag("tr", {}, first, *(_head_of(one, one.task.task.name) for one in columns)))
    groups = dict.fromkeys(one.task.results.track for one in columns)
    top = []
    for track in groups:
        own = [one for one in columns if one.task.results.track == track]
        top.append(tag("th", {"scope": "colgroup", "colspan": str(len(own)), "class": "task-head"}, own[0].task.task.name))
    below = (_head_of(one, one.system.name) for one in columns)
    return tag("thead", {}, tag("tr", {}, first, *top), tag("tr", {}, *below))


def _head_of(one: Column, label: str) -> Html:
    note = tag("small", {}, f"{one.task.metric}, {one.task.better} is better" if one.task.metric else "no metric")
    worst = "high" if one.task.better is Better.LOWER else "low"
    own = {"scope": "col", "data-key": f"{one.task.results.track}.{one.system.anchor}", "data-worst": worst}
    return tag("th", own, _button(label), note)


def _button(label: str) -> Html:
    return tag("button", {"type": "button"}, label)


def _row(
    name: str, columns: Sequence[Column], systems: Sequence[SystemSummary], places: Places, choices: Mapping[str, Sequence[str]]
) -> Html:
    holder = next((one for one in systems if places.anchor(one, name)), systems[0])
    found = sum(len(noticed(one.task, name)) for one in columns)
    note = tag("small", {}, f" {found} noted") if found else Html("")
    head = tag("th", {"scope": "row"}, places.link(holder, name, name), note)
    marks = {"data-notes": "yes" if found else None, "data-in": _falls(name, columns, choices) or None}
    return tag("tr", marks, head, *(_cell(name, one, places) for one in columns))


def _choices(columns: Sequence[Column]) -> dict[str, list[str]]:
    """What the script offers to choose rows by: every value of each field, as any task's results know it."""
    found: dict[str, dict[str, None]] = {}
    for one in columns:
        for held in one.task.by_id.values():
            for field, values in _slices(held):
                found.setdefault(field, {}).update(dict.fromkeys(values))
    return {field: sorted(values) for field, values in found.items() if len(values) <= MOST_VALUES}


def _falls(name: str, columns: Sequence[Column], choices: Mapping[str, Sequence[str]]) -> str:
    """What a recording falls under, as places among the fields and their values: "0.2 1.0"."""
    under: dict[str, None] = {}
    for one in columns:
        held = one.task.by_id.get(name)
        for field, values in _slices(held) if held else ():
            if field in choices:
                place = list(choices).index(field)
                under |= dict.fromkeys(f"{place}.{choices[field].index(value)}" for value in values)
    return " ".join(under)


def _slices(held: RecordingResult) -> list[tuple[str, tuple[str, ...]]]:
    return [*held.slices.items(), *held.speaker_slices.items()]


def _cell(name: str, column: Column, places: Places) -> Html:
    task = column.task
    one = task.by_id.get(name)
    value = one.metrics.get(task.metric) if one else None
    right = reading(value, task.better)
    if right is None:
        reason = missing_reason(task, name)
        return tag("td", {"class": "none", "title": reason}, tag("abbr", {"title": reason}, "n/a"))
    worst = task.worst is not None and task.worst.id == name and task.worst.of > 1 and not task.worst.equals
    shade = {"class": "shade", "style": f"--right:{100 * right:.0f}%", "data-value": f"{value:.6g}"}
    mark = tag("small", {}, " worst") if worst else Html("")
    return tag("td", shade, places.link(column.system, name, escape(shown(task.metric, value)), track=task.results.track), mark)


def _foot(columns: Sequence[Column]) -> Html:
    values = [tag("td", {}, shown(one.task.metric, one.task.score.value if one.task.score else None)) for one in columns]
    return tag("tfoot", {}, tag("tr", {}, tag("th", {"scope": "row"}, "All together"), *values))
