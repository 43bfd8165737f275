"""The files of a folder, without those of the system."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from parakh import formats
from parakh.errors import Fault, InputError
from parakh.formats import Format
from parakh.formats._loading import JUNK


def is_junk(name: str) -> bool:
    """Whether a file or folder is the system's and no part of the data.

    >>> is_junk(".DS_Store"), is_junk("v1.rttm")
    (True, False)
    """
    return name.startswith(".") or name in JUNK


def tree(folder: Path) -> Iterator[tuple[str, list[str], list[str]]]:
    """A folder and those below it as ``os.walk`` gives them, links to folders followed.

    Raises:
        InputError: At the end, for every folder that cannot be read: what it holds would be missing without a word.
    """
    refused: list[OSError] = []
    yield from os.walk(folder, followlinks=True, onerror=refused.append)
    if refused:
        action = "Give yourself the right to read it, or move it away."
        raise InputError(Fault(str(one.filename), "", one.strerror or "", "a folder that can be read", action) for one in refused)


def files_in(folder: Path) -> list[Path]:
    """Every file in a folder and its sub-folders, sorted; a folder of a format (a Kaldi data dir) counts as one file.

    Links to folders are followed, each folder once; a link that leads nowhere is named like a file.

    Raises:
        InputError: A folder cannot be read.
    """
    whole = [form for form in formats.all_formats().values() if form.folder]
    found: list[Path] = []
    seen: set[str] = set()
    for here, folders, names in tree(folder):
        real = os.path.realpath(here)
        if real in seen or (whole and _is_item(Path(here), whole)):
            found += [Path(here)] if real not in seen else []
            folders.clear()
        else:
            folders[:] = [name for name in folders if not is_junk(name)]
            found += [Path(here, name) for name in names if not is_junk(name)]
        seen.add(real)
    return sorted(found)


def _is_item(folder: Path, forms: list[Format]) -> bool:
    return any(form.sniff("", folder) for form in forms)
