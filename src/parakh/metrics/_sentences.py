"""One session as one stream of words or characters: segments in time order, with the cheapest of their accepted forms."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count

from parakh import _native
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
    """The transcript to score of each segment, in the order given.

    Where a reference segment accepts several forms, the forms that give the fewest errors over the whole session are
    taken (characters: with a space before every word); of equally cheap ones that given first. A hypothesis has one form.
    """
    heard = [segment.words for segment in hypothesis]
    said = [segment.words for segment in reference]
    if not any(segment.forms for segment in reference):
        return said, heard
    numbers: dict[str, int] = defaultdict(count().__next__)

    def number(text: str) -> list[int]:
        return [numbers[unit] for unit in units(text)]

    order = in_time_order(reference)
    forms = [(reference[k].words, *reference[k].forms) for k in order]
    stream = [unit for k in in_time_order(hypothesis) for unit in number(heard[k])]
    chosen = iter(_native.choose_forms([[number(form) for form in one] for one in forms], stream))
    for k, accepted in zip(order, forms, strict=True):
        if len(accepted) > 1:
            said[k] = accepted[next(chosen)]
    return said, heard
