"""Match error rate of a session taken as one stream of words: the share of the steps of the alignment that are errors.

Counted as ``wer`` counts, and equal to jiwer, corpus values from summed counts. Insertions are in the denominator, so that
the rate never exceeds 1. Where nobody speaks on either side there is no rate (None; jiwer: 0); words heard in silence are
a rate of 1, as in jiwer.

Equal to:
    jiwer 4.0.0 (tests/crosscheck/test_wer_jiwer.py).

Pitfalls:
    A system is charged less for one more insertion the more of them it has. It is no WER: the two do not compare.
"""

from __future__ import annotations

from parakh.metrics import Better, Metric, Payload
from parakh.metrics.wer import align, stats
from parakh.results import Stats, ratio


def score(total: Stats) -> float | None:
    """Match error rate from summed counts: ``errors / (hits + errors)``.

    Args:
        total: Statistics of ``wer``.

    Returns:
        Ratio in [0, 1]; None when neither side has words.

    Source: Morris, Maier and Green, Interspeech 2004; jiwer 4.0.0.

    >>> score(Stats(hits=1, errors=3))
    0.75
    """
    return ratio(total["errors"], total["hits"] + total["errors"])


METRICS = (
    Metric(
        name="mer",
        title="Match error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="Morris, Maier and Green, Interspeech 2004; jiwer 4.0.0",
        version=1,
        stats=stats,
        align=align,
        score=score,
    ),
)
