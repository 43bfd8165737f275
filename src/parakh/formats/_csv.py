"""CSV: rows with their lines, files of two columns, an id and a value, with a header, and what is written."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from parakh.errors import counted
from parakh.formats._text import Reader, shown
from parakh.types import Severity

_IDS = ("rec_id", "session_id")


def records(reader: Reader, separator: str = ",") -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the line where it starts; what is no CSV is a fault and ends them."""
    lines = csv.reader(io.StringIO(reader.text, newline=""), strict=True, delimiter=separator)
    line = 1
    try:
        for fields in lines:
            if any(field.strip() for field in fields):
                yield line, fields
            line = lines.line_num + 1
    except csv.Error as error:
        reader.fault(line, "", str(error), "CSV, with quotes doubled inside quotes", "Mend the row.")


def fits(reader: Reader, line: int, header: Sequence[str], fields: Sequence[str]) -> bool:
    """Whether a row has as many fields as the header; notes the fault where not."""
    if len(fields) != len(header):
        expected = f"{counted(len(header), 'field')}, as in the header"
        reader.fault(line, "", counted(len(fields), "field"), expected, "Quote a value that holds commas.")
    return len(fields) == len(header)


def rows(reader: Reader, values: tuple[str, ...]) -> Iterator[tuple[int, str, str]]:
    """Line number, id and value of every row; faults go to the reader.

    Args:
        reader: The file.
        values: The names its value column may have; exactly one has to be there.
    """
    header: list[str] | None = None
    known: dict[str, int] = {}
    for line, fields in records(reader):
        if header is None:
            header = fields
            places = _places(reader, line, header, values)
        elif fits(reader, line, header, fields):
            key, value = fields[places[0]].strip(), fields[places[1]]
            reader.names(line, {header[places[0]].strip(): key})
            if not key:
                reader.fault(line, header[places[0]], "nothing", "the id of the recording")
            elif key in known:
                expected = f"an id of its own (line {known[key]} has the same)"
                reader.fault(line, header[places[0]], shown(key), expected, "Keep one of the rows.")
            known.setdefault(key, line)
            yield line, key, value


def _places(reader: Reader, line: int, header: list[str], values: tuple[str, ...]) -> tuple[int, int]:
    names = [name.strip().lower() for name in header]
    ids = [names.index(name) for name in _IDS if name in names]
    found = [names.index(name) for name in values if name in names]
    if len(ids) != 1 or len(found) != 1:
        expected = f"a header with {' or '.join(_IDS)} and one of {', '.join(values)}"
        reader.fail(line, "", shown(",".join(header)), expected, "Add the header line.")
    if len(names) > 2:
        reader.notice("unknown-column", line, "columns beside id and value are left out", Severity.NOTE)
    return ids[0], found[0]


def text(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    r"""The CSV of a header and its rows, quoted where needed.

    >>> text(("rec_id", "topics"), [("v1", "fever, cough")])
    'rec_id,topics\nv1,"fever, cough"\n'
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue()


def has_header(head: str, values: tuple[str, ...]) -> bool:
    """Whether the first line of a file's head is such a header."""
    names = [name.strip().strip('"').lower() for name in head.split("\n", 1)[0].split(",")]
    return any(name in names for name in _IDS) and any(name in names for name in values)
