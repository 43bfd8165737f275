"""STM: who said what and when, one utterance a line (NIST segment time mark).

``<recording> <channel> <speaker> <begin> <end> [<label>] <transcript>``: blanks or tabs, seconds; after exactly one blank
the transcript is the rest of the line, unchanged, and may be empty. Comments start with ``;``. As sclite reads it:

- A sixth field that starts with ``<`` is a label, not a word; the empty label ``<>`` guards a transcript that does.
- ``{ five / 5 / @ }`` are alternatives (``@``: nothing), which may be nested: ``words`` holds the first of each,
  ``forms`` every other combination.
- ``(okay)`` is an optional word; by sclite's default it counts, so it is read as ``okay``.
- ``IGNORE_TIME_SEGMENT_IN_SCORING`` as the transcript marks a stretch without a score: a segment without words whose
  ``segment_id`` is that marker. Hypothesis words whose midpoint lies in it are to be dropped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from parakh.errors import counted
from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._alternatives import expand
from parakh.formats._text import Plain, Reader, Writer, first_fields, number, shown
from parakh.selection import IGNORE_MARK
from parakh.types import Loaded, Segment, Severity

_COMMENTS = (";",)
_LINE = re.compile(r"[ \t]*(\S+)[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\S+)(?:[ \t](.*))?", re.DOTALL)
_LABEL = re.compile(r"[ \t]*(<[^ \t]*)(?:[ \t](.*))?", re.DOTALL)
_OPTIONAL = re.compile(r"(?<!\S)\(([^\s()]+)\)(?!\S)")
_PLAIN = Plain(("session_id", "channel", "speaker", "start_time", "end_time", "words"), least=5, odd="<({}_")
_FIELDS = "recording channel speaker begin end [label] transcript, separated by blanks or tabs"


def read(path: Path) -> Loaded[Segment]:
    """Read the utterances of an STM file.

    Args:
        path: The file.

    Returns:
        One Segment a line, in file order; findings ``duplicate-line``, ``zero-duration``, ``labels``, ``odd-label``,
        ``alternatives``, ``optional-words``, ``ignored-time``.

    Raises:
        InputError: All its faults.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1.stm"
    ...     write_atomic(path, "v1 1 asha 0 2.5 <O> BP { 140 / एक सौ चालीस } है")
    ...     segment = read(path).items[0]
    >>> segment.words, segment.forms
    ('BP 140 है', ('BP एक सौ चालीस है',))
    """
    reader = Reader(path)
    return reader.loaded(reader.segments(_PLAIN, _utterance, _COMMENTS))


def _utterance(reader: Reader, line: int, record: str) -> Segment | None:
    match = _LINE.fullmatch(record)
    if match is None:
        reader.fault(line, "", f"{counted(len(record.split()), 'field')} in {shown(record)}", _FIELDS)
        return None
    session, channel, speaker, begin, end, rest = match.groups()
    start_time, end_time = reader.seconds(line, "begin", begin), reader.seconds(line, "end", end)
    words, forms, ignored = _transcript(reader, line, rest or "")
    if start_time is None or end_time is None:
        return None
    if end_time < start_time:
        reader.fault(line, "end", repr(end), f"seconds >= begin ({begin})", "Swap or mend the times.")
    elif end_time == start_time:
        reader.zero_duration(line)
    reader.names(line, {"recording": session, "channel": channel, "speaker": speaker})
    mark = IGNORE_MARK if ignored else None
    return Segment(session, speaker, start_time, end_time, words, segment_id=mark, channel=channel, forms=forms)


def _transcript(reader: Reader, line: int, text: str) -> tuple[str, tuple[str, ...], bool]:
    """Words, further forms and whether the stretch is ignored, from what follows the times."""
    label = _LABEL.fullmatch(text) if "<" in text else None
    if label is not None:
        what = f"a label such as {shown(label[1])} stands before the transcript and is not part of it"
        if label[1].endswith(">"):
            reader.notice("labels", line, what, Severity.NOTE)
        else:
            reader.notice("odd-label", line, f"{what}; write <> before a transcript that starts with '<'")
        text = label[2] or ""
    if text.strip().upper() == IGNORE_MARK:
        reader.notice("ignored-time", line, "the stretch is marked as not scored", Severity.NOTE)
        return "", (), True
    if "(" in text:
        text, count = _OPTIONAL.subn(r"\1", text)
        if count:
            reader.notice("optional-words", line, "words in parentheses are optional ones; they count", Severity.NOTE)
    if "{" not in text and "}" not in text:
        return text, (), False
    try:
        forms = expand(text)
    except ValueError as error:
        reader.fault(line, "transcript", str(error), "alternatives written { a / b }, blanks around each sign")
        return "", (), False
    if len(forms) > 1:
        reader.notice("alternatives", line, "alternatives are expanded into accepted forms", Severity.NOTE)
    return forms[0], forms[1:], False


def write(items: Sequence[Segment], path: Path) -> None:
    """Write utterances as STM, in the order given.

    Args:
        items: Segments with speaker and times; a missing channel is written as 1, further forms as alternatives.
        path: Where to.

    Raises:
        InputError: A name has a blank, a time is missing, or a transcript would be read back as another.
    """
    writer = Writer(path)
    probe = Reader(path, "")
    lines = []
    for entry, item in enumerate(items, 1):
        session = writer.token(entry, "session_id", item.session_id, _COMMENTS)
        channel = writer.token(entry, "channel", item.channel or "1")
        speaker = writer.token(entry, "speaker", item.speaker)
        start, end = writer.span(entry, item.start_time, item.end_time)
        text = writer.line(entry, "words", _written(item))
        if _transcript(probe, entry, text) != (item.words, item.forms, item.segment_id == IGNORE_MARK):
            expected = "a transcript that STM reads back unchanged (no { } or (word), forms with single blanks)"
            writer.fault(entry, "words", shown(item.words), expected, "Use SegLST, or change the text.")
        lines.append(f"{session} {channel} {speaker} {start} {end}{' ' if text else ''}{text}\n")
    writer.check()
    write_atomic(path, "".join(lines))


def _written(item: Segment) -> str:
    if item.segment_id == IGNORE_MARK:
        return IGNORE_MARK
    text = item.words
    if item.forms:
        text = f"{{ {' / '.join(form or '@' for form in (item.words, *item.forms))} }}"
    return f"<> {text}" if text.lstrip(" \t").startswith("<") else text


def _sniff(head: str, path: Path) -> bool:
    fields = first_fields(head)
    return len(fields) >= 5 and number(fields[3]) is not None and number(fields[4]) is not None and fields[0] != "SPEAKER"


FORMAT = Format(
    name="stm",
    title="STM: who said what and when, one utterance a line",
    item=Segment,
    suffixes=(".stm",),
    sniff=_sniff,
    read=read,
    write=write,
    loses="The role, language, segment ids and confidence; a missing channel becomes 1.",
)
