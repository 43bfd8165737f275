"""Purity and coverage: whether each hypothesis speaker is one reference speaker, and the other way round.

The best partner of a hypothesis speaker is the reference speaker it shares most time with; several may have the same.
Purity is the shared time with best partners by the time hypothesis speakers speak, coverage the same with the sides
exchanged. Time counts once for each speaker who speaks in it. A system that gives every turn a speaker of its own has
a high purity and a low coverage, one that hears a single speaker the reverse.

pyannote.metrics' purity and coverage pay no heed to its scoring regions and give 1 where the denominator is 0; here
turns are cut to the regions first, and such a figure is None. Elsewhere the values are equal.

Equal to:
    pyannote.metrics 4.2.0 without scoring regions (tests/crosscheck/test_der_pyannote.py).

Pitfalls:
    Either alone is easily made 1: a speaker for every turn gives purity, one for all coverage. Read both, or their F1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from parakh import _native, timeline
from parakh.metrics import Better, Metric, Payload
from parakh.results import Stats, ratio
from parakh.types import Region, Segment


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment], *, regions: Sequence[Region] | None = None) -> Stats:
    """Seconds of the speakers of either side of one recording, and those shared with their best partners.

    Args:
        reference: Reference turns, any order; speaker and times in seconds are read.
        hypothesis: The system's turns.
        regions: Scoring regions; None infers one from the extents of both sides.

    Returns:
        ``reference_time`` and ``hypothesis_time``, summed over speakers; ``reference_best`` and ``hypothesis_best``: of
        these, what the speakers share with their best partner of the other side.

    Raises:
        InputError: A turn or region has times that make no sense.

    Source: pyannote.metrics 4.2.0.

    >>> turns = [Segment("v1", "asha", 0.0, 6.0), Segment("v1", "seeker", 6.0, 10.0)]
    >>> stats(turns, [Segment("v1", "s0", 0.0, 8.0)])
    Stats(reference_best=8.0, hypothesis_best=6.0, reference_time=10.0, hypothesis_time=8.0)
    """
    ref, hyp = timeline.turns(reference), timeline.turns(hypothesis)
    return Stats(_native.purity(ref, hyp, timeline.spans(ref, hyp, regions)))


def purity(total: Stats) -> float | None:
    """(1 / T_sys) sum over hypothesis speakers of the time with the best partner, in [0, 1]; None without hypothesis speech.

    >>> purity(Stats(hypothesis_best=6.0, hypothesis_time=8.0))
    0.75
    """
    return ratio(total["hypothesis_best"], total["hypothesis_time"])


def coverage(total: Stats) -> float | None:
    """(1 / T_ref) sum over reference speakers of the time with the best partner, in [0, 1]; None without reference speech.

    >>> coverage(Stats(reference_best=8.0, reference_time=10.0))
    0.8
    """
    return ratio(total["reference_best"], total["reference_time"])


def f1(total: Stats) -> float | None:
    """2 P C / (P + C) of purity P and coverage C, in [0, 1]; 0 where either side alone has speech, None where none has.

    >>> f1(Stats(reference_best=6.0, hypothesis_best=6.0, reference_time=8.0, hypothesis_time=8.0))
    0.75
    """
    pure, covered = purity(total), coverage(total)
    if pure is None and covered is None:
        return None
    return ratio(2 * (pure or 0.0) * (covered or 0.0), (pure or 0.0) + (covered or 0.0)) or 0.0


def _metric(name: str, title: str, score: Callable[[Stats], float | None], *counts: str, charges_missing: bool = True) -> Metric:
    return Metric(
        name=name,
        title=title,
        payload=Payload.TURNS,
        better=Better.HIGHER,
        source="pyannote.metrics 4.2.0",
        version=1,
        stats=stats,
        score=score,
        needs=("speaker", "start_time"),
        counts=counts,
        charges_missing=charges_missing,
    )


METRICS = (
    _metric("purity", "Cluster purity", purity, "hypothesis_time", charges_missing=False),
    _metric("coverage", "Cluster coverage", coverage, "reference_time"),
    _metric("purity_coverage_f1", "F1 of purity and coverage", f1, "reference_time", "hypothesis_time"),
)
