"""Mutual information of the two labellings of the frames, plain (MI) and normalised (NMI).

MI is how many bits knowing one labelling saves in telling the other; its greatest value is the smaller of the two
entropies, so that it compares systems on one reference only. NMI is MI by the geometric mean of the entropies. See
``_clustering`` for what a label is. As in dscore, NMI is 0 when one side alone has a single label and 1 when both have:
a system that hears nobody in a recording in which one speaker speaks throughout gets 1.

Equal to:
    dscore e02f949 on its own tests (tests/golden/test_der_published.py); a slow twin otherwise
    (tests/property/test_diarization_figures_twin.py).

Pitfalls:
    Over a corpus the labels of recordings are kept apart, so that knowing the recording counts as knowledge: the corpus
    value is higher than the recordings'.
"""

from __future__ import annotations

import math

from parakh.metrics._clustering import entropies, metric
from parakh.results import Stats, ratio


def mi(total: Stats) -> float | None:
    """(1 / n) sum of n_ij log2(n n_ij / (n_i n_j)), in bits, >= 0; None without frames.

    >>> mi(Stats(frames=8.0, reference_bits=16.0, hypothesis_bits=16.0, joint_bits=16.0))
    1.0
    """
    if not total["frames"]:
        return None
    ref, hyp, joint = entropies(total)
    return max(0.0, ref + hyp - joint)


def nmi(total: Stats) -> float | None:
    """MI / sqrt(H(ref) H(sys)), in [0, 1]; None without frames.

    Source: Strehl and Ghosh, Cluster ensembles, JMLR 3, 2002, equation 2.

    >>> bits = {"reference_bits": 16.0, "hypothesis_bits": 16.0, "joint_bits": 16.0}
    >>> nmi(Stats(bits, frames=8.0, reference_labels=2, hypothesis_labels=2))
    1.0
    """
    shared = mi(total)
    if shared is None:
        return None
    labels = total["reference_labels"], total["hypothesis_labels"]
    if 1 in labels:
        return 1.0 if labels == (1, 1) else 0.0
    ref, hyp, _ = entropies(total)
    value = ratio(shared, math.sqrt(ref * hyp))
    return None if value is None else min(1.0, value)


METRICS = (
    metric("mi", "Mutual information", "Cover and Thomas, Elements of Information Theory, 1991", mi, unit="bits"),
    metric("nmi", "Normalised mutual information", "Strehl and Ghosh, Cluster ensembles, JMLR 3, 2002", nmi),
)
