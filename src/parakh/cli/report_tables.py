"""``parakh report --out X.tex``: results to the table that is asked for, or to all that they make."""

from __future__ import annotations

from pathlib import Path

from parakh.errors import Fault, InputError
from parakh.files import write_atomic
from parakh.report import tables
from parakh.report.inputs import Inputs


def write(inputs: Inputs, out: Path, *, table: str) -> None:
    """Write one table as the ending of the file says.

    Raises:
        InputError: These results do not make it, or the file cannot be written.
        UnknownNameError: There is no such table.
    """
    found = tables.make(table, inputs)
    if found is None:
        held = [name for name in tables.names() if tables.make(name, inputs) is not None]
        action = f"They make {', '.join(held)}." if held else ""
        raise InputError(Fault("--table", "", table, "a table that these results make", action))
    write_atomic(out, tables.written(found, out.suffix.lower()))
    print(out)


def write_all(inputs: Inputs, out: Path) -> None:
    """Write every table that the inputs make into a folder, with every ending.

    Raises:
        InputError: The folder has the name of a file, or none is made.
    """
    if out.suffix or out.is_file():
        raise InputError(Fault("--out", "", repr(str(out)), "a folder, for --table all"))
    made = {name: found for name in tables.names() if (found := tables.make(name, inputs)) is not None}
    if not made:
        raise InputError(Fault("--table", "", "no results", "results of one system or more"))
    for name, found in made.items():
        for ending in tables.ENDINGS:
            write_atomic(out / f"{name}{ending}", tables.written(found, ending))
            print(out / f"{name}{ending}")
