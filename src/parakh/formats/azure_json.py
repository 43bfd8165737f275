"""Azure AI Speech: the JSON of batch transcription and of fast transcription.

Batch: ``recognizedPhrases``, each with ``channel``, ``speaker``, ``nBest`` (the best first: ``display`` as formatted,
``lexical`` as spoken) and its time as ``offsetInTicks`` and ``durationInTicks`` (100 ns), ``offsetMilliseconds`` and
``durationMilliseconds``, or ISO 8601 ``offset`` and ``duration``. Fast: ``phrases`` with ``text``, ``offsetMilliseconds``,
``durationMilliseconds``, ``speaker``, ``channel``. ``locale`` is a phrase's language. A batch file is called
``contenturl_0.json`` or after the job; only its ``source``, the address of the audio, then says the recording. Source: the
documentation of the speech-to-text interfaces 3.1 and 2024-11-15.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from parakh.formats import Format, read_only
from parakh.formats._clock import end_of, iso_duration
from parakh.formats._response import Response, Values, recording_of
from parakh.formats._shape import shape
from parakh.formats._text import is_file_name, shown
from parakh.formats._turns import Turn
from parakh.types import Loaded, Segment, Severity

_WANTED = ("recognizedPhrases", "phrases", "combinedRecognizedPhrases", "combinedPhrases")
_NAMELESS = re.compile(r"contenturl_\d+|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(_\d+)*", re.IGNORECASE)
_UNITS = (("InTicks", 10_000_000), ("Milliseconds", 1000))


def read(path: Path) -> Loaded[Segment]:
    """Read a transcript of Azure AI Speech.

    Args:
        path: The file; its name says the session id (``_response``), or ``source`` where the name is one that Azure gave.

    Returns:
        One Segment a phrase; findings ``not-recognised``, ``no-words``, ``no-speaker``, ``zero-duration``.

    Raises:
        InputError: All its faults, or the error message that it is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1.json"
    ...     phrase = '{"speaker": 1, "offsetMilliseconds": 500, "durationMilliseconds": 700, "text": "जी।"}'
    ...     _ = path.write_text(f'{{"phrases": [{phrase}]}}')
    ...     [(one.speaker, one.end_time, one.words) for one in read(path).items]
    [('1', 1.2, 'जी।')]
    """
    response = Response(path, _WANTED)
    response.session_id = _session(response)
    phrases = response.objects(response.body, "recognizedPhrases") or response.objects(response.body, "phrases")
    for entry, phrase in enumerate(phrases, 1):
        _add(response, entry, phrase)
    if not phrases:
        combined = response.objects(response.body, "combinedRecognizedPhrases") or response.objects(
            response.body, "combinedPhrases"
        )
        for entry, values in enumerate(combined, 1):
            text = response.words(entry, values, "display") or response.words(entry, values, "text")
            if text.strip():
                response.add(entry, Turn(text, None, None, None), None, response.name(entry, values, "channel"))
    return response.result()


def _session(response: Response) -> str:
    source = response.body.get("source")
    if not isinstance(source, str) or not _NAMELESS.fullmatch(response.session_id):
        return response.session_id
    name = recording_of(unquote(urlsplit(source).path).rpartition("/")[2])
    return name if is_file_name(name) else response.session_id


def _add(response: Response, entry: int, phrase: Values) -> None:
    if phrase.get("recognitionStatus", "Success") != "Success":
        response.notice("not-recognised", entry, "a phrase that was not recognised is left out", Severity.NOTE)
        return
    best = (response.objects(phrase, "nBest", entry) or [dict(phrase)])[0]
    text = next((text for key in ("display", "text", "lexical") if (text := response.words(entry, best, key))), "")
    start, length = _time(response, entry, phrase, "offset"), _time(response, entry, phrase, "duration")
    end = None if start is None or length is None else end_of(start, length)
    turn = Turn(text, start, end, response.name(entry, phrase, "speaker"))
    channel = response.name(entry, phrase, "channel")
    response.add(entry, turn, response.language(phrase, "locale"), channel, response.share(best, "confidence"))


def _time(response: Response, entry: int, phrase: Values, name: str) -> float | None:
    for unit, per_second in _UNITS:
        if phrase.get(name + unit) is not None:
            return response.time(entry, phrase, name + unit, per_second)
    value = phrase.get(name)
    if isinstance(value, int | float):  # of early versions of fast transcription
        return response.time(entry, phrase, name, 1000)
    seconds = iso_duration(value) if isinstance(value, str) else None
    if seconds is None:
        response.fault(entry, name, shown(value), "a time, as in PT1.5S")
    return seconds


def _sniff(head: str, path: Path) -> bool:
    found = shape(head)
    keys = {"recognizedPhrases", "combinedRecognizedPhrases", "combinedPhrases", "phrases[].offsetMilliseconds"}
    return bool(keys & found.keys)


FORMAT = Format(
    name="azure-json",
    title="Azure AI Speech: its batch or fast transcription",
    item=Segment,
    suffixes=(".json",),
    sniff=_sniff,
    read=read,
    write=read_only,
)
