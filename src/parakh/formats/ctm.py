"""CTM: one word a line with its time (NIST time-marked conversation).

``<recording> <channel> <begin> <duration> <word> [<confidence>]``, separated by blanks or tabs, seconds. Comments start
with ``;``. The channel is not the speaker: CTM names no speaker. The alternatives of CTM references (``<ALT_BEGIN>`` ...)
are not read; give such a reference as STM or SegLST.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.errors import counted
from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._text import Plain, Reader, Writer, between, first_fields, later, number, shown
from parakh.types import Loaded, Segment, Severity

_COMMENTS = (";",)
_PLAIN = Plain(("session_id", "channel", "start_time", "duration", "words", "confidence"), least=5)
_FIELDS = "5 or 6 fields: recording channel begin duration word [confidence]"


def read(path: Path) -> Loaded[Segment]:
    r"""Read the words of a CTM file.

    Args:
        path: The file.

    Returns:
        One Segment a word, in file order, ``speaker`` None; findings ``duplicate-line``, ``zero-duration``,
        ``confidence-scale`` (a score outside [0, 1], such as a log likelihood, is left out).

    Raises:
        InputError: All its faults.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Segment("v1", None, 0.1, 0.3, words="बुखार")], Path(folder) / "v1.ctm")
    ...     (Path(folder) / "v1.ctm").read_text()
    'v1 1 0.100 0.200 बुखार\n'
    """
    reader = Reader(path)
    return reader.loaded(reader.segments(_PLAIN, _word, _COMMENTS))


def _word(reader: Reader, line: int, record: str) -> Segment | None:
    fields = record.split()
    if len(fields) > 4 and fields[4].startswith("<ALT"):
        reader.fault(line, "word", shown(fields[4]), "a word", "Give a reference with alternatives as STM.")
        return None
    if not 5 <= len(fields) <= 6:
        reader.fault(line, "", counted(len(fields), "field"), _FIELDS, "One word a line, without blanks.")
        return None
    start, length = reader.seconds(line, "begin", fields[2]), reader.seconds(line, "duration", fields[3])
    confidence = None
    if len(fields) == 6 and fields[5] != "<NA>":
        confidence = number(fields[5])
        if confidence is None:
            reader.fault(line, "confidence", shown(fields[5]), "a number", "One word a line, without blanks.")
        elif not 0 <= confidence <= 1:
            reader.notice("confidence-scale", line, "the confidence is not in [0, 1] and was left out", Severity.NOTE)
            confidence = None
    if start is None or length is None:
        return None
    if not length:
        reader.zero_duration(line)
    reader.names(line, {"recording": fields[0], "channel": fields[1]})
    end = later(fields[2], fields[3])
    return Segment(fields[0], None, start, end, fields[4], channel=fields[1], confidence=confidence)


def write(items: Sequence[Segment], path: Path) -> None:
    """Write words as CTM, in the order given.

    Args:
        items: Segments of exactly one word each, with times; a missing channel is written as 1.
        path: Where to.

    Raises:
        InputError: A segment holds no word or several, a name has a blank, or a time is missing.
    """
    writer = Writer(path)
    lines = []
    for entry, item in enumerate(items, 1):
        session = writer.token(entry, "session_id", item.session_id, _COMMENTS)
        channel = writer.token(entry, "channel", item.channel or "1")
        word = writer.token(entry, "words", item.words, ("<ALT",))
        start, end = writer.span(entry, item.start_time, item.end_time)
        length = between(start, end) if start and end else ""
        confidence = "" if item.confidence is None else f" {float(item.confidence)!r}"
        lines.append(f"{session} {channel} {start} {length} {word}{confidence}\n")
    writer.check()
    write_atomic(path, "".join(lines))


def _sniff(head: str, path: Path) -> bool:
    fields = first_fields(head)
    if len(fields) not in (5, 6) or fields[0] == "SPEAKER":
        return False
    times = [number(field) is not None for field in fields[2:5]]
    return times[:2] == [True, True] and not (len(fields) == 6 and times[2])


FORMAT = Format(
    name="ctm",
    title="CTM: one word a line with its time",
    item=Segment,
    suffixes=(".ctm",),
    sniff=_sniff,
    read=read,
    write=write,
    loses="The speaker, role, language, segment ids and further forms; a missing channel becomes 1.",
)
