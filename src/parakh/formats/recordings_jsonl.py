"""Manifest of recordings: one JSON object a recording and line (recordings.jsonl).

Keys: ``session_id`` (it names the files of the recording, so it has to be able to), ``audio``, ``duration``, ``language``
and any metadata field. ``audio`` is a path, read relative to the manifest's own folder; ``duration`` is in seconds. A
metadata value that is not text is kept as its JSON text; null is no value.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._text import FILE_NAME, MOST_SECONDS, Reader, Writer, is_file_name, shown
from parakh.types import Loaded, Recording

OWN = ("session_id", "audio", "duration", "language")
"""The fields that are no metadata."""
_UNWRITTEN = re.compile("[\x7f-\x9f\ud800-\udfff]")
"""What stands in JSON only as an escape: further control characters, and halves of surrogate pairs."""
_OTHERS = ("summary", "audio_filepath")
"""Keys that make a line one of another format, though it has a session id."""


def read(path: Path) -> Loaded[Recording]:
    """Read a manifest; the audio path is resolved against the manifest's own folder.

    Raises:
        InputError: A line is no JSON object, lacks its id, repeats one or has one that cannot be a file name, or has a value
            of the wrong type.
    """
    reader = Reader(path)
    found = [(line, recording) for line, _, recording in records(reader)]
    return reader.loaded([recording for _, recording in found], [line for line, _ in found])


def records(reader: Reader) -> Iterator[tuple[int, dict[str, Any], Recording]]:
    """Line, JSON object and recording of every sound line; faults go to the reader."""
    first: dict[str, int] = {}
    for line, text in reader.records():
        record = _object(reader, line, text)
        found = None if record is None else _parse(reader, line, record)
        if record is None or found is None:
            continue
        if found.session_id in first:
            expected = f"an id not used above (line {first[found.session_id]} has it)"
            reader.fault(line, "session_id", shown(found.session_id), expected)
            continue
        first[found.session_id] = line
        yield line, record, found


def _object(reader: Reader, line: int, text: str) -> dict[str, Any] | None:
    twice: set[str] = set()

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        record = dict(pairs)
        if len(record) < len(pairs):
            twice.update(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        return record

    try:
        record: Any = json.loads(text, object_pairs_hook=unique)
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        reader.fault(line, "", shown(text), "a JSON object")
        return None
    for name in sorted(twice):
        reader.fault(line, name, "two values", "one", "Keep one of them.")
    return record


def _parse(reader: Reader, line: int, record: Mapping[str, Any]) -> Recording | None:
    fault = _wrong(record)
    if fault:
        field, expected = fault
        reader.fault(line, field, shown(record.get(field)), expected)
        return None
    session_id, audio, duration, language = (record.get(name) for name in OWN)
    try:
        metadata = {key: plain(value) for key, value in record.items() if key not in OWN and value is not None}
    except RecursionError:
        reader.fault(line, "", "values nested too deeply", "a JSON object")
        return None
    resolved = str(Path(reader.path).parent / audio) if audio else None
    return Recording(str(session_id), resolved, None if duration is None else float(duration), language, metadata)


def _wrong(record: Mapping[str, Any]) -> tuple[str, str] | None:
    """The first of the own fields whose value cannot be, and what was expected."""
    session_id, audio, duration, language = (record.get(name) for name in OWN)
    if not isinstance(session_id, str) or not session_id.strip() or session_id != session_id.strip():
        return "session_id", "a non-empty id without blanks around it"
    if not is_file_name(session_id):
        return "session_id", FILE_NAME
    if audio is not None and (not isinstance(audio, str) or not audio):
        return "audio", "a path"
    if language is not None and not isinstance(language, str):
        return "language", "a language tag such as 'hi'"
    if duration is not None and not _is_duration(duration):
        return "duration", f"seconds > 0 and <= {MOST_SECONDS:g}"
    return None


def _is_duration(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= MOST_SECONDS


def plain(value: object) -> str:
    """A metadata value as text: what is no text becomes its JSON.

    >>> plain("home"), plain(["fever", "cough"])
    ('home', '["fever", "cough"]')
    """
    if isinstance(value, str):
        return value
    return _UNWRITTEN.sub(lambda sign: f"\\u{ord(sign[0]):04x}", json.dumps(value, ensure_ascii=False))


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
        for name in set(OWN) & set(item.metadata):
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
