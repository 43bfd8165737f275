r"""Audacity labels: a start, an end and a text a line, separated by tabs.

Times in seconds. The file's name is the session id. There is no field for the speaker: where every label begins with
``name: `` (or ``[name]: ``) that is the speaker, with a finding; where only some do it stays text. A label that is only a
name is text. A file a speaker, one for each label track, gives segments whose speaker is unknown. Lines that begin with a
backslash hold the frequencies of the label before them and are left out, with a finding. A label at a point in time has no
duration.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.errors import counted
from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._named import read_names, write_names
from parakh.formats._text import Reader, Writer, number
from parakh.formats._whole import check_sessions, session_of
from parakh.types import Loaded, Segment, Severity

_ENDING = ".labels.txt"
_FREQUENCIES = "\\"


def read(path: Path) -> Loaded[Segment]:
    r"""Read the labels of an Audacity label file.

    Args:
        path: The file; its name without ``.labels.txt`` or ``.txt`` is the session id.

    Returns:
        One Segment a label, in file order; findings ``speaker-prefix``, ``possible-speaker``, ``empty-label``,
        ``frequencies``, ``duplicate-line``, ``zero-duration``.

    Raises:
        InputError: All its faults.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1.labels.txt"
    ...     write([Segment("v1", "asha", 0.5, 2.0, words="नमस्ते दीदी")], path)
    ...     path.read_text(), read(path).items[0].speaker
    ('0.500\t2.000\tasha: नमस्ते दीदी\n', 'asha')
    """
    reader = Reader(path)
    reader.names(None, {"the file's name": path.name})
    session = session_of(path, _ENDING)
    found: list[tuple[int, float, float, str]] = []
    for line, record in reader.records():
        if record.startswith(_FREQUENCIES):
            reader.notice("frequencies", line, "the frequencies of a label are left out", Severity.NOTE)
        elif label := _label(reader, line, record):
            found.append((line, *label))
    lines = [line for line, _, _, _ in found]
    said = read_names(reader, lines, [text for _, _, _, text in found])
    segments = [
        Segment(session, speaker, start, end, words) for (_, start, end, _), (speaker, words) in zip(found, said, strict=True)
    ]
    return reader.loaded(segments, lines)


def _label(reader: Reader, line: int, record: str) -> tuple[float, float, str] | None:
    fields = record.split("\t", 2)
    if len(fields) < 2:
        action = "Export the labels again; blanks do not separate them."
        reader.fault(line, "", counted(len(fields), "column"), "start, end and label, separated by tabs", action)
        return None
    start = reader.seconds(line, "start", fields[0].strip())
    end = reader.seconds(line, "end", fields[1].strip())
    if start is None or end is None:
        return None
    if end < start:
        reader.fault(line, "end", repr(fields[1]), f"seconds >= start ({fields[0]})", "Swap or mend the times.")
        return None
    if end == start:
        reader.zero_duration(line)
    text = fields[2] if len(fields) == 3 else ""
    if not text.strip():
        reader.notice("empty-label", line, "a label without text; kept as a turn without words")
    return start, end, text


def write(items: Sequence[Segment], path: Path) -> None:
    """Write one recording as labels, in the order given, ``name: `` before the words of each speaker.

    Args:
        items: Segments of one recording with times.
        path: Where to; the name has to say the session id.

    Raises:
        InputError: A text has a line end, or speakers could not be told apart again: some segments without one, or names
            with a colon.
    """
    writer = Writer(path)
    check_sessions(writer, items, path, _ENDING)
    texts = write_names(writer, [(item.speaker, item.words) for item in items])
    lines = []
    for entry, (item, text) in enumerate(zip(items, texts, strict=True), 1):
        writer.names(entry, {"speaker": item.speaker})
        writer.line(entry, "words", item.words)
        start, end = writer.span(entry, item.start_time, item.end_time)
        lines.append(f"{start}\t{end}\t{text}\n")
    writer.check()
    write_atomic(path, "".join(lines))


def _sniff(head: str, path: Path) -> bool:
    first = next((line for line in head.split("\n") if line.strip()), "")
    fields = first.split("\t", 2)
    times = [number(field) for field in fields[:2] if "." in field]
    return len(fields) == 3 and len(times) == 2 and None not in times and not _is_table(fields[2])


def _is_table(rest: str) -> bool:
    """Whether further numbers follow in columns of their own, as in tables whose ids look like numbers."""
    fields = rest.split("\t")
    return len(fields) > 1 and any(number(field) is not None for field in fields)


FORMAT = Format(
    name="audacity",
    title="Audacity labels: start, end and text a line",
    item=Segment,
    suffixes=(_ENDING, ".txt"),
    sniff=_sniff,
    read=read,
    write=write,
    loses="Frequencies, role, language, segment ids, channel, confidence and further forms.",
    ending=_ENDING,
)
