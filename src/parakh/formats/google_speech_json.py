"""Google Cloud Speech-to-Text: the JSON of versions 1 and 2, also of operations and batches.

``results[]``, each with ``alternatives`` (the best first: ``transcript``, ``words``), ``channelTag``, ``languageCode`` and an
end. Words have ``startTime`` and ``endTime`` (version 2: ``startOffset``, ``endOffset``; a start of zero is left out) as
"1.200s", and with diarization ``speakerTag`` or ``speakerLabel``. Version 1 then repeats all words so far in later results:
only the last one counts where it starts over, and the turns' texts are cut from the transcripts of all. Without diarization
each result is a passage; one without words begins where the one before ends. Where nothing was heard ``results`` may be left
out. A batch of version 2 names the audio of each
result, which says the session id. Client libraries also write ``start_time``, and times as ``seconds`` and ``nanos``. Source:
the reference of the interfaces v1 and v2, messages SpeechRecognitionResult, WordInfo and BatchRecognizeResults.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from parakh.formats import Format, read_only
from parakh.formats._response import Response, Values, error_in, quoted, recording_of
from parakh.formats._shape import Shape, shape
from parakh.formats._text import MOST_SECONDS, number, shown
from parakh.formats._turns import Turn, Word, timed, turns
from parakh.types import Loaded, Segment, Severity

_STARTS = ("startTime", "startOffset", "start_time", "start_offset")
_ENDS = ("endTime", "endOffset", "end_time", "end_offset")
_LAST = ("resultEndTime", "resultEndOffset", "result_end_time", "result_end_offset")
_SPEAKERS = ("speakerLabel", "speakerTag", "speaker_label", "speaker_tag")
_CHANNELS = ("channelTag", "channel_tag")
_BESIDE = ("results", "metadata", "totalBilledTime", "requestId", "total_billed_time", "request_id")
"""What stands in a response beside its results, and alone where nothing was heard."""


def read(path: Path) -> Loaded[Segment]:
    """Read a response of Google Cloud Speech-to-Text.

    Args:
        path: The file; its name says the session id (``_response``), but for a batch.

    Returns:
        One Segment a turn, or a result where nobody is told apart; findings ``times-from-neighbours``, ``no-words``,
        ``no-speaker``, ``zero-duration``.

    Raises:
        InputError: All its faults, or the error message that it is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1.json"
    ...     word = '{"word": "haan", "startTime": "1.200s", "endTime": "1.500s", "speakerTag": 2}'
    ...     _ = path.write_text(f'{{"results": [{{"alternatives": [{{"transcript": "haan", "words": [{word}]}}]}}]}}')
    ...     [(one.speaker, one.start_time) for one in read(path).items]
    [('2', 1.2)]
    """
    response = Response(path, ("results", "response"), _BESIDE)
    body = response.table(response.body, "response") or response.body
    files = body.get("results")
    if isinstance(files, dict):
        for address, values in files.items():
            _add_file(response, address, values)
    else:
        _add(response, response.objects(body, "results"))
    return response.result()


def _add_file(response: Response, address: str, values: object) -> None:
    """One file of a batch."""
    table = values if isinstance(values, dict) else {}
    if not {"inlineResult", "transcript", "error"} & table.keys():
        expected = "the result of one file, with its transcript in it (inlineResult)"
        response.fault(None, address, shown(values), expected)
    error = error_in(table)
    if error is not None:
        response.fault(None, address, f"the error message {quoted(error)}", "a transcript", "Ask the service again.")
    name = address.rstrip("/").rpartition("/")[2]
    response.session_id = recording_of(name)
    response.names(None, {"address": name})
    inner = response.table(response.table(table, "inlineResult"), "transcript") or response.table(table, "transcript")
    _add(response, response.objects(inner, "results"))


def _add(response: Response, results: Sequence[Values]) -> None:
    """The transcript of one recording, channel by channel."""
    rows = [(_first(response, entry, one, _CHANNELS), entry, one) for entry, one in enumerate(results, 1)]
    for channel, own in groupby(sorted(rows, key=lambda row: row[0] or ""), key=lambda row: row[0]):
        passages = [_Passage(response, entry, values) for _, entry, values in own]
        told = any(word.speaker for passage in passages for word in passage.words)
        language = next((one.language for one in passages if one.language), None)
        for turn in _spoken(response, passages) if told else _unspoken(response, passages):
            response.add(passages[0].entry, turn, language, channel)


class _Passage:
    """One result: its best transcript with its words, and where it ends."""

    def __init__(self, response: Response, entry: int, values: Values) -> None:
        best: Values = (response.objects(values, "alternatives", entry) or [{}])[0]
        self.entry = entry
        self.text = response.words(entry, best, "transcript")
        self.words = timed([_word(response, at, one) for at, one in enumerate(response.objects(best, "words", entry), 1)])
        self.end = _time(response, entry, values, _LAST)
        self.language = response.language(values, "languageCode") or response.language(values, "language_code")

    @property
    def start(self) -> float | None:
        """When its first word begins; None where words have no times."""
        return self.words[0].start if self.words else None


def _spoken(response: Response, passages: Sequence[_Passage]) -> list[Turn]:
    """Turns of passages whose words say who speaks, and of those among them that have no words."""
    last, before = passages[-1], [one for one in passages[:-1] if one.words]
    starts = [one.start for one in before if one.start is not None]
    if last.words and (not before or (last.start is not None and last.start <= min(starts, default=last.start))):
        texts = [one.text for one in passages if one is not last or len(passages) == 1]
        return turns(last.words, _joined(texts))
    found: list[Turn] = []
    for has_words, run in groupby((one for one in passages if one.words or one.text.strip()), key=lambda one: bool(one.words)):
        own = list(run)
        if has_words:
            found += turns([word for one in own for word in one.words], _joined([one.text for one in own]))
        else:
            found += _unspoken(response, own, found[-1].end if found else 0.0)
    return found


def _joined(texts: Sequence[str]) -> str:
    return " ".join(text.strip() for text in texts if text.strip())


def _unspoken(response: Response, passages: Sequence[_Passage], before: float | None = 0.0) -> list[Turn]:
    """One turn a passage, by nobody; ``before`` is where the one before the first ends."""
    found = []
    for one in passages:
        start, end = one.start, max((word.end for word in one.words if word.end is not None), default=one.end)
        if start is None and end is not None and before is not None:
            start = min(before, end)
            response.notice("times-from-neighbours", one.entry, "a result without words begins where another ends", Severity.NOTE)
        before = end
        if one.text.strip():
            found.append(Turn(one.text, start, end if start is not None else None, None))
    return found


def _word(response: Response, entry: int, values: Values) -> Word:
    start, end = _time(response, entry, values, _STARTS), _time(response, entry, values, _ENDS)
    speaker = _first(response, entry, values, _SPEAKERS)
    start = 0.0 if start is None and end is not None else start
    return Word(response.words(entry, values, "word"), start, end, None if speaker == "0" else speaker)


def _first(response: Response, entry: int, values: Values, keys: Sequence[str]) -> str | None:
    return next((found for key in keys if (found := response.name(entry, values, key)) is not None), None)


def _time(response: Response, entry: int, values: Values, keys: Sequence[str]) -> float | None:
    key = next((key for key in keys if values.get(key) is not None), None)
    if key is None:
        return None
    value = values[key]
    if isinstance(value, dict):
        seconds, nanos = (number(str(value.get(part, 0))) for part in ("seconds", "nanos"))
        found = None if seconds is None or nanos is None else round(seconds + nanos / 1e9, 9)
    else:
        found = number(value.removesuffix("s")) if isinstance(value, str) else number(str(value))
    if found is None or not 0 <= found <= MOST_SECONDS:
        response.fault(entry, key, shown(value), "seconds, as in 1.200s")
        return None
    return found


def _is_silence(found: Shape) -> bool:
    has_results = any(key.startswith(("results.", "results[]")) for key in found.keys)
    if has_results or not found.whole or {key.split(".")[0] for key in found.keys} - {*_BESIDE}:
        return False
    return bool({"results", "totalBilledTime", "metadata.totalBilledDuration"} & found.keys)


def _sniff(head: str, path: Path) -> bool:
    found = shape(head)
    return (
        _is_silence(found)
        or found.has("results[].alternatives")
        or any(key.startswith(("response.results", "results.gs://")) or key.endswith(".inlineResult") for key in found.keys)
    )


FORMAT = Format(
    name="google-speech-json",
    title="Google Cloud Speech-to-Text: its response",
    item=Segment,
    suffixes=(".json",),
    sniff=_sniff,
    read=read,
    write=read_only,
)
