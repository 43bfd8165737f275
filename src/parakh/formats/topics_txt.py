"""One recording's topics as a comma list, keyed by the file's name.

The challenge's ``<id>_Topic_pred.txt``, or any ``<id>.txt``. Line ends separate topics as commas do. An empty
file and the word "None" both mean no topic.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.formats import Format
from parakh.formats._text import Writer
from parakh.formats._topics import join, split
from parakh.formats._whole import read_whole, session_of, write_whole
from parakh.types import Loaded, Topics

_ENDING = "_Topic_pred.txt"


def read(path: Path) -> Loaded[Topics]:
    """Read one recording's topics.

    Args:
        path: The file; its name without ``_Topic_pred.txt`` or ``.txt`` is the session id.

    Returns:
        One Topics, in the order given; blanks around a topic do not count.

    Raises:
        InputError: The file cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Topics("v1", ("fever", "leg pain"))], Path(folder) / "v1_Topic_pred.txt")
    ...     read(Path(folder) / "v1_Topic_pred.txt").items
    (Topics(session_id='v1', topics=('fever', 'leg pain')),)
    """
    reader, text = read_whole(path)
    return reader.loaded([Topics(session_of(path, _ENDING), split(text))])


def write(items: Sequence[Topics], path: Path) -> None:
    """Write one recording's topics as a comma list; "None" if there is none.

    Args:
        items: Exactly one Topics.
        path: Where to; the name has to say the session id.

    Raises:
        InputError: There is not exactly one item, the name does not say its session id, or a topic holds a comma.
    """
    writer = Writer(path)
    text = join(writer, 1, items[0].topics) if items else ""
    write_whole(writer, items, text, path, _ENDING)


def _sniff(head: str, path: Path) -> bool:
    return path.name.lower().endswith(_ENDING.lower())


FORMAT = Format(
    name="topics-txt",
    title="One recording's topics as a comma list",
    item=Topics,
    suffixes=(_ENDING.lower(), ".txt"),
    sniff=_sniff,
    read=read,
    write=write,
    ending=_ENDING,
)
