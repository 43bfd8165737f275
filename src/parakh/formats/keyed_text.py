"""Keyed text: an id and a text a line, without times or speakers.

Kaldi's ``text``, or ``ref.txt``: ``<id> <text>``. The id ends at the first blank or tab, and after exactly one of them the
text is the rest of the line, unchanged; it may be empty. Only a line feed ends a line: other separators (U+2028, U+0085,
form feed) stay in the text. No comments.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from parakh import registry
from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._text import Plain, Reader, Writer, shown
from parakh.types import Loaded, Segment

_LINE = re.compile(r"[ \t]*([^ \t]+)(?:[ \t](.*))?", re.DOTALL)
_PLAIN = Plain(("session_id", "words"), least=1)
_SUFFIXES = (".txt", ".text")
_STRUCTURED = (
    *("rttm", "stm", "ctm", "uem", "challenge-tsv", "seglst", "label-studio", "llm-answer"),
    *("textgrid", "eaf", "webvtt", "srt", "audacity"),
)


def read(path: Path) -> Loaded[Segment]:
    r"""Read the texts of a keyed file.

    Args:
        path: The file.

    Returns:
        One Segment a line, in file order, with ``session_id`` the id of the line and neither times nor speaker.

    Raises:
        InputError: All its faults; an id that comes twice is one.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Segment("u1", words="जी हाँ"), Segment("u2")], Path(folder) / "ref.txt")
    ...     (Path(folder) / "ref.txt").read_text()
    'u1 जी हाँ\nu2\n'
    """
    reader = Reader(path)
    segments = reader.segments(_PLAIN, _text)
    if len({segment.session_id for segment in segments}) < len(segments):
        _note_repeats(reader)
    return reader.loaded(segments)


def _text(reader: Reader, line: int, record: str) -> Segment | None:
    match = _LINE.fullmatch(record)
    if match is None:
        reader.fault(line, "", shown(record), "an id and a text")
        return None
    reader.names(line, {"id": match[1]})
    return Segment(match[1], words=match[2] or "")


def _note_repeats(reader: Reader) -> None:
    lines: dict[str, int] = {}
    for line, record in reader.records():
        match = _LINE.fullmatch(record)
        key = match[1] if match else ""
        if lines.setdefault(key, line) != line:
            reader.fault(line, "id", shown(key), f"an id of its own (line {lines[key]} has the same)", "Rename or join them.")


def write(items: Sequence[Segment], path: Path) -> None:
    """Write texts keyed by their session id, in the order given.

    Args:
        items: One Segment an id.
        path: Where to.

    Raises:
        InputError: An id has a blank or comes twice, or a text has a line end.
    """
    writer = Writer(path)
    entries: dict[str, int] = {}
    lines = []
    for entry, item in enumerate(items, 1):
        key = writer.token(entry, "session_id", item.session_id)
        if key in entries:
            expected = f"one text an id (entry {entries[key]} has the same)"
            writer.fault(entry, "session_id", shown(key), expected, "Join the segments, or use a format with times.")
        entries.setdefault(key, entry)
        words = writer.line(entry, "words", item.words)
        lines.append(f"{key} {words}\n" if words else f"{key}\n")
    writer.check()
    write_atomic(path, "".join(lines))


def repeated_id(text: str) -> tuple[str, int, int] | None:
    r"""The first id that comes twice in a keyed text, with the lines of both; None if each is its own.

    >>> repeated_id("u1 a\nu2 b\nu1 c\n"), repeated_id("u1 a\n")
    (('u1', 1, 3), None)
    """
    lines: dict[str, int] = {}
    for line, words in enumerate((record.split(None, 1) for record in text.split("\n")), 1):
        if words and lines.setdefault(words[0], line) != line:
            return words[0], lines[words[0]], line
    return None


def _sniff(head: str, path: Path) -> bool:
    """Any text looks like this one, so only where no format with more structure fits and no id comes twice."""
    if path.suffix.lower() not in ("", *_SUFFIXES) or not head.strip() or head.lstrip().startswith(("{", "[")):
        return False
    if repeated_id(head) is not None:
        return False
    return not any(registry.load("format", name).FORMAT.sniff(head, path) for name in _STRUCTURED)


FORMAT = Format(
    name="keyed-text",
    title="Keyed text: an id and a text a line",
    item=Segment,
    suffixes=_SUFFIXES,
    sniff=_sniff,
    read=read,
    write=write,
    loses="The speaker, times, role, language, segment ids, channel, confidence and further forms.",
)
