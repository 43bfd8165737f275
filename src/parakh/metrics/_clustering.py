"""Two diarizations as clusterings of frames: what B-cubed, tau, entropies and mutual information have in common.

Time is counted in frames of 10 ms inside the scoring regions, non-speech included. The label of a frame is the set of
speakers who speak in it: nobody, each speaker alone and each set of overlapping speakers are labels of their own. With
n_ij frames of reference label i and hypothesis label j, n_i and n_j their sums and n all frames, every figure follows
from a few sums over i and j. A corpus keeps the labels of its recordings apart, silence too (its contingency table is
block-diagonal), so that the sums of the recordings add up to the sums of the corpus.

Because silence is a label like a speaker, an answer without any speech does not get the worst value of these figures.
With a recording missing from the answer all its frames have the label of silence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from parakh import _native, timeline
from parakh.metrics import Better, Metric, Payload
from parakh.metrics.jer import FRAME
from parakh.results import Stats
from parakh.types import Region, Segment


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment], *, regions: Sequence[Region] | None = None) -> Stats:
    """Sums over the contingency table of the frames of one recording.

    Args:
        reference: Reference turns, any order; speaker and times in seconds are read.
        hypothesis: The system's turns.
        regions: Scoring regions; None infers one from the extents of both sides.

    Returns:
        ``frames``: n; ``reference_labels`` and ``hypothesis_labels``: how many labels either side has;
        ``reference_bits``, ``hypothesis_bits``, ``joint_bits``: sums of n_i log2 n_i, n_j log2 n_j, n_ij log2 n_ij;
        ``reference_squares``, ``hypothesis_squares``: sums of n_i^2, n_j^2; ``reference_agreement``,
        ``hypothesis_agreement``: sums of n_ij^2 / n_i, n_ij^2 / n_j.

    Raises:
        InputError: A turn or region has times that make no sense.

    Source: dscore e02f949, ``scorelib/score.py``.

    >>> turns = [Segment("v1", "asha", 0.0, 0.04), Segment("v1", "seeker", 0.04, 0.08)]
    >>> found = stats(turns, [Segment("v1", "s0", 0.0, 0.08)])
    >>> found["frames"], found["reference_bits"], found["hypothesis_bits"]
    (8, 16.0, 24.0)
    """
    ref, hyp = timeline.turns(reference), timeline.turns(hypothesis)
    return Stats(_native.clustering(ref, hyp, timeline.spans(ref, hyp, regions), FRAME))


def entropies(total: Stats) -> tuple[float, float, float]:
    """H(ref), H(sys) and H(ref, sys) in bits, of at least one frame.

    H(ref) = log2 n - (1 / n) sum of n_i log2 n_i, the others alike.

    >>> entropies(Stats(frames=8.0, reference_bits=16.0, hypothesis_bits=24.0, joint_bits=16.0))
    (1.0, 0.0, 1.0)
    """
    frames = total["frames"]
    ref, hyp, joint = (
        max(0.0, math.log2(frames) - total[f"{side}_bits"] / frames) for side in ("reference", "hypothesis", "joint")
    )
    return ref, hyp, joint


def metric(
    name: str,
    title: str,
    source: str,
    score: Callable[[Stats], float | None],
    better: Better = Better.HIGHER,
    unit: str = "%",
) -> Metric:
    """The declaration of a figure of the contingency table."""
    return Metric(
        name=name,
        title=title,
        payload=Payload.TURNS,
        better=better,
        source=f"{source}; dscore e02f949",
        version=1,
        stats=stats,
        score=score,
        needs=("speaker", "start_time"),
        counts=("frames",),
        unit=unit,
        charges_missing=False,
    )
