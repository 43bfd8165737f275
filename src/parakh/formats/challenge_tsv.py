"""DISPLACE-M transcripts: tab-separated, one segment with its times and text a line.

References (``GT/<id>.txt``) have 7 columns: rec_id, seg_id, speaker_id, role, start, end, text. What the baselines write
(``<id>_segment_transcription.txt``) has 6, in another order: rec_id, seg_id, start, end, speaker_id, text. A header is
optional and decides the order if there is one; else the first row does. Rows with an empty text are kept, also where an
editor cut the last tab away. Blanks around ids and times do not count; the text is unchanged.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from parakh import registry
from parakh.errors import counted
from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._text import SAY_WHICH, Plain, Reader, Writer, number, shown
from parakh.types import Loaded, Segment

_REFERENCE = ("rec_id", "seg_id", "speaker_id", "role", "start", "end", "text")
_OUTPUT = ("rec_id", "seg_id", "start", "end", "speaker_id", "text")
_ALIASES = {"speaker_role": "role", "start_time": "start", "end_time": "end", "transcript": "text", "speaker": "speaker_id"}
_TABULAR = ("rttm", "stm", "ctm", "uem", "seglst", "audacity")
_FIELDS = {
    "rec_id": "session_id",
    "seg_id": "segment_id",
    "speaker_id": "speaker",
    "role": "role",
    "start": "start_time",
    "end": "end_time",
    "text": "words",
}
_ENDING = "_segment_transcription.txt"


def read(path: Path) -> Loaded[Segment]:
    r"""Read the segments of a challenge transcript.

    Args:
        path: The file.

    Returns:
        One Segment a row, in file order; findings ``duplicate-line``, ``zero-duration``.

    Raises:
        InputError: All its faults.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1_segment_transcription.txt"
    ...     write([Segment("v1", "spk0", 0.5, 2.0, words="नमस्ते दीदी")], path)
    ...     path.read_text()
    'v1\tv1_0001\t0.500\t2.000\tspk0\tनमस्ते दीदी\n'
    """
    reader = Reader(path)
    first = next(reader.records(), None)
    if first is None:
        return reader.loaded([])
    line, record = first
    fields = record.split("\t")
    columns = _columns(fields)
    if columns is None:
        expected = f"the tab-separated columns of {FORMAT.name}: {', '.join(_REFERENCE)}; or {', '.join(_OUTPUT)}"
        found = f"{counted(len(fields), 'column')} in {shown(record)}"
        reader.fail(line, "", found, expected, f"Or is it another format? {SAY_WHICH}")
    header = line if fields[0].strip().lower() == "rec_id" else None
    plain = Plain(tuple(_FIELDS[name] for name in columns), least=len(columns) - 1, tabs=True, odd="\t")
    return reader.loaded(reader.segments(plain, partial(_row, columns, header)))


def _row(columns: tuple[str, ...], header: int | None, reader: Reader, line: int, record: str) -> Segment | None:
    if line == header:
        return None
    fields = record.split("\t")
    if not len(columns) - 1 <= len(fields) <= len(columns):
        reader.fault(line, "", counted(len(fields), "column"), f"{len(columns)} tab-separated columns")
        return None
    return _segment(reader, line, dict(zip(columns, fields, strict=False)))


def _columns(fields: list[str]) -> tuple[str, ...] | None:
    """The order of the columns, from a header or from where the times stand; None if it is neither."""
    names = [_ALIASES.get(name, name) for name in (field.strip().lower() for field in fields)]
    if names[0] == "rec_id":
        whole = sorted(names) in (sorted(_REFERENCE), sorted(_OUTPUT)) and names[-1] == "text"
        return tuple(names) if whole else None
    times = [number(field.strip()) is not None for field in fields]
    if len(fields) in (5, 6) and times[2:4] == [True, True]:
        return _OUTPUT
    return _REFERENCE if len(fields) in (6, 7) and times[4:6] == [True, True] else _faulty(fields, times)


def _faulty(fields: list[str], times: list[bool]) -> tuple[str, ...] | None:
    """For a first row with a faulty time: the count of columns decides, and the row's own fault is told."""
    by_count = {7: (_REFERENCE, times[4:6]), 6: (_OUTPUT, times[2:4])}
    columns, found = by_count.get(len(fields), (None, []))
    return columns if any(found) else None


def _segment(reader: Reader, line: int, row: dict[str, str]) -> Segment | None:
    reader.names(line, {name: row.get(name, "").strip() for name in ("rec_id", "seg_id", "speaker_id", "role")})
    start = reader.seconds(line, "start", row["start"].strip())
    end = reader.seconds(line, "end", row["end"].strip())
    session = row["rec_id"].strip()
    if not session:
        reader.fault(line, "rec_id", "nothing", "the id of the recording")
    if start is None or end is None:
        return None
    if end < start:
        reader.fault(line, "end", repr(row["end"]), f"seconds >= start ({row['start']})", "Swap or mend the times.")
    elif end == start:
        reader.zero_duration(line)
    speaker, role = row["speaker_id"].strip() or None, row.get("role", "").strip() or None
    return Segment(session, speaker, start, end, row.get("text", ""), role, segment_id=row["seg_id"].strip() or None)


def write(items: Sequence[Segment], path: Path) -> None:
    """Write segments as the challenge does: 7 columns if any has a role, else the 6 of a system's output.

    Args:
        items: Segments with times; a missing segment id becomes ``<rec_id>_0001`` and so on.
        path: Where to.

    Raises:
        InputError: A field holds a tab or a line end, a time is missing, or an id has outer blanks.
    """
    writer = Writer(path)
    columns = _REFERENCE if any(item.role for item in items) else _OUTPUT
    counts: dict[str, int] = {}
    lines = []
    for entry, item in enumerate(items, 1):
        counts[item.session_id] = counts.get(item.session_id, 0) + 1
        start, end = writer.span(entry, item.start_time, item.end_time)
        row = {
            "rec_id": _cell(writer, entry, "session_id", item.session_id),
            "seg_id": _cell(writer, entry, "segment_id", item.segment_id or f"{item.session_id}_{counts[item.session_id]:04d}"),
            "speaker_id": _cell(writer, entry, "speaker", item.speaker),
            "role": _cell(writer, entry, "role", item.role),
            "start": start,
            "end": end,
            "text": writer.line(entry, "words", item.words, tabs=False),
        }
        if not item.session_id or item.session_id.lower() == "rec_id" or item.session_id.startswith("\ufeff"):
            writer.fault(entry, "session_id", shown(item.session_id), "the id of a recording")
        lines.append("\t".join(row[column] for column in columns) + "\n")
    writer.check()
    write_atomic(path, "".join(lines))


def _cell(writer: Writer, entry: int, field: str, value: str | None) -> str:
    text = writer.line(entry, field, value, tabs=False)
    if text != text.strip():
        writer.fault(entry, field, shown(text), "a name without blanks around it", "Rename it.")
    else:
        writer.names(entry, {field: text})
    return text


def _sniff(head: str, path: Path) -> bool:
    if path.name.lower().endswith(_ENDING):
        return True
    first = next((line for line in head.split("\n") if line.strip()), "")
    fields = first.split("\t")
    return _columns(fields) is not None or _is_cut(fields, head, path)


def _is_cut(fields: list[str], head: str, path: Path) -> bool:
    """A table that no other format has: taken for a transcript that lost columns, so that the reader says which."""
    if len(fields) < 3 or path.suffix.lower() not in ("", ".txt", ".tsv") or not fields[0] or " " in fields[0]:
        return False
    others = {name for name in _TABULAR if registry.load("format", name).FORMAT.sniff(head, path)}
    return not others or (others == {"uem"} and fields[1].startswith(f"{fields[0]}_"))


FORMAT = Format(
    name="challenge-tsv",
    title="DISPLACE-M transcripts: tab-separated segments with times and text",
    item=Segment,
    suffixes=(_ENDING, ".tsv", ".txt"),
    sniff=_sniff,
    read=read,
    write=write,
    loses="The language, channel, confidence and further forms; a missing segment id is made up.",
    ending=_ENDING,
)
