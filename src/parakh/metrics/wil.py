"""Word information lost of a session taken as one stream of words: 1 - ``wip``.

Counted as ``wer`` counts, and equal to jiwer, corpus values from summed counts. A reference without words has no rate
(None; jiwer: 0 if nothing was heard either, else 1). Of words that no system word answers all is lost: 1, as in jiwer.

Equal to:
    jiwer 4.0.0 (tests/crosscheck/test_wer_jiwer.py).

Pitfalls:
    A substitution counts on both sides, so that the value is above ``wer`` where most errors are substitutions. Over a
    corpus it comes from summed counts and is no mean of the recordings' values.
"""

from __future__ import annotations

from parakh.metrics import Better, Metric, Payload, wip
from parakh.metrics.wer import align, stats
from parakh.results import Stats


def score(total: Stats) -> float | None:
    """Word information lost from summed counts: ``1 - hits / reference words * hits / hypothesis words``.

    Args:
        total: Statistics of ``wer``.

    Returns:
        Ratio in [0, 1]; 1 when only the hypothesis has no words, None when the reference has none.

    Source: Morris, Maier and Green, Interspeech 2004; jiwer 4.0.0.

    >>> score(Stats(hits=1, substitutions=0, insertions=3, length=1))
    0.75
    """
    preserved = wip.score(total)
    return None if preserved is None else 1 - preserved


METRICS = (
    Metric(
        name="wil",
        title="Word information lost",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="Morris, Maier and Green, Interspeech 2004; jiwer 4.0.0",
        version=1,
        stats=stats,
        align=align,
        score=score,
    ),
)
