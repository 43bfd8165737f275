"""Character error rate of a session taken as one text, whoever speaks.

A character is a Unicode code point, as in jiwer: a vowel sign or a virama counts like a letter. The space between two words
counts as one character. Segments are joined and forms chosen as in ``wer``. Where we differ from jiwer on purpose: any run
of white space is one space (jiwer only strips the ends), and a reference without characters has no rate (None).
"""

from __future__ import annotations

from collections.abc import Sequence

from parakh.metrics import Better, Metric, Payload
from parakh.metrics._edits import error_rate, rates, sequence_stats
from parakh.metrics._sentences import in_time_order, transcripts
from parakh.results import Stats
from parakh.types import Segment


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Stats:
    """Character errors of one session.

    Args:
        reference: The reference segments of the session, any order; speakers are not read.
        hypothesis: The system's segments.

    Returns:
        ``errors`` = ``substitutions`` + ``deletions`` + ``insertions``, ``hits`` and ``length`` (reference code points,
        spaces between words included).

    Source: jiwer 4.0.0 (rapidfuzz).

    >>> one = stats([Segment("v1", words="पेट दर्द")], [Segment("v1", words="पीट दर्द")])
    >>> one["errors"], one["length"]
    (1, 8)
    """
    said, heard = transcripts(reference, hypothesis, _characters)
    first = "".join(_characters(said[k]) for k in in_time_order(reference))
    second = "".join(_characters(heard[k]) for k in in_time_order(hypothesis))
    return sequence_stats(first[1:], second[1:])


def _characters(text: str) -> str:
    """The words of a text, each after a space, so that texts join by concatenation."""
    return "".join(f" {word}" for word in text.split())


METRICS = (
    Metric(
        name="cer",
        title="Character error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="Levenshtein distance on code points; jiwer 4.0.0",
        version=1,
        stats=stats,
        score=error_rate,
        parts=rates,
        counts=("errors", "length"),
    ),
)
