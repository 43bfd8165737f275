"""Turns packed into windows for the encoder, and words given back to their turns.

Every moment of speech is in exactly one window, whoever speaks: overlapping turns are heard once, together.
Pauses between turns are shortened to what the padding leaves. Long stretches are cut at their quietest moments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.types import Segment

PADDING = 0.2
"""Seconds of the recording kept on both sides of a stretch of turns."""

_STEP = SAMPLE_RATE // 100


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the recording, in samples, half-open."""

    start: int
    end: int

    @property
    def length(self) -> int:
        """Number of samples."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its times in seconds."""

    text: str
    start: float
    end: float


@dataclass(frozen=True)
class Window:
    """Stretches of the recording, in order, that are encoded as one."""

    stretches: tuple[Stretch, ...]

    @property
    def length(self) -> int:
        """Number of samples."""
        return sum(stretch.length for stretch in self.stretches)

    def cut(self, samples: NDArray[np.float32]) -> NDArray[np.float32]:
        """The window's samples, one stretch after the other."""
        return np.concatenate([samples[stretch.start : stretch.end] for stretch in self.stretches])

    def time(self, offset: float) -> float:
        """The time in the recording of a time in the window, both in seconds; the nearest one outside of it.

        >>> Window((Stretch(16000, 32000), Stretch(64000, 80000))).time(1.25)
        4.25
        """
        rest = max(0.0, offset * SAMPLE_RATE)
        for stretch in self.stretches:
            if rest < stretch.length:
                return (stretch.start + rest) / SAMPLE_RATE
            rest -= stretch.length
        return self.stretches[-1].end / SAMPLE_RATE


def pack(audio: Audio, segments: Sequence[Segment], longest: float) -> list[Window]:
    """Windows that together hold every turn of the recording.

    Args:
        audio: The recording.
        segments: Its turns, in any order; those without times hold nothing.
        longest: Longest window in seconds.

    Returns:
        Windows in time order; none is longer than ``longest``.
    """
    limit = int(longest * SAMPLE_RATE)
    pieces = [piece for stretch in _stretches(audio, segments) for piece in _split(audio.samples, stretch, limit)]
    if not pieces:
        return []
    # As few windows as there can be, and those as even as whole seconds make them: even ones cost least together.
    fewest = len(_fill(pieces, limit))
    limits = (*range(max(piece.length for piece in pieces), limit, SAMPLE_RATE), limit)
    return next(windows for narrow in limits if len(windows := _fill(pieces, narrow)) == fewest)


def apart(audio: Audio, segments: Sequence[Segment], longest: float) -> list[tuple[int, Window]]:
    """Windows that hold one turn or a part of one each, for recognisers that tell no times of words.

    Where turns overlap, the speech belongs to the one that began first; what is left of the other is heard as its own.

    Args:
        audio: The recording.
        segments: Its turns, in any order; those without times hold nothing.
        longest: Longest window in seconds.

    Returns:
        (index of the turn, window) in time order; no moment is in two windows.
    """
    found: list[tuple[int, Window]] = []
    timed = [(s.start_time, s.end_time, i) for i, s in enumerate(segments) if s.start_time is not None and s.end_time is not None]
    heard = 0
    for start, end, i in sorted(timed):
        first = max(heard, int((start - PADDING) * SAMPLE_RATE))
        last = min(len(audio.samples), int((end + PADDING) * SAMPLE_RATE))
        following = [int(other * SAMPLE_RATE) for other, _, _ in timed if end <= other]
        last = min([last, *(max(one, int(end * SAMPLE_RATE)) for one in following)])
        if last - max(first, int(start * SAMPLE_RATE)) > PADDING * SAMPLE_RATE:
            parts = _split(audio.samples, Stretch(first, last), int(longest * SAMPLE_RATE))
            found += [(i, Window((part,))) for part in parts]
        heard = max(heard, last)
    return found


def assign(words: Iterable[Word], segments: Sequence[Segment]) -> list[list[Word]]:
    """Each word to the turn it overlaps most; where two claim it alike, to the one that spoke before.

    Args:
        words: Words in time order.
        segments: The turns, in any order.

    Returns:
        The words of each turn, in the order given; words that lie outside every turn go to the nearest.

    >>> turns = [Segment("v", "a", 0.0, 2.0), Segment("v", "b", 1.0, 3.0)]
    >>> assign([Word("jee", 1.1, 1.5), Word("haan", 2.1, 2.4)], turns)[1]
    [Word(text='haan', start=2.1, end=2.4)]
    """
    given: list[list[Word]] = [[] for _ in segments]
    timed = [(i, s.start_time, s.end_time) for i, s in enumerate(segments) if s.start_time is not None and s.end_time is not None]
    last: int | None = None
    for word in words if timed else ():
        # Negative overlap is distance, so that a word between two turns goes to the nearer one.
        overlaps = {i: min(word.end, end) - max(word.start, start) for i, start, end in timed}
        most = max(overlaps.values())
        if last is None or overlaps[last] < most:
            last = min((i for i in overlaps if overlaps[i] == most), key=lambda i: (segments[i].start_time, i))
        given[last].append(word)
    return given


def spread(text: str, start: float, end: float) -> list[Word]:
    """The words of a text that was said in [start, end), the time shared evenly.

    >>> spread("जी हाँ", 1.0, 2.0)
    [Word(text='जी', start=1.0, end=1.5), Word(text='हाँ', start=1.5, end=2.0)]
    """
    texts = text.split()
    step = max(0.0, end - start) / max(1, len(texts))
    return [Word(one, start + i * step, start + (i + 1) * step) for i, one in enumerate(texts)]


def spoken(words: Iterable[Word], segments: Sequence[Segment], language: str | None) -> list[Segment]:
    """The turns with their words and the words' times.

    Args:
        words: Words in time order; one that holds blanks counts as several, which share its time evenly.
        segments: The turns, in any order.
        language: BCP-47 primary tag that turns without one get.

    >>> turn, = spoken([Word("jee haan", 1.0, 2.0)], [Segment("v", "a", 0.5, 2.0)], "hi")
    >>> turn.words, turn.word_times
    ('jee haan', ((1.0, 1.5), (1.5, 2.0)))
    """
    single = [piece for word in words for piece in spread(word.text, word.start, word.end)]
    return [
        replace(
            segment,
            words=" ".join(word.text for word in turn),
            word_times=tuple((word.start, word.end) for word in turn),
            language=segment.language or language,
        )
        for segment, turn in zip(segments, assign(single, segments), strict=True)
    ]


def _stretches(audio: Audio, segments: Sequence[Segment]) -> list[Stretch]:
    """The union of the padded turns."""
    total = len(audio.samples)
    turns = sorted(
        (max(0, int((s.start_time - PADDING) * SAMPLE_RATE)), min(total, int((s.end_time + PADDING) * SAMPLE_RATE)))
        for s in segments
        if s.start_time is not None and s.end_time is not None
    )
    union: list[Stretch] = []
    for start, end in turns:
        if union and start <= union[-1].end:
            union[-1] = Stretch(union[-1].start, max(end, union[-1].end))
        elif end > start:
            union.append(Stretch(start, end))
    return union


def _fill(pieces: Sequence[Stretch], limit: int) -> list[Window]:
    """The pieces in order, as many to a window as ``limit`` samples hold."""
    windows: list[list[Stretch]] = []
    filled = limit
    for piece in pieces:
        if filled + piece.length > limit:
            windows.append([])
            filled = 0
        windows[-1].append(piece)
        filled += piece.length
    return [Window(tuple(stretches)) for stretches in windows]


def _split(samples: NDArray[np.float32], stretch: Stretch, limit: int) -> list[Stretch]:
    """The stretch in parts of at most ``limit`` samples, cut at the quietest moment of each part's second half."""
    parts = []
    while stretch.length > limit:
        cut = _quietest(samples, stretch.start + limit // 2, stretch.start + limit)
        parts.append(Stretch(stretch.start, cut))
        stretch = Stretch(cut, stretch.end)
    return [*parts, stretch]


def _quietest(samples: NDArray[np.float32], start: int, end: int) -> int:
    """Middle of the 200 ms with the least energy in [start, end)."""
    steps = (end - start) // _STEP
    energy = np.square(samples[start : start + steps * _STEP]).reshape(steps, _STEP).sum(axis=1)
    smooth = np.convolve(energy, np.ones(20), mode="valid")
    return start + (int(np.argmin(smooth)) + 10) * _STEP
