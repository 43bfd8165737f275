"""Summaries of many recordings as JSON lines: an object with id and text a line.

``{"rec_id" or "session_id": ..., "summary": ...}``; ``gt_summary`` and ``pred_summary`` are read as well; other
keys are left out, with a finding.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._json import name_of, parse, text_of
from parakh.formats._text import Reader, Writer, shown
from parakh.types import Loaded, Severity, Summary

_IDS = ("rec_id", "session_id")
_VALUES = ("summary", "gt_summary", "pred_summary")


def read(path: Path) -> Loaded[Summary]:
    r"""Read the summaries of a JSON lines file.

    Args:
        path: The file.

    Returns:
        One Summary a line, in file order, the text unchanged; finding ``unknown-key``.

    Raises:
        InputError: All its faults; an id that comes twice is one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Summary("v1", "Fever.")], Path(folder) / "s.jsonl")
    ...     (Path(folder) / "s.jsonl").read_text()
    '{"session_id": "v1", "summary": "Fever."}\n'
    """
    reader = Reader(path)
    known: dict[str, int] = {}
    summaries, lines = [], []
    for line, record in reader.records():
        summary = _summary(reader, line, record)
        if summary is None:
            continue
        if summary.session_id in known:
            expected = f"an id of its own (line {known[summary.session_id]} has the same)"
            reader.fault(line, "session_id", shown(summary.session_id), expected, "Keep one of the lines.")
        known.setdefault(summary.session_id, line)
        summaries.append(summary)
        lines.append(line)
    return reader.loaded(summaries, lines)


def _summary(reader: Reader, line: int, record: str) -> Summary | None:
    values = parse(reader, line, record)
    if not isinstance(values, dict):
        if values is not None or record.strip() == "null":
            reader.fault(line, "", shown(record), "a JSON object")
        return None
    ids, texts = [key for key in _IDS if key in values], [key for key in _VALUES if key in values]
    if len(ids) != 1 or len(texts) != 1:
        found = f"the keys {shown(', '.join(values))}" if values else "no keys"
        reader.fault(line, "", found, f"one of {', '.join(_IDS)} and one of {', '.join(_VALUES)}")
        return None
    if len(values) > 2:
        reader.notice("unknown-key", line, "keys beside id and summary are left out", Severity.NOTE)
    session = name_of(reader, line, values, ids[0])
    if not session:
        reader.fault(line, ids[0], shown(values[ids[0]]), "the id of the recording")
    return Summary(session or "", text_of(reader, line, values, texts[0]))


def write(items: Sequence[Summary], path: Path) -> None:
    """Write summaries as JSON lines, in the order given.

    Args:
        items: One Summary a recording.
        path: Where to.

    Raises:
        InputError: An id is empty or comes twice.
    """
    writer = Writer(path)
    writer.sessions([item.session_id for item in items])
    writer.check()
    lines = (json.dumps({"session_id": item.session_id, "summary": item.text}, ensure_ascii=False) for item in items)
    write_atomic(path, "".join(f"{line}\n" for line in lines))


def _sniff(head: str, path: Path) -> bool:
    first = head.lstrip().split("\n", 1)[0]
    return first.startswith("{") and any(f'"{key}"' in first for key in _IDS) and any(f'"{key}"' in first for key in _VALUES)


FORMAT = Format(
    name="summary-jsonl",
    title="Summaries of many recordings as JSON lines",
    item=Summary,
    suffixes=(".jsonl",),
    sniff=_sniff,
    read=read,
    write=write,
)
