"""What bundles for Codabench are made of: entries of archives that are the same each time, and YAML."""

from __future__ import annotations

import json
import zipfile
from typing import Any

_EPOCH = (1980, 1, 1, 0, 0, 0)


def entry(name: str, *, is_packed: bool = True) -> zipfile.ZipInfo:
    """An entry of an archive whose bytes depend on its name and content alone.

    >>> entry("a.txt").date_time[0]
    1980
    """
    about = zipfile.ZipInfo(name, _EPOCH)
    about.external_attr = 0o644 << 16
    about.compress_type = zipfile.ZIP_DEFLATED if is_packed else zipfile.ZIP_STORED
    return about


def yaml(value: Any, indent: int = 0) -> str:
    """Tables, lists and plain values as YAML, of which JSON's plain values are a part.

    >>> print(yaml({"title": "नमस्ते: 1", "tasks": [{"index": 0, "hidden": False}], "numbers": [0, 1]}))
    title: "नमस्ते: 1"
    tasks:
      - index: 0
        hidden: false
    numbers:
      - 0
      - 1
    """
    pad = " " * indent
    if isinstance(value, dict):
        lines = [
            f"{pad}{key}:\n{yaml(one, indent + 2)}" if isinstance(one, dict | list) else f"{pad}{key}: {yaml(one)}"
            for key, one in value.items()
        ]
        return "\n".join(lines)
    if isinstance(value, list):
        return "\n".join(f"{pad}- {yaml(one, indent + 2).lstrip()}" for one in value)
    return json.dumps(value, ensure_ascii=False)
