"""A board as a table to take along: CSV and JSON with every figure, Markdown and LaTeX as papers print it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from parakh import metrics as metric_registry
from parakh import typeset
from parakh.csv_lines import line
from parakh.errors import counted
from parakh.leaderboard.boards.board import ALL, Board, Cell, Place, Row
from parakh.leaderboard.boards.groups import LEVEL
from parakh.leaderboard.database.tables import Kind
from parakh.metrics import Better, Metric

SCHEMA = "parakh.board/1"
_ARROW = {Better.LOWER: ("↓", r"$\downarrow$"), Better.HIGHER: ("↑", r"$\uparrow$")}
_MARK = "†"


def to_json(board: Board, title: str = "") -> str:
    """Every figure of a board as JSON; rates are ratios."""
    document = {"schema": SCHEMA, "title": title, **board.to_dict()}
    return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def to_csv(board: Board, title: str = "") -> str:
    """Every figure of a board as CSV; rates are ratios, what is undefined is empty.

    Rank and group are those of the slice that the board is ordered by; the title has no place in it.
    """
    about = ("rank", "group", "team", "system", "kind", "tags", "paper", "made_at", "submissions", "submission")
    where = [(by, value) for by, values in {ALL: (ALL,), **board.slices}.items() for value in values]
    columns = [(metric, by, value) for by, value in where for metric in board.metric_set.metrics]
    heads = [f"{metric}{end}{f' {by}={value}' if by else ''}" for metric, by, value in columns for end in ("", "_low", "_high")]
    lines = [line([*about, *heads])]
    for row in board.rows:
        made = row.made_at.isoformat() if row.made_at else ""
        own = (row.rank, row.group, row.team, row.system, row.kind, "; ".join(row.tags), row.paper, made, row.submissions)
        lines.append(line([*own, row.submission, *(figure for column in columns for figure in row.cell(*column))]))
    return "".join(lines)


def to_markdown(board: Board, title: str = "") -> str:
    """A board as Markdown: the best of each column bold, those not significantly different from the best system marked.

    Args:
        board: The board.
        title: Of what it is, for the caption.
    """
    table = _Table(board, typeset.markdown, lambda text: f"**{text}**", _MARK, 0)
    widths = "|".join(["---:", ":---", ":---", ":---", *["---:"] * len(table.columns)])
    lines = [f"| {' | '.join(cells)} |" for cells in (table.head(), *table.body())]
    caption = typeset.markdown(f"{title}. " if title else "") + table.caption()
    return "\n".join([lines[0], f"|{widths}|", *lines[1:], "", caption]) + "\n"


def to_latex(board: Board, title: str = "") -> str:
    """A board as a LaTeX table for booktabs: as in Markdown; names in Indian scripts need XeLaTeX or LuaLaTeX.

    Args:
        board: The board.
        title: Of what it is, for the caption.
    """
    table = _Table(board, typeset.latex, lambda text: rf"\textbf{{{text}}}", r"$^{\dagger}$", 1)
    body = [f"{' & '.join(cells)} \\\\" for cells in table.body()]
    return "\n".join(
        [
            r"% \usepackage{booktabs}",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{typeset.latex(f'{title}. ') if title else ''}{table.caption()}}}",
            rf"\begin{{tabular}}{{rlll{'r' * len(table.columns)}}}",
            r"\toprule",
            f"{' & '.join(table.head())} \\\\",
            r"\midrule",
            *body,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


@dataclass(frozen=True)
class _Column:
    """One column of figures; only the ranking metric has groups."""

    metric: Metric
    by: str
    value: str
    is_ranking: bool
    decimals: int
    best: float | None

    def shown(self, value: float) -> str:
        return f"{(100 if self.metric.unit == '%' else 1) * value:.{self.decimals}f}"


class _Table:
    """Cells of a table in one language of marking up text."""

    def __init__(self, board: Board, escape: Callable[[str], str], bold: Callable[[str], str], mark: str, arrow: int) -> None:
        self.board, self.escape, self.bold, self.mark, self.arrow = board, escape, bold, mark, arrow
        self.columns = list(_columns(board))

    def head(self) -> list[str]:
        return ["", *("Group", "Team", "System"), *map(self._heading, self.columns)]

    def body(self) -> Iterator[list[str]]:
        for row in self.board.rows:
            kind = "" if row.kind == Kind.SUBMISSION else f" ({row.kind})"
            rank = "" if row.rank is None else str(row.rank)
            names = (self.escape(row.team) + kind, self.escape(row.system))
            yield [rank, row.group, *names, *(self._cell(row, column) for column in self.columns)]

    def caption(self) -> str:
        """What the table shows and how its figures were made."""
        board, chosen = self.board, self.board.metric_set
        where = f" with {self.escape(board.by)} {self.escape(board.value)}" if board.by else ""
        ranked = metric_registry.get(chosen.rank_by)
        level = f"{100 * (chosen.level or LEVEL):g} {self.escape('%')}"
        sentences = [
            f"Ranked by {self.escape(ranked.name)} ({self.escape(ranked.title)}){where}",
            f"rates in {self.escape('%')}",
            *(
                [f"in brackets {level} confidence intervals"]
                if any(self._interval(row, self.columns[0]) for row in board.rows)
                else []
            ),
            f"bold: the best; {self.mark} not significantly different from the best system ranked",
            f"systems of one group are not significantly different from its best (paired permutation test, Holm, at {level})",
            f"{counted(board.recordings, 'recording')}; metric set {self.escape(chosen.version)} ({chosen.digest})",
        ]
        signature = self.escape(board.signature)
        return "; ".join(sentences) + (f". {signature}." if signature else ".")

    def _heading(self, column: _Column) -> str:
        unit = "" if column.metric.unit in {"%", ""} else f" ({self.escape(column.metric.unit)})"
        where = f" {self.escape(column.value)}" if column.value != self.board.value else ""
        return f"{self.escape(column.metric.name)}{where}{unit} {_ARROW[column.metric.better][self.arrow]}"

    def _cell(self, row: Row, column: _Column) -> str:
        value = row.cell(column.metric.name, column.by, column.value).value
        if value is None:
            return "n/a"
        shown = column.shown(value)
        first = column.is_ranking and "a" in row.places.get(column.by, {}).get(column.value, Place()).group
        marked = self.bold(shown) if value == column.best else shown + (self.mark if first else "")
        return f"{marked}{self._interval(row, column)}"

    def _interval(self, row: Row, column: _Column) -> str:
        low, high = row.cell(column.metric.name, column.by, column.value)[1:]
        is_main = column.is_ranking and (column.by, column.value) == (self.board.by, self.board.value)
        return f" [{column.shown(low)}, {column.shown(high)}]" if is_main and low is not None and high is not None else ""


def _columns(board: Board) -> Iterator[_Column]:
    """The ranking metric first, the others, and the ranking metric of each slice."""
    chosen = board.metric_set
    names = [chosen.rank_by, *(name for name in chosen.metrics if name != chosen.rank_by)]
    where = [(name, board.by, board.value) for name in names]
    if board.by == ALL:
        where += [(chosen.rank_by, by, value) for by, values in board.slices.items() for value in values]
    for name, by, value in where:
        metric = metric_registry.get(name)
        cells = [row.cell(name, by, value) for row in board.rows]
        values = [cell.value for cell in cells if cell.value is not None]
        best = (min if metric.better is Better.LOWER else max)(values, default=None)
        yield _Column(metric, by, value, name == chosen.rank_by, decimals(cells, 100 if metric.unit == "%" else 1), best)


def decimals(cells: Sequence[Cell], scale: float = 1) -> int:
    """How many decimals the narrowest interval of a column supports, as ``typeset.decimals`` has it.

    Args:
        cells: The column.
        scale: What values are shown times.

    >>> decimals([Cell(0.25, 0.246, 0.254)], 100), decimals([Cell(0.25)])
    (1, 2)
    """
    ends = [(cell.low, cell.high) for cell in cells]
    return typeset.decimals(scale * (high - low) / 2 for low, high in ends if low is not None and high is not None)
