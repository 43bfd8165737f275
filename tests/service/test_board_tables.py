"""Boards as tables to take along: every text arrives as it was, whatever is in it, and the figures say what they can."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from parakh.leaderboard import tables
from parakh.leaderboard.boards import Board
from parakh.leaderboard.boards.board import Cell
from parakh.leaderboard.challenge import Sight
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Kind
from tests.service.made_boards import Made, noisy

NASTY = [
    '=HYPERLINK("http://evil","x")',
    "+1|two",
    "-2+3",
    "@SUM(A1)",
    " =1",
    "a|b\\|c",
    "<script>alert(1)</script> &lt; &amp;",
    "**bold** _it_ `code` [x](y) ![z](w)",
    "100% $x_1$ #3 {a} ~b ^c \\input{/etc/passwd}",
    "दल, \"उद्धरण\" 'x'",
    "#head",
]


@pytest.fixture
def board(database: Database, tmp_path: Path) -> Board:
    made = Made(database, tmp_path)
    for place, name in enumerate(NASTY):
        made.hand_in(name, noisy(0.2 + 0.02 * place, place), system=name, tags=[name], samples=200)
    made.hand_in("organisers", noisy(0.25, 50), kind=Kind.BASELINE.value, system="cascade", samples=200)
    made.hand_in("nothing", None)
    return made.board()


def test_csv_holds_every_figure_and_no_formula(board: Board) -> None:
    rows = list(csv.DictReader(io.StringIO(tables.to_csv(board))))
    assert [row["team"].removeprefix("'") for row in rows] == [row.team for row in board.rows]
    for row, shown in zip(board.rows, rows, strict=True):
        assert not re.match(r"\s*[=+\-@]", shown["team"] + shown["system"])
        cell = row.cell("wer", "language", "hi")
        assert shown["wer language=hi"] == ("" if cell.value is None else repr(cell.value))
        assert shown["wer_low"] == ("" if row.cell("wer").low is None else repr(row.cell("wer").low))
    assert rows[-1]["rank"] == ""


def test_json_reads_back_as_the_board(board: Board) -> None:
    document = json.loads(tables.to_json(board, "Visits"))
    assert (document.pop("schema"), document.pop("title")) == ("parakh.board/1", "Visits")
    assert Board.from_dict(document) == board


def test_markdown_shows_every_text_as_it_is(board: Board) -> None:
    tokens = MarkdownIt("commonmark").enable("table").parse(tables.to_markdown(board, "# Visits | eval"))
    cells = [text_of(token.children or []) for token in tokens if token.type == "inline"]
    width = 4 + 2 + 6
    assert cells[:6] == ["", "Group", "Team", "System", "wer ↓", "cer ↓"]
    body = [cells[start : start + width] for start in range(width, len(cells) - 1, width)]
    assert [row[2] for row in body] == [
        row.team.strip() + (" (baseline)" if row.kind == Kind.BASELINE else "") for row in board.rows
    ]
    assert [row[3] for row in body] == [row.system.strip() for row in board.rows]
    assert body[-1][4:] == ["n/a"] * 8
    assert cells[-1].startswith("# Visits | eval. Ranked by wer (")
    assert "40 recordings; metric set 2026.1" in cells[-1]


def text_of(children: list) -> str:  # type: ignore[type-arg]
    kinds = {"text", "strong_open", "strong_close"}
    assert {child.type for child in children} <= kinds, [child.type for child in children]
    return "".join(child.content for child in children)


def test_the_best_is_bold_and_what_does_not_differ_is_marked(database: Database, tmp_path: Path) -> None:
    made = Made(database, tmp_path)
    for team, rate in (("first", 0.20), ("near", 0.202), ("far", 0.4)):
        made.hand_in(team, noisy(rate, len(team)), samples=200)
    lines = tables.to_markdown(made.board()).splitlines()[2:5]
    main = [line.split(" | ")[4] for line in lines]
    assert re.fullmatch(r"\*\*\d+\.\d\*\* \[\d+\.\d, \d+\.\d\]", main[0])
    assert re.fullmatch(r"\d+\.\d† \[\d+\.\d, \d+\.\d\]", main[1])
    assert re.fullmatch(r"\d+\.\d \[\d+\.\d, \d+\.\d\]", main[2])


def test_a_table_of_a_slice_has_its_order_and_its_columns_alone(board: Board) -> None:
    lines = tables.to_markdown(board.sliced("language", "kn")).splitlines()
    assert lines[0] == "|  | Group | Team | System | wer ↓ | cer ↓ |"
    assert "with language kn" in lines[-1]


def test_latex_has_every_text_escaped(board: Board) -> None:
    text = tables.to_latex(board, "50% & more")
    assert text.count("\\\\\n") == len(board.rows) + 1
    assert r"\caption{50\% \& more. Ranked by wer" in text
    body = text.partition(r"\midrule")[2].partition(r"\bottomrule")[0]
    for line in body.strip().splitlines():
        assert len(re.findall(r"(?<!\\)&", line)) == 3 + 2 + 6
        assert not re.search(r"(?<!\\)[#%_~^|<>]", line.replace(r"$^{\dagger}$", ""))
    assert r"\textbackslash{}input\{/etc/passwd\}" in body
    assert r"\textbf{" in body


@pytest.mark.skipif(not shutil.which("xelatex"), reason="xelatex is not installed")
def test_latex_compiles(board: Board, tmp_path: Path) -> None:
    document = (
        "\\documentclass{article}\n\\usepackage{booktabs}\n\\begin{document}\n" + tables.to_latex(board) + "\\end{document}\n"
    )
    (tmp_path / "board.tex").write_text(document, encoding="utf-8")
    done = subprocess.run(["xelatex", "-interaction=nonstopmode", "board.tex"], cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(0.20, 0.30, 0), (0.246, 0.254, 1), (0.2488, 0.2512, 2), (0.2, 0.2, 2), (0.24997, 0.25003, 4), (0.0, 1.0, 0)],
)
def test_values_have_the_decimals_that_their_interval_supports(low: float, high: float, expected: int) -> None:
    assert tables.decimals([Cell(0.25, low, high)], 100) == expected


def test_a_blind_board_gives_no_figure_away(database: Database, tmp_path: Path) -> None:
    made = Made(database, tmp_path, shows=Sight.NOTHING)
    key = made.hand_in("one", noisy(0.2, 1), system="secret", samples=100)
    board = made.board()
    makers: list[Callable[[Board], str]] = [tables.to_csv, tables.to_json, tables.to_markdown, tables.to_latex]
    for maker in makers:
        text = maker(board)
        assert "secret" not in text
        assert key not in text
        assert "one" in text
