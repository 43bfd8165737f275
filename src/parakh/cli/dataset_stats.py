"""``parakh dataset stats``: the figures of a data set as tables, JSON, CSV, Markdown, LaTeX or a page."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from parakh.cli.settings import check_json, check_output, put_json
from parakh.cli.tables import bare_table, console
from parakh.dataset import manifest, sheets
from parakh.dataset.describing import Described, describe
from parakh.dataset.sheets import Sheet
from parakh.errors import Fault, InputError, counted, printable
from parakh.files import write_atomic
from parakh.text.masking import masked
from parakh.types import Severity

_FORMS = {"csv": sheets.as_csv, "markdown": sheets.markdown, "latex": sheets.latex}
_MOST_TOLD = 5


def run(
    folder: Path,
    by: Sequence[str],
    *,
    audio: bool,
    jobs: int,
    forms: Sequence[str],
    json_out: str | None,
    html_out: str | None,
) -> int:
    """Describe a data set; 1 when a file of it could not be read, else 0.

    Raises:
        InputError: The data set cannot be read, or two outputs are to go to one place.
    """
    read = [str(folder / name) for name in (manifest.RECORDINGS, manifest.METADATA)]
    check_json(json_out, read)
    if html_out is not None:
        check_output("--html", html_out, read)
    if len(forms) + (json_out == "-") > 1:
        asked = [*(f"--{form}" for form in forms), *(["--json -"] if json_out == "-" else [])]
        raise InputError(Fault(asked[0], "", f"{' and '.join(asked)} at once", "one of them on standard output"))
    found = describe(folder, by, audio=audio, jobs=jobs)
    if html_out is not None:
        from parakh.report.dataset import page

        write_atomic(html_out, page(found))
    tables = sheets.sheets(found)
    if put_json(json_out, found.to_json):
        if forms:
            sys.stdout.write(_FORMS[forms[0]](tables))
        else:
            _print(found, tables)
    _tell(found)
    return int(any(finding.severity is Severity.ERROR for finding in found.findings))


def _print(found: Described, tables: Sequence[Sheet]) -> None:
    out = console()
    what = counted(len(found.whole.measured), "recording")
    out.print(Text(printable(f"{found.name}: {what}"), style="bold"), soft_wrap=True)
    for sheet in tables:
        out.print()
        out.print(Text(sheet.title, style="bold"))
        out.print(_table(sheet))
        if sheet.note:
            out.print(Text(sheet.note, style="dim"), soft_wrap=True)


def _table(sheet: Sheet) -> Table:
    table = bare_table()
    for place, name in enumerate(sheet.columns):
        table.add_column(name, justify="left" if place < sheet.labels else "right")
    for row in sheet.rows:
        table.add_row(*(Text(printable(sheets.shown(cell))) for cell in row))
    return table


def _tell(found: Described) -> None:
    """What could not be read, on standard error."""
    out = console(stderr=True)
    grave = [one for one in found.findings if one.severity is not Severity.NOTE]
    for finding in grave[:_MOST_TOLD]:
        out.print(Text(masked(printable(str(finding)))), soft_wrap=True)
    if len(grave) > _MOST_TOLD:
        out.print(Text(f"and {len(grave) - _MOST_TOLD} more; `parakh check` tells them all"), soft_wrap=True)
    for note in sorted({one.message for one in found.findings if one.severity is Severity.NOTE and one.code.startswith(_AUDIO)}):
        out.print(Text(f"note: {masked(printable(note))}", style="dim"), soft_wrap=True)


_AUDIO = ("audio-", "speech-")
"""Beginnings of the codes of what could not be heard."""
