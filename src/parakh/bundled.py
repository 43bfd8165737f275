"""Where the bundled conversations lie: inside an installed package, or beside the sources of a checkout."""

from __future__ import annotations

from pathlib import Path

from parakh.errors import Fault, InputError


def examples_path() -> Path:
    """The folder of the bundled conversations.

    Raises:
        InputError: This installation carries none.
    """
    here = Path(__file__).parent
    for folder in (here / "examples", here.parent.parent / "examples"):
        if (folder / "recordings.jsonl").is_file():
            return folder
    action = "Reinstall parakh, or run `parakh demo` from a checkout."
    raise InputError(Fault(str(here / "examples"), "", "no bundled conversations", "recordings.jsonl", action))
