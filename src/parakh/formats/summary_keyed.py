"""Summaries of many recordings: an id, a tab and a text a line; no summary has two lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.formats import Format
from parakh.formats._keyed import looks_keyed, read_keyed, write_keyed
from parakh.formats._text import Writer
from parakh.types import Loaded, Summary


def read(path: Path) -> Loaded[Summary]:
    """Read the summaries of a keyed file.

    Raises:
        InputError: All its faults; an id that comes twice is one.
    """
    lines, findings = read_keyed(path)
    return Loaded(tuple(Summary(key, text) for key, text in lines), findings)


def write(items: Sequence[Summary], path: Path) -> None:
    """Write summaries, one a line, in the order given.

    Raises:
        InputError: An id has a blank or comes twice, or a summary has a line end.
    """
    write_keyed([(item.session_id, item.text) for item in items], Writer(path), path)


def _sniff(head: str, path: Path) -> bool:
    return looks_keyed(head, path, "_summary.txt")


FORMAT = Format(
    name="summary-keyed",
    title="Keyed summaries: an id and a text a line",
    item=Summary,
    suffixes=(".tsv",),
    sniff=_sniff,
    read=read,
    write=write,
    loses="Summaries of several lines: they are refused.",
)
