"""Akshara error rate of a session: CER over aksharas instead of code points.

An akshara is what readers of an Indian script take for one letter, such as क्षि (``parakh.text.graphemes``). One wrong vowel sign
is one error here as in ``cer``, but out of fewer letters; a lost conjunct of three code points is one error, not three. The
space between two words counts as one akshara. Segments are joined and forms chosen as in ``wer``. Text is taken as it stands:
canonically equal letters are equal only after a normalisation to NFC.

Formula:
    (substitutions + deletions + insertions) / length, with the aksharas of the reference, spaces between words included, as
    length

Equal to:
    No tool has it. Its counts equal rapidfuzz 3.14.6 on lists of aksharas, and these the grapheme clusters of the package
    regex but for listed differences (tests/crosscheck/test_graphemes_regex.py).

Pitfalls:
    It is mostly above ``cer`` of the same text, as a wrong sign spoils a whole letter. Rates of papers on characters are
    those of ``cer``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count

from parakh import _native
from parakh.alignment import Alignment
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._edits import edit_stats, error_rate, rates
from parakh.metrics._sentences import pieces, placed, stream_alignment, transcripts
from parakh.results import Stats
from parakh.text.graphemes import aksharas
from parakh.types import Segment

_FIRST_NUMBER = 0x20000  # code points from here on are neither spaces nor surrogates


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Stats:
    """Akshara errors of one session.

    Args:
        reference: The reference segments of the session, any order; speakers are not read.
        hypothesis: The system's segments.

    Returns:
        ``errors`` = ``substitutions`` + ``deletions`` + ``insertions``, ``hits`` and ``length`` (reference aksharas, spaces
        between words included).

    Source: Levenshtein distance on orthographic syllables; Unicode 16, chapter 12.

    >>> one = stats([Segment("v1", words="पेट दर्द")], [Segment("v1", words="पीट दद")])
    >>> one["errors"], one["length"]
    (2, 5)
    """
    said, heard = transcripts(reference, hypothesis, _units)
    spelled = _speller()
    return edit_stats(*_native.count_edits([*map(spelled, said)], [*map(spelled, heard)], True))


def align(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Alignment:
    """The alignment that ``stats`` counts, akshara by akshara, in time order.

    Args:
        reference: The reference segments of the session.
        hypothesis: The system's segments.

    Returns:
        One entry a step, whose "words" are aksharas; a space belongs to the segment of the word after it. An akshara's time
        is its share of its word's, which is the word's share of its segment; a space takes none.

    Source: Levenshtein distance on orthographic syllables; Unicode 16, chapter 12.

    >>> for one in align([Segment("v1", words="दर्द")], [Segment("v1", words="दद")]):
    ...     print(one.op, one.reference, one.hypothesis)
    match द द
    substitution र्द द
    """
    said, heard = transcripts(reference, hypothesis, _units)
    spelled = _speller()
    steps = _native.edit_steps([*map(spelled, said)], [*map(spelled, heard)], True).tolist()
    first, second = (
        [part for word in placed(*side) for part in pieces(word, aksharas(word.word))]
        for side in ((reference, said), (hypothesis, heard))
    )
    return stream_alignment(steps, first[1:], second[1:])


def _units(text: str) -> list[str]:
    """The aksharas of a text, a space before every word, so that texts join by concatenation."""
    return [unit for word in text.split() for unit in (" ", *aksharas(word))]


def _speller() -> Callable[[str], str]:
    """Writes texts with one code point an akshara, the same for both sides, so that code points can be counted."""
    numbers: dict[str, int] = defaultdict(count(_FIRST_NUMBER).__next__)
    return lambda text: " ".join("".join(chr(numbers[unit]) for unit in aksharas(word)) for word in text.split())


METRICS = (
    Metric(
        name="akser",
        title="Akshara error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="Levenshtein distance on orthographic syllables; Unicode 16, chapter 12",
        version=1,
        stats=stats,
        align=align,
        score=error_rate,
        parts=rates,
        counts=("errors", "length"),
    ),
)
