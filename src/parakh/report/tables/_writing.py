"""A table as LaTeX (booktabs), Markdown and CSV; each way of writing stands here once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby

from parakh.csv_lines import line
from parakh.report.tables import Cell, Column, Row, Table
from parakh.typeset import latex, markdown

TIED = "†"
"""Behind a value that is not told apart from the best."""
_ARROWS = {True: " ↓", False: " ↑", None: ""}


def to_latex(table: Table) -> str:
    """A table for booktabs, with no other package; names in Indian scripts need XeLaTeX or LuaLaTeX.

    >>> "toprule" in to_latex(Table("t", "Systems.", "system", (), (Row("A & B", ()),)))
    True
    """
    bold, columns = r"\textbf{{{}}}".format, len(table.columns) + 1
    lines = [
        r"% \usepackage{booktabs}",
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex(table.caption)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{l{'r' * len(table.columns)}}}",
        r"\toprule",
        *_latex_groups(table),
        _row([latex(table.stub), *(latex(_heading(column)) for column in table.columns)]),
        r"\midrule",
    ]
    for number, (group, rows) in enumerate(groupby(table.rows, key=lambda row: row.group)):
        if group:
            lines += [*([r"\addlinespace"] if number else []), rf"\multicolumn{{{columns}}}{{l}}{{\emph{{{latex(group)}}}}} \\"]
        lines += [_row([_protected(latex(row.label + row.mark)), *_cells(row, table, latex, bold)]) for row in rows]
    lines += [r"\bottomrule", r"\end{tabular}"]
    if table.notes:
        lines += ["", r"\smallskip", rf"\parbox{{\linewidth}}{{\footnotesize {' '.join(map(latex, table.notes))}}}"]
    return "\n".join([*lines, r"\end{table}", ""])


def to_markdown(table: Table) -> str:
    """A table as Markdown; headings over columns stand before the columns' own.

    >>> print(to_markdown(Table("t", "Systems.", "system", (), (Row("A", ()),))).splitlines()[2])
    | system |
    """
    bold = "**{}**".format
    heads = [f"{column.group} {_heading(column)}".strip() for column in table.columns]
    lines = [markdown(table.caption), "", _bars([markdown(table.stub), *map(markdown, heads)])]
    lines.append("|".join(["", ":---", *["---:"] * len(table.columns), ""]))
    for group, rows in groupby(table.rows, key=lambda row: row.group):
        if group:
            lines.append(_bars([bold(markdown(group)), *[""] * len(table.columns)]))
        lines += [_bars([markdown(row.label + row.mark), *_cells(row, table, markdown, bold)]) for row in rows]
    if table.notes:
        lines += ["", " ".join(map(markdown, table.notes))]
    return "\n".join([*lines, ""])


def to_csv(table: Table) -> str:
    r"""Every figure as it is inside, not rounded: rates are ratios, what is undefined is empty, three columns a figure.

    >>> to_csv(Table("t", "Systems.", "system", (Column("der", "DER"),), (Row("A", (Cell(0.25),)),)))
    'system,der,der_low,der_high\nA,0.25,,\n'
    """
    grouped = any(row.group for row in table.rows)
    heads = [name for column in table.columns for name in (column.name, f"{column.name}_low", f"{column.name}_high")]
    lines = [line([*(["group"] if grouped else []), table.stub, *heads])]
    for row in table.rows:
        figures = [figure for cell in row.cells for figure in (cell.value, *(cell.interval or (None, None)))]
        lines.append(line([*([row.group] if grouped else []), row.label, *figures]))
    return "".join(lines)


WRITERS: dict[str, Callable[[Table], str]] = {".tex": to_latex, ".md": to_markdown, ".csv": to_csv}
"""By the ending of the file."""


def _heading(column: Column) -> str:
    return column.heading + _ARROWS[column.lower_is_better]


def _cells(row: Row, table: Table, escape: Callable[[str], str], bold: Callable[[str], str]) -> Iterator[str]:
    return (_cell(cell, column, escape, bold) for cell, column in zip(row.cells, table.columns, strict=True))


def _cell(cell: Cell, column: Column, escape: Callable[[str], str], bold: Callable[[str], str]) -> str:
    if cell.value is None:
        return "n/a"
    value = shown(cell.value, column)
    ends = "" if cell.interval is None else escape(f" [{', '.join(shown(end, column) for end in cell.interval)}]")
    return (bold(value) if cell.best else value) + (escape(TIED) if cell.tied else "") + ends


def shown(value: float, column: Column) -> str:
    """A figure as its column shows it.

    >>> shown(0.1986, Column("der", "DER", decimals=1))
    '19.9'
    """
    return f"{column.scale * value:.{column.decimals}f}"


def _latex_groups(table: Table) -> Iterator[str]:
    """The headings over columns, with a rule below each."""
    if not any(column.group for column in table.columns):
        return
    cells, rules, place = [""], [], 2
    for group, own in groupby(table.columns, key=lambda column: column.group):
        width = len(list(own))
        cells.append(rf"\multicolumn{{{width}}}{{c}}{{{latex(group)}}}")
        rules += [rf"\cmidrule(lr){{{place}-{place + width - 1}}}"] if group else []
        place += width
    yield _row(cells)
    yield "".join(rules)


def _row(cells: list[str]) -> str:
    return f"{' & '.join(cells)} \\\\"


def _protected(label: str) -> str:
    r"""A label that begins a line: after ``\\`` a bracket or a star would be taken for an option."""
    return f"{{}}{label}" if label[:1] in {"[", "*"} else label


def _bars(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
