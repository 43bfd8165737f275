"""Annotation files by recording, whatever is wrong with them: what does not read is told and stops nothing here."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from parakh import formats
from parakh.errors import Fault, InputError, counted
from parakh.files import checksum
from parakh.formats import Format
from parakh.formats._text import SAY_WHICH
from parakh.qc import Source
from parakh.types import Finding, Loaded, Severity

UNREADABLE = "unreadable"
"""Code of the faults of a file that did not read."""


@dataclass(frozen=True)
class Sheet:
    """One annotation file, read.

    Args:
        path: The file.
        form: Its format; None where none fits.
        parts: Its items by recording.
        trouble: Its faults, or what its reader noticed.
        error: Why it could not be read; None if it could.
        sha256: Of its bytes; None for a folder.
    """

    path: str
    form: Format | None = None
    parts: Mapping[str, Source[Any]] = field(default_factory=dict)
    trouble: tuple[Finding, ...] = ()
    error: InputError | None = None
    sha256: str | None = None

    @property
    def is_read(self) -> bool:
        """Whether it could be read."""
        return self.error is None


def read(path: Path, item: type | None, form: Format | None = None) -> Sheet:
    r"""Read a file, whatever is wrong with it.

    Args:
        path: The file.
        item: Consider only formats whose items have this type; None considers all.
        form: Its format; None finds out.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "a.rttm"
    ...     _ = path.write_text("SPEAKER v1 1 0 2 <NA> <NA> a <NA> <NA>\nSPEAKER v1\n")
    ...     [(one.line, one.message) for one in read(path, None).trouble]  # doctest: +ELLIPSIS
    [(2, 'found 2 fields, expected 8 to 10 fields: ...')]
    """
    own = form
    try:
        own = own or formats.detect(path, item)
        loaded: Loaded[Any] = own.read(path)
    except InputError as error:
        faults = tuple(unreadable(error))
        return Sheet(str(path), own, trouble=faults, error=error, sha256=_checksum(path))
    return Sheet(str(path), own, _by_session(str(path), loaded), loaded.findings, sha256=_checksum(path))


def unreadable(error: InputError) -> Iterator[Finding]:
    """The faults of a file as findings, each at its line."""
    for fault in error.faults:
        yield Finding(UNREADABLE, _said(fault), Severity.ERROR, path=fault.path, line=fault.line)
    if error.more:
        last = error.faults[-1]
        more = counted(error.more, "more fault")
        yield Finding(UNREADABLE, f"{more} after line {last.line}", Severity.ERROR, path=last.path)


def _said(fault: Fault) -> str:
    """What is wrong, without the place, and without options that other verbs have."""
    action = fault.action.replace(SAY_WHICH, "").strip()
    return str(replace(fault, path="", line=None, action=action)).removeprefix(": ")


def _by_session(path: str, loaded: Loaded[Any]) -> dict[str, Source[Any]]:
    items, lines = loaded.items, loaded.lines or range(1, len(loaded.items) + 1)
    found: dict[str, tuple[list[Any], list[int]]] = {}
    place = 0
    for session, together in groupby(items, key=attrgetter("session_id")):
        own = list(together)
        if len(own) == len(items):
            return {session: Source(path, items, lines)}
        kept = found.setdefault(session, ([], []))
        kept[0].extend(own)
        kept[1].extend(lines[place : place + len(own)])
        place += len(own)
    return {session: Source(path, *kept) for session, kept in found.items()}


def _checksum(path: Path) -> str | None:
    try:
        return checksum(path)
    except InputError:
        return None


def related(name: str, sessions: Collection[str]) -> str | None:
    """The recording that a file's name begins with; the longest that fits, None if there is none.

    >>> related("v1_SPEAKER.rttm", {"v1", "v"}), related("v12.txt", {"v1"})
    ('v1', None)
    """
    whole = (end for end in range(len(name), 0, -1) if not name[end : end + 1].isalnum())
    return next((name[:end] for end in whole if name[:end] in sessions), None)
