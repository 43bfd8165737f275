"""One file a table of a paper: each makes plain data of results; what writes it as LaTeX, Markdown or CSV stands once.

A table is a module with ``TABLE = TableKind(title=..., source=...)`` and ``def table(inputs) -> Table | None`` (None: these
inputs do not hold what it shows). What is shared stands in modules whose names begin with an underscore.
"""

from __future__ import annotations

from dataclasses import dataclass

from parakh import registry
from parakh.report.inputs import Inputs


@dataclass(frozen=True)
class TableKind:
    """What a table is.

    Args:
        title: What it shows, in a few words.
        source: The paper whose form it has; "" for one of our own.
    """

    title: str
    source: str = ""


@dataclass(frozen=True)
class Cell:
    """One figure.

    Args:
        value: In the column's unit inside (rates are ratios); None where there is none, shown as "n/a".
        interval: (low, high) around it; None where none was computed.
        best: Whether it is the best of its column.
        tied: Whether a test does not tell its system from the best.
    """

    value: float | None
    interval: tuple[float, float] | None = None
    best: bool = False
    tied: bool = False


@dataclass(frozen=True)
class Column:
    """What the figures below each other are.

    Args:
        name: For machines, unique in its table ("der", "der miss").
        heading: For people ("DER").
        group: A heading over this and its neighbours of the same group; "" for none.
        scale: What values are shown times: 100 for rates.
        decimals: Of every figure in it.
        lower_is_better: Which end is the good one; None where neither is.
    """

    name: str
    heading: str
    group: str = ""
    scale: float = 100.0
    decimals: int = 2
    lower_is_better: bool | None = True


@dataclass(frozen=True)
class Row:
    """One line.

    Args:
        label: What it is of (a system).
        cells: A figure a column.
        group: A heading over this and its neighbours of the same group; "" for none.
        mark: Of a label that a note explains ("*"); "" for none.
    """

    label: str
    cells: tuple[Cell, ...]
    group: str = ""
    mark: str = ""


@dataclass(frozen=True)
class Table:
    """A table as plain data.

    Args:
        name: Of its file, for references from the text.
        caption: What it shows, as a sentence.
        stub: Heading of the labels.
        columns: From the left.
        rows: From the top.
        notes: What to know below it, a sentence each.
    """

    name: str
    caption: str
    stub: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()


def names() -> list[str]:
    """Names of all tables.

    >>> "systems" in names()
    True
    """
    return registry.names("table")


ENDINGS = (".tex", ".md", ".csv")
"""Of files that a table is written to."""


def make(name: str, inputs: Inputs) -> Table | None:
    """The table called ``name``; None where the inputs do not hold what it shows.

    Raises:
        UnknownNameError: There is none; close matches are listed.

    >>> make("systems", Inputs(()))
    """
    found: Table | None = registry.load("table", name).table(inputs)
    return found


def written(table: Table, ending: str) -> str:
    r"""A table as the text of a file.

    Args:
        table: The table.
        ending: One of ``ENDINGS``: LaTeX for booktabs, Markdown, or CSV with every figure as it is inside.

    >>> written(Table("t", "Systems.", "system", (), (Row("A", ()),)), ".csv")
    'system\nA\n'
    """
    from parakh.report.tables import _writing  # which needs the types above

    return _writing.WRITERS[ending](table)
