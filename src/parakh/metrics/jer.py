"""Jaccard error rate: how badly each reference speaker is found, all speakers weighing the same.

Each reference speaker is paired with at most one hypothesis speaker so that the summed error is least; the error of a
pair is 1 - (frames both speak) / (frames either speaks), that of a speaker without partner is 1. The rate is the
mean over all reference speakers of all recordings. As in dscore, time is counted in frames of 10 ms: frame i belongs
to a turn when start <= 0.01 i < end, and a recording has int(end of its last region / 0.01) frames. There is no collar.

Where dscore is different: for a recording (or corpus) without reference speakers it prints 100 if the system hears
someone and 0 if not; here the rate is None, as every rate without a denominator, and the false alarms show in the
diarization error rate. A pair whose turns both fall between two frames stops dscore; here its error is 1.

Formula:
    mean over the reference speakers of 1 - (frames both speak) / (frames either speaks), with the best partner of each

Equal to:
    dscore e02f949 on its own tests and on meetings of AMI, to the printed digits (tests/golden/test_der_published.py).

Pitfalls:
    Who says two words weighs as much as who speaks for an hour. Speakers that nobody in the reference answers to cost
    nothing here; they cost in ``der``.
"""

from __future__ import annotations

from collections.abc import Sequence

from parakh import _native, timeline
from parakh.metrics import Better, Metric, Payload
from parakh.results import Stats, ratio
from parakh.types import Region, Segment

FRAME = 0.01
"""Seconds a frame, dscore's default."""


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment], *, regions: Sequence[Region] | None = None) -> Stats:
    """Summed Jaccard errors of the reference speakers of one recording, and their number.

    Args:
        reference: Reference turns, any order; speaker and times in seconds are read.
        hypothesis: The system's turns.
        regions: Scoring regions; None infers one from the extents of both sides.

    Returns:
        ``jaccard_error`` in [0, reference_speakers]; ``reference_speakers`` and ``hypothesis_speakers`` with a turn inside
        the regions; ``missed_speakers`` and ``false_alarm_speakers`` (those of either side without a partner that shares
        a frame); ``reference_self_overlaps`` and ``hypothesis_self_overlaps``, turns that were merged.

    Raises:
        InputError: A turn or region has times that make no sense.

    Source: The Second DIHARD Challenge evaluation plan (2019), section 3; dscore e02f949.

    >>> turns = [Segment("v1", "asha", 0.0, 6.0), Segment("v1", "seeker", 6.0, 10.0)]
    >>> found = stats(turns, [Segment("v1", "s0", 0.0, 3.0), Segment("v1", "s1", 6.0, 10.0)])
    >>> found["jaccard_error"], found["reference_speakers"], found["missed_speakers"]
    (0.5, 2, 0)
    """
    ref, hyp = timeline.turns(reference), timeline.turns(hypothesis)
    figures = _native.jer(ref, hyp, timeline.spans(ref, hyp, regions), FRAME)
    return Stats(figures, **timeline.self_overlap_counts(ref, hyp))


def score(total: Stats) -> float | None:
    """Mean Jaccard error of the reference speakers, in [0, 1]; None without a reference speaker.

    >>> score(Stats(jaccard_error=0.5, reference_speakers=2))
    0.25
    """
    return ratio(total["jaccard_error"], total["reference_speakers"])


METRICS = (
    Metric(
        name="jer",
        title="Jaccard error rate",
        payload=Payload.TURNS,
        better=Better.LOWER,
        source="The Second DIHARD Challenge evaluation plan (2019); dscore e02f949",
        version=1,
        stats=stats,
        score=score,
        needs=("speaker", "start_time"),
        counts=("reference_speakers",),
    ),
)
