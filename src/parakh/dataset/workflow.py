"""The way of a recording through annotation: a status machine a recording, kept as an append-only log.

    draft -> segmented -> transcribed -> qc1 -> qc2 -> qc3 -> qc4 -> qc5 -> released
               any of them after draft -- rejected with a reason --> revise -> segmented or transcribed

``qc1`` means: passed the first stage of quality control. ``annotation-log.jsonl`` in the data set's folder has one JSON object
a step: ``time`` (UTC), ``session_id``, ``status`` (the new one), ``by``, and where given ``reason`` and ``sha256`` of the
annotation files as they were, so that a change after a check comes to light. ``audited`` instead of ``status`` notes that
the recording was drawn for a spot audit. Lines are added, never changed.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

from parakh import formats
from parakh.errors import Fault, InputError
from parakh.files import checksum
from parakh.formats._json import name_of, parse, text_of
from parakh.formats._text import Reader, shown
from parakh.text.masking import masked
from parakh.types import Entry, Summary, Topics

LOG = "annotation-log.jsonl"
_KEYS = ("time", "session_id", "status", "audited", "by", "reason", "sha256")
_TIME = "%Y-%m-%dT%H:%M:%SZ"
_SHARED = ("topics", "summary")
_CODE = re.compile("[A-Za-z0-9._-]{1,40}")


_RELEASED = "The log goes along with the data set."


class Status(StrEnum):
    """Where a recording stands."""

    DRAFT = "draft"
    SEGMENTED = "segmented"
    TRANSCRIBED = "transcribed"
    QC1 = "qc1"
    QC2 = "qc2"
    QC3 = "qc3"
    QC4 = "qc4"
    QC5 = "qc5"
    RELEASED = "released"
    REVISE = "revise"


_ORDER = [status for status in Status if status is not Status.REVISE]
STEPS: Mapping[Status | None, tuple[Status, ...]] = {
    None: (Status.DRAFT,),
    Status.DRAFT: (Status.SEGMENTED,),
    **{one: (next_one, Status.REVISE) for one, next_one in pairwise(_ORDER[1:])},
    Status.RELEASED: (Status.REVISE,),
    Status.REVISE: (Status.SEGMENTED, Status.TRANSCRIBED),
}
"""Which status may follow which; a recording that is not in the log has None."""


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the log.

    Args:
        time: When, in UTC, to the second.
        session_id: The recording.
        by: Who: a code of the annotator, never a name.
        status: The new status; None for a line that changes none (an audit).
        audited: How the recording was drawn for an audit; "" for any other line.
        reason: Why; always given for a rejection.
        sha256: Checksums of the annotation files at that time, by kind.
    """

    time: datetime
    session_id: str
    by: str
    status: Status | None = None
    audited: str = ""
    reason: str = ""
    sha256: Mapping[str, str] = field(default_factory=dict)


def read_log(folder: str | Path) -> list[Step]:
    """The steps of a data set's log, in order; empty where there is no log yet.

    Args:
        folder: The data set's folder.

    Raises:
        InputError: A line is broken, or a step does not follow from the one before; all of them.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = append(folder, ["v1"], Status.DRAFT, "ann01")
    ...     _ = append(folder, ["v1"], Status.SEGMENTED, "ann01")
    ...     [str(step.status) for step in read_log(folder)]
    ['draft', 'segmented']
    """
    path = Path(folder) / LOG
    if not path.exists():
        return []
    reader = Reader(path)
    if reader.text and not reader.text.endswith("\n"):
        last = reader.text.count("\n") + 1
        reader.fault(last, "", "a line that was not written to its end", "whole lines", "Take it out.")
    steps: list[Step] = []
    now: dict[str, Status] = {}
    for line, text in reader.records():
        step = _step(reader, line, text)
        if step is None:
            continue
        if step.status is not None and step.status not in STEPS[now.get(step.session_id)]:
            reader.fault(line, "status", shown(str(step.status)), _may_follow(now.get(step.session_id)))
        if step.status is not None:
            now[step.session_id] = step.status
        steps.append(step)
    reader.check()
    return steps


def statuses(steps: Iterable[Step]) -> dict[str, Step]:
    """The latest step that changed the status of each recording.

    >>> statuses([Step(datetime(2026, 1, 1), "v1", "a", Status.DRAFT)])["v1"].status
    <Status.DRAFT: 'draft'>
    """
    return {step.session_id: step for step in steps if step.status is not None}


def append(
    folder: str | Path,
    sessions: Sequence[str],
    status: Status,
    by: str,
    *,
    reason: str = "",
    sha256: Mapping[str, Mapping[str, str]] | None = None,
    at: datetime | None = None,
) -> list[Step]:
    """Take recordings to a status: all of them, or none.

    Args:
        folder: The data set's folder.
        sessions: The recordings.
        status: Where they go.
        by: Code of the person.
        reason: Why; a rejection must have one.
        sha256: Checksums of the files of each recording, by session and kind.
        at: When, and not before the last step of any of the recordings; None is now.

    Returns:
        The lines added.

    Raises:
        InputError: A step is not allowed from where a recording stands, a rejection has no reason, or the code or the reason
            says who somebody is.
    """
    when = _utc(at)
    faults = code_faults(by)
    if status is Status.REVISE and not reason.strip():
        faults.append(Fault("--reason", "", "nothing", "why it is rejected, so that it can be mended"))
    if masked(reason) != reason:
        option = "--reason" if status is Status.REVISE else "--despite"
        faults.append(Fault(option, "", shown(masked(reason)), "a reason without anybody's number or name", _RELEASED))
    with _alone(Path(folder)):
        now = statuses(read_log(folder))
        for session in dict.fromkeys(sessions):
            before = now[session].status if session in now else None
            if status not in STEPS[before]:
                faults.append(Fault(session, "status", shown(str(status)), _may_follow(before)))
            elif at is not None and session in now and when < now[session].time:
                last = now[session].time.strftime(_TIME)
                faults.append(Fault(session, "--at", when.strftime(_TIME), f"no time before its last step ({last})"))
        if faults:
            raise InputError(faults)
        steps = [Step(when, one, by, status, "", reason, (sha256 or {}).get(one, {})) for one in dict.fromkeys(sessions)]
        _write(Path(folder), steps)
    return steps


def code_faults(by: str) -> list[Fault]:
    """What is wrong with the code of a person, who must not be known by it.

    >>> code_faults("ann01"), len(code_faults("Asha Devi"))
    ([], 1)
    """
    if _CODE.fullmatch(by) and masked(by) == by:
        return []
    expected = "a code of who does it, as ann01 (ASCII letters, digits and - _ . without a number that belongs to somebody)"
    return [Fault("--by", "", shown(masked(by)), expected, _RELEASED)]


def note_audit(folder: str | Path, sessions: Sequence[str], by: str, how: str, at: datetime | None = None) -> list[Step]:
    """Note in the log that recordings were drawn for a spot audit, and how.

    Args:
        folder: The data set's folder.
        sessions: The recordings.
        by: Code of the person.
        how: The draw: size, strata, seed.
        at: When; None is now.

    Raises:
        InputError: The log is broken or cannot be written, or the code says who somebody is.
    """
    if faults := code_faults(by):
        raise InputError(faults)
    with _alone(Path(folder)):
        read_log(folder)
        steps = [Step(_utc(at), one, by, None, how) for one in sessions]
        _write(Path(folder), steps)
    return steps


def checksums(entry: Entry) -> dict[str, str]:
    """SHA-256 of the annotation files of a recording that are there, by kind.

    Topics and summaries of many recordings share a file: of these it is that of what the file says of this recording, so
    that it does not change with the others.

    >>> from parakh.types import Recording
    >>> checksums(Entry(Recording("v1")))
    {}
    """
    return {kind: _checksum(entry.session_id, kind, path) for kind, path in entry.files.items() if Path(path).is_file()}


def _checksum(session: str, kind: str, path: str) -> str:
    own = _own(session, path, kind) if kind in _SHARED else None
    return checksum(path) if own is None else hashlib.sha256(own).hexdigest()


def _own(session: str, path: str, kind: str) -> bytes | None:
    """What a file says of one recording; None where it does not read, or says nothing of it."""
    about = Path(path).stat()
    one = _by_session(path, kind, (about.st_mtime_ns, about.st_size, about.st_ino)).get(session)
    return None if one is None else json.dumps(asdict(one), ensure_ascii=False, sort_keys=True).encode()


@lru_cache(maxsize=8)
def _by_session(path: str, kind: str, version: tuple[int, ...]) -> dict[str, Topics | Summary]:
    """The items of one version of a file, which is read once for all recordings."""
    try:
        items = formats.load(path, Topics).items if kind == "topics" else formats.load(path, Summary).items
    except InputError:
        return {}
    return {one.session_id: one for one in items}


def changed_since(step: Step, entry: Entry) -> list[str]:
    """Kinds of annotation files that are not as they were at a step of the log.

    >>> from parakh.types import Recording
    >>> changed_since(Step(datetime(2026, 1, 1), "v1", "a", Status.QC1, sha256={"rttm": "0"}), Entry(Recording("v1")))
    ['rttm']
    """
    now = checksums(entry)
    return [kind for kind in step.sha256 if step.sha256[kind] != now.get(kind)]


def rejections(steps: Iterable[Step]) -> dict[str, tuple[int, int]]:
    """How many recordings each annotator handed in, and how many of these were rejected afterwards.

    A recording belongs to who segmented or transcribed it last before the rejection.

    Returns:
        (handed in, rejected) by the annotator's code.

    >>> day = datetime(2026, 1, 1)
    >>> rejections([Step(day, "v1", "ann01", Status.TRANSCRIBED), Step(day, "v1", "qc01", Status.REVISE, reason="overlap")])
    {'ann01': (1, 1)}
    """
    owner: dict[str, str] = {}
    counts: dict[str, list[int]] = {}
    for step in steps:
        if step.status in (Status.SEGMENTED, Status.TRANSCRIBED):
            if owner.get(step.session_id) != step.by:
                counts.setdefault(step.by, [0, 0])[0] += 1
            owner[step.session_id] = step.by
        elif step.status is Status.REVISE and step.session_id in owner:
            counts[owner.pop(step.session_id)][1] += 1
    return {by: (handed_in, rejected) for by, (handed_in, rejected) in counts.items()}


def _may_follow(before: Status | None) -> str:
    after = " or ".join(STEPS[before])
    return f"{after}, as it is {before}" if before else f"{after}, as it is not in the log yet"


def _utc(at: datetime | None) -> datetime:
    return (at or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Within it nobody else adds to the log of this folder (where the platform has locks)."""
    try:
        held = os.open(folder, os.O_RDONLY)
    except OSError as error:
        raise InputError(Fault(str(folder), "", error.strerror or "", "a data set's folder", "Check the path.")) from error
    try:
        try:
            import fcntl
        except ImportError:  # Windows
            yield
        else:
            fcntl.flock(held, fcntl.LOCK_EX)
            yield
    finally:
        os.close(held)


def _write(folder: Path, steps: Sequence[Step]) -> None:
    """Add lines in one piece, and see them on the disk."""
    text = "".join(json.dumps(_line(step), ensure_ascii=False) + "\n" for step in steps)
    try:
        with (folder / LOG).open("ab", buffering=0) as log:
            log.write(text.encode())
            os.fsync(log.fileno())
    except OSError as error:
        raise InputError(Fault(str(folder / LOG), "", error.strerror or "", "a log to add to", "Check the folder.")) from error


def _line(step: Step) -> dict[str, object]:
    values: dict[str, object] = {
        "time": step.time.strftime(_TIME),
        "session_id": step.session_id,
        "status": None if step.status is None else str(step.status),
        "audited": step.audited,
        "by": step.by,
        "reason": step.reason,
        "sha256": dict(step.sha256),
    }
    return {key: value for key, value in values.items() if value}


def _step(reader: Reader, line: int, text: str) -> Step | None:
    values = parse(reader, line, text)
    if not isinstance(values, dict):
        reader.fault(line, "", shown(text), "a JSON object")
        return None
    for key in values:
        if key not in _KEYS:
            reader.fault(line, key, "an unknown key", f"one of {', '.join(_KEYS)}")
    session, by = name_of(reader, line, values, "session_id"), name_of(reader, line, values, "by")
    for key, value in (("session_id", session), ("by", by)):
        if not value:
            reader.fault(line, key, "nothing", "a name")
    time, sha256 = _time(reader, line, values), values.get("sha256", {})
    if not isinstance(sha256, dict) or not all(isinstance(one, str) for one in sha256.values()):
        reader.fault(line, "sha256", shown(sha256), "an object of checksums by kind")
        return None
    audited, reason = text_of(reader, line, values, "audited"), text_of(reader, line, values, "reason")
    status = _status(reader, line, values.get("status"), audited)
    if time is None or not session or not by or (status is None and not audited):
        return None
    return Step(time, session, by, status, audited, reason, sha256)


def _time(reader: Reader, line: int, values: Mapping[str, object]) -> datetime | None:
    try:
        return datetime.strptime(str(values.get("time")), _TIME).replace(tzinfo=UTC)
    except ValueError:
        reader.fault(line, "time", shown(values.get("time")), "a time in UTC, as 2026-03-31T09:30:00Z")
        return None


def _status(reader: Reader, line: int, value: object, audited: str) -> Status | None:
    if value is None and audited:
        return None
    try:
        return Status(str(value))
    except ValueError:
        reader.fault(line, "status", shown(value), f"one of {', '.join(Status)}")
        return None
