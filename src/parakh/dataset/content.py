"""What a data set holds of one recording: the values behind the paths of its entry."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from parakh.dataset._manifested import Shelf
from parakh.dataset.manifest import KINDS, Dataset
from parakh.errors import Fault, InputError
from parakh.formats._text import shown
from parakh.types import Entry, Region, Segment, Summary, Topics


@dataclass(frozen=True)
class Content:
    """One recording with what was annotated; what a data set does not have of it is None.

    Args:
        entry: Its entry.
        turns: Who spoke when.
        transcript: What was said.
        native: The second form of the transcript, in native script.
        regions: The stretches that are scored.
        topics: The health problems.
        summary: The clinical summary.
    """

    entry: Entry
    turns: tuple[Segment, ...] | None = None
    transcript: tuple[Segment, ...] | None = None
    native: tuple[Segment, ...] | None = None
    regions: tuple[Region, ...] | None = None
    topics: Topics | None = None
    summary: Summary | None = None

    @property
    def session_id(self) -> str:
        """Id of the recording."""
        return self.entry.session_id

    @property
    def spoken(self) -> tuple[Segment, ...]:
        """The transcript, or the turns where there is none."""
        return self.transcript if self.transcript is not None else self.turns or ()


def contents(dataset: Dataset, split: str | None = None, kinds: Collection[str] = KINDS) -> Iterator[Content]:
    """The recordings of a data set with their annotations, in the order of the manifest, one at a time.

    Args:
        dataset: The data set.
        split: Only this part of it; None takes all.
        kinds: The kinds of files to read; the others are taken as not there.

    Raises:
        InputError: No recording belongs to that part; or all faults of the files of the first recording with any.
    """
    entries = [entry for entry in dataset.entries if split in (None, entry.split)]
    if not entries and split is not None:
        known = ", ".join(sorted({entry.split for entry in dataset.entries if entry.split})) or "none: nothing is split yet"
        raise InputError(Fault(str(dataset.folder), "split", shown(split), f"a part of the data set ({known})"))
    shelf = Shelf(dataset)
    for entry in entries:
        yield _content(entry, shelf, kinds)


def _content(entry: Entry, shelf: Shelf, kinds: Collection[str]) -> Content:
    faults: list[Fault] = []
    found = {kind: _items(entry, kind, shelf, faults) for kind in KINDS if kind in kinds and kind in entry.files}
    topics, summary = (_only(entry, kind, found.get(kind), faults) for kind in ("topics", "summary"))
    if faults:
        raise InputError(faults)
    turns, transcript, native, regions = (found.get(kind) for kind in ("rttm", "transcript", "native", "uem"))
    return Content(entry, turns, transcript, native, regions, topics, summary)


def _items(entry: Entry, kind: str, shelf: Shelf, faults: list[Fault]) -> tuple[Any, ...] | None:
    """The items of one kind, under the recording's id; None with a fault."""
    path = entry.files[kind]
    if not Path(path).is_file():
        expected, action = "the file that the manifest names", "Restore it, or take it out there."
        faults.append(Fault(path, "", "no such file", expected, action))
        return None
    sheet, source, noticed = shelf.part(entry, kind)
    faults += sheet.error.faults if sheet.error else ()
    if noticed and source:
        expected = f"{shown(entry.session_id)}, to which the manifest gives the file"
        faults.append(Fault(path, "session_id", shown(source.items[0].session_id), expected, "Mend the one or the other."))
    return tuple(replace(one, session_id=entry.session_id) for one in source.items) if source else ()


def _only(entry: Entry, kind: str, items: Sequence[Any] | None, faults: list[Fault]) -> Any:
    """The one item that a recording may have in a file of topics or summaries."""
    if items is None:
        return None
    if not items:
        faults.append(Fault(entry.files[kind], "session_id", f"no {kind} of {entry.session_id}", "those that the manifest names"))
        return None
    return items[0]
