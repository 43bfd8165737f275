"""Amazon Transcribe: the JSON of a batch job.

``results.audio_segments`` (newer output) are passages with ``transcript``, ``start_time``, ``end_time``, ``speaker_label`` or
``channel_label``. Without them ``results.items`` make turns: words with times (numbers as text) and signs without, each with
its best text first in ``alternatives``; the speaker stands in the item, in older output in ``speaker_labels`` under the same
times. The turns' texts are cut from ``results.transcripts``, which also says where a blank stands before a sign (as before a
danda). On several channels (``channel_labels``) a turn also ends where another channel begins to speak. Source: the developer
guide of Amazon Transcribe, pages on output of diarization and of channels.
"""

from __future__ import annotations

from pathlib import Path

from parakh.formats import Format, read_only
from parakh.formats._response import Response, Values
from parakh.formats._shape import shape
from parakh.formats._turns import Turn, Word, others_of, timed, turns
from parakh.types import Loaded, Segment

Times = tuple[object, object]


def read(path: Path) -> Loaded[Segment]:
    """Read the output of a job of Amazon Transcribe.

    Args:
        path: The file; its name says the session id (``_response``).

    Returns:
        One Segment a passage or turn; findings ``no-words``, ``no-speaker``, ``zero-duration``.

    Raises:
        InputError: All its faults, or the error message that it is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1.json"
    ...     item = '{"type": "pronunciation", "start_time": "0.5", "end_time": "0.9", "alternatives": [{"content": "जी"}]}'
    ...     _ = path.write_text(f'{{"results": {{"items": [{item}]}}}}')
    ...     [(one.words, one.start_time) for one in read(path).items]
    [('जी', 0.5)]
    """
    response = Response(path, ("results",))
    results = response.table(response.body, "results")
    response.need(results, ("transcripts", "items", "audio_segments"))
    language = response.language(results, "language_code")
    passages = response.objects(results, "audio_segments")
    if passages and (all("speaker_label" in one for one in passages) or not results.get("speaker_labels")):
        for entry, values in enumerate(passages, 1):
            turn = Turn(response.words(entry, values, "transcript"), *_place(response, entry, values))
            response.add(entry, turn, language, response.name(entry, values, "channel_label"))
        return response.result()
    for number, (channel, turn) in enumerate(_turns(response, results), 1):
        response.add(number, turn, language, channel)
    return response.result()


def _place(response: Response, entry: int, values: Values) -> tuple[float | None, float | None, str | None]:
    start, end = response.time(entry, values, "start_time"), response.time(entry, values, "end_time")
    return start, end, response.name(entry, values, "speaker_label")


def _turns(response: Response, results: Values) -> list[tuple[str | None, Turn]]:
    """The turns made of single words, each with its channel."""
    speakers = _speakers(response, results)
    texts = [response.words(1, one, "transcript") for one in response.objects(results, "transcripts")]
    channels = response.objects(response.table(results, "channel_labels"), "channels")
    if channels:
        words = [_words(response, channel, speakers) for channel in channels]
        parts = zip(channels, words, others_of(words), strict=True)
        return [
            (response.name(number, channel, "channel_label"), turn)
            for number, (channel, own, others) in enumerate(parts, 1)
            for turn in turns(own, "", others)
        ]
    found = turns(_words(response, results, speakers), texts[0] if texts else "")
    if not found and "".join(texts).strip():
        found = [Turn(texts[0], None, None, None)]
    return [(None, turn) for turn in found]


def _speakers(response: Response, results: Values) -> dict[Times, object]:
    """Who speaks, by the texts of the start and end of a word."""
    passages = response.objects(response.table(results, "speaker_labels"), "segments")
    items = [item for one in passages for item in response.objects(one, "items")]
    return {_times(item): item.get("speaker_label") for item in items}


def _times(item: Values) -> Times:
    return str(item.get("start_time")), str(item.get("end_time"))


def _words(response: Response, values: Values, speakers: dict[Times, object]) -> list[Word]:
    """Words, and signs as words that take no time and belong to the word before."""
    words: list[Word] = []
    for number, item in enumerate(response.objects(values, "items"), 1):
        best = (response.objects(item, "alternatives", number) or [{}])[0]
        text = response.words(number, best, "content")
        if item.get("type") == "punctuation" and words:
            last = words[-1]
            words.append(Word(text, last.end, last.end, last.speaker, ""))
        elif text:
            label = {"speaker_label": item.get("speaker_label") or speakers.get(_times(item))}
            start, end, speaker = _place(response, number, {**item, **label})
            words.append(Word(text, start, end, speaker))
    return timed(words)


def _sniff(head: str, path: Path) -> bool:
    keys = {"results.transcripts", "results.items", "results.speaker_labels", "results.audio_segments"}
    return bool(keys & shape(head).keys)


FORMAT = Format(
    name="aws-transcribe-json",
    title="Amazon Transcribe: the output of a job",
    item=Segment,
    suffixes=(".json",),
    sniff=_sniff,
    read=read,
    write=read_only,
)
