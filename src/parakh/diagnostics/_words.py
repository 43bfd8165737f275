"""A hypothesis as single words that can be rewritten one by one and scored again, to the same count.

Every word is a segment of its own that holds its share of the segment it was read from, so that the metric's own rule of
pseudo-times places it where it stood. What a segment of one word cannot say is the order of words whose shares lie in
another order, as where a speaker's segments overlap: such a word begins as early as the order demands, and if words stand at
their centre it ends as much later, so that the centre is where it was. Where words are intervals (``hypothesis_timing`` of
another kind) it is the longer for it; nothing else changes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from types import ModuleType
from typing import Any, NamedTuple

from parakh import _native
from parakh.metrics import cpwer, tcpwer, wder, wer
from parakh.metrics._sentences import in_time_order
from parakh.metrics._times import HEARD, SAID, word_times
from parakh.results import Stats
from parakh.types import Segment

Time = tuple[float, float]

METRICS: Mapping[str, ModuleType] = {"tcpwer": tcpwer, "cpwer": cpwer, "wer": wer}
"""The metrics that can be accounted for: words, speakers and times; words and speakers; words."""
_GRID = 2.0**20
"""Parts of a second to which moved begins are rounded down: twice a centre less such a number is exact in binary."""


class Word(NamedTuple):
    """One word between white space.

    Args:
        text: As written.
        speaker: Who says it; None without speakers.
        time: (start, end) in seconds of its share of its segment; None where times do not count.
        segment: Index of the segment that it was read from.
    """

    text: str
    speaker: str | None
    time: Time | None
    segment: int


@dataclass(frozen=True)
class Scene:
    """One recording and the metric that its errors are counted by.

    Args:
        reference: The reference segments, each in the form that the metric takes it in; never altered.
        hypothesis: The system's segments.
        metric: Name of one of ``METRICS``.
        options: The metric's options, by name.
    """

    reference: Sequence[Segment]
    hypothesis: Sequence[Segment]
    metric: str
    options: Mapping[str, Any]

    @property
    def functions(self) -> ModuleType:
        """The metric's module."""
        return METRICS[self.metric]

    @property
    def timed(self) -> bool:
        """Whether times count."""
        return self.metric == "tcpwer"

    @property
    def collar(self) -> float | None:
        """Seconds by which a hypothesis word is widened; None where times do not count."""
        return float(self.options.get("collar", 5.0)) if self.timed else None

    @cached_property
    def headline(self) -> Stats:
        """The metric's statistics of the hypothesis as it stands."""
        return self.functions.stats(self.reference, self.hypothesis, **self.options)  # type: ignore[no-any-return]

    @cached_property
    def said(self) -> list[list[Word]]:
        """The words of each reference segment, at the moment where a rule of points places them."""
        timing = str(self.options.get("reference_timing", SAID))
        words = [self._words(k, one, timing) for k, one in enumerate(self.reference)]
        return [[_at_centre(word) for word in own] for own in words] if timing.endswith("_points") else words

    @cached_property
    def heard(self) -> list[Word]:
        """The words of the hypothesis, in time order of their segments."""
        timing = str(self.options.get("hypothesis_timing", HEARD))
        order = in_time_order(self.hypothesis)
        return [word for k in order for word in self._words(k, self.hypothesis[k], timing)]

    def _words(self, index: int, segment: Segment, timing: str) -> list[Word]:
        words, start, end = segment.words.split(), segment.start_time, segment.end_time
        if not self.timed or start is None or end is None:
            return [Word(word, segment.speaker, None, index) for word in words]
        times = word_times(words, start, end, timing)
        if timing == "equidistant_points" and len(words) > 1:
            half = (end - start) / len(words) / 2
            times = [(begin + half, begin + half) for begin, _ in times]
        return [Word(word, segment.speaker, time, index) for word, time in zip(words, times, strict=True)]

    @cached_property
    def said_texts(self) -> list[str]:
        """The texts of the reference in time order."""
        return [self.reference[k].words for k in in_time_order(self.reference)]

    def segments(self, words: Sequence[Word]) -> list[Segment]:
        """A segment for each word, in the same order, which is that of each speaker's words."""
        if not self.timed:
            return [Segment("", word.speaker, words=word.text) for word in words]
        centred = str(self.options.get("hypothesis_timing", HEARD)).endswith("_points")
        times = in_order([(word.speaker, word.time or (0.0, 0.0)) for word in words], centred=centred)
        return [Segment("", word.speaker, *time, word.text) for word, time in zip(words, times, strict=True)]

    def errors(self, words: Sequence[Word]) -> int:
        """The errors that the metric counts with these words for the hypothesis."""
        if self.metric == "wer":  # as its stats, which take one stream of words
            return int(_native.count_edits(self.said_texts, [word.text for word in words], False)[0])
        return int(self.functions.stats(self.reference, self.segments(words), **self.options)["errors"])


def _at_centre(word: Word) -> Word:
    if word.time is None:
        return word
    centre = (word.time[0] + word.time[1]) / 2
    return word._replace(time=(centre, centre))


def scene_of(reference: Sequence[Segment], hypothesis: Sequence[Segment], metric: str, options: Mapping[str, Any]) -> Scene:
    """A recording with each reference segment in the form that the metric takes it in, and without speakers for ``wer``.

    The errors and the length stay those of the metric: another assignment of speakers was no better in forms of its own.
    """
    if any(segment.forms for segment in reference):
        taken = (wder if metric == "wer" else METRICS[metric]).forms_taken(reference, hypothesis, **options)
        reference = [replace(one, words=taken.get(k, one.words), forms=()) for k, one in enumerate(reference)]
    if metric == "wer":
        reference, hypothesis = (
            [one if one.speaker is None else replace(one, speaker=None) for one in side] for side in (reference, hypothesis)
        )
    return Scene(reference, hypothesis, metric, options)


def in_order(shares: Sequence[tuple[str | None, Time]], *, centred: bool) -> list[Time]:
    """Times that sort each speaker's words into the order given, of equal begins the first given first.

    Args:
        shares: (speaker, (start, end) in seconds) of each word.
        centred: Whether a word stands at the centre of its time, which then is kept to the last bit (times >= 0).

    Returns:
        (start, end) of each word: as given but where a later word of the speaker begins earlier.

    >>> in_order([("A", (2.0, 3.0)), ("B", (0.0, 1.0)), ("A", (1.5, 2.0))], centred=True)
    [(1.5, 3.5), (0.0, 1.0), (1.5, 2.0)]
    """
    earliest: dict[str | None, float] = {}
    times = []
    for speaker, (start, end) in reversed(shares):
        begin, finish = start, end
        if start > (limit := earliest.get(speaker, math.inf)):
            begin = math.floor(limit * _GRID) / _GRID
            finish = start + end - begin if centred else end
        earliest[speaker] = begin
        times.append((begin, finish))
    return times[::-1]


def fresh(label: str, taken: Iterable[str | None]) -> str:
    """A speaker label like the one given that no other speaker has.

    >>> fresh("A", ["A", "B"])
    "A'"
    """
    used = set(taken)
    while label in used:
        label += "'"
    return label
