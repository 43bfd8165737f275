"""Manifest of recordings: one JSON object a recording and line (recordings.jsonl).

Keys: ``session_id`` (it names the files of the recording, so it has to be able to), ``audio``, ``duration``, ``language``
and any metadata field. ``audio`` is a path, read relative to the manifest's own folder; ``duration`` is in seconds. A
metadata value that is not text is kept as its JSON text; null is no value.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parakh.errors import Fault
from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._text import FILE_NAME, MOST_SECONDS, Reader, Writer, is_file_name, shown
from parakh.types import Loaded, Recording

_OTHERS = ("summary", "audio_filepath")
"""Keys that make a line one of another format, though it has a session id."""
_OWN = ("session_id", "audio", "duration", "language")


def read(path: Path) -> Loaded[Recording]:
    """Read a manifest; the audio path is resolved against the manifest's own folder.

    Raises:
        InputError: A line is no JSON object, lacks its id, repeats one or has one that cannot be a file name, or has a value
            of the wrong type.
    """
    reader = Reader(path)
    recordings: dict[str, Recording] = {}
    lines = []
    for line, text in reader.records():
        found = _parse(path, line, text)
        if isinstance(found, Fault):
            reader.fault(line, found.field, found.found, found.expected)
        elif found.session_id in recordings:
            reader.fault(line, "session_id", shown(found.session_id), "an id not used above")
        else:
            recordings[found.session_id] = found
            lines.append(line)
    return reader.loaded(list(recordings.values()), lines)


def _parse(path: Path, line: int, text: str) -> Recording | Fault:
    def fault(field: str, found: object, expected: str) -> Fault:
        return Fault(str(path), field, shown(found), expected, line=line)

    try:
        record: Any = json.loads(text)
        metadata = {key: _plain(value) for key, value in record.items()} if isinstance(record, dict) else {}
    except (ValueError, RecursionError):
        return fault("", text, "a JSON object")
    if not isinstance(record, dict):
        return fault("", text, "a JSON object")
    session_id, audio, duration, language = (record.get(name) for name in _OWN)
    if not isinstance(session_id, str) or not session_id.strip() or session_id != session_id.strip():
        return fault("session_id", session_id, "a non-empty id without blanks around it")
    if not is_file_name(session_id):
        return fault("session_id", session_id, FILE_NAME)
    if audio is not None and (not isinstance(audio, str) or not audio):
        return fault("audio", audio, "a path")
    if language is not None and not isinstance(language, str):
        return fault("language", language, "a language tag such as 'hi'")
    if duration is not None and not _is_duration(duration):
        return fault("duration", duration, f"seconds > 0 and <= {MOST_SECONDS:g}")
    metadata = {key: value for key, value in metadata.items() if key not in _OWN and record[key] is not None}
    resolved = str(path.parent / audio) if audio else None
    return Recording(session_id, resolved, None if duration is None else float(duration), language, metadata)


def _is_duration(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= MOST_SECONDS


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
        if item.duration is not None and not _is_duration(item.duration):
            writer.fault(entry, "duration", repr(item.duration), f"seconds > 0 and <= {MOST_SECONDS:g}")
        if not is_file_name(item.session_id):
            writer.fault(entry, "session_id", shown(item.session_id), FILE_NAME, "Rename the recording.")
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
    first = next((line for line in head.split("\n") if line.strip()), "")
    return first.lstrip().startswith("{") and '"session_id"' in first and not any(f'"{key}"' in first for key in _OTHERS)


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
