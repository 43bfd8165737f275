"""``parakh view``: results in a terminal; where there is none, the worst recordings as plain text."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from parakh.cli.tables import bare_table, console
from parakh.errors import Fault, InputError, MissingPackageError, UnknownNameError, counted
from parakh.report.inputs import load
from parakh.view.content import Board, boards, recording, safe

_WIDTH = 100
"""Of lanes that are printed."""


@dataclass(frozen=True)
class Request:
    """Everything ``parakh view`` was asked for; the fields are its options."""

    files: Sequence[str]
    metric: str | None = None
    opened: str | None = None
    top: int = 10


def view(request: Request) -> None:
    """Open the application in a terminal, or print.

    Raises:
        InputError: A file cannot be read, or none holds a recording.
        UnknownNameError: There is no such metric or recording.
        MissingPackageError: There is a terminal, and what draws in it is not installed.
    """
    inputs = load(request.files, once=False)
    if len(inputs.results) < len(request.files):
        print("diagnoses are left out: `parakh report FILES... --out report.html` shows them", file=sys.stderr)
    made = boards(inputs.results, request.metric)
    _check(request, made)
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        _print(console(), made, request)
        return
    try:
        from parakh.view.app import View
    except ImportError as error:
        raise MissingPackageError("textual", "view", "the view in a terminal") from error
    View(made, request.opened).run()


def _check(request: Request, made: Sequence[Board]) -> None:
    if not any(board.ids() for board in made):
        raise InputError(Fault(", ".join(request.files), "recordings", "none", "results with recordings"))
    metrics = {name for board in made for _, name in board.metrics()}
    if request.metric is not None and request.metric not in metrics:
        raise UnknownNameError("metric in these results", request.metric, sorted(metrics))
    known = made[0].ids()
    if request.opened is not None and request.opened not in known:
        raise UnknownNameError("recording", request.opened, known)


def _print(out: Console, made: Sequence[Board], request: Request) -> None:
    for board in made:
        if request.opened is None:
            _print_worst(out, board, request.top)
        elif request.opened in board.ids():
            out.print(Text(f"{safe(board.system)}: {safe(request.opened)}", style="bold"))
            for line in recording(board, request.opened, _WIDTH):
                out.print(line.text, soft_wrap=True)


def _print_worst(out: Console, board: Board, top: int) -> None:
    ids = board.ids()
    shown = ids[:top]
    out.print(Text(f"{safe(board.system)}: {counted(len(ids), 'recording')}, worst {board.metric[1]} first", style="bold"))
    table = bare_table()
    for place, name in enumerate(board.headings()):
        table.add_column(Text(name), justify="right" if place else "left")
    for name in shown:
        table.add_row(*board.row(name))
    out.print(table)
    if len(ids) > len(shown):
        out.print(Text(f"and {len(ids) - len(shown)} more; --top shows more, --recording ID the lines of one"), soft_wrap=True)
