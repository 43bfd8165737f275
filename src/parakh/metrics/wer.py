"""Word error rate of a session taken as one stream of words, whoever speaks.

Counts, and their split into substitutions, deletions and insertions, are jiwer's. Where we differ on purpose:

- Words are cut at every Unicode white space (``str.split()``); jiwer cuts at U+0020 only, so that a tab or a no-break
  space stays inside a word there.
- Segments of a session are joined in time order; without times in the order given. Sessions are never joined.
- A reference without words has no rate (None); its insertions count in the corpus. jiwer returns the insertion count.
- Where a reference segment accepts several forms (``Segment.forms``), the cheapest is taken and its words are the length.

Formula:
    (substitutions + deletions + insertions) / length, with the words of the reference as length

Choices:
    None of its own. The normalisation profile decides what is a difference: case and punctuation are often worth several
    points.

Equal to:
    jiwer 4.0.0 in every count, and rapidfuzz 3.14.6 in every step of the alignment (tests/crosscheck/test_wer_jiwer.py).

Pitfalls:
    Insertions let it rise above 1. The corpus value is the sum of errors by the sum of words (micro): a mean of the
    recordings' rates, which gives short ones more weight, stands beside it as *macro*. Speakers who overlap are put in one
    order by the start of their segments, and may so cost errors that nobody made: see ``cpwer``. In languages that write
    words together or apart, such differences are charged here.
"""

from __future__ import annotations

from collections.abc import Sequence

from parakh import _native
from parakh.alignment import Alignment
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._edits import edit_stats, error_rate, rates
from parakh.metrics._sentences import placed, stream_alignment, transcripts
from parakh.results import Stats
from parakh.types import Segment


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Stats:
    """Word errors of one session.

    Args:
        reference: The reference segments of the session, any order; speakers are not read.
        hypothesis: The system's segments.

    Returns:
        ``errors`` = ``substitutions`` + ``deletions`` + ``insertions``, ``hits`` and ``length`` (reference words).

    Source: jiwer 4.0.0 (rapidfuzz).

    >>> one = stats([Segment("v1", words="मुझे बुखार है")], [Segment("v1", words="मुझे तेज बुखार")])
    >>> one["errors"], one["length"]
    (2, 3)
    """
    said, heard = transcripts(reference, hypothesis, str.split)
    return edit_stats(*_native.count_edits(said, heard, False))


def align(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Alignment:
    """The alignment that ``stats`` counts, in time order.

    Args:
        reference: The reference segments of the session.
        hypothesis: The system's segments.

    Returns:
        One entry a step; segment indices are those of the sequences given; a word's time is its share of its segment.

    Source: jiwer 4.0.0 (rapidfuzz).

    >>> for word in align([Segment("v1", words="दवा ली")], [Segment("v1", words="दवा")]):
    ...     print(word.op, word.reference, word.hypothesis)
    match दवा दवा
    deletion ली None
    """
    said, heard = transcripts(reference, hypothesis, str.split)
    steps = _native.edit_steps(said, heard, False).tolist()
    return stream_alignment(steps, placed(reference, said), placed(hypothesis, heard))


METRICS = (
    Metric(
        name="wer",
        title="Word error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="Levenshtein distance on words; jiwer 4.0.0",
        version=1,
        stats=stats,
        align=align,
        score=error_rate,
        parts=rates,
        counts=("errors", "length"),
    ),
)
