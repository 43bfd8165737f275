"""recordings.jsonl: one JSON object a recording: session_id, audio, duration, language, and any metadata field."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from parakh.errors import Fault, InputError
from parakh.files import read_text, write_atomic
from parakh.formats import Format
from parakh.types import Loaded, Recording

_OWN = ("session_id", "audio", "duration", "language")


def read(path: Path) -> Loaded[Recording]:
    """Read a manifest; the audio path is resolved against the manifest's own folder.

    Raises:
        InputError: A line is no JSON object, lacks its id, repeats one, or has a value of the wrong type.
    """
    faults: list[Fault] = []
    recordings: dict[str, Recording] = {}
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        found = _parse(path, number, line)
        if isinstance(found, Fault):
            faults.append(found)
        elif found.session_id in recordings:
            faults.append(Fault(str(path), "session_id", repr(found.session_id), "an id not used above", line=number))
        else:
            recordings[found.session_id] = found
    if faults:
        raise InputError(faults)
    return Loaded(tuple(recordings.values()))


def write(items: Sequence[Recording], path: Path) -> None:
    """Write a manifest, one recording a line, in the order given."""
    write_atomic(path, "".join(json.dumps(_to_dict(one), ensure_ascii=False) + "\n" for one in items))


def _parse(path: Path, number: int, line: str) -> Recording | Fault:
    def fault(field: str, found: object, expected: str) -> Fault:
        return Fault(str(path), field, repr(found), expected, line=number)

    try:
        record: Any = json.loads(line)
    except json.JSONDecodeError as error:
        return fault("", line[:40], f"a JSON object ({error.msg})")
    if not isinstance(record, dict):
        return fault("", line[:40], "a JSON object")
    session_id, audio, duration, language = (record.get(name) for name in _OWN)
    if not isinstance(session_id, str) or not session_id:
        return fault("session_id", session_id, "a non-empty string")
    if audio is not None and not isinstance(audio, str):
        return fault("audio", audio, "a path")
    if language is not None and not isinstance(language, str):
        return fault("language", language, "a language tag such as 'hi'")
    if duration is not None and not (isinstance(duration, int | float) and math.isfinite(duration) and duration > 0):
        return fault("duration", duration, "seconds > 0")
    metadata = {key: _plain(value) for key, value in record.items() if key not in _OWN}
    resolved = str(path.parent / audio) if audio else None
    return Recording(session_id, resolved, float(duration) if duration else None, language, metadata)


def _plain(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _to_dict(recording: Recording) -> dict[str, Any]:
    own = {name: getattr(recording, name) for name in _OWN if getattr(recording, name) is not None}
    return {**own, **recording.metadata}


def _sniff(head: str, path: Path) -> bool:
    return path.suffix.lower() == ".jsonl" and '"session_id"' in head and '"audio"' in head


FORMAT = Format(
    name="recordings-jsonl",
    title="manifest of recordings, one JSON object a line",
    item=Recording,
    suffixes=(".jsonl",),
    sniff=_sniff,
    read=read,
    write=write,
    loses="nested metadata values come back as JSON text",
)
