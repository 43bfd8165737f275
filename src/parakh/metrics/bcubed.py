"""B-cubed precision, recall and F1: how well the frames of one speaker are kept together and apart from others.

The precision of a frame is the share of the frames with its hypothesis label that have its reference label too; its
recall is the share of the frames with its reference label that have its hypothesis label too. Both are averaged over
all frames, silence included; see ``_clustering`` for what a label is.

Choices:
    None; frames are 10 ms, silence and every set of overlapping speakers are labels.

Equal to:
    dscore e02f949 on its own tests (tests/golden/test_der_published.py); a slow twin otherwise
    (tests/property/test_diarization_figures_twin.py).

Pitfalls:
    Silence is a label like a speaker: the more of it both sides agree on, the better a system looks.
"""

from __future__ import annotations

from parakh.metrics._clustering import metric
from parakh.results import Stats, ratio


def precision(total: Stats) -> float | None:
    """(1 / n) sum of n_ij^2 / n_j, in (0, 1]; None without frames.

    Source: Bagga and Baldwin, Algorithms for scoring coreference chains, LREC 1998.

    >>> precision(Stats(frames=8.0, hypothesis_agreement=4.0))
    0.5
    """
    return ratio(total["hypothesis_agreement"], total["frames"])


def recall(total: Stats) -> float | None:
    """(1 / n) sum of n_ij^2 / n_i, in (0, 1]; None without frames.

    >>> recall(Stats(frames=8.0, reference_agreement=8.0))
    1.0
    """
    return ratio(total["reference_agreement"], total["frames"])


def f1(total: Stats) -> float | None:
    """2 P R / (P + R) of precision P and recall R, in (0, 1]; None without frames.

    >>> f1(Stats(frames=8.0, hypothesis_agreement=4.0, reference_agreement=4.0))
    0.5
    """
    ours, theirs = total["hypothesis_agreement"], total["reference_agreement"]
    return ratio(2 * ours * theirs, (ours + theirs) * total["frames"])


_SOURCE = "Bagga and Baldwin, Algorithms for scoring coreference chains, LREC 1998"

METRICS = (
    metric("bcubed_precision", "B-cubed precision", _SOURCE, precision),
    metric("bcubed_recall", "B-cubed recall", _SOURCE, recall),
    metric("bcubed_f1", "B-cubed F1", _SOURCE, f1),
)
