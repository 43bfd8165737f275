"""The figures of several systems side by side, at the head of each part of a diagnosis page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from parakh.diagnosis import System
from parakh.markup import Html
from parakh.report.diagnosis_parts import Cell, Column, Figure, share, table


def compared(part: str, systems: Sequence[System]) -> Html:
    """The figures of one part of the page, one column a system.

    Args:
        part: Its id.
        systems: At least one.

    Returns:
        A table; nothing for a part without figures.

    >>> compared("no such part", [])
    ''
    """
    if part not in _PARTS:
        return Html("")
    caption, name, figures = _PARTS[part]
    found = [figures(one) for one in systems]
    none: Cell = 0 if all(isinstance(cell, int) for some in found for cell in some.values()) else Figure("–", None)
    rows = [(row, *(some.get(row, none) for some in found)) for row in dict.fromkeys(row for some in found for row in some)]
    return table(caption, [Column(name), *(Column(one.system, number=True) for one in systems)], rows)


def _alarms(one: System) -> dict[str, Cell]:
    return dict(Counter(alarm.kind for alarm in one.alarms).most_common())


def _terms(one: System) -> dict[str, Cell]:
    return {name: share(some.recall) for name, some in one.terms.items()}


def _writing(one: System) -> dict[str, Cell]:
    return {f"{kind}: {rule}": count for kind, rules in one.tables.events_by_rule.items() for rule, count in rules.items()}


def _groups(one: System) -> dict[str, Cell]:
    return {f"{name} {group}": share(parts.total.rate) for name, groups in one.groups.items() for group, parts in groups.items()}


def _lenient(one: System) -> dict[str, Cell]:
    rates = {"as charged": one.parts.total.rate, "across scripts": one.transliterated.rate}
    if one.lattice is not None:
        rates["over accepted wordings"] = one.lattice
    rates |= {f"on {name}": some.rate for name, some in one.points.items()}
    return {name: share(rate) for name, rate in rates.items()}


def _drift(one: System) -> dict[str, Cell]:
    return {
        "spoken to formal": sum(way.spoken_to_formal for way in one.directions.values()),
        "formal to spoken": sum(way.formal_to_spoken for way in one.directions.values()),
        "words with letters of two scripts": sum(word.count for word in one.mixed_words if word.side == "hypothesis"),
        "characters that are no writing": len(one.artefacts),
        "phrases repeated over and over": len(one.loops),
        "words that nobody said, in passages": sum(some.words for some in one.hallucinations),
    }


_PARTS: Mapping[str, tuple[str, str, Callable[[System], Mapping[str, Cell]]]] = {
    "alarms": ("How many of each kind", "kind", _alarms),
    "errors": ("How much of each category is found", "category", _terms),
    "writing": ("How often each rule forgave a difference", "rule", _writing),
    "groups": ("Errors of 100 units", "group", _groups),
    "lenient": ("Rates beside", "what counts", _lenient),
    "drift": ("How often", "what", _drift),
}
"""Of each part: the caption, what a row is, and the figures of a system by row."""
