"""The recordings of a data set with a manifest, and their files read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from parakh import formats
from parakh.dataset._reading import Sheet, read
from parakh.dataset.manifest import METADATA, RECORDINGS, Dataset
from parakh.errors import printable
from parakh.formats._text import shown
from parakh.formats._whole import session_of
from parakh.qc import Material, Source
from parakh.types import Entry, Finding, Region, Segment, Severity, Summary, Topics

PARTS: Mapping[str, tuple[str, type]] = {
    "rttm": ("turns", Segment),
    "transcript": ("transcript", Segment),
    "native": ("native", Segment),
    "topics": ("topics", Topics),
    "summary": ("summary", Summary),
    "uem": ("regions", Region),
}
"""Which part of a Material the items of each kind of file are, and their type."""


class Part(NamedTuple):
    """What a file says of one recording: the file as it was read, the recording's own part of it, and what is odd about that."""

    sheet: Sheet
    source: Source[Any] | None
    noticed: Sequence[Finding] = ()


class Shelf:
    """The files of a data set; a file that serves several recordings is read once, and its trouble told with the first.

    Args:
        dataset: The data set.
    """

    def __init__(self, dataset: Dataset) -> None:
        self._known = {entry.session_id for entry in dataset.entries}
        self._uses = Counter(path for entry in dataset.entries for path in set(entry.files.values()))
        self._sheets: dict[tuple[str, type], Sheet] = {}
        self._told = set[str]()
        self._noticed = [*dataset.findings]
        self._folder = dataset.folder
        self._lines = dict(zip((entry.session_id for entry in dataset.entries), dataset.lines, strict=False))
        self._rows: dict[str, list[tuple[str, int]]] = {}
        for (session, speaker), line in dataset.rows.items():
            self._rows.setdefault(session, []).append((speaker, line))

    def material(self, entry: Entry) -> Material:
        """One recording with all that its files say of it; a file that is not there has no part."""
        parts: dict[str, Any] = {}
        trouble, self._noticed = self._noticed, []
        sums = {}
        for kind, path in entry.files.items():
            if not Path(path).exists():
                continue
            sheet, source, noticed = self.part(entry, kind)
            if source is not None:
                parts[PARTS[kind][0]] = source
            if sheet.sha256 is not None:
                sums[kind] = sheet.sha256
            trouble += [*self._once(entry, sheet), *noticed]
        return Material(entry, **self.described(entry), trouble=tuple(trouble), sha256=sums, **parts)

    def part(self, entry: Entry, kind: str) -> Part:
        """What the file of one kind, which is there, says of a recording."""
        sheet = self._sheet(entry.files[kind], PARTS[kind][1])
        return Part(sheet, *self._own(sheet, entry))

    def described(self, entry: Entry) -> dict[str, Any]:
        """Where manifest and table of metadata describe a recording."""
        rows = self._rows.get(entry.session_id)
        table = Source(str(self._folder / METADATA), *zip(*rows, strict=True)) if rows else None
        return {"manifest": Source(str(self._folder / RECORDINGS), (entry,), (self._lines[entry.session_id],)), "rows": table}

    def _sheet(self, path: str, item: type) -> Sheet:
        if (path, item) in self._sheets:
            return self._sheets[path, item]
        sheet = read(Path(path), item)
        if sheet.form and sheet.form.name == "keyed-text" and not set(sheet.parts) & self._known:
            sheet = read(Path(path), item, formats.get("plain-text"))  # any text looks like keyed text
        if self._uses[path] > 1:
            self._sheets[path, item] = sheet
        return sheet

    def _own(self, sheet: Sheet, entry: Entry) -> tuple[Source[Any] | None, list[Finding]]:
        """The part of one recording; that of a file with another id in it, if the file is this recording's alone."""
        session = entry.session_id
        if session in sheet.parts or not sheet.is_read or sheet.form is None:
            return sheet.parts.get(session), []
        if self._uses[sheet.path] > 1:
            return None, []
        if not sheet.parts:
            return Source(sheet.path), []
        strangers = [one for one in sheet.parts if one not in self._known]
        if len(sheet.parts) > 1 or not strangers:
            return None, []
        other = strangers[0]
        source = sheet.parts[other]
        if other == session_of(Path(sheet.path), sheet.form.ending or Path(sheet.path).suffix):
            return source, []  # the file's name is where such a format has its id
        said = f"its session_id is {shown(other)}, {RECORDINGS} gives the file to {shown(session)}"
        return source, [Finding("other-session", said, Severity.WARNING, session, sheet.path, source.line(0))]

    def _once(self, entry: Entry, sheet: Sheet) -> Iterator[Finding]:
        if sheet.path in self._told:
            return
        self._told.add(sheet.path)
        alone = self._uses[sheet.path] == 1
        yield from (replace(one, session_id=one.session_id or entry.session_id) if alone else one for one in sheet.trouble)
        for session, source in sheet.parts.items():
            if session not in self._known and not (alone and len(sheet.parts) == 1):
                said = f"session_id {shown(printable(session))} is none of {RECORDINGS}"
                yield Finding("unknown-session", said, Severity.WARNING, None, sheet.path, source.line(0))
