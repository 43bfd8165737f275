"""The files of a folder, without those of the system."""

from __future__ import annotations

import os
from pathlib import Path

from parakh import formats
from parakh.formats import Format
from parakh.formats._loading import JUNK


def is_junk(name: str) -> bool:
    """Whether a file or folder is the system's and no part of the data.

    >>> is_junk(".DS_Store"), is_junk("v1.rttm")
    (True, False)
    """
    return name.startswith(".") or name in JUNK


def files_in(folder: Path) -> list[Path]:
    """Every file in a folder and its sub-folders, sorted; a folder of a format (a Kaldi data dir) counts as one file.

    Links to folders are followed, each folder once.
    """
    whole = [form for form in formats.all_formats().values() if form.folder]
    found: list[Path] = []
    seen: set[str] = set()
    for here, folders, names in os.walk(folder, followlinks=True):
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
