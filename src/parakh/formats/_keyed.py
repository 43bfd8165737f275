"""What the keyed formats of topics and summaries share: ``<id> TAB <text>`` a line."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.files import write_atomic
from parakh.formats import keyed_text
from parakh.formats._text import Writer, shown
from parakh.types import Finding


def read_keyed(path: Path) -> tuple[list[tuple[str, str]], tuple[Finding, ...]]:
    """(id, text) of each line of a keyed file, and what its reader noticed."""
    loaded = keyed_text.read(path)
    return [(segment.session_id, segment.words) for segment in loaded.items], loaded.findings


def write_keyed(lines: Sequence[tuple[str, str]], writer: Writer, path: Path) -> None:
    """Write (id, text) pairs, one a line; refuses an id with a blank or twice, and a text with a line end or tab."""
    seen: set[str] = set()
    for entry, (key, text) in enumerate(lines, 1):
        writer.token(entry, "session_id", key)
        writer.line(entry, "text", text, tabs=False)
        if key in seen:
            writer.fault(entry, "session_id", shown(key), "an id of its own")
        seen.add(key)
    writer.check()
    write_atomic(path, "".join(f"{key}\t{text}\n" for key, text in lines))


def looks_keyed(head: str, path: Path, whole_file_ending: str) -> bool:
    """Whether every line is an id, a tab and a text, and the name is not that of a one-recording file."""
    if path.name.lower().endswith(whole_file_ending.lower()):
        return False
    lines = [line.split("\t") for line in head.split("\n") if line.strip()]
    return bool(lines) and all(len(line) == 2 and line[0] and " " not in line[0] for line in lines)
