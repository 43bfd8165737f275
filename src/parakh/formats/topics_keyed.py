"""Topics of many recordings: an id, a tab and a comma list a line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.formats import Format
from parakh.formats._keyed import looks_keyed, read_keyed, write_keyed
from parakh.formats._text import Writer
from parakh.formats._topics import join, split
from parakh.types import Loaded, Topics


def read(path: Path) -> Loaded[Topics]:
    """Read the topics of a keyed file; an empty list and "None" both mean no topic.

    Raises:
        InputError: All its faults; an id that comes twice is one.
    """
    lines, findings = read_keyed(path)
    return Loaded(tuple(Topics(key, split(text)) for key, text in lines), findings)


def write(items: Sequence[Topics], path: Path) -> None:
    """Write topics, one recording a line, in the order given.

    Raises:
        InputError: An id has a blank or comes twice, or a topic holds a comma.
    """
    writer = Writer(path)
    write_keyed([(item.session_id, join(writer, entry, item.topics)) for entry, item in enumerate(items, 1)], writer, path)


def _sniff(head: str, path: Path) -> bool:
    return looks_keyed(head, path, "_topic_pred.txt")


FORMAT = Format(
    name="topics-keyed",
    title="Keyed topics: an id and a comma list a line",
    item=Topics,
    suffixes=(".tsv",),
    sniff=_sniff,
    read=read,
    write=write,
)
