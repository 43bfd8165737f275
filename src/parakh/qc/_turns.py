"""Turns as intervals, for the checks that look at who speaks when."""

from __future__ import annotations

from collections.abc import Iterable

from parakh.qc._material import Material, Source
from parakh.timeline import Spans
from parakh.types import Segment

Turn = tuple[float, float, int]
"""Start and end in seconds, and the index in its source."""


def timed(source: Source[Segment] | None) -> list[Turn]:
    """The turns of a source that last, in order of time.

    >>> timed(Source("v1.rttm", (Segment("v1", "B", 2.0, 3.0), Segment("v1", "A", 0.0, 1.0), Segment("v1", "A", 5.0, 5.0))))
    [(0.0, 1.0, 1), (2.0, 3.0, 0)]
    """
    if source is None:
        return []
    return sorted(
        (one.start_time, one.end_time, index)
        for index, one in enumerate(source.items)
        if one.start_time is not None and one.end_time is not None and one.end_time > one.start_time
    )


def who_spoke_when(material: Material) -> Source[Segment] | None:
    """The RTTM, else the transcript; None where neither tells."""
    return material.turns or material.transcript


def by_speaker(source: Source[Segment]) -> dict[str, list[Turn]]:
    """The turns of each speaker, in order of time."""
    found: dict[str, list[Turn]] = {}
    for turn in timed(source):
        speaker = source.items[turn[2]].speaker
        if speaker is not None:
            found.setdefault(speaker, []).append(turn)
    return found


def union(spans: Iterable[tuple[float, float]]) -> Spans:
    """Stretches that are covered at least once.

    Args:
        spans: (start, end) in seconds, in order of their starts.

    >>> union([(0.0, 2.0), (1.0, 3.0), (4.0, 5.0)])
    [(0.0, 3.0), (4.0, 5.0)]
    """
    found: Spans = []
    for start, end in spans:
        if found and start <= found[-1][1]:
            if end > found[-1][1]:
                found[-1] = (found[-1][0], end)
        else:
            found.append((start, end))
    return found


def speech(turns: Iterable[Turn]) -> Spans:
    """Stretches in which anybody speaks, of turns in order of time."""
    return union((start, end) for start, end, _ in turns)


def overlapped(source: Source[Segment], turns: Iterable[Turn]) -> Spans:
    """Stretches in which two speakers or more talk.

    Args:
        source: Where the turns are from.
        turns: In order of time.

    >>> source = Source("v1.rttm", (Segment("v1", "A", 0.0, 4.0), Segment("v1", "B", 3.0, 6.0)))
    >>> overlapped(source, timed(source))
    [(3.0, 4.0)]
    """
    latest: str | None = None  # who speaks longest of those who began, until when, and until when the others speak
    last = others = 0.0
    found: Spans = []
    for start, end, index in turns:
        speaker = source.items[index].speaker
        over = others if speaker == latest else last
        if over > start:
            found.append((start, min(end, over)))
        if speaker == latest:
            last = max(last, end)
        elif end > last:
            latest, last, others = speaker, end, last
        else:
            others = max(others, end)
    return union(found)


def without(spans: Spans, others: Spans, least: float) -> Spans:
    """What of some stretches other stretches do not cover, if it lasts.

    Args:
        spans: Ascending and disjoint, seconds.
        others: Ascending and disjoint, seconds.
        least: Seconds; what is shorter is left out.

    >>> without([(0.0, 9.0)], [(1.0, 2.0), (2.5, 8.0)], 0.75)
    [(0.0, 1.0), (8.0, 9.0)]
    """
    found: Spans = []
    first = 0
    for start, end in spans:
        while first < len(others) and others[first][1] <= start:
            first += 1
        place, here = first, start
        while place < len(others) and others[place][0] < end:
            if others[place][0] - here >= least:
                found.append((here, others[place][0]))
            here = others[place][1]
            place += 1
        if end - here >= least:
            found.append((here, end))
    return found


def total(spans: Spans) -> float:
    """Seconds in all of disjoint stretches."""
    return sum(end - start for start, end in spans)


def active(turns: Iterable[Turn], start: float, end: float) -> list[int]:
    """Indices of the turns that share time with a stretch, in order of time."""
    return [index for first, last, index in turns if first < end and last > start]
