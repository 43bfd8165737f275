"""OpenAI: the JSON of its audio transcription interface.

verbose_json has ``segments`` in the shape of Whisper, or only ``words`` where no segments were asked for; diarized_json has
``segments`` with ``speaker``; json has the ``text`` alone, which becomes one text without times. ``language`` is an English name.
What a chat model answers is another format (llm-answer). Source: models TranscriptionVerbose, TranscriptionDiarized and
Transcription of the client openai-python 2.
"""

from __future__ import annotations

from pathlib import Path

from parakh.formats import Format, read_only
from parakh.formats._response import Response, Values
from parakh.formats._shape import shape
from parakh.formats._turns import Word, timed, turns
from parakh.formats.whisper_json import add_segments
from parakh.types import Loaded, Segment


def read(path: Path) -> Loaded[Segment]:
    """Read a transcription of OpenAI.

    Args:
        path: The file; its name says the session id (``_response``).

    Returns:
        One Segment a segment, else one of all words, else one without times; findings as of Whisper.

    Raises:
        InputError: All its faults, or the error message that it is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1.json"
    ...     segment = '{"start": 0.5, "end": 1.5, "speaker": "A", "text": " Haan."}'
    ...     _ = path.write_text(f'{{"task": "transcribe", "duration": 2, "text": " Haan.", "segments": [{segment}]}}')
    ...     [(one.speaker, one.words) for one in read(path).items]
    [('A', ' Haan.')]
    """
    response = Response(path, ("segments", "words", "text"))
    words = [] if response.body.get("segments") else response.objects(response.body, "words")
    if not words:
        add_segments(response)
    text = response.words(1, response.body, "text")
    for turn in turns(timed([_word(response, entry, values) for entry, values in enumerate(words, 1)]), text):
        response.add(1, turn, response.language(response.body, "language"))
    return response.result()


def _word(response: Response, entry: int, values: Values) -> Word:
    start, end = response.time(entry, values, "start"), response.time(entry, values, "end")
    return Word(response.words(entry, values, "word"), start, end)


def _sniff(head: str, path: Path) -> bool:
    found = shape(head)
    if "task" in found.keys:
        return "text" in found.texts or found.has("duration")
    others = {key for key in found.keys if "." not in key} - {"text", "usage", "logprobs", "languages"}
    return "text" in found.texts and not others and found.whole


FORMAT = Format(
    name="openai-json",
    title="OpenAI: its audio transcription",
    item=Segment,
    suffixes=(".json",),
    sniff=_sniff,
    read=read,
    write=read_only,
)
