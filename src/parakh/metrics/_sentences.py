"""One session as one stream of words or characters: segments in time order, with the cheapest of their accepted forms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import count

from parakh import _native
from parakh.alignment import Alignment
from parakh.metrics._edits import Place, aligned_word, places
from parakh.types import Segment

Units = Callable[[str], Sequence[str]]
"""How a transcript is cut into what is aligned."""


def in_time_order(segments: Sequence[Segment]) -> list[int]:
    """Indices of the segments by start time, equal ones in the order given; the order given when a segment has no time."""
    starts = [segment.start_time for segment in segments if segment.start_time is not None]
    if len(starts) < len(segments):
        return list(range(len(segments)))
    return sorted(range(len(segments)), key=starts.__getitem__)


def transcripts(reference: Sequence[Segment], hypothesis: Sequence[Segment], units: Units) -> tuple[list[str], list[str]]:
    """The transcript to score of each segment, in time order.

    Where a reference segment accepts several forms, the forms that give the fewest errors over the whole session are
    taken (characters: with a space before every word); of equally cheap ones that given first. A hypothesis has one form.
    """
    order = in_time_order(reference)
    heard = [hypothesis[k].words for k in in_time_order(hypothesis)]
    if not any(segment.forms for segment in reference):
        return [reference[k].words for k in order], heard
    numbers: dict[str, int] = defaultdict(count().__next__)

    def number(text: str) -> list[int]:
        return [numbers[unit] for unit in units(text)]

    forms = [(reference[k].words, *reference[k].forms) for k in order]
    stream = [unit for text in heard for unit in number(text)]
    chosen = iter(_native.choose_forms([[number(form) for form in one] for one in forms], stream))
    return [accepted[next(chosen) if len(accepted) > 1 else 0] for accepted in forms], heard


def placed(segments: Sequence[Segment], texts: Sequence[str]) -> list[Place]:
    """The words of the transcripts of a session, which are in time order."""
    return [place for k, text in zip(in_time_order(segments), texts, strict=True) for place in places(k, segments[k], text)]


def pieces(place: Place, parts: Sequence[str]) -> Iterator[Place]:
    """The parts of a word and the space before it; each part has an equal share of the word's time, the space none."""
    if place.time is None:
        yield from (place._replace(word=part) for part in (" ", *parts))
        return
    start, end = place.time
    share = (end - start) / len(parts)
    yield place._replace(word=" ", time=(start, start))
    for k, part in enumerate(parts):
        yield place._replace(word=part, time=(start + share * k, start + share * (k + 1)))


def stream_alignment(steps: Sequence[tuple[int, int]], reference: Sequence[Place], hypothesis: Sequence[Place]) -> Alignment:
    """Steps between two streams, as pairs of indices of which one may be -1, told in words."""
    return Alignment(aligned_word(None if i < 0 else reference[i], None if j < 0 else hypothesis[j]) for i, j in steps)
