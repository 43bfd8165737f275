"""Goodman-Kruskal tau: how much better one labelling of the frames is guessed when the other is known.

tau(ref, sys) is how much of the error in guessing hypothesis labels goes away when the reference labels are known;
tau(sys, ref) the other way round. See ``_clustering`` for what a label is. A side with a single label leaves nothing to
guess: its tau is then 1, as in dscore. Over a corpus the labels of recordings are kept apart, so knowing the recording
helps too: the corpus value is no mean of the recordings' values and is usually higher.

Equal to:
    dscore e02f949 on its own tests (tests/golden/test_der_published.py); a slow twin otherwise
    (tests/property/test_diarization_figures_twin.py).

Pitfalls:
    Silence is a label like a speaker. Compare corpus values with corpus values only, as they are no mean of the
    recordings'.
"""

from __future__ import annotations

from parakh.metrics._clustering import metric
from parakh.results import Stats, ratio


def tau_ref_sys(total: Stats) -> float | None:
    """1 - (1 - (1 / n) sum of n_ij^2 / n_i) / (1 - sum of n_j^2 / n^2), in [0, 1]; None without frames.

    >>> tau_ref_sys(Stats(frames=8.0, hypothesis_labels=2, hypothesis_squares=32.0, reference_agreement=6.0))
    0.5
    """
    return _tau(total, "reference", "hypothesis")


def tau_sys_ref(total: Stats) -> float | None:
    """1 - (1 - (1 / n) sum of n_ij^2 / n_j) / (1 - sum of n_i^2 / n^2), in [0, 1]; None without frames.

    >>> tau_sys_ref(Stats(frames=8.0, reference_labels=1, reference_squares=64.0, hypothesis_agreement=8.0))
    1.0
    """
    return _tau(total, "hypothesis", "reference")


def _tau(total: Stats, known: str, guessed: str) -> float | None:
    frames = total["frames"]
    if not frames:
        return None
    if total[f"{guessed}_labels"] == 1:
        return 1.0
    unexplained = ratio(frames * (frames - total[f"{known}_agreement"]), frames * frames - total[f"{guessed}_squares"])
    return None if unexplained is None else min(1.0, max(0.0, 1 - unexplained))


_SOURCE = "Goodman and Kruskal, Measures of association for cross classifications, JASA 49, 1954"

METRICS = (
    metric("tau_ref_sys", "Goodman-Kruskal tau(ref, sys)", _SOURCE, tau_ref_sys),
    metric("tau_sys_ref", "Goodman-Kruskal tau(sys, ref)", _SOURCE, tau_sys_ref),
)
