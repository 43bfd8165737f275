"""ElevenLabs: the JSON of its speech-to-text interface (Scribe).

``words`` hold everything in order: words, the blanks between them (``type`` "spacing") and sounds ("audio_event", such as
"(laughter)"), each with ``text``, ``start``, ``end`` in seconds and ``speaker_id``. A turn's text is made of its words and
blanks as they stand; sounds are no words and are left out, which is told. With several channels there is one such object a
channel under ``transcripts``, and a turn ends where another channel begins to speak. Source: models
SpeechToTextChunkResponseModel and SpeechToTextWordResponseModel of the client elevenlabs-python.
"""

from __future__ import annotations

from pathlib import Path

from parakh.formats import Format, read_only
from parakh.formats._response import Response, Values
from parakh.formats._shape import shape
from parakh.formats._turns import Turn, Word, others_of, timed, turns
from parakh.types import Loaded, Segment, Severity


def read(path: Path) -> Loaded[Segment]:
    """Read a response of ElevenLabs.

    Args:
        path: The file; its name says the session id (``_response``).

    Returns:
        One Segment a turn; findings ``audio-events``, ``no-words``, ``no-speaker``, ``zero-duration``.

    Raises:
        InputError: All its faults, or the error message that it is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1.json"
    ...     _ = path.write_text('{"words": [{"text": "जी", "type": "word", "start": 1, "end": 1.5, "speaker_id": "speaker_0"}]}')
    ...     [(one.speaker, one.words) for one in read(path).items]
    [('speaker_0', 'जी')]
    """
    response = Response(path, ("transcripts", "words", "text"))
    channels = response.objects(response.body, "transcripts")
    parts = channels or [response.body]
    words = [_words(response, values) for values in parts]
    others = others_of(words)
    for number, values in enumerate(parts):
        language = response.language(values, "language_code")
        channel = response.name(1, values, "channel_index") if channels else None
        for turn in turns(words[number], "", others[number]) or _unparted(response, values):
            response.add(1, turn, language, channel)
    return response.result()


def _words(response: Response, values: Values) -> list[Word]:
    words: list[Word] = []
    blank = ""
    for number, one in enumerate(response.objects(values, "words"), 1):
        text = response.words(number, one, "text")
        kind = one.get("type")
        if kind == "spacing":
            blank = text
        elif kind == "audio_event":
            what = "a sound such as (laughter) is left out of the words"
            response.notice("audio-events", number, what, Severity.NOTE)
        else:
            start, end = response.time(number, one, "start"), response.time(number, one, "end")
            words.append(Word(text, start, end, response.name(number, one, "speaker_id"), blank))
            blank = ""
    return timed(words)


def _unparted(response: Response, values: Values) -> list[Turn]:
    """The whole text, where no words were asked for."""
    text = response.words(1, values, "text")
    return [Turn(text, None, None, None)] if text.strip() and not values.get("words") else []


def _sniff(head: str, path: Path) -> bool:
    found = shape(head)
    return found.has("language_code", "language_probability", "text") or bool(
        {"words[].type", "transcripts[].language_probability"} & found.keys
    )


FORMAT = Format(
    name="elevenlabs-json",
    title="ElevenLabs Scribe: its speech-to-text response",
    item=Segment,
    suffixes=(".json",),
    sniff=_sniff,
    read=read,
    write=read_only,
)
