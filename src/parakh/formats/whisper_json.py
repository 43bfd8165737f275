"""Whisper: the JSON of Whisper, faster-whisper, WhisperX, whisper.cpp and transformers.

One recording a file. ``segments``, each with ``start``, ``end``, ``text`` and maybe ``words`` and ``speaker``; ``language`` is
the whole recording's. A segment is one turn with its text as it stands, blanks included. In WhisperX words (``word``, ``start``,
``end``, ``speaker``) may lack times, as numbers do, or the speaker: times come from the neighbours or the segment, the speaker
from the segment. A segment in which several people speak is parted where the speaker changes. The session id is the file's name
(``_response``).

transformers calls segments ``chunks`` (with speakers told apart, as insanely-fast-whisper writes them, ``speakers``), each with
a ``timestamp`` of start and end; the end that is missing where the audio was cut in a word is taken to be the start. whisper.cpp
calls them ``transcription``, with ``offsets`` in milliseconds, and has the language in ``result``. Source: the writers of
openai-whisper 20240930, WhisperX 3, whose README owns up to words without times, whisper.cpp and transformers 4.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from parakh.files import write_atomic
from parakh.formats import Format
from parakh.formats._response import Response, Values, recording_of
from parakh.formats._shape import Shape, shape
from parakh.formats._text import Writer, shown
from parakh.formats._turns import Turn, Word, timed, turns
from parakh.types import Loaded, Segment, Severity

_SEGMENTS = ("segments", "speakers", "chunks", "transcription")
_MILLISECONDS = 1000


def read(path: Path) -> Loaded[Segment]:
    """Read a transcript of Whisper.

    Args:
        path: The file; its name says the session id.

    Returns:
        One Segment a segment, or several where the speaker changes within; without segments one of the whole text, without
        times. Findings ``times-from-neighbours``, ``speaker-from-segment``, ``no-words``, ``no-speaker``, ``zero-duration``.

    Raises:
        InputError: All its faults.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write([Segment("v1", "asha", 0.5, 2.0, words=" नमस्ते दीदी")], Path(folder) / "v1.json")
    ...     read(Path(folder) / "v1.json").items[0].words
    ' नमस्ते दीदी'
    """
    response = Response(path, (*_SEGMENTS, "text"))
    add_segments(response)
    return response.result()


def add_segments(response: Response) -> None:
    """Take the segments of a response into its transcript, or else its whole text."""
    language = response.language(response.body, "language")
    key = next((key for key in _SEGMENTS if response.body.get(key)), _SEGMENTS[0])
    segments = response.objects(response.body, key)
    if key == "transcription":
        language = response.language(response.table(response.body, "result"), "language")
    for entry, values in enumerate(segments, 1):
        own = response.language(values, "language") or language
        for turn in _turns(response, entry, values):
            response.add(entry, turn, own)
    text = response.words(1, response.body, "text")
    if not segments and text.strip():
        response.add(1, Turn(text, None, None, None), language)


def _turns(response: Response, entry: int, values: Values) -> list[Turn]:
    text = response.words(entry, values, "text")
    start, end = _span(response, entry, values)
    speaker = response.name(entry, values, "speaker")
    words = [_word(response, entry, one, speaker) for one in response.objects(values, "words", entry)]
    if len({word.speaker for word in words}) <= 1 and text and start is not None:
        return [Turn(text, start, end, words[0].speaker if words else speaker)]
    return turns(timed(words, start, end), text) or [Turn(text, start, end, speaker)]


def _span(response: Response, entry: int, values: Values) -> tuple[float | None, float | None]:
    """Start and end of a segment, whoever wrote it."""
    if values.get("offsets") is not None:
        offsets = response.table(values, "offsets")
        return response.time(entry, offsets, "from", _MILLISECONDS), response.time(entry, offsets, "to", _MILLISECONDS)
    stamp = values.get("timestamp")
    if stamp is None:
        return response.time(entry, values, "start"), response.time(entry, values, "end")
    if not isinstance(stamp, list) or len(stamp) != 2:
        response.fault(entry, "timestamp", shown(stamp), "a list of start and end")
        return None, None
    start, end = (response.time(entry, {"timestamp": one}, "timestamp") for one in stamp)
    return start, start if end is None else end


def _word(response: Response, entry: int, values: Values, speaker: str | None) -> Word:
    start, end = response.time(entry, values, "start"), response.time(entry, values, "end")
    if start is None or end is None:
        what = "a word has no time; the words beside it or the segment say when"
        response.notice("times-from-neighbours", entry, what, Severity.NOTE)
    own = response.name(entry, values, "speaker")
    if own is None and speaker is not None:
        response.notice("speaker-from-segment", entry, "a word has no speaker; its segment says who", Severity.NOTE)
    text = response.words(entry, values, "word") or response.words(entry, values, "text")
    return Word(text, start, end, own or speaker, "" if text[:1].isspace() else " ")


def write(items: Sequence[Segment], path: Path) -> None:
    """Write one recording's transcript as Whisper does, one segment a line.

    Args:
        items: Segments of one recording with times, in one language or without.
        path: Where to; the name has to say the session id.

    Raises:
        InputError: The items are of several recordings or not of the one the name says, or a time is missing.
    """
    writer = Writer(path)
    lines = []
    languages = {item.language for item in items}
    for entry, item in enumerate(items, 1):
        if recording_of(path.name) != item.session_id:
            expected = f"the recording {shown(recording_of(path.name))}, which the file is named after"
            writer.fault(entry, "session_id", shown(item.session_id), expected, "Write one file a recording, named after it.")
        writer.names(entry, {"session_id": item.session_id, "speaker": item.speaker, "language": item.language})
        writer.span(entry, item.start_time, item.end_time)
        values = {"id": entry - 1, "start": item.start_time, "end": item.end_time, "text": item.words, "speaker": item.speaker}
        own = {"language": item.language} if len(languages) > 1 else {}
        kept = {key: value for key, value in {**values, **own}.items() if value is not None}
        lines.append(json.dumps(kept, ensure_ascii=False))
    writer.check()
    text = json.dumps("".join(item.words if item.words[:1].isspace() else f" {item.words}" for item in items), ensure_ascii=False)
    language = json.dumps(languages.pop() if len(languages) == 1 else None)
    segments = ",".join(f"\n  {line}" for line in lines)
    write_atomic(path, f'{{"text": {text}, "segments": [{segments}\n], "language": {language}}}\n')


def _sniff(head: str, path: Path) -> bool:
    found = shape(head)
    if "task" in found.keys:
        return False  # of OpenAI
    is_silent = found.whole and found.keys == {"text", "segments", "language"}
    return _has_segments(found) or is_silent or (found.keys == {"text"} and not found.whole)


def _has_segments(found: Shape) -> bool:
    if any(found.has(f"{key}[].timestamp", f"{key}[].text") for key in ("chunks", "speakers")):
        return True
    if found.has("transcription[].offsets.from", "transcription[].text"):
        return True
    return found.has("segments[].start", "segments[].text") and "segments[].start" not in found.texts


FORMAT = Format(
    name="whisper-json",
    title="Whisper: the JSON of Whisper and WhisperX",
    item=Segment,
    suffixes=(".whisper.json", ".json"),
    sniff=_sniff,
    read=read,
    write=write,
    loses="The role, segment ids, channel, confidence and further forms.",
    ending=".json",
)
