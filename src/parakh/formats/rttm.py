"""RTTM: who spoke when, one turn a line (NIST Rich Transcription Time Marked).

``SPEAKER <recording> <channel> <onset> <duration> <NA> <NA> <speaker> [<confidence> [<NA>]]``, separated by blanks or
tabs; onset and duration in seconds. Seen in the wild: 8, 9 or 10 fields. Lines of other types (``SPKR-INFO``, ``LEXEME``
...) and comments (``;``, ``#``) make no turns. A name with a blank in it moves the columns and is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.errors import counted
from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._text import Plain, Reader, Writer, between, first_fields, later, number, shown
from parakh.types import Loaded, Segment, Severity

_NA = "<NA>"
_COMMENTS = (";", "#")
_UNSCORED = {"NOSCORE", "NO_RT_METADATA"}
_OTHER = {"SEGMENT", "LEXEME", "NON-LEX", "NON-SPEECH", "FILLER", "EDIT", "IP", "SU", "CB", "A/P", "SPKR-INFO"}
_COLUMNS = ("=SPEAKER", "session_id", "channel", "start_time", "duration", "=<NA>", "=<NA>", "speaker", "confidence", "=<NA>")
_PLAIN = Plain(_COLUMNS, least=8)
_FIELDS = "8 to 10 fields: SPEAKER recording channel onset duration <NA> <NA> speaker [confidence [<NA>]]"
_BLANK = "A name with a blank in it is the usual cause: replace the blank."


def read(path: Path) -> Loaded[Segment]:
    """Read the turns of an RTTM file.

    Args:
        path: The file.

    Returns:
        One Segment a SPEAKER line, in file order, ``words`` empty; findings ``duplicate-line``, ``zero-duration``,
        ``other-records``, ``noscore-ignored``, ``confidence-scale``.

    Raises:
        InputError: All its faults.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Segment("v1", "asha", 0.1, 0.3)], Path(folder) / "v1.rttm")
    ...     read(Path(folder) / "v1.rttm").items[0].end_time
    0.3
    """
    reader = Reader(path)
    return reader.loaded(reader.segments(_PLAIN, _record, _COMMENTS))


def _record(reader: Reader, line: int, record: str) -> Segment | None:
    fields = record.split()
    if fields[0] == "SPEAKER":
        return _turn(reader, line, fields)
    if fields[0] in _UNSCORED:
        what = f"{fields[0]} makes no difference: give the scored regions as a UEM file"
        reader.notice("noscore-ignored", line, what)
    elif fields[0] in _OTHER:
        reader.notice("other-records", line, "not a SPEAKER line, so not a turn", Severity.NOTE)
    else:
        reader.fault(line, "type", shown(fields[0]), "SPEAKER or another RTTM type", "Give an RTTM file.")
    return None


def _turn(reader: Reader, line: int, fields: list[str]) -> Segment | None:
    if not 8 <= len(fields) <= 10:
        reader.fault(line, "", counted(len(fields), "field"), _FIELDS, _BLANK)
        return None
    if number(fields[5]) is not None:
        reader.fault(line, "orthography", shown(fields[5]), f"{_NA} after the duration", _BLANK)
        return None
    start = reader.seconds(line, "onset", fields[3])
    length = reader.seconds(line, "duration", fields[4])
    confidence = _confidence(reader, line, fields[8]) if len(fields) > 8 else None
    if fields[7] == _NA:
        reader.fault(line, "speaker", _NA, "a speaker name")
    if start is None or length is None:
        return None
    if not length:
        reader.zero_duration(line)
    reader.names(line, {"recording": fields[1], "channel": fields[2], "speaker": fields[7]})
    end = later(fields[3], fields[4])
    return Segment(fields[1], fields[7], start, end, channel=fields[2], confidence=confidence)


def _confidence(reader: Reader, line: int, text: str) -> float | None:
    if text == _NA:
        return None
    value = number(text)
    if value is None:
        reader.fault(line, "confidence", shown(text), f"{_NA} or a number after the speaker", _BLANK)
    elif not 0 <= value <= 1:
        reader.notice("confidence-scale", line, "the confidence is not in [0, 1] and was left out", Severity.NOTE)
        return None
    return value


def write(items: Sequence[Segment], path: Path) -> None:
    """Write turns as RTTM, ten fields a line, in the order given.

    Args:
        items: Segments with speaker and times; a missing channel is written as 1.
        path: Where to.

    Raises:
        InputError: A name has a blank or a time is missing.
    """
    writer = Writer(path)
    lines = []
    for entry, turn in enumerate(items, 1):
        session = writer.token(entry, "session_id", turn.session_id)
        speaker = writer.token(entry, "speaker", turn.speaker, (_NA,))
        channel = writer.token(entry, "channel", turn.channel or "1")
        start, end = writer.span(entry, turn.start_time, turn.end_time)
        length = between(start, end) if start and end else ""
        confidence = _NA if turn.confidence is None else repr(float(turn.confidence))
        lines.append(f"SPEAKER {session} {channel} {start} {length} {_NA} {_NA} {speaker} {confidence} {_NA}\n")
    writer.check()
    write_atomic(path, "".join(lines))


def _sniff(head: str, path: Path) -> bool:
    fields = first_fields(head, _COMMENTS)
    return bool(fields) and fields[0] in {"SPEAKER", *_OTHER, *_UNSCORED}


FORMAT = Format(
    name="rttm",
    title="RTTM: who spoke when, one turn a line",
    item=Segment,
    suffixes=(".rttm",),
    sniff=_sniff,
    read=read,
    write=write,
    loses="The words, role, language, segment ids and further forms; a missing channel becomes 1.",
)
