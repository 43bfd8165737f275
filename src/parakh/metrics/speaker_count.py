"""Speaker count error: how many speakers too many or too few a system hears, on average over recordings.

A speaker counts when a turn of theirs reaches into the scoring regions. A recording in which nobody speaks on either
side is no recording to count in. The error says nothing of which speakers are heard: one missed and one invented
cancel out; the diarization error rate has them as missed and false alarm speakers.

Formula:
    mean over recordings of |speakers heard - speakers of the reference|

Equal to:
    No test compares it with another tool. pyannote.metrics 4.2.0 counts the same, but takes a recording without any speaker
    into its mean.

Pitfalls:
    The right number says nothing of the right people. One long recording with many wrong speakers weighs as much as a short
    one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parakh import _native, timeline
from parakh.metrics import Better, Metric, Payload
from parakh.results import Stats, ratio
from parakh.types import Region, Segment


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment], *, regions: Sequence[Region] | None = None) -> Stats:
    """How far the number of speakers of one recording is off.

    Args:
        reference: Reference turns, any order; speaker and times in seconds are read.
        hypothesis: The system's turns.
        regions: Scoring regions; None infers one from the extents of both sides.

    Returns:
        ``recordings``: 1, or 0 when nobody speaks on either side; ``absolute_error``: speakers too many or too few;
        ``exact``, ``over``, ``under``: 1 where that is the case; ``reference_speakers``, ``hypothesis_speakers``.

    Raises:
        InputError: A turn or region has times that make no sense.

    >>> turns = [Segment("v1", "asha", 0.0, 6.0), Segment("v1", "seeker", 6.0, 10.0)]
    >>> found = stats(turns, [Segment("v1", "s0", 0.0, 10.0)])
    >>> found["absolute_error"], found["under"], found["exact"]
    (1, 1, 0)
    """
    ref, hyp = timeline.turns(reference), timeline.turns(hypothesis)
    spans = timeline.spans(ref, hyp, regions)
    said, heard = _native.speakers(ref, spans), _native.speakers(hyp, spans)
    return Stats(
        recordings=int(said + heard > 0),
        absolute_error=abs(heard - said),
        exact=int(heard == said > 0),
        over=int(heard > said),
        under=int(heard < said),
        reference_speakers=said,
        hypothesis_speakers=heard,
    )


def score(total: Stats) -> float | None:
    """Mean of |hypothesis speakers - reference speakers| over recordings, >= 0; None without recordings.

    >>> score(Stats(recordings=4, absolute_error=2))
    0.5
    """
    return ratio(total["absolute_error"], total["recordings"])


def parts(total: Stats) -> Mapping[str, float | None]:
    """The shares of recordings with the right number of speakers, too many and too few.

    >>> parts(Stats(recordings=4, exact=3, over=1, under=0))
    {'exact': 0.75, 'over': 0.25, 'under': 0.0}
    """
    return {key: ratio(total[key], total["recordings"]) for key in ("exact", "over", "under")}


METRICS = (
    Metric(
        name="speaker_count",
        title="Speaker count error",
        payload=Payload.TURNS,
        better=Better.LOWER,
        source="mean absolute error of the number of speakers",
        version=1,
        stats=stats,
        score=score,
        parts=parts,
        needs=("speaker", "start_time"),
        counts=("reference_speakers", "hypothesis_speakers"),
        unit="speakers",
    ),
)
