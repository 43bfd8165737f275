"""From windows of a recording to words of its turns: what every recogniser on this machine shares.

Turns are packed into windows cut at pauses. Speech of several people at once is heard once, in one window; each word goes to the
turn that it overlaps most, and of two that claim it alike to the one that spoke before (``windows.assign``). Several windows are
recognised together. A text that loops is recognised again with stricter settings, and what is still wrong is cut and told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from parakh.audio import speech
from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.cascade import noticing
from parakh.cascade.guards import LEAST_SPEECH_S, Act, is_looping, without_loops, without_silence
from parakh.cascade.windows import Window, Word, apart, pack, spoken
from parakh.types import Segment, Severity

Samples = NDArray[np.float32]

DETECTOR = speech.MODEL
"""The model that the guards need from the store."""

_BLOCK = 20 * SAMPLE_RATE
"""Samples that the speech detector takes at once."""


@dataclass(frozen=True)
class Hypothesis:
    """What a recogniser says of a window.

    Args:
        words: In time order, in seconds of the window.
        no_speech: Probability that nobody speaks; 0.0 where the model tells none.
        score: Mean log probability of a token; 0.0 where the model tells none.
        trouble: Why there are no words though there may be speech; "" where nothing went wrong.
    """

    words: tuple[Word, ...]
    no_speech: float = 0.0
    score: float = 0.0
    trouble: str = ""


class Recogniser(Protocol):
    """A model that hears windows."""

    def recognise(self, windows: Sequence[Samples], language: str, *, strict: bool = False) -> list[Hypothesis]:
        """What each window says, whatever stands beside it in the batch.

        Args:
            windows: 16 kHz samples, shape (n,) each.
            language: BCP-47 primary tag.
            strict: Hear again what came out as a loop.
        """
        ...


@dataclass(frozen=True)
class Hearing:
    """How a recording is heard.

    Args:
        longest: Seconds of the longest window.
        batch: Windows recognised together.
        guarded: Whether loops and text of silence are looked for.
        strict: Whether the recogniser has stricter settings to hear a loop again with.
    """

    longest: float
    batch: int
    guarded: bool = True
    strict: bool = True


def transcribed(audio: Audio, segments: Sequence[Segment], language: str, recogniser: Recogniser, how: Hearing) -> list[Segment]:
    """The turns with words, their times and the language.

    Args:
        audio: The recording.
        segments: Its turns.
        language: BCP-47 primary tag of what is spoken.
        recogniser: What hears.
        how: Sizes and guards.
    """
    windows = pack(audio, segments, how.longest)
    words = [word for found in _words(audio, windows, language, recogniser, how) for word in found]
    return spoken(words, segments, language)


def transcribed_apart(
    audio: Audio, segments: Sequence[Segment], language: str, recogniser: Recogniser, how: Hearing
) -> list[Segment]:
    """The turns with words but without their times, each turn heard by itself: for recognisers that tell no times.

    Args:
        audio: The recording.
        segments: Its turns.
        language: BCP-47 primary tag of what is spoken.
        recogniser: What hears; the times of its words are spread evenly, and only the guards see them.
        how: Sizes and guards.
    """
    parts = apart(audio, segments, how.longest)
    texts: list[list[str]] = [[] for _ in segments]
    found = _words(audio, [window for _, window in parts], language, recogniser, how)
    for (turn, _), words in zip(parts, found, strict=True):
        texts[turn] += [word.text for word in words]
    return [replace(s, words=" ".join(t), language=s.language or language) for s, t in zip(segments, texts, strict=True)]


def _words(audio: Audio, windows: Sequence[Window], language: str, recogniser: Recogniser, how: Hearing) -> Iterator[list[Word]]:
    """The words of each window that are left, in seconds of the recording."""
    spans = speech_spans(audio) if how.guarded and windows else ()
    for window, heard in zip(windows, _heard(audio, windows, language, recogniser, how), strict=True):
        timed = [replace(word, start=window.time(word.start), end=window.time(word.end)) for word in heard.words]
        if heard.trouble and (not how.guarded or spoken_seconds(window, spans) >= LEAST_SPEECH_S):
            noticing.note("no-answer", heard.trouble, window.time(0.0))
        yield guarded(replace(heard, words=tuple(timed)), window, spans) if how.guarded else timed


def guarded(heard: Hypothesis, window: Window, spans: speech.Spans) -> list[Word]:
    """The words of a window that pass the guards; what is done about the others is noted.

    Args:
        heard: The words, in seconds of the recording, with the model's doubts.
        window: Where they were heard.
        spans: Where somebody speaks in the recording.
    """
    kept, acts = without_loops(heard.words)
    if not acts and is_looping([word.text for word in kept]):
        acts.append(Act("repetitive-text", "a text that repeats itself more than talk does; kept", kept[0].start))
    kept, dropped = without_silence(kept, spans, spoken_seconds(window, spans), heard.no_speech, heard.score)
    # Of a text that is gone nobody needs to know that it looped.
    for act in (*acts, *dropped) if kept else dropped:
        noticing.note(act.code, act.message, act.time)
    return kept


def spoken_seconds(window: Window, spans: speech.Spans) -> float:
    """Seconds of a window in which somebody speaks."""
    return sum(speech.covered(spans, one.start / SAMPLE_RATE, one.end / SAMPLE_RATE) for one in window.stretches)


def speech_spans(audio: Audio) -> speech.Spans:
    """Where somebody speaks in a recording, in seconds.

    Raises:
        MissingPackageError: onnxruntime is not installed.
        ModelError: The detector's network cannot be had.
    """
    detector = speech.Detector(SAMPLE_RATE)
    for start in range(0, len(audio.samples), _BLOCK):
        detector.hear(audio.samples[start : start + _BLOCK])
    return detector.stretches(audio.duration)


def _heard(audio: Audio, windows: Sequence[Window], language: str, recogniser: Recogniser, how: Hearing) -> Iterator[Hypothesis]:
    """What each window says; those that loop are heard once more."""
    for first in range(0, len(windows), how.batch):
        batch = [window.cut(audio.samples) for window in windows[first : first + how.batch]]
        heard = recogniser.recognise(batch, language)
        hears_again = how.guarded and how.strict
        again = [i for i, one in enumerate(heard) if hears_again and is_looping([word.text for word in one.words])]
        if again:
            for i, one in zip(again, recogniser.recognise([batch[i] for i in again], language, strict=True), strict=True):
                heard[i] = one
                start = windows[first + i].time(0.0)
                noticing.note("loop", "a text that loops was heard again with stricter settings", start, Severity.NOTE)
        yield from heard
