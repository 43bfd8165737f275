"""Character error rate of a session taken as one text, whoever speaks.

A character is a Unicode code point, as in jiwer: a vowel sign or a virama counts like a letter. The space between two words
counts as one character. Segments are joined and forms chosen as in ``wer``. Where we differ from jiwer on purpose: any run
of white space is one space (jiwer only strips the ends), and a reference without characters has no rate (None).

Formula:
    (substitutions + deletions + insertions) / length, with the code points of the reference, spaces between words included,
    as length

Equal to:
    jiwer 4.0.0 in every count (tests/crosscheck/test_wer_jiwer.py).

Pitfalls:
    What a reader takes for one letter may be three code points or more, so that rates of two scripts do not compare; see
    ``akser``. Canonically equal letters are equal only after a normalisation to NFC.
"""

from __future__ import annotations

from collections.abc import Sequence

from parakh import _native
from parakh.alignment import Alignment
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._edits import edit_stats, error_rate, rates
from parakh.metrics._sentences import pieces, placed, stream_alignment, transcripts
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
    return edit_stats(*_native.count_edits(said, heard, True))


def align(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Alignment:
    """The alignment that ``stats`` counts, character by character, in time order.

    Args:
        reference: The reference segments of the session.
        hypothesis: The system's segments.

    Returns:
        One entry a step, whose "words" are code points; a space belongs to the segment of the word after it. A character's
        time is its share of its word's, which is the word's share of its segment; a space takes none.

    Source: jiwer 4.0.0 (rapidfuzz).

    >>> for sign in align([Segment("v1", words="ली है")], [Segment("v1", words="ले है")]):
    ...     print(sign.op, repr(sign.reference), repr(sign.hypothesis))
    match 'ल' 'ल'
    substitution 'ी' 'े'
    match ' ' ' '
    match 'ह' 'ह'
    match 'ै' 'ै'
    """
    said, heard = transcripts(reference, hypothesis, _characters)
    steps = _native.edit_steps(said, heard, True).tolist()
    first, second = (
        [sign for word in placed(*side) for sign in pieces(word, word.word)] for side in ((reference, said), (hypothesis, heard))
    )
    return stream_alignment(steps, first[1:], second[1:])


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
        align=align,
        score=error_rate,
        parts=rates,
        counts=("errors", "length"),
    ),
)
