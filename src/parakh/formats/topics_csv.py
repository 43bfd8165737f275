"""Topics of many recordings as CSV: an id and a comma list a row.

Headers: ``rec_id,gt_topics`` (the challenge's reference), ``rec_id,pred_topics`` or ``rec_id,topics``, each value
a comma list in quotes; "None" or nothing means no topic.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.files import write_atomic
from parakh.formats import Format, _csv
from parakh.formats._text import Reader, Writer
from parakh.formats._topics import join, split
from parakh.types import Loaded, Topics

_VALUES = ("gt_topics", "pred_topics", "topics")


def read(path: Path) -> Loaded[Topics]:
    r"""Read the topics of a CSV file.

    Args:
        path: The file.

    Returns:
        One Topics a row, in file order; finding ``unknown-column``.

    Raises:
        InputError: All its faults; an id that comes twice is one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Topics("v1", ("fever", "leg pain")), Topics("v2")], Path(folder) / "topics.csv")
    ...     (Path(folder) / "topics.csv").read_text()
    'rec_id,topics\nv1,"fever, leg pain"\nv2,None\n'
    """
    reader = Reader(path)
    rows = list(_csv.rows(reader, _VALUES))
    return reader.loaded([Topics(session, split(value)) for _, session, value in rows], [line for line, _, _ in rows])


def write(items: Sequence[Topics], path: Path) -> None:
    """Write topics as CSV with the header ``rec_id,topics``, in the order given.

    Args:
        items: One Topics a recording.
        path: Where to.

    Raises:
        InputError: An id comes twice or has outer blanks, or a topic holds a comma.
    """
    writer = Writer(path)
    sessions = writer.sessions([item.session_id for item in items])
    lists = [join(writer, entry, item.topics) for entry, item in enumerate(items, 1)]
    writer.check()
    write_atomic(path, _csv.text(("rec_id", "topics"), zip(sessions, lists, strict=True)))


def _sniff(head: str, path: Path) -> bool:
    return _csv.has_header(head, _VALUES)


FORMAT = Format(
    name="topics-csv",
    title="Topics of many recordings as CSV",
    item=Topics,
    suffixes=(".csv",),
    sniff=_sniff,
    read=read,
    write=write,
)
