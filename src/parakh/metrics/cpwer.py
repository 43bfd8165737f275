"""Concatenated minimum-permutation word error rate: what was said and by whom, without looking at the times.

Equal to meeteval in every count. Where we differ on purpose: any number of speakers (meeteval refuses more than 20), and a
session without reference words has no rate (None). Where a reference segment accepts several forms (``Segment.forms``),
those that make the errors of its speaker fewest are taken, of equally cheap ones that given first; the length is the words
of the forms taken.

Formula:
    (substitutions + deletions + insertions) / length, with the words of the reference as length, under the assignment of
    speakers with the fewest errors

Equal to:
    meeteval 0.4.3 in every count and in the assignment (tests/crosscheck/test_tcpwer_meeteval.py).

Pitfalls:
    Errors of words and of speakers are in one number: a word under the wrong speaker is often two errors, missing with one
    and added with another. Subtract ``orcwer`` or ``dicpwer`` to see what speakers cost. Without times a word may be
    matched with the same word minutes away: see ``tcpwer``.
"""

from __future__ import annotations

from collections.abc import Sequence

from parakh.alignment import Alignment
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._edits import error_rate, rates
from parakh.metrics._speakers import Rules, assigned_speakers, chosen_forms, speaker_alignment, speaker_stats
from parakh.results import Stats
from parakh.types import Segment


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Stats:
    """Word errors of one session under the best assignment of speakers.

    Args:
        reference: The reference segments of the session, with speakers; times in seconds only order them.
        hypothesis: The system's segments.

    Returns:
        ``errors`` = ``substitutions`` + ``deletions`` + ``insertions``, ``hits``, ``length`` (reference words);
        ``missed_speaker``, ``falarm_speaker``, ``scored_speaker`` (numbers of speakers); seconds of each side's
        ``_self_overlap`` and ``_total_time`` (0 for a side without times); in a session where segments accept several
        forms ``alternatives`` (such segments) and ``other_forms`` (those where not the first is taken).

    Raises:
        InputError: A segment has no speaker, or ends before it starts.

    Source: Watanabe et al., CHiME-6, 2020; meeteval 0.4.3.

    >>> reference = [Segment("s1", "A", words="बुखार कब"), Segment("s1", "B", words="से है")]
    >>> one = stats(reference, [Segment("s1", "p", words="बुखार कब से"), Segment("s1", "q", words="है")])
    >>> one["errors"], one["length"]
    (2, 4)
    """
    return speaker_stats(reference, hypothesis, Rules())


def align(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Alignment:
    """The alignment that ``stats`` counts.

    Args:
        reference: The reference segments of the session, with speakers.
        hypothesis: The system's segments.

    Returns:
        One entry a step, one pair of speakers after the other; segment indices are those of the sequences given.

    Raises:
        InputError: A segment has no speaker, or ends before it starts.

    Source: meeteval 0.4.3.

    >>> [str(word.op) for word in align([Segment("s1", "A", words="से है")], [Segment("s1", "p", words="है")])]
    ['deletion', 'match']
    """
    return speaker_alignment(reference, hypothesis, Rules())


def speaker_mapping(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> dict[str, str]:
    """The assignment of speakers that ``stats`` uses.

    Args:
        reference: The reference segments of the session, with speakers.
        hypothesis: The system's segments.

    Returns:
        ``{hypothesis speaker: reference speaker}``; a speaker without a partner is left out.

    Raises:
        InputError: A segment has no speaker, or ends before it starts.

    Source: meeteval 0.4.3.

    >>> speaker_mapping([Segment("s1", "asha", words="से है")], [Segment("s1", "s0", words="जी"), Segment("s1", "s1", words="है")])
    {'s1': 'asha'}
    """
    return assigned_speakers(reference, hypothesis, Rules())


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

    >>> reference = [Segment("s1", "A", words="पाँच गोली", forms=("5 गोली",)), Segment("s1", "A", words="जी")]
    >>> forms_taken(reference, [Segment("s1", "p", words="5 गोली जी")])
    {0: '5 गोली'}
    """
    return chosen_forms(reference, hypothesis, Rules())


METRICS = (
    Metric(
        name="cpwer",
        title="Concatenated minimum-permutation word error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="Watanabe et al., CHiME-6, 2020; meeteval 0.4.3",
        version=1,
        stats=stats,
        align=align,
        score=error_rate,
        parts=rates,
        needs=("speaker",),
        counts=("errors", "length"),
    ),
)
