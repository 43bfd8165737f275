"""Word information preserved of a session taken as one stream of words: recall times precision of the words.

Counted as ``wer`` counts, and equal to jiwer, corpus values from summed counts. A reference without words has no rate
(None; jiwer: 1 if nothing was heard either, else 0). Of words that no system word answers nothing is preserved: 0, as in jiwer.

Equal to:
    jiwer 4.0.0 (tests/crosscheck/test_wer_jiwer.py).

Pitfalls:
    Higher is better, other than for the error rates beside it. The value is a product, and so low already where recall and
    precision are both fair.
"""

from __future__ import annotations

from collections.abc import Mapping

from parakh.metrics import Better, Metric, Payload
from parakh.metrics.wer import align, stats
from parakh.results import Stats, ratio


def score(total: Stats) -> float | None:
    """Word information preserved from summed counts: ``hits / reference words * hits / hypothesis words``.

    Args:
        total: Statistics of ``wer``.

    Returns:
        Ratio in [0, 1], 1 is best; 0 when only the hypothesis has no words, None when the reference has none.

    Source: Morris, Maier and Green, Interspeech 2004; jiwer 4.0.0.

    >>> score(Stats(hits=1, substitutions=0, insertions=3, length=1))
    0.25
    """
    found = recall(total)
    return found * (precision(total) or 0.0) if found is not None else None


def recall(total: Stats) -> float | None:
    """Share of the reference words that were heard right, in [0, 1]; None when there are none.

    >>> recall(Stats(hits=1, length=2))
    0.5
    """
    return ratio(total["hits"], total["length"])


def precision(total: Stats) -> float | None:
    """Share of the hypothesis words that are right, in [0, 1]; None when there are none.

    >>> precision(Stats(hits=1, substitutions=0, insertions=3))
    0.25
    """
    return ratio(total["hits"], total["hits"] + total["substitutions"] + total["insertions"])


def parts(total: Stats) -> Mapping[str, float | None]:
    """Both factors.

    >>> parts(Stats(hits=1, substitutions=0, insertions=3, length=1))
    {'recall': 1.0, 'precision': 0.25}
    """
    return {"recall": recall(total), "precision": precision(total)}


METRICS = (
    Metric(
        name="wip",
        title="Word information preserved",
        payload=Payload.WORDS,
        better=Better.HIGHER,
        source="Morris, Maier and Green, Interspeech 2004; jiwer 4.0.0",
        version=1,
        stats=stats,
        align=align,
        score=score,
        parts=parts,
    ),
)
