"""Which files of a model were hashed and found right: their sizes and times of change, kept in the model's folder.

Hashing 200 MB at every start costs half a second; a file whose size and time are as they were is not hashed again.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from parakh.errors import InputError
from parakh.files import write_atomic
from parakh.models import fetch
from parakh.models.declarations import Declaration, declaration

NAME = ".verified.json"

Stamp = list[int | str]
"""Size in bytes, time of change in nanoseconds, SHA-256."""


def check(model: Declaration, folder: Path) -> list[str]:
    """What is wrong with the files of a model, one line a file; only what changed since the last check is hashed."""
    found = _stamps(model, folder)
    if found == _read(folder):
        return []
    faults = _hashed(model.name, folder, json.dumps(found))
    if not faults:
        _keep(folder, found)
    return list(faults)


def write(model: Declaration, folder: Path) -> None:
    """Note that the files of a model are right as they are; nothing happens where the store cannot be written."""
    _keep(folder, _stamps(model, folder))


def _keep(folder: Path, stamps: dict[str, Stamp | None]) -> None:
    if os.access(folder, os.W_OK):
        with suppress(InputError):  # a full disk costs a second look, no more
            write_atomic(folder / NAME, json.dumps(stamps, indent=1) + "\n")


@lru_cache(maxsize=64)
def _hashed(name: str, folder: Path, stamps: str) -> tuple[str, ...]:
    """The faults of files with these stamps; kept for the process, for stores that cannot be written."""
    return tuple(fetch.check(declaration(name), folder))


def _stamps(model: Declaration, folder: Path) -> dict[str, Stamp | None]:
    return {file.path: _stamp(folder / file.path, file.sha256) for file in model.files}


def _stamp(path: Path, sha256: str) -> Stamp | None:
    if not path.is_file():
        return None
    stat = path.stat()
    return [stat.st_size, stat.st_mtime_ns, sha256]


def _read(folder: Path) -> object:
    try:
        return json.loads((folder / NAME).read_text("utf-8"))
    except (OSError, ValueError):
        return None
