"""What the tables of a diagnosis page are made of: columns, figures, passages and places.

Tables are complete without the script, which adds sorting, filters and folding. What people said is marked with its language
and direction. A place is a link that the script follows into the recording.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from parakh.diagnostics.passages import Context, Example
from parakh.errors import clock
from parakh.markup import Html, join, percent, spoken, tag, wide

Interval = tuple[float, float] | None


class Column(NamedTuple):
    """A column of a table.

    Args:
        name: Its head.
        number: Whether it holds figures, which stand right and are sorted from the greatest.
        chosen: Whether rows are picked by its values.
        title: What the head means, where it needs words.
    """

    name: str
    number: bool = False
    chosen: bool = False
    title: str | None = None


class Figure(NamedTuple):
    """A number as it is shown, and the value that it is sorted by."""

    shown: str
    value: float | None


Cell = str | int | Figure


def columns(*names: str, numbers: Sequence[str] = (), chosen: Sequence[str] = ()) -> list[Column]:
    """Columns by name, in order; those among ``numbers`` hold figures, those among ``chosen`` pick rows.

    >>> columns("category", "n", numbers=["n"])[1].number
    True
    """
    return [Column(name, name in numbers, name in chosen) for name in names]


def share(value: float | None, interval: Interval = None) -> Figure:
    """A ratio in percent, with its interval.

    >>> share(0.25, (0.2, 0.3)).shown
    '25.0% (20.0% – 30.0%)'
    """
    return Figure(percent(value) + between(interval), value)


def points(value: float | None, interval: Interval = None) -> Figure:
    """A ratio in points: of 100 reference words, how many.

    >>> points(0.0521).shown
    '5.2'
    """
    ends = f" ({' – '.join(f'{100 * end:.1f}' for end in interval)})" if interval else ""
    shown = "n/a" if value is None else f"{100 * value:.1f}".replace("-0.0", "0.0")
    return Figure(f"{shown}{ends if value is not None else ''}", value)


def between(interval: Interval) -> str:
    """An interval behind its figure; nothing without one."""
    return f" ({' – '.join(map(percent, interval))})" if interval else ""


def table(
    caption: str,
    heads: Sequence[Column],
    rows: Iterable[Sequence[Cell]],
    *,
    of: int | None = None,
    note: str = "",
    kind: str = "rows",
) -> Html:
    """A table with a caption.

    Args:
        caption: What its rows are.
        heads: Its columns.
        rows: Their cells, in the order of the columns.
        of: How many rows there are, those not on the page included; None where all are.
        note: A sentence about it.
        kind: Its CSS classes; "stack" puts the cells of a row under one another on a phone.

    Returns:
        The table; nothing where there are no rows.

    >>> table("Lost", columns("word"), [])
    ''
    """
    lines = [tag("tr", {}, *map(_cell, heads, row)) for row in rows]
    if not lines:
        return Html("")
    top = [tag("th", _head(one), one.name) for one in heads]
    said = tag("caption", {}, caption, tag("small", {}, note) if note else "")
    body = tag("table", {"class": kind}, said, tag("thead", {}, tag("tr", {}, *top)), tag("tbody", {}, *lines))
    more = (of or 0) - len(lines)
    rest = tag("p", {"class": "note"}, f"{more} more rows are not on this page; --json holds all.") if more > 0 else ""
    return tag("div", {"class": "sheet"}, wide(body), rest)


def _head(one: Column) -> dict[str, str | None]:
    kind = "number" if one.number else None
    return {"scope": "col", "data-kind": kind, "data-choose": "" if one.chosen else None, "title": one.title}


def _cell(head: Column, cell: Cell) -> Html:
    if isinstance(cell, Figure):
        value = None if cell.value is None else f"{cell.value:.6g}"
        return tag("td", {"class": "figure", "data-value": value}, cell.shown)
    return tag("td", {"class": "figure"} if head.number else {}, cell if isinstance(cell, str) else str(cell))


def words(text: str) -> Html:
    """What somebody said or a system wrote; a dash for nothing.

    >>> words("")
    '<span class="none">–</span>'
    """
    return spoken("span", {}, text) if text else tag("span", {"class": "none"}, "–")


def passage(reference: Context, hypothesis: Context) -> Html:
    """What was said above what was written, the words in question marked; a gap where one side has none.

    >>> "<del>दो</del>" in passage(Context("", "दो", ""), Context("", "", ""))
    True
    """
    both = bool(reference.here) and bool(hypothesis.here)
    said = _line("said", reference, "mark" if both else "del")
    return tag("div", {"class": "passage"}, said, _line("written", hypothesis, "mark" if both else "ins"))


def _line(side: str, text: Context, element: str) -> Html:
    here = tag(element, {}, text.here) if text.here else tag("span", {"class": "gap", "title": "nothing"}, " ")
    return tag("div", {}, tag("small", {}, side), " ", spoken("span", {}, str(text), text.before, here, text.after))


def place(session_id: str, speaker: str | None, time: Interval, here: str) -> Html:
    """A link to a place of a recording.

    >>> place("v1", "A", (51.1, 52.0), "दो")
    '<a class="go" href="#recordings" data-t="51.1 52.0" data-here="दो"><bdi>v1</bdi> · <bdi>A</bdi> · 0:51.1</a>'
    """
    at = f"{time[0]:.1f} {time[1]:.1f}" if time else None
    parts: list[str] = [tag("bdi", {}, session_id)]
    if speaker:
        parts += [" · ", tag("bdi", {}, speaker)]
    if time:
        parts += [" · ", clock(time[0])]
    return tag("a", {"class": "go", "href": "#recordings", "data-t": at, "data-here": here or None}, *parts)


def at(example: Example) -> Html:
    """A place with its passage."""
    link = place(example.session_id, example.speaker, example.time, example.reference.here or example.hypothesis.here)
    return join([link, passage(example.reference, example.hypothesis)])


def places(examples: Sequence[Example], count: int) -> Html:
    """Places that open on demand; how many there are in all is told where they are not all there."""
    if not examples:
        return Html("")
    number = len(examples)
    label = f"{number} of {count} places" if number < count else f"{number} place{'s' if number > 1 else ''}"
    return tag("details", {}, tag("summary", {}, label), tag("ul", {}, *(tag("li", {}, at(one)) for one in examples)))
