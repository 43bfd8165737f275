"""What a data set holds of one recording: the values behind the paths of its entry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from parakh import formats
from parakh.dataset.manifest import Dataset
from parakh.errors import Fault, InputError
from parakh.formats._text import shown
from parakh.types import Entry, Region, Segment, Summary, Topics

Item = TypeVar("Item", Segment, Region, Topics, Summary)


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


def contents(dataset: Dataset, split: str | None = None) -> Iterator[Content]:
    """The recordings of a data set with their annotations, in the order of the manifest, one at a time.

    Args:
        dataset: The data set.
        split: Only this part of it; None takes all.

    Raises:
        InputError: No recording belongs to that part; or all faults of the files of the first recording with any.
    """
    entries = [entry for entry in dataset.entries if split in (None, entry.split)]
    if not entries and split is not None:
        known = ", ".join(sorted({entry.split for entry in dataset.entries if entry.split})) or "none: nothing is split yet"
        raise InputError(Fault(str(dataset.folder), "split", shown(split), f"a part of the data set ({known})"))
    times = Counter(path for entry in entries for path in set(entry.files.values()))
    shared = cache(_by_session)
    for entry in entries:
        yield _content(entry, {path: shared if times[path] > 1 else _by_session for path in entry.files.values()})


def _content(entry: Entry, readers: Mapping[str, Callable[..., dict[str, list[Any]]]]) -> Content:
    faults: list[Fault] = []

    def items(kind: str, item: type[Item]) -> tuple[Item, ...] | None:
        path = entry.files.get(kind)
        if path is None:
            return None
        try:
            return tuple(readers[path](path, item).get(entry.session_id, ()))
        except InputError as error:
            faults.extend(error.faults)
            return None

    made = Content(
        entry,
        items("rttm", Segment),
        items("transcript", Segment),
        items("native", Segment),
        items("uem", Region),
        _only(entry, "topics", items("topics", Topics), faults),
        _only(entry, "summary", items("summary", Summary), faults),
    )
    if faults:
        raise InputError(faults)
    return made


def _by_session(path: str, item: type[Item]) -> dict[str, list[Item]]:
    """The items of a file by recording; a folder's files are no file of a data set."""
    if not Path(path).is_file():
        raise InputError(Fault(path, "", "no such file", "the file that the manifest names", "Restore it, or take it out there."))
    sessions: dict[str, list[Item]] = {}
    for one in formats.load(path, item).items:
        sessions.setdefault(one.session_id, []).append(one)
    return sessions


def _only(entry: Entry, kind: str, items: Sequence[Item] | None, faults: list[Fault]) -> Item | None:
    """The one item that a recording may have in a file of topics or summaries."""
    if items is None:
        return None
    if not items:
        faults.append(Fault(entry.files[kind], "session_id", f"no {kind} of {entry.session_id}", "those that the manifest names"))
        return None
    return items[0]
