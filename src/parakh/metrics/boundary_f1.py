"""Boundary F1: how many boundaries of turns two annotations share, within a tolerance.

A boundary is the start or the end of a turn, whoever speaks; turns of one speaker that overlap are one. A start meets a
start and an end meets an end, each at most once, no more than ``tolerance`` seconds apart; as many as possible meet.
Unlike DER it does not weigh a boundary by the speech it moves, so it tells how well annotators agree on where turns begin.

Choices:
    ``tolerance`` is how far apart in seconds two boundaries may be and still be the same; 0.25 suits annotation by hand.

Equal to:
    No tool that counts so is compared with; a slow twin finds the largest matching by assignment
    (tests/property/test_boundary_twin.py).

Pitfalls:
    A pause annotated by one side alone costs two boundaries, however short it is. Who speaks does not matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parakh import timeline
from parakh.errors import Fault, InputError
from parakh.metrics import Better, Metric, Payload
from parakh.results import Stats, ratio
from parakh.types import Region, Segment


def stats(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    *,
    regions: Sequence[Region] | None = None,
    tolerance: float = 0.25,
) -> Stats:
    """Boundaries of one recording on either side, and how many meet.

    Args:
        reference: Reference turns, any order; speaker and times in seconds are read.
        hypothesis: The other side's turns.
        regions: Scoring regions; boundaries outside them do not count. None counts all.
        tolerance: Most seconds between two boundaries that meet, >= 0.

    Returns:
        ``reference_boundaries``, ``hypothesis_boundaries``, ``matched``.

    Raises:
        InputError: A turn has times that make no sense, or the tolerance is negative.

    >>> one = [Segment("v1", "asha", 0.0, 2.0), Segment("v1", "seeker", 2.1, 4.0)]
    >>> other = [Segment("v1", "s0", 0.04, 2.0), Segment("v1", "s1", 2.5, 4.0)]
    >>> found = stats(one, other, tolerance=0.25)
    >>> found["matched"], found["reference_boundaries"]
    (3, 4)
    """
    if not tolerance >= 0:
        raise InputError(Fault("tolerance", "", repr(tolerance), "seconds >= 0"))
    ours, theirs = _boundaries(reference, regions), _boundaries(hypothesis, regions)
    return Stats(
        reference_boundaries=sum(map(len, ours)),
        hypothesis_boundaries=sum(map(len, theirs)),
        matched=sum(_matched(one, other, tolerance) for one, other in zip(ours, theirs, strict=True)),
    )


def _boundaries(segments: Sequence[Segment], regions: Sequence[Region] | None) -> tuple[list[float], list[float]]:
    """Starts and ends of the turns, each ascending."""
    timeline.turns(segments)  # refuses what is no turn
    starts, ends = [], []
    by_speaker: dict[str | None, list[tuple[float, float]]] = {}
    for one in segments:
        if one.duration > 0:
            by_speaker.setdefault(one.speaker, []).append((one.start_time or 0.0, one.end_time or 0.0))
    for turns in by_speaker.values():
        for start, end in _merged(sorted(turns)):
            starts.append(start)
            ends.append(end)
    return _inside(starts, regions), _inside(ends, regions)


def _merged(turns: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    merged: list[tuple[float, float]] = []
    for start, end in turns:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _inside(times: Sequence[float], regions: Sequence[Region] | None) -> list[float]:
    if regions is None:
        return sorted(times)
    return sorted(time for time in times if any(one.start_time <= time <= one.end_time for one in regions))


def _matched(reference: Sequence[float], hypothesis: Sequence[float], tolerance: float) -> int:
    """The size of the largest matching; on a line the earliest pair that fits belongs to one of the largest."""
    count = i = j = 0
    while i < len(reference) and j < len(hypothesis):
        apart = hypothesis[j] - reference[i]
        if abs(apart) <= tolerance + 1e-9:  # 0.35 - 0.1 is not quite 0.25
            count, i, j = count + 1, i + 1, j + 1
        elif apart > 0:
            i += 1
        else:
            j += 1
    return count


def score(total: Stats) -> float | None:
    """2 matched / (reference + hypothesis boundaries), in [0, 1]; None without boundaries on either side.

    >>> score(Stats(reference_boundaries=4, hypothesis_boundaries=4, matched=3))
    0.75
    """
    return ratio(2 * total["matched"], total["reference_boundaries"] + total["hypothesis_boundaries"])


def parts(total: Stats) -> Mapping[str, float | None]:
    """Precision and recall.

    >>> parts(Stats(reference_boundaries=4, hypothesis_boundaries=2, matched=2))
    {'precision': 1.0, 'recall': 0.5}
    """
    return {
        "precision": ratio(total["matched"], total["hypothesis_boundaries"]),
        "recall": ratio(total["matched"], total["reference_boundaries"]),
    }


METRICS = (
    Metric(
        name="boundary_f1",
        title="Boundary F1",
        payload=Payload.TURNS,
        better=Better.HIGHER,
        source="boundary retrieval as in speech segmentation: F of boundaries within a tolerance",
        version=1,
        stats=stats,
        score=score,
        parts=parts,
        options=("tolerance",),
        needs=("speaker", "start_time"),
        counts=("matched", "reference_boundaries", "hypothesis_boundaries"),
    ),
)
