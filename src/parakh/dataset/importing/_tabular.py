"""Tables of a row a recording in whatever form they come: CSV, JSON lines, parquet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from parakh import formats
from parakh.errors import Fault, InputError, MissingPackageError
from parakh.formats import _csv
from parakh.formats._json import objects
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
    read = objects(reader) if suffix == ".jsonl" else _rows(reader, _separator(path))
    yield from [(line, _filled(row)) for line, row in read]
    reader.check()


def _separator(path: Path) -> str:
    return "\t" if path.suffix.lower() == ".tsv" else ","


def _filled(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None and value != ""}


def _rows(reader: Reader, separator: str) -> Iterator[tuple[int, dict[str, Any]]]:
    header: list[str] = []
    for line, fields in _csv.records(reader, separator):
        if not header:
            header = [name.strip() for name in fields]
        elif _csv.fits(reader, line, header, fields):
            yield line, dict(zip(header, fields, strict=True))


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
