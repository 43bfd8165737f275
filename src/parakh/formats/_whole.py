"""Formats of one file a recording: the session id is the file's name without its ending."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from parakh.errors import counted
from parakh.files import write_atomic
from parakh.formats._text import Reader, Writer, shown, without_gz


class _HasSession(Protocol):
    @property
    def session_id(self) -> str: ...


def session_of(path: Path, ending: str) -> str:
    """The session id that a file name stands for.

    >>> session_of(Path("pred/visit.01_Topic_pred.txt"), "_Topic_pred.txt"), session_of(Path("visit.01.txt"), "_x.txt")
    ('visit.01', 'visit.01')
    """
    name = without_gz(path).name
    for suffix in (ending, ".txt"):
        if name.lower().endswith(suffix.lower()) and len(name) > len(suffix):
            return name[: -len(suffix)]
    return name


def read_whole(path: Path) -> tuple[Reader, str]:
    """The reader of a file and its text without the last line end."""
    reader = Reader(path)
    reader.names(None, {"the file's name": path.name})
    return reader, reader.text.removesuffix("\n")


def write_whole(writer: Writer, items: Sequence[_HasSession], text: str, path: Path, ending: str) -> None:
    """Write the one item that such a file holds; its name has to say the session id."""
    for item in items:
        writer.names(None, {"session_id": item.session_id})
    if len(items) != 1:
        expected = "exactly one: this format holds one recording a file"
        writer.fault(None, "", counted(len(items), "item"), expected, "Write one file a recording, into a folder.")
    elif session_of(path, ending) != items[0].session_id:
        expected = f"a file named {items[0].session_id}{ending}"
        writer.fault(None, "", f"the name {shown(path.name)}", expected, "The name is where this format keeps the session id.")
    if "\r" in text or text.startswith("\ufeff"):
        writer.fault(None, "", "a carriage return or byte order mark in the text", "plain text", "Remove it.")
    writer.check()
    write_atomic(path, f"{text}\n")


def check_sessions(writer: Writer, items: Sequence[_HasSession], path: Path, ending: str) -> None:
    """Note a fault, at its first item, for each recording other than the one that the file's name says."""
    session = session_of(path, ending)
    first: dict[str, int] = {}
    for entry, item in enumerate(items, 1):
        first.setdefault(item.session_id, entry)
    for name, entry in first.items():
        writer.names(entry, {"session_id": name})
        if name != session:
            action = f"The name is where this format keeps the session id: write one file a recording, named <id>{ending}."
            writer.fault(entry, "session_id", shown(name), f"{shown(session)}, as the file's name says", action)
