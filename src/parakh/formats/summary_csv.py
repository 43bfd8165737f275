"""Summaries of many recordings as CSV: an id and a text a row.

Headers: ``rec_id,gt_summary`` (the challenge's reference), ``rec_id,pred_summary`` or ``rec_id,summary``. A quoted
text may hold commas and line ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.files import write_atomic
from parakh.formats import Format, _csv
from parakh.formats._text import Reader, Writer, shown
from parakh.types import Loaded, Summary

_VALUES = ("gt_summary", "pred_summary", "summary")


def read(path: Path) -> Loaded[Summary]:
    """Read the summaries of a CSV file.

    Args:
        path: The file.

    Returns:
        One Summary a row, in file order, the text unchanged; finding ``unknown-column``.

    Raises:
        InputError: All its faults; an id that comes twice is one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Summary("v1", "Fever, three days.")], Path(folder) / "summaries.csv")
    ...     read(Path(folder) / "summaries.csv").items
    (Summary(session_id='v1', text='Fever, three days.'),)
    """
    reader = Reader(path)
    rows = list(_csv.rows(reader, _VALUES))
    return reader.loaded([Summary(session, value) for _, session, value in rows], [line for line, _, _ in rows])


def write(items: Sequence[Summary], path: Path) -> None:
    """Write summaries as CSV with the header ``rec_id,summary``, in the order given.

    Args:
        items: One Summary a recording.
        path: Where to.

    Raises:
        InputError: An id comes twice or has outer blanks, or a text holds a carriage return.
    """
    writer = Writer(path)
    sessions = writer.sessions([item.session_id for item in items])
    for entry, item in enumerate(items, 1):
        if "\r" in item.text:
            writer.fault(entry, "summary", shown(item.text), "text without carriage returns", "Remove them.")
    writer.check()
    write_atomic(path, _csv.text(("rec_id", "summary"), zip(sessions, (item.text for item in items), strict=True)))


def _sniff(head: str, path: Path) -> bool:
    return _csv.has_header(head, _VALUES)


FORMAT = Format(
    name="summary-csv",
    title="Summaries of many recordings as CSV",
    item=Summary,
    suffixes=(".csv",),
    sniff=_sniff,
    read=read,
    write=write,
)
