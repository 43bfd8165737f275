"""recordings.jsonl: one JSON object a recording: session_id, audio, duration, language, and any metadata field.

``audio`` is a path, read relative to the manifest's own folder; ``duration`` is in seconds. A metadata value that is
not text is kept as its JSON text.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._json import name_of, parse
from parakh.formats._text import Reader, Writer, number, shown
from parakh.types import Loaded, Recording

_OWN = ("session_id", "audio", "duration", "language")


def read(path: Path) -> Loaded[Recording]:
    """Read a manifest.

    Args:
        path: The file.

    Returns:
        One Recording a line, in file order.

    Raises:
        InputError: All its faults; an id that comes twice is one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Recording("v1", language="hi", metadata={"district": "Udupi"})], Path(folder) / "recordings.jsonl")
    ...     read(Path(folder) / "recordings.jsonl").items[0].metadata["district"]
    'Udupi'
    """
    reader = Reader(path)
    known: dict[str, int] = {}
    recordings = []
    for line, record in reader.records():
        values = parse(reader, line, record)
        if not isinstance(values, dict):
            if values is not None or record.strip() == "null":
                reader.fault(line, "", shown(record), "a JSON object")
            continue
        recording = _recording(reader, line, path.parent, values)
        if recording.session_id in known:
            expected = f"an id of its own (line {known[recording.session_id]} has the same)"
            reader.fault(line, "session_id", shown(recording.session_id), expected, "Keep one of the lines.")
        known.setdefault(recording.session_id, line)
        recordings.append(recording)
    return reader.loaded(recordings)


def _recording(reader: Reader, line: int, folder: Path, values: Mapping[str, object]) -> Recording:
    session, audio, language = (name_of(reader, line, values, key) for key in ("session_id", "audio", "language"))
    if not session:
        reader.fault(line, "session_id", shown(values.get("session_id")), "the id of the recording")
    seconds, duration = values.get("duration"), None
    if seconds is not None:
        duration = number(str(seconds)) if isinstance(seconds, int | float) else None
        if duration is None or duration <= 0:
            reader.fault(line, "duration", shown(seconds), "seconds > 0")
    resolved = os.path.normpath(folder / audio) if audio else None
    metadata = {key: _plain(value) for key, value in values.items() if key not in _OWN}
    return Recording(session or "", resolved, duration, language, metadata)


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def write(items: Sequence[Recording], path: Path) -> None:
    """Write a manifest, one recording a line, in the order given; relative audio paths become relative to its folder.

    Args:
        items: The recordings, each id once.
        path: Where to.

    Raises:
        InputError: An id is empty or comes twice, or a metadata field is called like one of the own fields.
    """
    writer = Writer(path)
    writer.sessions([item.session_id for item in items])
    lines = []
    for entry, item in enumerate(items, 1):
        for name in set(_OWN) & set(item.metadata):
            writer.fault(entry, name, "a metadata field of that name", "another name", "Rename the field.")
        audio = item.audio
        if audio is not None and not os.path.isabs(audio):
            audio = os.path.relpath(audio, path.parent)
        own = {"session_id": item.session_id, "audio": audio, "duration": item.duration, "language": item.language}
        kept = {key: value for key, value in own.items() if value is not None}
        lines.append(json.dumps({**kept, **item.metadata}, ensure_ascii=False) + "\n")
    writer.check()
    write_atomic(path, "".join(lines))


def _sniff(head: str, path: Path) -> bool:
    return path.suffix.lower() == ".jsonl" and '"session_id"' in head and '"audio"' in head


FORMAT = Format(
    name="recordings-jsonl",
    title="Manifest of recordings, one JSON object a line",
    item=Recording,
    suffixes=(".jsonl",),
    sniff=_sniff,
    read=read,
    write=write,
    loses="Relative audio paths come back without detours (a/../b as b).",
)
