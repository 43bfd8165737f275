"""Speech as intervals: the turns of a recording, and the regions that are scored.

Turns of one speaker that overlap are one turn; turns that only touch stay two. A turn without duration is no
speech. Sums are exact double arithmetic on the boundaries: nothing is rounded to frames.
"""

from __future__ import annotations

from collections.abc import Sequence

from parakh import _native
from parakh.errors import Fault, InputError
from parakh.types import Region, Segment

Turns = _native.Turns
"""The turns of one side of a recording, merged per speaker: what the kernels take."""

LATEST = 1e11
"""Seconds before or after 0 beyond which there is no time: 3,000 years, so that frames can be counted exactly."""

Spans = list[tuple[float, float]]
"""Stretches of time as (start, end) in seconds."""


def turns(segments: Sequence[Segment]) -> Turns:
    """The turns of one side of a recording, merged per speaker.

    Args:
        segments: Segments of one recording, any order, with speaker and times in seconds.

    Raises:
        InputError: A segment has no speaker, no times, times beyond any recording or that end before they start;
            one fault a segment.

    >>> turns([Segment("v1", "A", 0.0, 4.0), Segment("v1", "A", 3.0, 5.0), Segment("v1", "B", 7.0, 7.0)]).extent
    [(0.0, 5.0)]
    """
    try:
        return Turns(segments)
    except (TypeError, ValueError):
        faults = [fault for k, segment in enumerate(segments, 1) for fault in _turn_faults(k, segment)]
        if not faults:
            raise
        raise InputError(faults) from None


def spans(reference: Turns, hypothesis: Turns, regions: Sequence[Region] | None) -> Spans:
    """The stretches of one recording that are scored.

    Args:
        reference: Turns of the reference.
        hypothesis: Turns of the hypothesis.
        regions: Scoring regions of this recording, any order, overlaps allowed, gaps kept; None infers one from the first
            start to the last end over reference and hypothesis together, so that no false alarm escapes.

    Returns:
        (start, end) in seconds; empty when there is nothing to score.

    Raises:
        InputError: A region ends before it starts or lies beyond any recording.

    Source: dscore e02f949, ``gen_uem``.

    >>> spans(turns([Segment("v1", "A", 1.0, 4.0)]), turns([Segment("v1", "x", 0.0, 3.0)]), None)
    [(0.0, 4.0)]
    """
    if regions is None:
        extents = reference.extent + hypothesis.extent
        return [(min(start for start, _ in extents), max(end for _, end in extents))] if extents else []
    faults = [_region_fault(k, region) for k, region in enumerate(regions, 1) if not _is_sound(region)]
    if faults:
        raise InputError(faults)
    return [(region.start_time, region.end_time) for region in regions]


def self_overlaps(segments: Sequence[Segment]) -> int:
    """How many turns overlap an earlier turn of their own speaker; segments without times or speaker have none.

    Args:
        segments: Segments of one recording, any order; an exact duplicate counts too.

    Raises:
        InputError: A segment ends before it starts.

    >>> self_overlaps([Segment("v1", "A", 0.0, 6.0), Segment("v1", "A", 4.0, 10.0), Segment("v1", "B", 5.0, 6.0)])
    1
    """
    return turns([one for one in segments if one.start_time is not None and one.speaker is not None]).self_overlaps


def self_overlap_counts(reference: Turns, hypothesis: Turns) -> dict[str, int]:
    """How many turns of each side were merged into an earlier one of their speaker, as statistics that add.

    >>> once, twice = [Segment("v1", "A", 0.0, 6.0)], [Segment("v1", "A", 0.0, 6.0), Segment("v1", "A", 4.0, 9.0)]
    >>> self_overlap_counts(turns(once), turns(twice))
    {'reference_self_overlaps': 0, 'hypothesis_self_overlaps': 1}
    """
    return {"reference_self_overlaps": reference.self_overlaps, "hypothesis_self_overlaps": hypothesis.self_overlaps}


def _turn_faults(number: int, segment: Segment) -> list[Fault]:
    if not isinstance(segment.speaker, str):
        return [_fault(segment.session_id, number, "speaker", segment.speaker, "a speaker label")]
    for field, value in (("start_time", segment.start_time), ("end_time", segment.end_time)):
        if not isinstance(value, (int, float)) or not abs(value) <= LATEST:
            return [_fault(segment.session_id, number, field, value, f"seconds, at most {LATEST:.0e}")]
    if segment.duration < 0:
        return [_fault(segment.session_id, number, "end_time", segment.end_time, f"seconds >= start_time ({segment.start_time})")]
    return []


def _is_sound(region: Region) -> bool:
    return -LATEST <= region.start_time <= region.end_time <= LATEST


def _region_fault(number: int, region: Region) -> Fault:
    found = f"{region.start_time} to {region.end_time}"
    return _fault(region.session_id, number, "region", found, f"start <= end, seconds, at most {LATEST:.0e}")


def _fault(session_id: str, number: int, field: str, found: object, expected: str) -> Fault:
    return Fault(session_id, field, str(found), expected, "Mend or remove it.", line=number)
