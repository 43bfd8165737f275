"""Concatenated minimum-permutation character error rate: cpWER on code points instead of words.

A speaker's segments are joined in time order into one text, in which any run of white space is one space and the space
between two words counts as one character. Every reference speaker's text is compared with every hypothesis speaker's;
speakers are assigned one to one so that the character errors are fewest; a speaker left over costs all of its text.

A character is a Unicode code point, as in ``cer``: a vowel sign or a virama counts like a letter. Of a session with one
speaker on each side it is ``cer``, in errors and length. Where a reference segment accepts several forms
(``Segment.forms``), those that make the errors of its speaker fewest are taken, with a space before every word; the length
is that of the forms taken.

Formula:
    (substitutions + deletions + insertions) / length in code points, under the assignment of speakers with the fewest
    errors

Equal to:
    No tool has it. With one speaker on each side it is ``cer``; a slow twin tries every assignment
    (tests/property/test_character_twin.py).

Pitfalls:
    Speakers are assigned by characters, and may be so otherwise than for ``cpwer``. Its time grows with the square of the
    length.
"""

from __future__ import annotations

from collections.abc import Sequence

from parakh.alignment import Alignment
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._edits import error_rate, rates
from parakh.metrics._speakers import Rules, assigned_speakers, chosen_forms, speaker_alignment, speaker_stats
from parakh.results import Stats
from parakh.types import Segment

RULES = Rules(characters=True)


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Stats:
    """Character errors of one session under the best assignment of speakers.

    Args:
        reference: The reference segments of the session, with speakers; times in seconds only order them.
        hypothesis: The system's segments.

    Returns:
        As of ``cpwer``, in code points: ``length`` is that of the reference, spaces between words included.

    Raises:
        InputError: A segment has no speaker, or ends before it starts.

    Source: cpWER of Watanabe et al., CHiME-6, 2020, on the characters of jiwer's CER; the combination is this project's.

    >>> reference = [Segment("s1", "A", words="पेट दर्द"), Segment("s1", "B", words="जी")]
    >>> one = stats(reference, [Segment("s1", "p", words="पीट दर्द"), Segment("s1", "q", words="जी")])
    >>> one["errors"], one["length"]
    (1, 10)
    """
    return speaker_stats(reference, hypothesis, RULES)


def align(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Alignment:
    """The alignment that ``stats`` counts, character by character.

    Args:
        reference: The reference segments of the session, with speakers.
        hypothesis: The system's segments.

    Returns:
        One entry a step, whose "words" are code points, one pair of speakers after the other; a space belongs to the segment
        of the word after it, and every code point of a segment has the same share of its time.

    Raises:
        InputError: As in ``stats``.

    Source: as of ``stats``.

    >>> [str(sign.op) for sign in align([Segment("s1", "A", words="ली")], [Segment("s1", "p", words="ले")])]
    ['match', 'substitution']
    """
    return speaker_alignment(reference, hypothesis, Rules(characters=True))


def speaker_mapping(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> dict[str, str]:
    """The assignment of speakers that ``stats`` uses.

    Args:
        reference: The reference segments of the session, with speakers.
        hypothesis: The system's segments.

    Returns:
        ``{hypothesis speaker: reference speaker}``; a speaker without a partner is left out.

    Raises:
        InputError: A segment has no speaker, or ends before it starts.

    Source: as of ``stats``.

    >>> heard = [Segment("s1", "s0", words="जी"), Segment("s1", "s1", words="दवाई")]
    >>> speaker_mapping([Segment("s1", "asha", words="दवा")], heard)
    {'s1': 'asha'}
    """
    return assigned_speakers(reference, hypothesis, RULES)


def forms_taken(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> dict[int, str]:
    """The form in which ``stats`` counts each segment that accepts several.

    Args:
        reference: The reference segments of the session, with speakers.
        hypothesis: The system's segments.

    Returns:
        ``{index in the reference: transcript}``; a segment with one form only is left out.

    Raises:
        InputError: A segment has no speaker, or ends before it starts.

    Source: the alternations of NIST's STM; the choice is this project's.

    >>> forms_taken([Segment("s1", "A", words="पाँच गोली", forms=("5 गोली",))], [Segment("s1", "p", words="5 गोलि")])
    {0: '5 गोली'}
    """
    return chosen_forms(reference, hypothesis, RULES)


METRICS = (
    Metric(
        name="cpcer",
        title="Concatenated minimum-permutation character error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="cpWER (Watanabe et al., CHiME-6, 2020) on code points",
        version=1,
        stats=stats,
        align=align,
        score=error_rate,
        parts=rates,
        needs=("speaker",),
        counts=("errors", "length"),
    ),
)
