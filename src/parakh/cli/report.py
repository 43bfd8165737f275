"""``parakh report``: results and diagnoses to what the ending of the output names."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from parakh.cli.settings import bytes_of, check_output
from parakh.collection import uncollected
from parakh.errors import Fault, InputError, as_bytes
from parakh.report.inputs import Inputs, load

EVERY = "all"
"""In place of the name of a table."""
_TABLE = "systems"
"""The table that is written where none is named."""


@dataclass(frozen=True)
class Request:
    """Everything ``parakh report`` was asked for; the fields are its options."""

    files: Sequence[str]
    out: Path
    title: str = "Parakh report"
    audio: Sequence[str] = ()
    audio_link: bool = False
    limit: str | None = None
    step: int | None = None
    figure: str | None = None
    metric: str | None = None
    width: str = "single"
    published: Sequence[str] = ()
    table: str | None = None


def report(request: Request) -> None:
    """Write what the ending of ``--out`` names, or every figure into that folder, and say where it is.

    Raises:
        InputError: A file cannot be read, or nothing is written with that ending.
    """
    write = WRITERS.get(request.out.suffix.lower())
    if EVERY in {request.figure, request.table}:
        write = _every_figure if request.figure == EVERY else _every_table
    if write is None:
        raise InputError(Fault("--out", "", repr(str(request.out)), f"a file that ends in {', '.join(WRITERS)}"))
    if request.step is not None and write is not _trackers:
        raise InputError(Fault("--step", "", f"--out {request.out}", "a file that ends in .jsonl"))
    if request.table is not None and write not in (_table, _every_table):
        raise InputError(Fault("--table", "", f"--out {request.out}", "a file that ends in .tex, .md or .csv"))
    check_output("--out", str(request.out), [*request.files, *request.published, *request.audio])
    with uncollected():  # what is read stays until the page is written
        write(load(request.files, request.published), request)


def _page(inputs: Inputs, request: Request) -> None:
    from parakh.report import audio, html

    limit = html.LIMIT if request.limit is None else bytes_of("--limit", request.limit)
    ids = html.by_need(inputs)
    sound = audio.linked(request.audio, ids, request.out.parent) if request.audio_link else audio.embedded(request.audio, ids)
    html.write(inputs, request.out, title=request.title, sound=sound, limit=limit)
    print(request.out)
    size = request.out.stat().st_size
    if request.limit is not None and not sound.blocks and size > limit:
        told = f"{as_bytes(size)} is more than --limit {request.limit}: what stands before the recordings is never cut"
        print(f"{request.out}: {told}", file=sys.stderr)


def _figure(inputs: Inputs, request: Request) -> None:
    from parakh.cli import report_figures as figures

    figures.write(inputs, request.out, figure=request.figure, metric=request.metric, width=request.width)


def _every_figure(inputs: Inputs, request: Request) -> None:
    from parakh.cli import report_figures as figures

    figures.write_all(inputs, request.out, metric=request.metric, width=request.width)


def _trackers(inputs: Inputs, request: Request) -> None:
    from parakh.report import trackers

    trackers.write(inputs.results, request.out, step=request.step)
    print(request.out)


def _table(inputs: Inputs, request: Request) -> None:
    from parakh.cli import report_tables as tables

    tables.write(inputs, request.out, table=request.table or _TABLE)


def _every_table(inputs: Inputs, request: Request) -> None:
    from parakh.cli import report_tables as tables

    tables.write_all(inputs, request.out)


WRITERS: Mapping[str, Callable[[Inputs, Request], None]] = {
    ".html": _page,
    ".pdf": _figure,
    ".svg": _figure,
    ".png": _figure,
    ".jsonl": _trackers,
    ".tex": _table,
    ".md": _table,
    ".csv": _table,
}
"""Ending of ``--out`` -> what writes it."""
