"""What a recogniser wrote that nobody said: loops are cut, text where nobody speaks is dropped, and both are told.

Nothing here changes a word in silence: each function returns what is left and what was done, with the time of it.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources

from parakh.audio.speech import Spans, covered
from parakh.cascade.windows import Word

COMPRESSION = 2.4
"""Whisper's own limit. True talk in Hindi, Kannada or English stays under 1.7, in stretches of 80 words."""

_LONGEST_UNIT = 12
"""Words of the longest unit that is looked for as repeated."""
_TIMES_ONE, _TIMES = 6, 4
"""Repetitions in a row that are a loop: of one word (people say yes five times), and of several."""
_SIGNS = re.compile(r"([^\d]{1,6}?)\1{9,}")
"""A few letters ten times in a row inside of a word; digits may stand so in a number."""

_NO_SPEECH, _IMPROBABLE = 0.6, -1.0
"""Whisper's own limits: a text is none when the one says silence and its tokens have a mean log probability below the other."""
LEAST_SPEECH_S = 0.1
"""Seconds of speech in a window, below which nobody speaks."""
_SILENT = 0.5
"""Share of speech in the time of some words, below which a phrase of subtitles there is none that was said."""
_PAUSE_S = 0.5
"""A pause that parts runs of words."""
_EDGES = ".,;:!?…।॥-–—\"'“”‘’()[]♪ "


@dataclass(frozen=True, slots=True)
class Act:
    """Something that was done to a text.

    Args:
        code: ``loop``, ``repetitive-text`` or ``no-speech``.
        message: What was found, and what was done.
        time: Where it begins, in seconds.
    """

    code: str
    message: str
    time: float


def compression_ratio(text: str) -> float:
    """How many times smaller a text becomes when it is compressed, a byte a letter.

    In UTF-8 a letter of an Indian script is three bytes, of which two are alike: sound Hindi has a ratio of 2.5 there.

    >>> compression_ratio("ठीक है " * 20) > COMPRESSION > compression_ratio("बुखार कब से है और दवा कौन सी ली थी")
    True
    """
    data = bytes(ord(sign) & 255 for sign in text)
    return len(data) / len(zlib.compress(data)) if data else 0.0


def is_looping(words: Sequence[str]) -> bool:
    """Whether a text repeats itself as no speaker does.

    >>> is_looping("हाँ हाँ हाँ".split()), is_looping(["हाँ"] * 6), is_looping("दवा ले लो".split() * 4), is_looping(["आ" * 30])
    (False, True, True, True)
    """
    bare = [_bare(word) for word in words]
    inside = any(_SIGNS.search(word) for word in words)
    return inside or next(_loops(bare), None) is not None or compression_ratio(" ".join(words)) > COMPRESSION


def without_loops(words: Sequence[Word]) -> tuple[list[Word], list[Act]]:
    """The words with one repetition of each loop.

    >>> kept, acts = without_loops([Word("ठीक", i, i + 1.0) for i in range(9)])
    >>> kept, acts[0].message
    ([Word(text='ठीक', start=0, end=1.0)], "'ठीक' 9 times in a row, 1 kept")
    """
    kept: list[Word] = []
    acts: list[Act] = []
    start = 0
    for first, unit, times in _loops([_bare(word.text) for word in words]):
        kept += words[start : first + unit]
        text = " ".join(word.text for word in words[first : first + unit])
        acts.append(Act("loop", f"{text!r} {times} times in a row, 1 kept", words[first].start))
        start = first + unit * times
    kept += words[start:]
    return [_shortened(word, acts) for word in kept], acts


def is_silence(no_speech: float, score: float) -> bool:
    """Whether a model that writes a text itself takes the window for silence, by Whisper's rule.

    Args:
        no_speech: Its probability that nobody speaks.
        score: Mean log probability of a token.

    >>> is_silence(0.9, -1.5), is_silence(0.9, -0.2)
    (True, False)
    """
    return no_speech > _NO_SPEECH and score < _IMPROBABLE


def without_silence(
    words: Sequence[Word], speech: Spans, spoken_s: float, no_speech: float = 0.0, score: float = 0.0
) -> tuple[list[Word], list[Act]]:
    """The words of a window that somebody can have said.

    All go where the window holds no speech, and where the model itself doubts them (Whisper's rule). A phrase of subtitles goes
    where its time is mostly silent, and one that no visit holds also where the run of words between two pauses is little else.

    Args:
        words: In time order, in seconds of the recording.
        speech: Where a detector hears speech, likewise.
        spoken_s: Seconds of speech in the window.
        no_speech: The model's probability that nobody speaks, where it tells one.
        score: Mean log probability of a token, likewise.

    Returns:
        What is left, and what was done.
    """
    if not words:
        return [], []
    if spoken_s < LEAST_SPEECH_S:
        return [], [_dropped(words, "where the speech detector hears nobody")]
    if is_silence(no_speech, score):
        return [], [_dropped(words, f"which the model itself takes for silence ({no_speech:.2f}) and holds improbable")]
    kept: list[Word] = []
    acts: list[Act] = []
    for run in _runs(words):
        if reason := _subtitle(run, speech):
            acts.append(_dropped(run, reason))
        else:
            kept += run
    return kept, acts


def _dropped(words: Sequence[Word], reason: str) -> Act:
    text = " ".join(word.text for word in words)
    return Act("no-speech", f"{text!r} dropped, {reason}", words[0].start)


def _subtitle(run: Sequence[Word], speech: Spans) -> str:
    """Why a run of words is taken for a phrase of subtitles that nobody said; "" when it is not."""
    bare = [_bare(word.text) for word in run]
    start, end = run[0].start, run[-1].end
    silent = covered(speech, start, end) < _SILENT * (end - start)
    found = max((phrase for phrase in phrases("strong") if _holds(bare, phrase)), key=len, default=())
    if found and (silent or 2 * len(found) >= len(bare)):
        return "a phrase of subtitles"
    if silent and tuple(bare) in phrases("weak"):
        return "a phrase of subtitles where the speech detector hears next to nothing"
    return ""


@cache
def phrases(kind: str) -> frozenset[tuple[str, ...]]:
    """Phrases of subtitles, as bare words.

    Args:
        kind: ``strong`` (not said in a visit) or ``weak`` (may well be said).

    >>> ("thanks", "for", "watching") in phrases("strong")
    True
    """
    lines = resources.files(__package__).joinpath("hallucinations.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return frozenset(tuple(_bare(word) for word in phrase.split()) for found, phrase in rows if found == kind)


def _holds(words: Sequence[str], phrase: Sequence[str]) -> bool:
    size = len(phrase)
    return any(tuple(words[i : i + size]) == tuple(phrase) for i in range(len(words) - size + 1))


def _bare(word: str) -> str:
    """A word for comparison: without case, punctuation at its edges and joiners."""
    return word.casefold().strip(_EDGES).replace("\u200c", "").replace("\u200d", "")


def _runs(words: Sequence[Word]) -> Iterator[list[Word]]:
    """Words between pauses."""
    run: list[Word] = []
    for word in words:
        if run and word.start - run[-1].end >= _PAUSE_S:
            yield run
            run = []
        run.append(word)
    if run:
        yield run


def _loops(words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
    """(first word, words of the unit, repetitions) of each loop, from left to right, the shortest unit at each place."""
    i = 0
    while i < len(words):
        for unit in range(1, min(_LONGEST_UNIT, (len(words) - i) // _TIMES) + 1):
            times = _repetitions(words, i, unit)
            if times >= (_TIMES_ONE if unit == 1 else _TIMES):
                yield i, unit, times
                i += unit * times
                break
        else:
            i += 1


def _repetitions(words: Sequence[str], first: int, unit: int) -> int:
    """How many times the words of a unit stand in a row; a unit of nothing but punctuation counts once."""
    pattern = words[first : first + unit]
    if not any(pattern):
        return 1
    times = 1
    while words[first + times * unit : first + (times + 1) * unit] == pattern:
        times += 1
    return times


def _shortened(word: Word, acts: list[Act]) -> Word:
    """A word without loops of letters inside."""
    text = _SIGNS.sub(r"\1", word.text)
    if text != word.text:
        acts.append(Act("loop", f"{text!r} written for a word of {len(word.text)} letters that repeat", word.start))
    return replace(word, text=text)
