"""Lhotse: a manifest of supervisions or cuts, one JSON object a line.

The file may be packed with gzip, or be one JSON list.
A supervision is one turn: ``recording_id``, ``start`` and ``duration`` in seconds, ``channel`` (a number or a list), ``text``,
``speaker``, ``language``, ``gender``, ``custom``, ``alignment``. A cut (MonoCut, MultiCut) holds supervisions whose times count
from its own start. A supervision ends where lhotse says it does: at start + duration, rounded to 10 ns. ``custom`` carries
what lhotse has no field for: role, confidence, forms. Times of single words, gender and other custom fields are not kept.
Source: SupervisionSegment and MonoCut of lhotse 1.31 (supervision.py, cut/mono.py).
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._clock import duration_of, end_of
from parakh.formats._json import name_of, objects, objects_of, parse, text_of, time_of
from parakh.formats._response import primary_tag, tag_of
from parakh.formats._shape import shape
from parakh.formats._text import Reader, Writer, shown
from parakh.types import Loaded, Segment, Severity

_MIXED = ("MixedCut", "PaddingCut")
_KEPT = {"role", "confidence", "forms"}

Values = Mapping[str, object]


def read(path: Path) -> Loaded[Segment]:
    """Read the supervisions of a manifest.

    Args:
        path: The file.

    Returns:
        One Segment a supervision, in file order, with its line; findings ``left-out``, ``unknown-language``,
        ``zero-duration``.

    Raises:
        InputError: All its faults.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1.jsonl.gz"
    ...     write([Segment("v1", "asha", 0.1, 0.3, words="नमस्ते", role="health_worker")], path)
    ...     read(path).items[0].end_time
    0.3
    """
    reader = Reader(path)
    segments: list[Segment] = []
    lines: list[int] = []
    for line, values in manifest(reader):
        for segment in _supervisions(reader, line, values):
            segments.append(segment)
            lines.append(line)
    return reader.loaded(segments, lines)


def manifest(reader: Reader) -> Iterator[tuple[int, Values]]:
    """The objects of a manifest with their lines, or their numbers in a list."""
    if reader.text.lstrip().startswith("["):
        value = parse(reader, None, reader.text)
        yield from enumerate(objects_of(reader, None, {"the list": value}, "the list"), 1)
        return
    yield from objects(reader, "YAML is not read: copy the manifest to JSON lines.")


def _supervisions(reader: Reader, line: int, values: Values) -> Iterator[Segment]:
    if values.get("type") in _MIXED:
        reader.fault(line, "type", shown(values["type"]), "a MonoCut or MultiCut", "Write the cuts before they were mixed.")
    elif "supervisions" in values:
        start = time_of(reader, line, values, "start") or 0.0
        for one in objects_of(reader, line, values, "supervisions"):
            yield from _supervision(reader, line, one, start)
    else:
        yield from _supervision(reader, line, values, 0.0)


def _supervision(reader: Reader, line: int, values: Values, offset: float) -> Iterator[Segment]:
    session = name_of(reader, line, values, "recording_id")
    start, duration = (time_of(reader, line, values, key) for key in ("start", "duration"))
    for key, found in (("recording_id", session), ("start", start), ("duration", duration)):
        if found is None and values.get(key) in (None, ""):
            reader.fault(line, key, "nothing", "a value: every supervision has one")
    custom = values.get("custom")
    own: Values = custom if isinstance(custom, dict) else {}
    if values.get("gender") is not None or values.get("alignment") or set(own) - _KEPT:
        reader.notice("left-out", line, "its gender, times of words or custom fields are left out", Severity.NOTE)
    speaker, segment_id = name_of(reader, line, values, "speaker"), name_of(reader, line, values, "id")
    language = values.get("language")
    words = "" if values.get("text") is None else text_of(reader, line, values, "text")
    if session is None or start is None or duration is None:
        return
    start = end_of(start, offset) if offset else start
    if not duration:
        reader.zero_duration(line)
    yield Segment(
        session,
        speaker,
        start,
        end_of(start, duration),
        words,
        role=name_of(reader, line, own, "role"),
        language=tag_of(reader, line, language),
        segment_id=segment_id,
        channel=_channel(reader, line, values.get("channel")),
        confidence=_confidence(own.get("confidence")),
        forms=_forms(own.get("forms")),
    )


def _channel(reader: Reader, line: int, value: object) -> str | None:
    numbers = value if isinstance(value, list) else [value]
    if value is None:
        return None
    if not all(isinstance(one, int) and not isinstance(one, bool) and one >= 0 for one in numbers):
        reader.fault(line, "channel", shown(value), "the number of a channel, or a list of them")
    return ",".join(str(one) for one in numbers)


def _confidence(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1 else None


def _forms(value: object) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, list) and all(isinstance(one, str) for one in value) else ()


def write(items: Sequence[Segment], path: Path) -> None:
    """Write segments as supervisions, one a line; packed if the name ends in ``.gz``.

    Args:
        items: Segments with times; a channel is a whole number or several with commas between.
        path: Where to.

    Raises:
        InputError: A segment has no session id or times, a channel that is no number, or an id that another has.
    """
    writer = Writer(path)
    taken = {item.segment_id for item in items}
    lines = []
    for entry, item in enumerate(items, 1):
        values = {**_required(writer, entry, item, taken), "text": item.words, "language": item.language, "speaker": item.speaker}
        extra = {"role": item.role, "confidence": item.confidence, "forms": list(item.forms) or None}
        custom = {key: value for key, value in extra.items() if value is not None}
        kept = {key: value for key, value in {**values, "custom": custom or None}.items() if value is not None}
        lines.append(json.dumps(kept, ensure_ascii=False) + "\n")
    writer.check()
    text = "".join(lines)
    write_atomic(path, gzip.compress(text.encode(), mtime=0) if path.name.endswith(".gz") else text)


def _required(writer: Writer, entry: int, item: Segment, taken: set[str | None]) -> dict[str, object]:
    """The fields that every supervision has."""
    if not item.session_id:
        writer.fault(entry, "session_id", "nothing", "the id of the recording")
    for name in ("session_id", "speaker", "role", "segment_id"):
        if getattr(item, name) == "" and name != "session_id":
            writer.fault(entry, name, "''", "a name or none")
        writer.names(entry, {name: getattr(item, name)})
    if item.language is not None and primary_tag(item.language) != item.language:
        writer.fault(entry, "language", shown(item.language), "a primary tag of BCP-47, as in hi")
    writer.span(entry, item.start_time, item.end_time)
    channels = (item.channel or "0").split(",")
    if not all(one.isascii() and one.isdecimal() and str(int(one[:9])) == one for one in channels):
        writer.fault(entry, "channel", shown(item.channel), "the number of a channel")
    numbers = [int(one) for one in channels if one.isdecimal() and len(one) < 10]
    made = f"{item.session_id}-{entry}"
    if item.segment_id is None and made in taken:
        writer.fault(entry, "segment_id", "none", f"an id of its own ({made} is taken)")
    return {
        "id": made if item.segment_id is None else item.segment_id,
        "recording_id": item.session_id,
        "start": item.start_time,
        "duration": duration_of(item.start_time, item.end_time),
        "channel": numbers[0] if len(numbers) == 1 else numbers,
    }


def _sniff(head: str, path: Path) -> bool:
    found = shape(head)
    keys = {"recording_id", "start", "duration"}
    return (
        found.has(*keys) or found.has(*(f"[].{key}" for key in keys)) or any(key.endswith("supervisions") for key in found.keys)
    )


FORMAT = Format(
    name="lhotse",
    title="Lhotse: supervisions or cuts, one JSON object a line",
    item=Segment,
    suffixes=(".jsonl", ".jsonl.gz", ".json"),
    sniff=_sniff,
    read=read,
    write=write,
    loses="The times finer than 10 ns; a missing segment id is made from the session id, a missing channel becomes 0.",
)
