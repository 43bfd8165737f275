"""Files made from a model's weights and kept beside them: the name of each holds the SHA-256 of its content.

So a kept file is either what was made, or is not used and is made again; there is no second file to disagree.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from parakh.errors import InputError
from parakh.files import checksum, write_atomic

_NAME = re.compile(r".+\.([0-9a-f]{64})\.\w+")


def read(folder: Path, stem: str, suffix: str) -> bytes | None:
    """The content of the kept file ``stem``; None when there is none, or only a damaged one."""
    for path in sorted(folder.glob(f"{stem}.*{suffix}")):
        data = path.read_bytes()
        if path.name == _name(stem, suffix, data):
            return data
    return None


def write(folder: Path, stem: str, suffix: str, data: bytes) -> None:
    """Keep a file in place of earlier ones of its kind; nothing happens where the store cannot be written."""
    if not os.access(folder, os.W_OK):
        return
    name = _name(stem, suffix, data)
    try:
        write_atomic(folder / name, data)
    except InputError:
        return  # a full disk: then it is made again each time
    for other in folder.glob(f"{stem.partition('-')[0]}-*{suffix}"):
        if other.name != name:
            other.unlink(missing_ok=True)


def faults(folder: Path) -> list[str]:
    """What is wrong with the kept files of a model, one line a file."""
    named = [(path, match[1]) for path in sorted(folder.iterdir()) if (match := _NAME.fullmatch(path.name))]
    found = [(path, checksum(path), digest) for path, digest in named]
    return [
        f"{path.name}: found SHA-256 {sha}, expected the one in its name. It is made again from the weights when it is next used."
        for path, sha, digest in found
        if sha != digest
    ]


def _name(stem: str, suffix: str, data: bytes) -> str:
    return f"{stem}.{hashlib.sha256(data).hexdigest()}{suffix}"
