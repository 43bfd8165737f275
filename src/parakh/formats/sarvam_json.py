"""Sarvam AI: the JSON of its speech-to-text and batch interfaces (Saarika, Saaras).

With diarization ``diarized_transcript.entries``, one entry a turn: ``transcript``, ``start_time_seconds``,
``end_time_seconds``, ``speaker_id``. Without it ``timestamps``: lists side by side of chunks (``words``, in older responses
``chunks``) and of their times. With neither, ``transcript`` alone: one text without times. ``language_code`` is the whole
recording's. Source: models DiarizedEntry, TimestampsModel and SpeechToTextResponse of the client sarvamai 0.1.39.
"""

from __future__ import annotations

from pathlib import Path

from parakh.formats import Format, read_only
from parakh.formats._response import Response
from parakh.formats._shape import shape
from parakh.formats._text import shown
from parakh.formats._turns import Turn
from parakh.types import Loaded, Segment

_WANTED = ("diarized_transcript", "timestamps", "transcript")


def read(path: Path) -> Loaded[Segment]:
    """Read a response of Sarvam AI.

    Args:
        path: The file; its name says the session id (``_response``).

    Returns:
        One Segment an entry or chunk, else one without times; findings ``no-words``, ``no-speaker``, ``zero-duration``.

    Raises:
        InputError: All its faults, or the error message that it is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1.wav.json"
    ...     _ = path.write_text('{"request_id": "r", "transcript": "नमस्ते", "language_code": "hi-IN"}')
    ...     [(one.session_id, one.words, one.language) for one in read(path).items]
    [('v1', 'नमस्ते', 'hi')]
    """
    response = Response(path, _WANTED)
    language = response.language(response.body, "language_code")
    for entry, turn in enumerate(_turns(response), 1):
        response.add(entry, turn, language)
    return response.result()


def _turns(response: Response) -> list[Turn]:
    entries = response.objects(response.table(response.body, "diarized_transcript"), "entries")
    if entries:
        return [_entry(response, number, values) for number, values in enumerate(entries, 1)]
    chunks = _chunks(response)
    if chunks:
        return chunks
    text = response.words(1, response.body, "transcript")
    return [Turn(text, None, None, None)] if text.strip() else []


def _entry(response: Response, number: int, values: dict[str, object]) -> Turn:
    start, end = (response.time(number, values, key) for key in ("start_time_seconds", "end_time_seconds"))
    return Turn(response.words(number, values, "transcript"), start, end, response.name(number, values, "speaker_id"))


def _chunks(response: Response) -> list[Turn]:
    table = response.table(response.body, "timestamps")
    texts = table.get("words") or table.get("chunks") or []
    starts, ends = table.get("start_time_seconds") or [], table.get("end_time_seconds") or []
    lists = [one for one in (texts, starts, ends) if isinstance(one, list)]
    if len(lists) != 3 or len({len(one) for one in lists}) > 1:
        response.fault(None, "timestamps", shown(table), "as many texts as start and end times")
        return []
    rows = [dict(zip(("words", "start", "end"), row, strict=True)) for row in zip(*lists, strict=True)]
    return [
        Turn(response.words(at, row, "words"), response.time(at, row, "start"), response.time(at, row, "end"), None)
        for at, row in enumerate(rows, 1)
    ]


def _sniff(head: str, path: Path) -> bool:
    found = shape(head)
    return "diarized_transcript" in found.keys or (
        "transcript" in found.texts and bool({"request_id", "timestamps", "language_code"} & found.keys)
    )


FORMAT = Format(
    name="sarvam-json",
    title="Sarvam AI: its speech-to-text response",
    item=Segment,
    suffixes=(".json",),
    sniff=_sniff,
    read=read,
    write=read_only,
)
