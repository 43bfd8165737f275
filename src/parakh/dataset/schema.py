"""The published form of a manifest: JSON Schema (draft 2020-12) of ``recordings.jsonl``, and the columns of ``metadata.csv``."""

from __future__ import annotations

from importlib.resources import files

from parakh.errors import UnknownNameError

NAMES = ("recordings", "metadata")


def text(name: str) -> str:
    """A schema as it is published.

    Args:
        name: "recordings" or "metadata".

    Raises:
        UnknownNameError: There is none of that name.

    >>> '"required": ["session_id"]' in text("recordings")
    True
    """
    if name not in NAMES:
        raise UnknownNameError("schema", name, NAMES)
    return files("parakh.dataset").joinpath("schemas", f"{name}.schema.json").read_text(encoding="utf-8")
