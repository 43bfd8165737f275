"""Annotation files read for one recording, or for all of a source, with every fault told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from parakh import formats
from parakh.errors import Fault, InputError
from parakh.formats._text import shown
from parakh.types import Finding, Region, Segment, Summary, Topics

Item = TypeVar("Item", Segment, Region, Topics, Summary)


class Gathering:
    """Reads the files of one recording and gathers the faults and findings of all of them."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.faults: list[Fault] = []
        self.notes: list[Finding] = []

    def read(
        self, path: Path | None, item: type[Item], form: str | None = None, endings: Sequence[str] = ()
    ) -> tuple[Item, ...] | None:
        """The items of a file, all of which have to belong to this recording; None without a file or with faults in it."""
        if path is None:
            return None
        try:
            loaded = formats.load(path, item, form, endings)
        except InputError as error:
            self.faults.extend(error.faults)
            return None
        self.notes += loaded.findings
        others = sorted({one.session_id for one in loaded.items} - {self.session_id})
        if others:
            found = f"the recording {shown(others[0])}"
            expected = f"{self.session_id}, as in the file's name"
            self.faults.append(Fault(str(path), "session_id", found, expected, "Rename the file, or mend the id."))
            return None
        return loaded.items

    def check(self) -> None:
        """Raise InputError if there was any fault."""
        if self.faults:
            raise InputError(self.faults)


def of_recording(items: Iterable[Item], session_id: str) -> tuple[Item, ...]:
    """Items with the id of the recording they belong to."""
    return tuple(replace(item, session_id=session_id) for item in items)


def table(path: Path | None, item: type[Item], faults: list[Fault]) -> dict[str, Item]:
    """The topics or summaries of a file by recording; its faults go to the list."""
    if path is None:
        return {}
    try:
        return {one.session_id: one for one in formats.load(path, item).items}
    except InputError as error:
        faults.extend(error.faults)
        return {}
