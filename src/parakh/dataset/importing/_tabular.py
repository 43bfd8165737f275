"""Tables of a row a recording in whatever form they come: CSV, JSON lines, parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from parakh import formats
from parakh.errors import Fault, InputError, MissingPackageError, counted
from parakh.formats._text import Reader, shown

SUFFIXES = (".csv", ".tsv", ".jsonl", ".parquet")
_BUFFER = 1 << 20


def columns(path: Path) -> set[str]:
    """The columns of a table; empty where it is none.

    Of parquet without pyarrow nothing can be told.
    """
    try:
        if path.suffix.lower() == ".parquet":
            return set(open_parquet(path).schema_arrow.names)
        head = formats.head(path)
    except (InputError, MissingPackageError):
        return set()
    first = next((line for line in head.split("\n") if line.strip()), "")
    if path.suffix.lower() == ".jsonl":
        try:
            record = json.loads(first)
        except ValueError:
            return set()
        return set(record) if isinstance(record, dict) else set()
    return set(next(csv.reader([first], delimiter=_separator(path)), []))


def rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line (of parquet: row) and values of each record; empty values are left out.

    Raises:
        InputError: All the faults of the file.
        MissingPackageError: It is parquet, and pyarrow (extra ``data``) is not installed.
    """
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        table = open_parquet(path)
        names = [name for name in table.schema_arrow.names if name != "audio"]
        found = ((number, row) for number, row in enumerate(table.read(columns=names).to_pylist(), 1))
        yield from ((number, _filled(row)) for number, row in found)
        return
    reader = Reader(path)
    read = _json_lines(reader) if suffix == ".jsonl" else _csv(reader, _separator(path))
    yield from [(line, _filled(row)) for line, row in read]
    reader.check()


def _separator(path: Path) -> str:
    return "\t" if path.suffix.lower() == ".tsv" else ","


def _filled(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None and value != ""}


def _json_lines(reader: Reader) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, text in reader.records():
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            record = None
        if isinstance(record, dict):
            yield line, record
        else:
            reader.fault(line, "", shown(text), "a JSON object")


def _csv(reader: Reader, separator: str) -> Iterator[tuple[int, dict[str, Any]]]:
    lines = csv.reader(io.StringIO(reader.text, newline=""), strict=True, delimiter=separator)
    header: list[str] = []
    try:
        for fields in lines:
            if not any(field.strip() for field in fields):
                continue
            if not header:
                header = [name.strip() for name in fields]
            elif len(fields) == len(header):
                yield lines.line_num, dict(zip(header, fields, strict=True))
            else:
                expected = f"{counted(len(header), 'field')}, as in the header"
                reader.fault(lines.line_num, "", counted(len(fields), "field"), expected, "Quote a value that holds commas.")
    except csv.Error as error:
        reader.fault(lines.line_num, "", str(error), "CSV, with quotes doubled inside quotes", "Mend the row.")


def open_parquet(path: Path) -> Any:
    """A parquet file, of which columns are read when asked for, a buffer at a time.

    Raises:
        InputError: It is no parquet.
        MissingPackageError: pyarrow (extra ``data``) is not installed.
    """
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError as error:
        raise MissingPackageError("pyarrow", "data", "reading parquet") from error
    try:
        return pq.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False)
    except (pa.ArrowException, OSError) as error:
        raise InputError(Fault(str(path), "", f"data that is no parquet ({shown(str(error))})", "a parquet file")) from error
