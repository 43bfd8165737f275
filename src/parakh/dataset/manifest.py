"""The manifest of a data set: ``recordings.jsonl`` says where the files are, ``metadata.csv`` what is known.

``recordings.jsonl``: one JSON object a recording with ``session_id``, ``audio``, ``duration``, ``language``, ``split``,
``files`` (paths by kind: rttm, transcript, native, topics, summary, uem) and ``sha256`` (checksums by kind). Any further key
is metadata of the recording. Paths are relative to the data set's folder; annotations lie inside it, audio may lie elsewhere.
``parakh dataset schema`` prints what may stand there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from parakh import formats
from parakh.dataset.config import CONFIG, Config, read_config
from parakh.dataset.metadata import describe, read_table, table
from parakh.dataset.values import (
    KINDS,
    METADATA,
    PATH,
    RECORDINGS,
    SHA256,
    SPEAKER_FIELDS,
    TEXT,
    is_inside,
    is_sha256,
    is_text,
    speaker_values,
    tags,
)
from parakh.errors import Fault, InputError
from parakh.files import relative, write_atomic
from parakh.formats import is_file_name, recordings_jsonl
from parakh.formats._text import FILE_NAME, MOST_SECONDS, Faults, Reader, Writer, shown
from parakh.types import Entry, Finding, Recording

__all__ = [
    "KINDS",
    "METADATA",
    "RECORDINGS",
    "SPEAKER_FIELDS",
    "Dataset",
    "as_recordings",
    "is_dataset",
    "load",
    "save",
    "speaker_values",
    "write_splits",
]


@dataclass(frozen=True)
class Dataset:
    """A folder with a manifest.

    Args:
        folder: Where it is.
        entries: Its recordings, in the order of the manifest; each id once.
        config: Its ``parakh.toml``.
        findings: What was noticed while reading.
        lines: Line of each entry in ``recordings.jsonl``.
        rows: Line of each row of ``metadata.csv``, by recording and speaker; "" is the recording itself.
        columns: Those of ``metadata.csv``, which keeps them, empty ones too; none for the usual ones.
    """

    folder: Path
    entries: tuple[Entry, ...]
    config: Config = field(default_factory=Config)
    findings: tuple[Finding, ...] = ()
    lines: Sequence[int] = ()
    rows: Mapping[tuple[str, str], int] = field(default_factory=dict)
    columns: tuple[str, ...] = ()


def folder_of(path: str | Path) -> Path:
    """The folder of a data set that is named by it, or by its manifest.

    >>> folder_of("set/recordings.jsonl") == folder_of("set")
    True
    """
    place = Path(path)
    return place.parent if place.name == RECORDINGS else place


def named(path: str | Path) -> Dataset | None:
    """The data set that a path names, by its folder or its manifest; None for anything else, a bare recordings.jsonl among it.

    Raises:
        InputError: It is one, and has faults.
    """
    place, folder = Path(path), folder_of(path)
    return load(folder) if is_dataset(folder) and (place.is_dir() or (folder / METADATA).is_file()) else None


def known_recordings(path: str, strip_suffixes: Sequence[str] = ()) -> Sequence[Recording]:
    """What is known of recordings: of a data set with what its ``metadata.csv`` says, or of a bare recordings.jsonl.

    Args:
        path: The folder of a data set, its manifest, or any recordings.jsonl.
        strip_suffixes: Endings to take off session ids.

    Raises:
        InputError: It cannot be read; one line a fault.
    """
    dataset = named(path)
    if dataset is None:
        return formats.load([path], Recording, strip_suffixes=strip_suffixes).items
    return formats.renamed(as_recordings(dataset), strip_suffixes)


def is_dataset(folder: Path) -> bool:
    """Whether a folder has a manifest."""
    return (folder / RECORDINGS).is_file()


def load(folder: str | Path) -> Dataset:
    """Read the manifest of a data set; file paths come back joined to its folder.

    Args:
        folder: The data set's folder.

    Raises:
        InputError: There is no manifest, or all the faults of it, of ``metadata.csv`` and of ``parakh.toml``.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     entry = Entry(Recording("v1", f"{folder}/audio/v1.wav", 61.5, "hi", {"place": "home"}), split="dev1")
    ...     save(Dataset(Path(folder), (entry,)))
    ...     load(folder).entries[0] == entry
    True
    """
    root = Path(folder)
    if not is_dataset(root):
        found = "a file" if root.is_file() else f"no {RECORDINGS}" if root.is_dir() else "no such folder"
        action = "Make one with `parakh dataset init` or `parakh dataset import`."
        raise InputError(Fault(str(folder), "", found, "the folder of a data set", action))
    wrong = _Wrong()
    config, loaded, columns = Config(), Dataset(root, ()), tuple[str, ...]()
    places: dict[tuple[str, str], int] = {}
    with wrong:
        config = read_config(root / CONFIG) if (root / CONFIG).exists() else config
    sound = False
    with wrong:
        loaded = _read_recordings(root)
        sound = True
    entries = {one.session_id: one for one in loaded.entries}
    with wrong:
        if (root / METADATA).exists():
            reader = Reader(root / METADATA)
            columns, rows = read_table(reader)
            entries, places = describe(reader, rows, entries, complete=sound)
            reader.check()
    wrong.check()
    return replace(loaded, config=config, entries=tuple(entries.values()), rows=places, columns=columns)


class _Wrong:
    """Gathers the faults of several files."""

    def __init__(self) -> None:
        self._faults: list[Fault] = []
        self._more = 0

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if not isinstance(error, InputError):
            return False
        self._faults += error.faults
        self._more += error.more
        return True

    def check(self) -> None:
        """Raise InputError if there was any."""
        if self._faults:
            raise InputError(self._faults, self._more)


def _read_recordings(root: Path) -> Dataset:
    reader = Reader(root / RECORDINGS)
    entries = []
    lines = []
    for line, record, recording in recordings_jsonl.records(reader):
        entries.append(_entry(reader, line, root, record, recording))
        lines.append(line)
    reader.check()
    return Dataset(root, tuple(entries), lines=lines)


def _entry(reader: Reader, line: int, root: Path, record: Mapping[str, Any], recording: Recording) -> Entry:
    for name in ("session_id", "audio", "language", "split"):
        if record.get(name) is not None and not is_text(record[name]):
            reader.fault(line, name, shown(record[name]), TEXT)
    for name in record:
        if name == "speaker" or not is_text(name):
            reader.fault(line, shown(name), "a field of that name", "another name", f"Speakers stand in {METADATA}.")
    metadata = {name: value for name, value in recording.metadata.items() if name not in _TYPED and value}
    for name, value in metadata.items():
        if not is_text(value):
            reader.fault(line, name, shown(value), TEXT)
    entry = Entry(
        replace(recording, metadata=metadata),
        _object(reader, line, "files", record.get("files")),
        (),
        record.get("split"),
        _object(reader, line, "sha256", record.get("sha256")),
    )
    _check_kinds(reader, line, entry.files, entry.sha256)
    return replace(entry, files={kind: str(root / path) for kind, path in entry.files.items()})


_TYPED = ("split", "files", "sha256")


def _object(reader: Reader, line: int, name: str, value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        reader.fault(line, name, shown(value), "an object of texts")
        return {}
    return value


def _check_kinds(faults: Faults, line: int, files: Mapping[str, str], sha256: Mapping[str, str]) -> None:
    for name, values, kinds in (("files", files, KINDS), ("sha256", sha256, ("audio", *KINDS))):
        for kind in values:
            if kind not in kinds:
                faults.fault(line, f"{name}.{kind}", shown(kind), f"one of {', '.join(kinds)}")
    for kind, path in files.items():
        if not is_inside(path):
            faults.fault(line, f"files.{kind}", shown(path), PATH)
    for kind, digest in sha256.items():
        if not is_sha256(digest):
            faults.fault(line, f"sha256.{kind}", shown(digest), SHA256)


def save(dataset: Dataset) -> None:
    """Write ``recordings.jsonl`` and ``metadata.csv``, each atomically; ``parakh.toml`` is left as it is.

    Args:
        dataset: Paths inside the folder are written relative to it, audio that is given as an absolute path outside as it is.

    Raises:
        InputError: An id, path or value that the manifest cannot hold.
    """
    writer = Writer(dataset.folder / RECORDINGS)
    writer.sessions([entry.session_id for entry in dataset.entries])
    lines = [_line(writer, number, dataset.folder, entry) for number, entry in enumerate(dataset.entries, 1)]
    described, text = table(dataset.folder, dataset.entries, dataset.columns)
    wrong = _Wrong()
    for faults in (writer, described):
        with wrong:
            faults.check()
    wrong.check()
    write_atomic(dataset.folder / RECORDINGS, _jsonl(lines))
    write_atomic(dataset.folder / METADATA, text)


def _jsonl(lines: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


def _line(writer: Writer, number: int, folder: Path, entry: Entry) -> dict[str, object]:
    one = entry.recording
    if not is_file_name(one.session_id):
        writer.fault(number, "session_id", shown(one.session_id), FILE_NAME, "Rename the recording.")
    if one.duration is not None and not 0 < one.duration <= MOST_SECONDS:
        writer.fault(number, "duration", repr(one.duration), f"seconds > 0 and <= {MOST_SECONDS:g}")
    audio = None if one.audio is None else stated(folder, one.audio)
    for name, value in (("audio", audio), ("language", one.language), ("split", entry.split)):
        if value is not None and not is_text(value):
            writer.fault(number, name, shown(value), TEXT)
    files = {kind: stated(folder, path) for kind, path in entry.files.items()}
    _check_kinds(writer, number, files, entry.sha256)
    values: dict[str, object] = {
        "session_id": one.session_id,
        "audio": audio,
        "duration": one.duration,
        "language": one.language,
        "split": entry.split,
        "files": {kind: files[kind] for kind in KINDS if kind in files} or None,
        "sha256": dict(entry.sha256) or None,
    }
    return {name: value for name, value in values.items() if value is not None}


def stated(folder: Path, path: str) -> str:
    """A path as the manifest states it: relative to the folder, with forward slashes; outside it, absolute stays absolute."""
    near = relative(path, folder) if path else "."
    from_root = os.path.isabs(path) and not Path(path).is_relative_to(folder)  # folder/../a was relative where it was read
    return path if from_root and near.split("/")[0] == ".." else near


def write_splits(dataset: Dataset, parts: Mapping[str, str]) -> None:
    """Write into ``recordings.jsonl`` which part each recording belongs to; all else in it stays as it is.

    Args:
        dataset: As it was loaded.
        parts: Name of the part, by session id; a recording that is not among them keeps its own.

    Raises:
        InputError: The file cannot be read any more, or not be written.
    """
    reader = Reader(dataset.folder / RECORDINGS)
    records = [
        {**record, **({"split": parts[recording.session_id]} if recording.session_id in parts else {})}
        for _, record, recording in recordings_jsonl.records(reader)
    ]
    reader.check()
    write_atomic(dataset.folder / RECORDINGS, _jsonl(records))


def as_recordings(dataset: Dataset) -> list[Recording]:
    """The recordings with all that is known of them as metadata, to slice scores by: split, tags, and an object of speakers.

    >>> from parakh.types import Speaker
    >>> entry = Entry(Recording("v1"), speakers=(Speaker("v1", "spk0", role="health_worker"),), split="dev1")
    >>> as_recordings(Dataset(Path("."), (entry,)))[0].metadata
    {'split': 'dev1', 'speakers': '{"spk0": {"role": "health_worker"}}'}
    """
    return [replace(entry.recording, metadata=_all_metadata(entry)) for entry in dataset.entries]


def _all_metadata(entry: Entry) -> Mapping[str, str]:
    known = {**entry.recording.metadata}
    if entry.split is not None:
        known["split"] = entry.split
    if len(several := tags(entry)) > 1:
        known["tags"] = json.dumps(several, ensure_ascii=False)
    if entry.speakers:
        speakers = {one.speaker: speaker_values(one) for one in entry.speakers}
        known["speakers"] = json.dumps(speakers, ensure_ascii=False)
    return known
