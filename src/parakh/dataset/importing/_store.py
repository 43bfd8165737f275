"""A recording written in the data set's own layout: ``audio/ID.wav``, ``rttm/ID.rttm``, ``transcripts/ID.txt`` ...

A transcript is written as the challenge's table where that gives back all of it, else as SegLST. Topics and summaries of
all recordings stand in one file each, which is written when all recordings are there.
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from parakh import formats
from parakh.dataset import manifest, sound
from parakh.dataset.content import Content
from parakh.dataset.importing._importer import Arrival, Options
from parakh.dataset.importing._shape import shaped
from parakh.errors import Fault, InputError
from parakh.files import checksum
from parakh.formats._text import FILE_NAME, shown
from parakh.types import Entry, Recording, Segment, Speaker

TOPICS, SUMMARIES = "topics.csv", "summaries.csv"
_FOLDERS = {"rttm": "rttm", "transcript": "transcripts", "native": "native", "uem": "uem"}
_TRIAL = ".trial"
_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO}
"""What the disk refuses, whatever is written."""
_TABLE, _LIST = ("challenge-tsv", ".txt"), ("seglst", ".seglst.json")


def stage(arrival: Arrival, options: Options, folder: Path, target: Path) -> dict[str, Any]:
    """Write the files of one recording below a folder from which they are put in place later.

    Args:
        arrival: The recording.
        options: What the user says of the source.
        folder: Where to write.
        target: The data set; a file that is there already must be the same.

    Returns:
        What the journal keeps of it, as plain values; paths are relative to the data set's folder.

    Raises:
        InputError: All that keeps it from being held.
        OSError: The disk is full or does not work.
    """
    content, notes = shaped(arrival, options)
    session = content.session_id
    if not formats.is_file_name(session):
        raise InputError(Fault(str(arrival.path), "session_id", shown(session), FILE_NAME, "Rename the recording."))
    faults: list[Fault] = []
    files: dict[str, str] = {}
    for kind, items in _annotations(content).items():
        try:
            files[kind] = _written(kind, items, session, folder)
        except InputError as error:
            _check_disk(error)
            faults += [replace(fault, path=str(arrival.path), line=None) for fault in error.faults]
    placed = None
    try:
        placed = _audio(arrival, options, folder, target)
    except InputError as error:
        _check_disk(error)
        faults += error.faults
    faults += _clashes(files.values(), folder, target)
    if faults:
        raise InputError(faults)
    digests = {kind: checksum(folder / path) for kind, path in files.items()}
    record = {
        "session_id": session,
        "recording": _recording(content, placed, folder),
        "split": content.entry.split,
        "speakers": [asdict(one) for one in content.entry.speakers],
        "files": files,
        "sha256": digests | ({"audio": checksum(placed)} if placed else {}),
        "topics": None if content.topics is None else list(content.topics.topics),
        "summary": None if content.summary is None else content.summary.text,
        "notes": [asdict(note) for note in notes],
    }
    try:
        _try(record, content, folder / _TRIAL)
    except InputError as error:
        _check_disk(error)
        raise InputError(replace(fault, path=str(arrival.path), line=None) for fault in error.faults) from error
    finally:
        shutil.rmtree(folder / _TRIAL, ignore_errors=True)
    return record


def _check_disk(error: InputError) -> None:
    """See that the recording is to blame: a full disk is no fault of it, and no reason to leave it out.

    Raises:
        OSError: It is the disk.
    """
    if isinstance(error.__cause__, OSError) and error.__cause__.errno in _DISK:
        raise error.__cause__


def _try(record: Mapping[str, Any], content: Content, trial: Path) -> None:
    """Write what is common to all recordings for this one alone: its faults have to be met before anything is in place."""
    if content.topics is not None:
        formats.get("topics-csv").write([content.topics], trial / TOPICS)
    if content.summary is not None:
        formats.get("summary-csv").write([content.summary], trial / SUMMARIES)
    manifest.save(manifest.Dataset(trial, (entry(record, trial),)))


def is_staged(record: Mapping[str, Any], folder: Path) -> bool:
    """Whether the files of a recording that the journal names are still there."""
    return all((folder / path).is_file() for path in record["files"].values())


def entry(record: Mapping[str, Any], folder: Path) -> Entry:
    """The manifest's entry of a recording that is in place, without topics and summary."""
    values = record["recording"]
    audio = str(folder / values["audio"]) if values["audio"] else None
    return Entry(
        Recording(record["session_id"], audio, values["duration"], values["language"], values["metadata"]),
        {kind: str(folder / path) for kind, path in record["files"].items()},
        tuple(Speaker(**one) for one in record["speakers"]),
        record["split"],
        record["sha256"],
    )


def _annotations(content: Content) -> dict[str, Sequence[Any]]:
    """The items of each kind of file that a recording has of its own; empty ones too, as they say that there is nothing."""
    kinds = {"rttm": content.turns, "transcript": content.transcript, "native": content.native, "uem": content.regions}
    return {kind: items for kind, items in kinds.items() if items is not None}


def _written(kind: str, items: Sequence[Any], session: str, folder: Path) -> str:
    """The file of one kind, below the folder."""
    place = folder / _FOLDERS[kind]
    if kind in ("rttm", "uem"):
        path = place / f"{session}.{kind}"
        formats.get(kind).write(items, path)
        return path.relative_to(folder).as_posix()
    path = place / f"{session}{_TABLE[1]}"
    if not _is_tabular(items, path):
        path = place / f"{session}{_LIST[1]}"
        formats.get(_LIST[0]).write(items, path)
    return path.relative_to(folder).as_posix()


def _is_tabular(items: Sequence[Segment], path: Path) -> bool:
    """Whether the challenge's table gives back all of a transcript; it is written then."""
    form = formats.get(_TABLE[0])
    try:
        form.write(items, path)
        if items and form.read(path).items == tuple(items):
            return True
    except InputError:
        pass
    path.unlink(missing_ok=True)
    return False


def _audio(arrival: Arrival, options: Options, folder: Path, target: Path) -> Path | None:
    """The audio where it belongs; a file that is in the data set already stays where it is."""
    if arrival.audio is None or options.audio == "none":
        return None
    inside = isinstance(arrival.audio, Path) and target.resolve() in arrival.audio.resolve().parents
    return sound.place(arrival.audio, "refer" if inside else options.audio, folder / "audio" / arrival.content.session_id)


def _recording(content: Content, audio: Path | None, folder: Path) -> dict[str, object]:
    one = content.entry.recording
    seconds = one.duration if audio is None else sound.duration(audio) or one.duration
    path = None
    if audio is not None:
        path = audio.relative_to(folder).as_posix() if folder in audio.parents else str(audio.resolve())
    return {"audio": path, "duration": seconds, "language": one.language, "metadata": dict(one.metadata)}


def _clashes(paths: Iterable[str], folder: Path, target: Path) -> list[Fault]:
    """Files of the data set that are in the way."""
    return [
        Fault(str(target / path), "", "a file that the manifest does not name", "no file there", "Move it away.")
        for path in paths
        if (target / path).exists() and (target / path).read_bytes() != (folder / path).read_bytes()
    ]
