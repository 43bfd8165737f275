"""The record of an import that is under way, so that it can go on after a kill where it stopped.

The folder ``.import`` inside the data set holds what is finished but not yet in its place, and ``journal.jsonl``: first the
request and the state of the source, then a line a recording, and, once all of it is there, a line that says so. Only then
is anything put in place. A line that a kill cut in half is taken for not written; a finished recording whose files are not
there any more is done again.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from parakh.errors import Fault, InputError

FOLDER = ".import"
JOURNAL = "journal.jsonl"
_LOCK = "lock"


class Journal:
    """What is done of one import.

    Args:
        folder: The data set.
        request: What was asked for and the state of the source, as plain values.
    """

    def __init__(self, folder: Path, request: Mapping[str, object]) -> None:
        self.stage = folder / FOLDER
        self.done: dict[str, dict[str, Any]] = {}
        self.complete = False
        self.resumed = False
        self._request = json.loads(json.dumps(request))
        self._file: BinaryIO | None = None
        self._lock: BinaryIO | None = None

    def open(self) -> None:
        """Take up where an earlier run of the same request on the same source stopped, else begin anew.

        Raises:
            InputError: Another import is at work on the data set, or was stopped while it was put in place.
        """
        self.stage.mkdir(parents=True, exist_ok=True)
        self._lock = _locked(self.stage / _LOCK)
        lines = list(_lines(self.stage / JOURNAL))
        records = [record for _, record in lines]
        complete = bool(records) and "complete" in records[-1]
        if records and self._same(records[0]["request"], complete=complete):
            self.resumed = True
            self.complete = complete
            self._request = records[0]["request"]
            self.done = {record["session_id"]: record for record in records[1:] if "session_id" in record}
            self._file = (self.stage / JOURNAL).open("ab")
            self._file.truncate(sum(len(raw) for raw, _ in lines))
            return
        if complete:
            self._lock.close()
            earlier = records[0]["request"]
            found = f"an import of {earlier['source']} that was stopped while it was put in place"
            expected = "no other import before it is finished"
            raise InputError(Fault(str(self.stage), "", found, expected, "Run that one again with the same options."))
        for path in self.stage.iterdir():
            if path.name != _LOCK:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        self._file = (self.stage / JOURNAL).open("ab")
        self._add({"request": self._request})

    def _same(self, earlier: dict[str, Any], *, complete: bool) -> bool:
        """Whether an earlier request is this one; once all is read, the source does not matter any more."""
        ignored = {"number", "state"} if complete else {"number"}
        return {key: earlier.get(key) for key in earlier.keys() - ignored} == {
            key: self._request.get(key) for key in self._request.keys() - ignored
        }

    @property
    def number(self) -> int:
        """The number of this import among those of the data set."""
        return int(self._request["number"])

    def add(self, record: Mapping[str, object]) -> None:
        """Note that a recording is done."""
        self._add(record)
        self.done[str(record["session_id"])] = json.loads(json.dumps(record))

    def finish(self) -> None:
        """Note that all is read and staged; from now on it is only put in place."""
        self._add({"complete": True})
        self.complete = True

    def close(self, *, remove: bool) -> None:
        """End the work; ``remove`` forgets it."""
        if self._file is not None:
            self._file.close()
        if remove:
            shutil.rmtree(self.stage, ignore_errors=True)
        if self._lock is not None:
            self._lock.close()

    def _add(self, record: Mapping[str, object]) -> None:
        assert self._file is not None
        self._file.write(json.dumps(record, ensure_ascii=False).encode() + b"\n")
        self._file.flush()


def _locked(path: Path) -> BinaryIO:
    """A file that one process at a time can have; the system takes it back from one that was killed."""
    file = path.open("ab")
    try:
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:
        pass  # Windows has no such lock
    except OSError as error:
        file.close()
        raise InputError(Fault(str(path.parent), "", "another import at work", "one at a time", "Wait for it to end.")) from error
    return file


def _lines(path: Path) -> Iterable[tuple[bytes, dict[str, Any]]]:
    """The whole lines of a journal with their records, up to the first that is none."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        for raw in file:
            try:
                record = json.loads(raw) if raw.endswith(b"\n") else None
            except ValueError:
                record = None
            if not isinstance(record, dict):
                return
            yield raw, record


def state(paths: Iterable[Path], root: Path) -> str:
    """What tells whether a source has changed: a digest of the names, sizes and times of its files."""
    from hashlib import sha256

    digest = sha256()
    for path in paths:
        about = path.stat() if path.exists() else path.lstat()  # a link that leads nowhere
        digest.update(f"{path.relative_to(root)}\0{about.st_size}\0{about.st_mtime_ns}\n".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()
