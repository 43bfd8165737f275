"""WebVTT subtitles (.vtt): cues with clock times, and voice tags that say who speaks.

After ``WEBVTT`` and a blank line, each cue is an optional identifier, ``HH:MM:SS.mmm --> HH:MM:SS.mmm`` with optional hours and
settings, and lines of text up to an empty line. ``<v Name>`` begins what one speaker says, up to ``</v>``, the next voice or
the end; each voice of a cue becomes a segment with the cue's times. Line ends around a voice are not part of its text. In a
file without any voice tag ``name: `` before every text is the speaker, with a finding, as meeting programs write it; where only
some texts begin so it stays text. The identifier is the segment id, the file's name the session id (per-speaker files, as in
CHiME-9, have neither: the speaker is then unknown). Entities are decoded. Markup (``<i>``, ``<c.red>``, ``<00:01.500>``) is
taken out, with a finding; any other ``<...>`` is text, as are a lone ``<`` and ``>``. Header lines, NOTE, STYLE and REGION
blocks and settings are no speech.

Read here: webvtt-py (MIT) stops at the first fault without a line, takes one voice a cue, and drops text silently.
Source: WebVTT, W3C Candidate Recommendation of 2019, sections 4 and 6.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._cues import ARROW, Clock, Cue, cues, note_rolling
from parakh.formats._named import named, read_names, write_names
from parakh.formats._text import Reader, Writer, shown
from parakh.formats._whole import check_sessions, session_of
from parakh.types import Loaded, Segment, Severity

_ENDING = ".vtt"
_CLOCK = Clock(re.compile(r"(?:(\d{2,6}):)?([0-5]\d):([0-5]\d)\.(\d{3})", re.ASCII), "a time as MM:SS.mmm or HH:MM:SS.mmm", ".")
_FIRST = re.compile(r"WEBVTT(?![^ \t\n])")
_COMMENT = re.compile(r"NOTE([ \t].*)?|(STYLE|REGION)[ \t]*")
_VOICE = re.compile(r"<(/?)v(?:\.[^\s.<>]+)*(?:[ \t\n]+([^<>]*))?>")
_MARKUP = re.compile(r"</?(?:c|i|b|u|ruby|rt|lang)(?:\.[^\s.<>]+)*(?:[ \t\n]+[^<>]*)?>|<(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}>")
_ENTITY = re.compile(r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);")


def read(path: Path) -> Loaded[Segment]:
    r"""Read the cues of a WebVTT file.

    Args:
        path: The file; its name without ``.vtt`` is the session id.

    Returns:
        One Segment a voice of a cue, or a cue without voices, in file order, with ``lines`` those of the cues' times; findings
        ``shared-cue``, ``markup``, ``angle-bracket``, ``speaker-prefix``, ``possible-speaker``, ``cue-settings``, ``no-speech``,
        ``empty-cue``, ``missing-blank-line``, ``rolling-captions``, ``zero-duration``.

    Raises:
        InputError: All its faults.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1.vtt"
    ...     _ = path.write_text("WEBVTT\n\n00:01.000 --> 00:02.500\n<v ASHA worker>BP &lt; 140")
    ...     segment = read(path).items[0]
    >>> segment.speaker, segment.end_time, segment.words
    ('ASHA worker', 2.5, 'BP < 140')
    """
    reader = Reader(path)
    reader.names(None, {"the file's name": path.name})
    session = session_of(path, _ENDING)
    found: list[tuple[Cue, float, float, str | None, str]] = []
    for cue in cues(reader, list(_body(reader)), lambda line: not line, lambda line: False):
        reader.names(cue.line - 1, {"identifier": _label(cue)})
        span = _CLOCK.span(reader, cue)
        said = _said(reader, cue)
        if span is None:
            continue
        if span[2]:
            reader.notice("cue-settings", cue.line, "settings after the times are left out", Severity.NOTE)
        found += [(cue, span[0], span[1], speaker, words) for speaker, words in said]
    lines = [cue.line for cue, *_ in found]
    spoken = _spoken(reader, lines, [(speaker, words) for *_, speaker, words in found])
    segments = [
        Segment(session, speaker, start, end, words, segment_id=_label(cue))
        for (cue, start, end, *_), (speaker, words) in zip(found, spoken, strict=True)
    ]
    return reader.loaded(segments, lines)


def _label(cue: Cue) -> str | None:
    return (cue.label or "").strip() or None


def _spoken(reader: Reader, lines: Sequence[int], said: Sequence[tuple[str | None, str]]) -> Sequence[tuple[str | None, str]]:
    """Who says what: as the voice tags say, or else what stands before the texts."""
    texts = [words for _, words in said]
    note_rolling(reader, lines, texts)
    if not _VOICE.search(reader.text):
        return read_names(reader, lines, texts)
    for line, (speaker, text) in zip(lines, said, strict=True):
        reader.names(line, {"speaker": speaker})
        if speaker is None and named(text):
            what = "'name: ' before the text stays part of it; other cues mark a speaker as <v name>"
            reader.notice("possible-speaker", line, what)
    return said


def _body(reader: Reader) -> Iterator[tuple[int, str]]:
    """The numbered lines of the cues, without the header and without NOTE, STYLE and REGION blocks."""
    lines = list(enumerate(reader.lines(), 1))
    if not _FIRST.match(lines[0][1]):
        found = shown(lines[0][1]) if lines[0][1] else "nothing"
        reader.fault(1, "", found, "WEBVTT", "Put WEBVTT and an empty line before the cues.")
        yield from lines
        return
    in_header = True
    is_comment, begins = False, False
    for number, line in lines[1:]:
        in_header = in_header and line != "" and ARROW not in line
        is_comment = _COMMENT.fullmatch(line) is not None if begins else is_comment and line != ""
        begins = line == ""
        if not in_header and not is_comment:
            yield number, line
        elif ARROW in line:
            action = "Players take them for a cue: delete them, or put an empty line before them."
            reader.fault(number, "", "times in a comment", "a comment without times", action)
        else:
            reader.notice(
                "no-speech", number, "a line of the header or of a NOTE, STYLE or REGION block; left out", Severity.NOTE
            )


def _said(reader: Reader, cue: Cue) -> list[tuple[str | None, str]]:
    """Who says what in a cue."""
    text = "\n".join(cue.text)
    if not text.strip():
        reader.notice("empty-cue", cue.line, "no text after the times; kept as a turn without words")
    said = [(speaker, _plain(reader, cue, words)) for speaker, words in _voices(text)]
    if len(said) > 1:
        reader.notice("shared-cue", cue.line, "several voices in one cue; each gets its times, so that they overlap")
    return said


def _voices(text: str) -> list[tuple[str | None, str]]:
    parts = _VOICE.split(text)
    if len(parts) == 1:
        return [(None, text)]
    said: list[tuple[str | None, str]] = [(None, parts[0].strip("\n"))] if parts[0].strip() else []
    for close, name, words in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        speaker = _decoded(name or "").strip() if not close else ""
        if not close or words.strip():
            said.append((speaker or None, words.strip("\n")))
    return said or [(None, "")]


def _plain(reader: Reader, cue: Cue, text: str) -> str:
    text, count = _MARKUP.subn("", text)
    if count:
        reader.notice("markup", cue.line, "markup (<i>, <c>, times ...) is taken out of the text", Severity.NOTE)
    if "<" in text or ">" in text:
        reader.notice("angle-bracket", cue.line, "a < or > that is no markup of WebVTT is text", Severity.NOTE)
    return _decoded(text)


def _decoded(text: str) -> str:
    if "&" not in text:
        return text
    from html import unescape  # its table of names takes time to load

    return _ENTITY.sub(lambda match: unescape(match[0]), text)


def write(items: Sequence[Segment], path: Path) -> None:
    """Write one recording as cues, in the order given, each in the voice of its speaker.

    Args:
        items: Segments of one recording with times, which are rounded to milliseconds.
        path: Where to; the name has to say the session id.

    Raises:
        InputError: A text has an empty line, or a name or identifier blanks around it, or every text begins as with a name and
            there are no speakers.
    """
    writer = Writer(path)
    check_sessions(writer, items, path, _ENDING)
    if all(item.speaker is None for item in items):
        write_names(writer, [(None, item.words) for item in items])
    lines = ["WEBVTT", ""]
    for entry, item in enumerate(items, 1):
        _check(writer, entry, item)
        lines += [item.segment_id] if item.segment_id else []
        lines.append(_CLOCK.line(writer, entry, item.start_time, item.end_time))
        words = _escaped(item.words)
        text = words if item.speaker is None else f"<v {_escaped(item.speaker)}>{words}</v>"
        lines += [text, ""] if text else [""]
    writer.check()
    write_atomic(path, "".join(f"{line}\n" for line in lines))


def _check(writer: Writer, entry: int, item: Segment) -> None:
    for field, value in (("speaker", item.speaker), ("segment_id", item.segment_id)):
        writer.names(entry, {field: value})
        if value is not None and (not value or value != value.strip()):
            writer.fault(entry, field, shown(value), "a name without blanks around it, or None", "Rename it.")
    if item.segment_id and (ARROW in item.segment_id or _COMMENT.fullmatch(item.segment_id)):
        writer.fault(entry, "segment_id", shown(item.segment_id), f"an id without {ARROW} that begins no comment", "Rename it.")
    if "\r" in item.words or (item.words and "" in item.words.split("\n")):
        expected = "text without empty lines and carriage returns"
        writer.fault(entry, "words", shown(item.words), expected, "Change it; this format cannot hold it.")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _sniff(head: str, path: Path) -> bool:
    return _FIRST.match(head) is not None


FORMAT = Format(
    name="webvtt",
    title="WebVTT subtitles: cues with clock times and the voices of speakers",
    item=Segment,
    suffixes=(_ENDING,),
    sniff=_sniff,
    read=read,
    write=write,
    loses="Markup, settings and comments, fractions of a millisecond (times are rounded), role, language, channel, "
    "confidence and further forms.",
    ending=_ENDING,
)
