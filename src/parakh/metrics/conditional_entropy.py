"""Conditional entropies: how many bits are needed to tell one labelling of the frames when the other is known.

H(ref | sys) grows where the hypothesis puts several reference labels under one of its own, H(sys | ref) where it splits
a reference label. See ``_clustering`` for what a label is. Both are 0 for equal labellings and have no upper limit.

Equal to:
    dscore e02f949 on its own tests (tests/golden/test_der_published.py); a slow twin otherwise
    (tests/property/test_diarization_figures_twin.py).

Pitfalls:
    Bits depend on how many speakers there are and how evenly they speak: compare systems on one reference only. Either
    alone is easily made small: a system that hears nobody has H(sys|ref) 0, one with a speaker for every turn a low
    H(ref|sys).
"""

from __future__ import annotations

from parakh.metrics import Better
from parakh.metrics._clustering import entropies, metric
from parakh.results import Stats


def ce_ref_sys(total: Stats) -> float | None:
    """H(ref | sys) = (1 / n) sum of n_ij log2(n_j / n_ij), in bits, >= 0; None without frames.

    >>> ce_ref_sys(Stats(frames=8.0, reference_bits=16.0, hypothesis_bits=24.0, joint_bits=16.0))
    1.0
    """
    return _conditional(total, 1)


def ce_sys_ref(total: Stats) -> float | None:
    """H(sys | ref) = (1 / n) sum of n_ij log2(n_i / n_ij), in bits, >= 0; None without frames.

    >>> ce_sys_ref(Stats(frames=8.0, reference_bits=16.0, hypothesis_bits=24.0, joint_bits=16.0))
    0.0
    """
    return _conditional(total, 0)


def _conditional(total: Stats, known: int) -> float | None:
    if not total["frames"]:
        return None
    found = entropies(total)
    return max(0.0, found[2] - found[known])


_SOURCE = "Cover and Thomas, Elements of Information Theory, 1991"

METRICS = (
    metric("ce_ref_sys", "Conditional entropy H(ref|sys)", _SOURCE, ce_ref_sys, Better.LOWER, "bits"),
    metric("ce_sys_ref", "Conditional entropy H(sys|ref)", _SOURCE, ce_sys_ref, Better.LOWER, "bits"),
)
