"""The form in which each file format declares itself, and the list of them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from parakh import registry
from parakh.errors import Fault, InputError, UnknownNameError
from parakh.types import Loaded


def read_only(items: Sequence[Any], path: Path) -> None:
    """Refuse to write: the ``write`` of a format that only a service makes.

    Raises:
        InputError: Always.
    """
    expected = "a format that is also written"
    raise InputError(Fault(str(path), "", "a format that is only read", expected, "Write SegLST instead."))


@dataclass(frozen=True)
class Format:
    """The declaration of one file format.

    Args:
        name: Short name ("rttm", "challenge-tsv").
        title: One line for people.
        item: The type its items have (``Segment``, ``Region``, ``Topics``, ``Summary``).
        suffixes: Usual file suffixes, lower case, with the dot.
        sniff: Whether the first 64 KiB of a file, decoded, look like this format; sees also the path.
        read: One file to items.
        write: Items to one file; refuses what the format cannot hold. ``read_only`` for what only services write.
        loses: What a round trip through it loses, as one sentence; "" for nothing.
        ending: What follows the session id in the name of a file that holds one recording; "" for the first suffix.
        folder: Whether the format is a folder of files that belong together; ``sniff`` then gets "" and the folder.
        utf16: Whether its files may be UTF-16 with a byte order mark.
        follows_paths: Whether reading one may read further files, or ask for them, where the file itself says.
    """

    name: str
    title: str
    item: type
    suffixes: tuple[str, ...]
    sniff: Callable[[str, Path], bool]
    read: Callable[[Path], Loaded[Any]]
    write: Callable[[Sequence[Any], Path], None]
    loses: str = ""
    ending: str = ""
    folder: bool = False
    utf16: bool = False
    follows_paths: bool = False

    @property
    def is_written(self) -> bool:
        """Whether items can be written in it."""
        return self.write is not read_only


@cache
def all_formats() -> dict[str, Format]:
    """Every format by name, found by listing the folder; each module has ``FORMAT``."""
    modules = (registry.load("format", name) for name in registry.names("format"))
    return {module.FORMAT.name: module.FORMAT for module in modules}


def standing_alone(item: type) -> dict[str, Format]:
    """The formats of some items whose files lead to no further ones, by name.

    >>> from parakh.types import Segment
    >>> "nemo" in standing_alone(Segment), "rttm" in standing_alone(Segment)
    (False, True)
    """
    return {name: form for name, form in all_formats().items() if form.item is item and not form.follows_paths}


def get(name: str) -> Format:
    """The format called ``name``.

    Raises:
        UnknownNameError: There is none; close matches are listed.

    >>> get("rttm").suffixes
    ('.rttm',)
    """
    formats = all_formats()
    if name not in formats:
        raise UnknownNameError("format", name, list(formats))
    return formats[name]
