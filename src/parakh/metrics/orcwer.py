"""Optimal reference combination word error rate: what was said, whoever it is given to.

Every utterance of the reference goes whole to one stream (speaker) of the hypothesis, so that the word errors of all streams
together are fewest; the order of the utterances, by start time over all speakers, is kept within each stream. A system is
not charged for whom it takes the speakers to be, only for the words and for breaking an utterance over two streams.

Equal to meeteval in every count. The best combination is found exactly, in memory that does not grow with the product of the
streams' lengths (meeteval's does: 30 minutes with two speakers take more than 16 GB). Where we differ on purpose: any number
of hypothesis speakers (meeteval refuses more than 10); a session without reference words has no rate (None). Where a
reference segment accepts several forms (``Segment.forms``), the form is chosen together with the stream and its words are
the length.

Formula:
    (substitutions + deletions + insertions) / length, with the words of the reference as length, under the combination of
    utterances into streams with the fewest errors

Equal to:
    meeteval 0.4.3 in every count and in the combination (tests/crosscheck/test_orc_meeteval.py).

Pitfalls:
    Labels of speakers do not count at all: read it beside ``cpwer``. An utterance whose words a system parts over two
    streams costs errors. Its time can grow fast on sessions whose sides have little in common; that of ``greedy_orcwer``
    does not.
"""

from __future__ import annotations

from collections.abc import Sequence

from parakh.alignment import Alignment
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._combination import combination_alignment, combination_stats, combined_assignment
from parakh.metrics._edits import error_rate, rates
from parakh.results import Stats
from parakh.types import Segment


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Stats:
    """Word errors of one session under the best combination of utterances into streams.

    Args:
        reference: The reference segments of the session, with speakers; times in seconds only order them.
        hypothesis: The system's segments.

    Returns:
        ``errors`` = ``substitutions`` + ``deletions`` + ``insertions``, ``hits`` and ``length`` (reference words).

    Raises:
        InputError: A segment has no speaker, or ends before it starts; or the session has so many equally good ways to
            combine it that the best cannot be told in the memory allowed.

    Source: Sklyar et al., Multi-turn RNN-T for streaming recognition of multi-party speech, ICASSP 2022; meeteval 0.4.3.

    >>> reference = [Segment("s1", "A", words="बुखार कब"), Segment("s1", "B", words="से है")]
    >>> one = stats(reference, [Segment("s1", "p", words="बुखार कब से है")])
    >>> one["errors"], one["length"]
    (0, 4)
    """
    return combination_stats(reference, hypothesis, None)


def align(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Alignment:
    """The alignment that ``stats`` counts.

    Args:
        reference: The reference segments of the session, with speakers.
        hypothesis: The system's segments.

    Returns:
        One entry a step, one hypothesis speaker after the other; segment indices are those of the sequences given.

    Raises:
        InputError: As in ``stats``.

    Source: meeteval 0.4.3.

    >>> [str(word.op) for word in align([Segment("s1", "A", words="से है")], [Segment("s1", "p", words="है")])]
    ['deletion', 'match']
    """
    return combination_alignment(reference, hypothesis, None)


def assignment(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> list[str | None]:
    """The combination that ``stats`` counts.

    Args:
        reference: The reference segments of the session, with speakers.
        hypothesis: The system's segments.

    Returns:
        For each reference segment, in the order given, the hypothesis speaker it goes to; None for a segment without words,
        and for all where the hypothesis is empty.

    Raises:
        InputError: As in ``stats``.

    Source: meeteval 0.4.3.

    >>> reference = [Segment("s1", "A", words="बुखार कब"), Segment("s1", "A", words="से है")]
    >>> assignment(reference, [Segment("s1", "p", words="बुखार कब"), Segment("s1", "q", words="से है")])
    ['p', 'q']
    """
    return combined_assignment(reference, hypothesis, None)


METRICS = (
    Metric(
        name="orcwer",
        title="Optimal reference combination word error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="Sklyar et al., ICASSP 2022; meeteval 0.4.3",
        version=1,
        stats=stats,
        align=align,
        score=error_rate,
        parts=rates,
        needs=("speaker",),
        counts=("errors", "length"),
        costly=True,
    ),
)
