"""The form in which each file format declares itself, and the list of them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from parakh import registry
from parakh.errors import UnknownNameError
from parakh.types import Loaded


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
        write: Items to one file; refuses what the format cannot hold.
        loses: What a round trip through it loses, as one sentence; "" for nothing.
        ending: What follows the session id in the name of a file that holds one recording; "" for the first suffix.
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


@cache
def all_formats() -> dict[str, Format]:
    """Every format by name, found by listing the folder; each module has ``FORMAT``."""
    modules = (registry.load("format", name) for name in registry.names("format"))
    return {module.FORMAT.name: module.FORMAT for module in modules}


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
