"""Deepgram: the JSON of its pre-recorded audio interface.

``results.utterances`` (with utterances=true) are passages with ``transcript``, ``start``, ``end``, ``channel``, ``speaker`` and
``words``; one in which several people speak is parted where the speaker changes. Without them the words of
``results.channels[].alternatives[0]`` make turns, of which each ends where another channel begins to speak. Words carry
``word`` as recognised and ``punctuated_word`` as formatted; the formatted one counts, as in ``transcript``. Speakers are
numbers from 0. Source: the documentation of the interface (listen, v1) and the models of the client deepgram-sdk 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.formats import Format, read_only
from parakh.formats._response import Response, Values
from parakh.formats._shape import shape
from parakh.formats._turns import Others, Turn, Word, others_of, timed, turns
from parakh.types import Loaded, Segment


def read(path: Path) -> Loaded[Segment]:
    """Read a response of Deepgram.

    Args:
        path: The file; its name says the session id (``_response``).

    Returns:
        One Segment a turn; findings ``no-words``, ``no-speaker``, ``zero-duration``.

    Raises:
        InputError: All its faults, or the error message that it is.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "v1.json"
    ...     words = '[{"word": "haan", "punctuated_word": "Haan,", "start": 0.5, "end": 0.9, "speaker": 1}]'
    ...     _ = path.write_text(f'{{"results": {{"channels": [{{"alternatives": [{{"words": {words}}}]}}]}}}}')
    ...     [(one.speaker, one.words, one.end_time) for one in read(path).items]
    [('1', 'Haan,', 0.9)]
    """
    response = Response(path, ("results",))
    results = response.table(response.body, "results")
    response.need(results, ("channels", "utterances"))
    channels = response.objects(results, "channels")
    utterances = response.objects(results, "utterances")
    languages = [response.language(channel, "detected_language") for channel in channels]
    for entry, utterance in enumerate(utterances, 1):
        channel = response.name(entry, utterance, "channel")
        language = dict(enumerate(languages)).get(_number(channel))
        for turn in _passage(response, entry, utterance, _words(response, entry, utterance)):
            response.add(entry, turn, language, channel, response.share(utterance, "confidence"))
    if not utterances:
        _add_channels(response, channels, languages)
    return response.result()


def _number(channel: str | None) -> int:
    return int(channel) if channel is not None and channel.isdecimal() and len(channel) < 4 else -1


def _add_channels(response: Response, channels: list[dict[str, object]], languages: list[str | None]) -> None:
    best = [(response.objects(one, "alternatives", number) or [{}])[0] for number, one in enumerate(channels, 1)]
    words = [_words(response, number, one) for number, one in enumerate(best, 1)]
    others = others_of(words)
    for number, values in enumerate(best):
        for turn in _passage(response, number + 1, values, words[number], others[number]):
            response.add(number + 1, turn, languages[number], str(number))


def _passage(response: Response, entry: int, values: Values, words: Sequence[Word], others: Others | None = None) -> list[Turn]:
    """The turns of an utterance, or of the whole transcript of a channel."""
    text = response.words(entry, values, "transcript")
    found = turns(words, text, others)
    if len(found) > 1:
        return found
    start, end = response.time(entry, values, "start"), response.time(entry, values, "end")
    speaker = response.name(entry, values, "speaker") or (found[0].speaker if found else None)
    if start is None and found:
        start, end = found[0].start, found[0].end
    text = found[0].words if found else text
    return [Turn(text, start, end, speaker)] if text.strip() else []


def _words(response: Response, entry: int, values: Values) -> list[Word]:
    found = [_word(response, number, one) for number, one in enumerate(response.objects(values, "words", entry), 1)]
    start, end = response.time(entry, values, "start"), response.time(entry, values, "end")
    return timed(found, start, end)


def _word(response: Response, number: int, values: Values) -> Word:
    text = response.words(number, values, "punctuated_word") or response.words(number, values, "word")
    start, end = response.time(number, values, "start"), response.time(number, values, "end")
    return Word(text, start, end, response.name(number, values, "speaker"))


def _sniff(head: str, path: Path) -> bool:
    return bool({"results.channels", "results.utterances"} & shape(head).keys)


FORMAT = Format(
    name="deepgram-json",
    title="Deepgram: its speech-to-text response",
    item=Segment,
    suffixes=(".json",),
    sniff=_sniff,
    read=read,
    write=read_only,
)
