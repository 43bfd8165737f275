"""One recording's summary as plain text, keyed by the file's name.

The challenge's ``<id>_summary.txt``, or any ``<id>.txt``. The text is unchanged but for the last line end.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.formats import Format
from parakh.formats._text import Writer
from parakh.formats._whole import read_whole, session_of, write_whole
from parakh.types import Loaded, Summary

_ENDING = "_summary.txt"


def read(path: Path) -> Loaded[Summary]:
    """Read one recording's summary.

    Args:
        path: The file; its name without ``_summary.txt`` or ``.txt`` is the session id.

    Returns:
        One Summary; a file without text gives an empty one and the finding ``empty-file``.

    Raises:
        InputError: The file cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Summary("v1", "Fever for three days.")], Path(folder) / "v1_summary.txt")
    ...     read(Path(folder) / "v1_summary.txt").items
    (Summary(session_id='v1', text='Fever for three days.'),)
    """
    reader, text = read_whole(path)
    return reader.loaded([Summary(session_of(path, _ENDING), text)])


def write(items: Sequence[Summary], path: Path) -> None:
    """Write one recording's summary.

    Args:
        items: Exactly one Summary.
        path: Where to; the name has to say the session id.

    Raises:
        InputError: There is not exactly one item, or the name does not say its session id.
    """
    write_whole(Writer(path), items, items[0].text if items else "", path, _ENDING)


def _sniff(head: str, path: Path) -> bool:
    return path.name.lower().endswith(_ENDING)


FORMAT = Format(
    name="summary-txt",
    title="One recording's summary as plain text",
    item=Summary,
    suffixes=(_ENDING, ".txt"),
    sniff=_sniff,
    read=read,
    write=write,
    ending=_ENDING,
)
