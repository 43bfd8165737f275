"""The page of a data set: how much there is, who speaks, how they take turns, what is said and about which health problems."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

from parakh.dataset.describing import Described
from parakh.dataset.figures import Figures
from parakh.dataset.sheets import Cell, Sheet, sheets, shown
from parakh.errors import counted
from parakh.markup import Html, escape, join, percent, spoken, tag
from parakh.report import svg
from parakh.report.chart import Histogram, Mark, StackedBars
from parakh.report.diagnosis_parts import Column, Figure, table
from parakh.report.resources import resource, styles
from parakh.text.masking import masked

_HISTOGRAMS = {"turn-lengths", "pauses", "gaps", "overlaps"}
_CUT = {"size": ("hours",), "speech": ("overlap %", "turns/h"), "words": ("words/min", "English %")}
"""The tables that have a row for each slice, and the columns that are drawn as well."""


def page(found: Described) -> str:
    """The page of a data set.

    Args:
        found: Its figures.

    Returns:
        A complete HTML document that needs no other file and no network, and has no script.

    >>> from parakh.dataset.figures import Figures
    >>> "No recordings" in page(Described("Visits", (), Figures(()), {}))
    True
    """
    tables = {sheet.name: sheet for sheet in sheets(found)}
    parts = [_part(sheet, bool(found.by)) for sheet in tables.values()] if found.whole.measured else []
    links = {sheet.name: sheet.title for sheet in tables.values()} if parts else {}
    toc = tag("ul", {}, *(tag("li", {}, tag("a", {"href": f"#{name}"}, title)) for name, title in links.items()))
    name = masked(found.name)
    head = [tag("h1", {}, name), tag("p", {"class": "lead"}, _lead(found.whole)), tag("nav", {"aria-label": "Parts"}, toc)]
    return Template(resource("page/dataset.html")).substitute(
        title=escape(f"{name}: the data set in figures"),
        style=styles("page", "diagnosis", "charts", "dataset"),
        body=join([tag("header", {"class": "page"}, *head), *([_cards(found.whole)] if parts else []), *parts]),
    )


def _lead(whole: Figures) -> str:
    if not whole.measured:
        return "No recordings yet."
    people = counted(int(whole.sum("speakers")), "speaker")
    if whole.persons is not None:
        people += f" ({counted(whole.persons, 'known person')})"
    said = [f"{counted(len(whole.measured), 'recording')}, {whole.sum('seconds') / 3600:.2f} h, {people}."]
    overlap = whole.per("overlap", "speech")
    if overlap is not None:
        said.append(f"In {percent(overlap)} of the speech two or more speak at once.")
    return " ".join(said)


def _cards(whole: Figures) -> Html:
    rate, words = whole.turns_per_hour, whole.words_per_minute
    figures = [
        ("Hours", f"{whole.sum('seconds') / 3600:.2f}", f"{counted(len(whole.measured), 'recording')}"),
        ("People", f"{len(whole.people):,}", "each person once, unknown ones in each recording"),
        ("Overlap", percent(whole.per("overlap", "speech")), "of the speech"),
        ("Turns an hour", "n/a" if rate is None else f"{rate:,.0f}", f"{whole.turns:,} turns"),
        ("Words a minute", "n/a" if words is None else f"{words:.0f}", f"{whole.sum('words'):,.0f} words"),
        ("English words", percent(whole.per("english", "mixable")), "of the words in Indian languages"),
    ]
    cards = [
        tag("div", {"class": "fact"}, tag("h2", {}, name), tag("p", {"class": "value"}, value), tag("p", {"class": "asks"}, note))
        for name, value, note in figures
    ]
    return tag("div", {"class": "facts"}, *cards)


def _part(sheet: Sheet, cut: bool) -> Html:
    body = _table(sheet)
    if sheet.name in _CUT:
        drawn = [_of_slices(sheet, name) for name in _CUT[sheet.name] if cut and name in sheet.columns]
        charts = tag("div", {"class": "beside"}, *drawn) if drawn else Html("")
        return tag("section", {"id": sheet.name, "class": "part"}, tag("h2", {}, sheet.title), _note(sheet), body, charts)
    beside = tag("div", {"class": "beside charted"}, tag("div", {"class": "drawn"}, _chart(sheet)), body)
    return tag("section", {"id": sheet.name, "class": "part"}, tag("h2", {}, sheet.title), _note(sheet), beside)


def _note(sheet: Sheet) -> Html:
    return tag("p", {"class": "note"}, sheet.note) if sheet.note else Html("")


def _table(sheet: Sheet) -> Html:
    heads = [Column(name, number=place >= sheet.labels) for place, name in enumerate(sheet.columns)]
    rows = [
        [Figure(cell.shown, cell.value) if isinstance(cell, Cell) else spoken("span", {}, cell) for cell in row]
        for row in sheet.rows
    ]
    return table(sheet.title, heads, rows)


def _of_slices(sheet: Sheet, column: str) -> Html:
    """One column of a table of slices, drawn; the row of all recordings is left out where it is a sum."""
    place = sheet.columns.index(column)
    rows = sheet.rows[:-1] if column == "hours" else sheet.rows
    return _bars(column, column, [(_label(sheet, row), row[place]) for row in rows])


def _label(sheet: Sheet, row: Sequence[str | Cell]) -> str:
    return ", ".join(filter(None, map(shown, row[: sheet.labels])))


def _bars(title: str, axis: str, rows: Sequence[tuple[str, str | Cell]]) -> Html:
    """A bar a row; its figures stand in the table beside it."""
    drawn = tuple((label, (), Mark(_read(cell))) for label, cell in rows)
    places = max((len(shown(cell).partition(".")[2]) for _, cell in rows if _read(cell) is not None), default=0)
    return svg.draw(StackedBars(title, axis, rows=drawn, decimals=places), figures=False)


def _read(cell: str | Cell) -> float | None:
    """The value of a figure as it stands in the table: a ratio in percent."""
    return float(cell.shown.replace(",", "")) if isinstance(cell, Cell) and cell.value is not None else None


def _chart(sheet: Sheet) -> Html:
    if sheet.name in _HISTOGRAMS:
        bins = tuple((shown(row[0]), _read(row[1]) or 0.0, f"{shown(row[2])} %") for row in sheet.rows)
        return svg.draw(Histogram(sheet.title, sheet.columns[0], bins=bins), figures=False)
    if sheet.name == "people":
        return _people(sheet)
    return _bars(sheet.title, sheet.columns[1], [(shown(row[0]), row[1]) for row in sheet.rows])


def _people(sheet: Sheet) -> Html:
    """A bar for each age, of the people of each sex."""
    rows = []
    for row in sheet.rows:
        counts = tuple(_read(cell) or 0.0 for cell in row[1:-1])
        if row[0] != "all":
            rows.append((shown(row[0]), counts, Mark(sum(counts))))
    return svg.draw(StackedBars(sheet.title, "people", decimals=0, parts=sheet.columns[1:-1], rows=tuple(rows)), figures=False)
