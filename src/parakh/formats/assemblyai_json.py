"""AssemblyAI: the JSON of a transcript (interface v2).

``utterances`` (with speaker_labels or multichannel) are turns: ``text``, ``start`` and ``end`` in milliseconds, ``speaker`` ("A",
"B" ...), ``channel``, ``confidence``. Without them the whole ``text`` is one turn, from its first word of ``words`` to its last.
``status`` says whether the transcript is there. Source: models TranscriptResponse, Utterance and Word of the client
assemblyai-python-sdk.
"""

from __future__ import annotations

from pathlib import Path

from parakh.formats import Format, read_only
from parakh.formats._response import Response, Values
from parakh.formats._shape import shape
from parakh.formats._text import shown
from parakh.formats._turns import Turn, Word, timed, turns
from parakh.types import Loaded, Segment

_MS = 1000
_WANTED = ("utterances", "words", "text")


def read(path: Path) -> Loaded[Segment]:
    """Read a transcript of AssemblyAI.

    Args:
        path: The file; its name says the session id (``_response``).

    Returns:
        One Segment an utterance, else one of the whole text; findings ``no-words``, ``no-speaker``, ``zero-duration``.

    Raises:
        InputError: All its faults, the error message that it is, or the transcript is not finished.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1.json"
    ...     _ = path.write_text('{"utterances": [{"speaker": "A", "start": 250, "end": 900, "text": "हाँ जी।", "words": []}]}')
    ...     [(one.speaker, one.start_time, one.words) for one in read(path).items]
    [('A', 0.25, 'हाँ जी।')]
    """
    response = Response(path, (*_WANTED, "status"))
    status = response.body.get("status") or "completed"
    if status == "error":
        response.need({}, _WANTED)
    if status != "completed":
        response.fail(None, "status", shown(status), "completed", "Ask for the transcript again once it is finished.")
    language = response.language(response.body, "language_code")
    for entry, values in enumerate(response.objects(response.body, "utterances"), 1):
        response.add(
            entry,
            Turn(*_word(response, entry, values)[:4]),
            language,
            response.name(entry, values, "channel"),
            response.share(values, "confidence"),
        )
    if not response.body.get("utterances"):
        words = [_word(response, number, one) for number, one in enumerate(response.objects(response.body, "words"), 1)]
        text = response.words(1, response.body, "text")
        for turn in turns(timed(words), text) or ([Turn(text, None, None, None)] if text.strip() else []):
            response.add(1, turn, language)
    return response.result()


def _word(response: Response, number: int, values: Values) -> Word:
    start, end = response.time(number, values, "start", _MS), response.time(number, values, "end", _MS)
    return Word(response.words(number, values, "text"), start, end, response.name(number, values, "speaker"))


def _sniff(head: str, path: Path) -> bool:
    found = shape(head)
    return found.has("audio_url", "status") or (
        found.has("utterances[].text", "utterances[].start", "utterances[].speaker") and "results" not in found.keys
    )


FORMAT = Format(
    name="assemblyai-json",
    title="AssemblyAI: its transcript",
    item=Segment,
    suffixes=(".json",),
    sniff=_sniff,
    read=read,
    write=read_only,
)
