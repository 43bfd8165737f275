"""The manifest of a data set: ``recordings.jsonl`` says where the files are, ``metadata.csv`` what is known.

``recordings.jsonl``: one JSON object a recording with ``session_id``, ``audio``, ``duration``, ``language``, ``split``,
``files`` (paths by kind: rttm, transcript, native, topics, summary, uem) and ``sha256`` (checksums by kind). Paths are
relative to the data set's folder. Any further key is metadata of the recording.

``metadata.csv``: ``session_id`` and ``speaker``, then one column a field. A row without a speaker is about the recording
(language, dialect, state, district, place, setting, group, device, tags, consent, licence ...), a row with one about that
speaker (person, role, age, sex, language, dialect, consent ...). An empty cell says nothing.
"""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from parakh.dataset.config import CONFIG, Config, read_config
from parakh.errors import Fault, InputError, counted
from parakh.files import write_atomic
from parakh.formats import recordings_jsonl
from parakh.formats._text import Reader, Writer, shown
from parakh.types import Entry, Finding, Recording, Speaker

RECORDINGS = "recordings.jsonl"
METADATA = "metadata.csv"
KINDS = ("rttm", "transcript", "native", "topics", "summary", "uem")
"""Kinds of annotation files, in the order in which they are listed."""
SPEAKER_FIELDS = ("person", "role", "age", "sex", "language", "dialect", "consent")
_SHA = 64


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
    """

    folder: Path
    entries: tuple[Entry, ...]
    config: Config = field(default_factory=Config)
    findings: tuple[Finding, ...] = ()
    lines: Sequence[int] = ()
    rows: Mapping[tuple[str, str], int] = field(default_factory=dict)


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
    faults: list[Fault] = []
    entries: dict[str, Entry] = {}
    findings: list[Finding] = []
    lines: Sequence[int] = ()
    rows: dict[tuple[str, str], int] = {}
    config = Config()
    try:
        config = read_config(root / CONFIG) if (root / CONFIG).exists() else config
    except InputError as error:
        faults += error.faults
    try:
        loaded = recordings_jsonl.read(root / RECORDINGS)
        reader = Reader(root / RECORDINGS, "")
        found = [_entry(reader, loaded.line(place), root, one) for place, one in enumerate(loaded.items)]
        entries, lines = {one.session_id: one for one in found}, loaded.lines
        findings += loaded.findings
        reader.check()
    except InputError as error:
        faults += error.faults
    if not faults and (root / METADATA).exists():
        try:
            entries, rows = _described(Reader(root / METADATA), entries)
        except InputError as error:
            faults += error.faults
    if faults:
        raise InputError(faults)
    return Dataset(root, tuple(entries.values()), config, tuple(findings), lines, rows)


def save(dataset: Dataset) -> None:
    """Write ``recordings.jsonl`` and ``metadata.csv``, each atomically; ``parakh.toml`` is left as it is.

    Args:
        dataset: Paths that are absolute and inside the folder are written relative to it.

    Raises:
        InputError: An id or value that the manifest cannot hold.
    """
    plain = [_line(dataset.folder, entry) for entry in dataset.entries]
    table = _table(dataset)
    recordings_jsonl.write([entry.recording for entry in dataset.entries], Path(os.devnull))  # it knows what an id may be
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in plain)
    write_atomic(dataset.folder / RECORDINGS, text)
    write_atomic(dataset.folder / METADATA, table)


def as_recordings(dataset: Dataset) -> list[Recording]:
    """The recordings with all that is known of them as metadata, to slice scores by: split, and an object of speakers.

    >>> entry = Entry(Recording("v1"), speakers=(Speaker("v1", "spk0", role="health_worker"),), split="dev1")
    >>> as_recordings(Dataset(Path("."), (entry,)))[0].metadata
    {'split': 'dev1', 'speakers': '{"spk0": {"role": "health_worker"}}'}
    """
    return [replace(entry.recording, metadata=_all_metadata(entry)) for entry in dataset.entries]


def speaker_values(speaker: Speaker) -> dict[str, str]:
    """The fields of a speaker that are known, by name."""
    own = {name: getattr(speaker, name) for name in SPEAKER_FIELDS}
    return {**{name: value for name, value in own.items() if value is not None}, **speaker.metadata}


def _all_metadata(entry: Entry) -> Mapping[str, str]:
    known = {**entry.recording.metadata}
    if entry.split is not None:
        known["split"] = entry.split
    if entry.speakers:
        speakers = {one.speaker: speaker_values(one) for one in entry.speakers}
        known["speakers"] = json.dumps(speakers, ensure_ascii=False)
    return known


def _entry(reader: Reader, line: int, root: Path, recording: Recording) -> Entry:
    metadata = dict(recording.metadata)
    files = _texts(reader, line, "files", metadata.pop("files", "{}"), KINDS)
    sha256 = _texts(reader, line, "sha256", metadata.pop("sha256", "{}"), ("audio", *KINDS))
    for kind, digest in sha256.items():
        if len(digest) != _SHA or set(digest) - set("0123456789abcdef"):
            reader.fault(line, f"sha256.{kind}", shown(digest), f"{_SHA} hexadecimal digits in lower case")
    split = metadata.pop("split", None)
    joined = {kind: str(root / path) for kind, path in files.items()}
    return Entry(replace(recording, metadata=metadata), joined, (), split, sha256)


def _texts(reader: Reader, line: int, name: str, text: str, keys: Sequence[str]) -> dict[str, str]:
    """A JSON object of texts under known keys."""
    try:
        values = json.loads(text)
    except ValueError:
        values = None
    if not isinstance(values, dict) or not all(isinstance(value, str) and value for value in values.values()):
        reader.fault(line, name, shown(text), "an object of texts")
        return {}
    for key in values:
        if key not in keys:
            reader.fault(line, f"{name}.{key}", shown(key), f"one of {', '.join(keys)}")
    return values


def _described(reader: Reader, entries: Mapping[str, Entry]) -> tuple[dict[str, Entry], dict[tuple[str, str], int]]:
    """The entries with what ``metadata.csv`` knows of them, and the line of each of its rows."""
    described = dict(entries)
    seen: dict[tuple[str, str], int] = {}
    for line, row in _rows(reader):
        session, label = row.pop("session_id"), row.pop("speaker", "")
        entry = described.get(session)
        if entry is None:
            reader.fault(line, "session_id", shown(session), f"a recording of {RECORDINGS}", "Add it there, or take the row out.")
        elif (session, label) in seen:
            expected = f"one row for each recording and speaker (line {seen[session, label]} is the same)"
            reader.fault(line, "speaker", shown(label), expected)
        elif label:
            described[session] = replace(entry, speakers=(*entry.speakers, _speaker(session, label, row)))
        else:
            described[session] = replace(entry, recording=_with_row(reader, line, entry.recording, row))
        seen.setdefault((session, label), line)
    reader.check()
    return described, seen


def _rows(reader: Reader) -> Iterable[tuple[int, dict[str, str]]]:
    lines = csv.reader(io.StringIO(reader.text, newline=""), strict=True)
    header: list[str] = []
    try:
        for fields in lines:
            if not any(field.strip() for field in fields):
                continue
            if not header:
                header = [name.strip() for name in fields]
                if "session_id" not in header or len(set(header)) < len(header) or "" in header:
                    expected = "a header with session_id, speaker and further names, each once"
                    reader.fail(lines.line_num, "", shown(",".join(header)), expected)
            elif len(fields) != len(header):
                expected = f"{counted(len(header), 'field')}, as in the header"
                reader.fault(lines.line_num, "", counted(len(fields), "field"), expected, "Quote a value that holds commas.")
            else:
                row = {name: value.strip() for name, value in zip(header, fields, strict=True)}
                reader.names(lines.line_num, row)
                yield lines.line_num, {name: row[name] for name in row if row[name] or name in ("session_id", "speaker")}
    except csv.Error as error:
        reader.fault(lines.line_num, "", str(error), "CSV, with quotes doubled inside quotes", "Mend the row.")


def _speaker(session: str, label: str, row: Mapping[str, str]) -> Speaker:
    known = {name: row.get(name) for name in SPEAKER_FIELDS}
    return Speaker(session, label, **known, metadata={name: row[name] for name in row if name not in SPEAKER_FIELDS})


def _with_row(reader: Reader, line: int, recording: Recording, row: dict[str, str]) -> Recording:
    """A recording with the row about it; a value that both files give has to be the same."""
    language = row.pop("language", recording.language)
    if recording.language not in (None, language):
        reader.fault(line, "language", shown(language), f"{recording.language!r}, as in {RECORDINGS}", "Give it once.")
    for name, value in row.items():
        if recording.metadata.get(name, value) != value:
            reader.fault(line, name, shown(value), f"{recording.metadata[name]!r}, as in {RECORDINGS}", "Give it once.")
    return replace(recording, language=language, metadata={**recording.metadata, **row})


def _line(folder: Path, entry: Entry) -> dict[str, object]:
    one = entry.recording
    values: dict[str, object] = {
        "session_id": one.session_id,
        "audio": _inside(folder, one.audio) if one.audio else None,
        "duration": one.duration,
        "language": one.language,
        "split": entry.split,
        "files": {kind: _inside(folder, entry.files[kind]) for kind in KINDS if kind in entry.files} or None,
        "sha256": dict(entry.sha256) or None,
    }
    return {name: value for name, value in values.items() if value is not None}


def _inside(folder: Path, path: str) -> str:
    """A path as the manifest writes it: relative to the folder, with forward slashes."""
    return Path(os.path.relpath(path, folder)).as_posix()


def _table(dataset: Dataset) -> str:
    """``metadata.csv``: the row of each recording, then those of its speakers."""
    rows: list[dict[str, str]] = []
    for entry in dataset.entries:
        if entry.recording.metadata:
            rows.append({"session_id": entry.session_id, "speaker": "", **entry.recording.metadata})
        rows += [{"session_id": entry.session_id, "speaker": one.speaker, **speaker_values(one)} for one in entry.speakers]
    columns = list(dict.fromkeys(["session_id", "speaker", *SPEAKER_FIELDS, *(name for row in rows for name in row)]))
    writer = Writer(dataset.folder / METADATA)
    for entry_number, row in enumerate(rows, 1):
        for name, value in row.items():
            if value != value.strip():
                writer.fault(entry_number, name, shown(value), "a value without blanks around it")
        writer.names(entry_number, row)
    writer.check()
    out = io.StringIO(newline="")
    table = csv.DictWriter(out, columns, restval="", lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return out.getvalue()
