r"""SubRip subtitles (.srt): numbered cues with clock times and text.

Each cue is a number, ``HH:MM:SS,mmm --> HH:MM:SS,mmm`` and lines of text up to a blank line. Read also without numbers,
without hours, with a full stop before the milliseconds, and in UTF-16 with a byte order mark. The number is the segment
id, the file's name the session id. There is no field for the speaker: where every text begins with ``name: `` (or
``[name]: ``) that is the speaker, with a finding; where only some do it stays text. Markup (``<i>``, ``<font>``, ``{\an8}``)
is taken out, with a finding; any other ``<...>`` is text.

Read here: webvtt-py (MIT) stops at the first fault without a line and knows neither speakers nor what it takes out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from parakh.files import read_text, write_atomic
from parakh.formats import Format
from parakh.formats._cues import ARROW, Clock, Cue, cues, note_rolling
from parakh.formats._named import read_names, write_names
from parakh.formats._text import Reader, Writer, shown
from parakh.formats._whole import check_sessions, session_of
from parakh.types import Loaded, Segment, Severity

_ENDING = ".srt"
_CLOCK = Clock(re.compile(r"(?:(\d{1,6}):)?([0-5]?\d):([0-5]?\d)[,.](\d{3})", re.ASCII), "a time as HH:MM:SS,mmm", ",")
_MARKUP = re.compile(r"</?(?:[bius]|font(?:\s[^<>]*)?)>|\{\\[^{}]*\}", re.IGNORECASE)
_TIMES = re.compile(r"\s*+(\d{1,9}[ \t]*+\n\s*+)?(\d{1,6}:)?\d?\d:\d?\d[,.]\d{1,9}\s*+-->", re.ASCII)


def read(path: Path) -> Loaded[Segment]:
    r"""Read the cues of a SubRip file.

    Args:
        path: The file; its name without ``.srt`` is the session id.

    Returns:
        One Segment a cue, in file order, with ``lines`` those of the times; findings ``markup``, ``speaker-prefix``,
        ``possible-speaker``, ``empty-cue``, ``missing-number``, ``missing-blank-line``, ``position``, ``rolling-captions``,
        ``zero-duration``.

    Raises:
        InputError: All its faults.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Segment("v1", "asha", 0.5, 2.0, words="नमस्ते")], Path(folder) / "v1.srt")
    ...     (Path(folder) / "v1.srt").read_text()
    '1\n00:00:00,500 --> 00:00:02,000\nasha: नमस्ते\n\n'
    """
    reader = Reader(path, read_text(path, utf16=True))
    reader.names(None, {"the file's name": path.name})
    session = session_of(path, _ENDING)
    found: list[tuple[Cue, float, float, str]] = []
    for cue in cues(reader, list(enumerate(reader.lines(), 1)), _is_blank, _is_number):
        _check_number(reader, cue)
        span = _CLOCK.span(reader, cue)
        text = _plain(reader, cue)
        if span is not None:
            if span[2]:
                reader.notice("position", cue.line, "what follows the times (a place on the screen) is left out", Severity.NOTE)
            found.append((cue, span[0], span[1], text))
    lines = [cue.line for cue, _, _, _ in found]
    note_rolling(reader, lines, [text for _, _, _, text in found])
    said = read_names(reader, lines, [text for _, _, _, text in found])
    segments = [
        Segment(session, speaker, start, end, words, segment_id=_number(cue))
        for (cue, start, end, _), (speaker, words) in zip(found, said, strict=True)
    ]
    return reader.loaded(segments, lines)


def _check_number(reader: Reader, cue: Cue) -> None:
    if cue.label is None:
        reader.notice("missing-number", cue.line, "no number before the times", Severity.NOTE)
    elif not _is_number(cue.label):
        action = "Take it out, or put a blank line before the number if it is text."
        reader.fault(cue.line - 1, "number", shown(cue.label), "the number of the cue", action)


def _number(cue: Cue) -> str | None:
    return None if cue.label is None else cue.label.strip()


def _plain(reader: Reader, cue: Cue) -> str:
    text = "\n".join(cue.text)
    if not text:
        reader.notice("empty-cue", cue.line, "no text after the times; kept as a turn without words")
    plain, count = _MARKUP.subn("", text)
    if count:
        reader.notice("markup", cue.line, "markup (<i>, <font>, {\\an8} ...) is taken out of the text", Severity.NOTE)
    return plain


def _is_blank(line: str) -> bool:
    return not line.strip()


def _is_number(line: str) -> bool:
    return line.strip().isascii() and line.strip().isdigit()


def write(items: Sequence[Segment], path: Path) -> None:
    """Write one recording as numbered cues, in the order given, ``name: `` before the words of each speaker.

    Args:
        items: Segments of one recording with times, which are rounded to milliseconds.
        path: Where to; the name has to say the session id.

    Raises:
        InputError: A text has a blank line, an arrow or markup, or speakers could not be told apart again: some segments
            without one, or names with a colon.
    """
    writer = Writer(path)
    check_sessions(writer, items, path, _ENDING)
    texts = write_names(writer, [(item.speaker, item.words) for item in items])
    lines = []
    for entry, (item, text) in enumerate(zip(items, texts, strict=True), 1):
        writer.names(entry, {"speaker": item.speaker})
        if ARROW in text or "\r" in text or _MARKUP.search(text) or (text and any(map(_is_blank, text.split("\n")))):
            expected = f"text without blank lines, carriage returns, {ARROW} and markup"
            writer.fault(entry, "words", shown(item.words), expected, "Change it; this format cannot hold it.")
        lines += [str(entry), _CLOCK.line(writer, entry, item.start_time, item.end_time), *([text] if text else []), ""]
    writer.check()
    write_atomic(path, "".join(f"{line}\n" for line in lines))


def _sniff(head: str, path: Path) -> bool:
    return path.suffix.lower() != ".vtt" and _TIMES.match(head) is not None


FORMAT = Format(
    name="srt",
    title="SubRip subtitles: numbered cues with clock times and text",
    item=Segment,
    suffixes=(_ENDING,),
    sniff=_sniff,
    read=read,
    write=write,
    loses="Markup and places on the screen, fractions of a millisecond (times are rounded), role, language, segment ids "
    "(cues get numbers), channel, confidence and further forms.",
    ending=_ENDING,
    utf16=True,
)
