"""SegLST: who said what and when, as a JSON list of objects.

Keys: ``session_id`` (required), ``speaker``, ``start_time`` and ``end_time`` (seconds; numbers or numeric texts),
``words``, and further ``role``, ``language``, ``segment_id``, ``channel``, ``confidence`` in [0, 1], ``forms`` (a list of
further accepted transcripts), ``word_times`` (a list of [start, end] in seconds, one for each word). Any other key is left out,
with a finding. Names may hold blanks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from parakh import _native, registry
from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._json import name_of, parse, text_of, time_of
from parakh.formats._text import MOST_SECONDS, Reader, Writer, shown
from parakh.types import Loaded, Segment, Severity

_NAMES = ("speaker", "role", "language", "segment_id", "channel")
_UNTIMED = "Give every word between blanks its times, or leave word_times out."
_KEYS = frozenset({"session_id", "start_time", "end_time", "words", "confidence", "forms", "word_times", *_NAMES})


def read(path: Path) -> Loaded[Segment]:
    """Read the segments of a SegLST file.

    Args:
        path: The file.

    Returns:
        One Segment an entry, in file order; findings ``zero-duration``, ``unknown-key``.

    Raises:
        InputError: All its faults; entry numbers (from 1) stand in for lines.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Segment("v1", "ASHA worker", 0.0, 2.0, words="नमस्ते")], Path(folder) / "v1.json")
    ...     read(Path(folder) / "v1.json").items[0].speaker
    'ASHA worker'
    """
    reader = Reader(path)
    entries = parse(reader, None, reader.text)
    if not isinstance(entries, list):
        reader.fail(None, "", f"{shown(entries)}", "a JSON list of segments", "Make it SegLST.")
    segments = []
    plain = _native.read_entries(entries, Segment)
    for entry, (values, segment) in enumerate(zip(entries, plain, strict=True), 1):
        found = segment or _entry(reader, entry, values)
        if found is not None:
            segments.append(found)
    return reader.loaded(segments)


def _entry(reader: Reader, entry: int, values: object) -> Segment | None:
    if isinstance(values, dict):
        return _segment(reader, entry, values)
    reader.fault(entry, "", shown(values), "a JSON object")
    return None


def _segment(reader: Reader, entry: int, values: Mapping[str, object]) -> Segment:
    for key in values:
        if key not in _KEYS:
            reader.notice("unknown-key", entry, f"the key {shown(key)} (or another unknown one) is left out", Severity.NOTE)
            break
    session = name_of(reader, entry, values, "session_id")
    if not session:
        reader.fault(entry, "session_id", shown(values.get("session_id")), "the id of the recording")
    speaker, role, language, segment_id, channel = (name_of(reader, entry, values, key) for key in _NAMES)
    start, end = time_of(reader, entry, values, "start_time"), time_of(reader, entry, values, "end_time")
    if (values.get("start_time") is None) != (values.get("end_time") is None):
        reader.fault(entry, "end_time", "only one of the two times", "both start_time and end_time, or neither")
    elif start is not None and end is not None and end <= start:
        if end < start:
            reader.fault(entry, "end_time", repr(end), f"seconds >= start_time ({start})", "Swap or mend the times.")
        reader.zero_duration(entry)
    words = text_of(reader, entry, values, "words")
    confidence, forms = _confidence(reader, entry, values), _forms(reader, entry, values)
    times = _word_times(reader, entry, values, len(words.split()))
    return Segment(session or "", speaker, start, end, words, role, language, segment_id, channel, confidence, forms, times)


def _confidence(reader: Reader, entry: int, values: Mapping[str, object]) -> float | None:
    value = values.get("confidence")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        reader.fault(entry, "confidence", shown(value), "a number in [0, 1]")
        return None
    return float(value)


def _forms(reader: Reader, entry: int, values: Mapping[str, object]) -> tuple[str, ...]:
    value = values.get("forms")
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(form, str) for form in value):
        reader.fault(entry, "forms", shown(value), "a list of texts")
        return ()
    return tuple(value)


def _word_times(reader: Reader, entry: int, values: Mapping[str, object], words: int) -> tuple[tuple[float, float], ...]:
    value = values.get("word_times")
    if value is None:
        return ()
    spans = [_span(one) for one in value] if isinstance(value, list) else [None]
    known = tuple(span for span in spans if span is not None)
    if len(known) < len(spans):
        reader.fault(entry, "word_times", shown(value), "a list of [start, end] in seconds, start <= end", _UNTIMED)
    elif len(known) not in (0, words):
        reader.fault(entry, "word_times", f"{len(known)} of them", f"one for each of the {words} words", _UNTIMED)
    return known


def _span(value: object) -> tuple[float, float] | None:
    if not isinstance(value, list) or len(value) != 2 or not all(type(time) in (int, float) for time in value):
        return None
    start, end = value
    return (float(start), float(end)) if -MOST_SECONDS <= start <= end <= MOST_SECONDS else None


def write(items: Sequence[Segment], path: Path) -> None:
    """Write segments as SegLST, one entry a line; fields without a value are left out.

    Args:
        items: The segments.
        path: Where to.

    Raises:
        InputError: A segment has no session id, or its times are not 0 <= start <= end.
    """
    writer = Writer(path)
    lines = []
    for entry, item in enumerate(items, 1):
        if not item.session_id:
            writer.fault(entry, "session_id", "nothing", "the id of the recording")
        writer.names(entry, {key: getattr(item, key) for key in ("session_id", *_NAMES)})
        if item.start_time is not None or item.end_time is not None:
            writer.span(entry, item.start_time, item.end_time)
        values = {key: getattr(item, key) for key in item.__dataclass_fields__}
        kept = {key: value for key, value in values.items() if value is not None and (value != () or key == "words")}
        lines.append(json.dumps(kept, ensure_ascii=False))
    writer.check()
    write_atomic(path, "[" + ",".join(f"\n  {line}" for line in lines) + "\n]\n")


def _sniff(head: str, path: Path) -> bool:
    start = head.lstrip()
    if not start.startswith("[") or registry.load("format", "label-studio").FORMAT.sniff(head, path):
        return False
    return '"session_id"' in head or start[1:].lstrip().startswith("]")


FORMAT = Format(
    name="seglst",
    title="SegLST: who said what and when, as a JSON list",
    item=Segment,
    suffixes=(".json", ".seglst.json"),
    sniff=_sniff,
    read=read,
    write=write,
    ending=".seglst.json",
)
