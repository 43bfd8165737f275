"""Greedy optimal reference combination word error rate: what was said, whoever said it.

Each utterance of the reference may be given to any stream of the hypothesis; an upper bound of the exact ORC-WER, whose cost
grows with the power of the number of streams. The search is described in ``_greedy``.

Formula:
    (substitutions + deletions + insertions) / length, with the words of the reference as length, under the combination that
    the greedy search ends with

Equal to:
    meeteval 0.4.3 in every count and assignment (tests/crosscheck/test_greedy_meeteval.py).

Pitfalls:
    It is never below ``orcwer`` and mostly equal to it; where it is not, a small change of the answers can lead the search
    elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from parakh.alignment import Alignment
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._edits import error_rate, rates
from parakh.metrics._greedy import greedy_alignment, greedy_assignment, greedy_stats
from parakh.results import Stats
from parakh.types import Segment


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Stats:
    """Word errors of one session.

    Args:
        reference: The reference segments of the session, with speakers; times in seconds only order them.
        hypothesis: The system's segments.

    Returns:
        ``errors`` = ``substitutions`` + ``deletions`` + ``insertions``, ``hits`` and ``length`` (reference words).

    Raises:
        InputError: A segment has no speaker, or ends before it starts.

    Source: von Neumann et al., Word error rate definitions and algorithms, 2024; meeteval 0.4.3.

    >>> reference = [Segment("s1", "A", 0.0, 2.0, "बुखार कब"), Segment("s1", "B", 2.0, 4.0, "से है")]
    >>> one = stats(reference, [Segment("s1", "p", 0.0, 4.0, "बुखार कब से")])
    >>> one["errors"], one["length"]
    (1, 4)
    """
    return greedy_stats(reference, hypothesis, None, invariant=False)


def align(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Alignment:
    """The alignment that ``stats`` counts.

    Args:
        reference: The reference segments of the session, with speakers; times in seconds only order them.
        hypothesis: The system's segments.

    Returns:
        One entry a step, one hypothesis stream after the other; segment indices are those of the sequences given.

    Raises:
        InputError: As in ``stats``.

    Source: meeteval 0.4.3.

    >>> reference = [Segment("s1", "A", 0.0, 2.0, "दवा"), Segment("s1", "B", 2.0, 4.0, "ली")]
    >>> [(word.reference, word.reference_speaker) for word in align(reference, [Segment("s1", "p", 0.0, 4.0, "दवा ली")])]
    [('दवा', 'A'), ('ली', 'B')]
    """
    return greedy_alignment(reference, hypothesis, None, invariant=False)


def assignment(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> list[str | None]:
    """The hypothesis stream that ``stats`` gives each reference segment to.

    Args:
        reference: The reference segments of the session, with speakers; times in seconds only order them.
        hypothesis: The system's segments.

    Returns:
        A hypothesis stream for each segment of the reference, in the order given; None where the hypothesis has no segments.

    Raises:
        InputError: As in ``stats``.

    Source: meeteval 0.4.3.

    >>> reference = [Segment("s1", "A", 0.0, 2.0, "से है"), Segment("s1", "A", 2.0, 3.0, "जी")]
    >>> assignment(reference, [Segment("s1", "p", 0.0, 2.0, "से है"), Segment("s1", "q", 2.0, 3.0, "जी")])
    ['p', 'q']
    """
    return greedy_assignment(reference, hypothesis, None, invariant=False)


METRICS = (
    Metric(
        name="greedy_orcwer",
        title="Greedy optimal reference combination word error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="von Neumann et al., Word error rate definitions and algorithms, 2024; meeteval 0.4.3",
        version=1,
        stats=stats,
        align=align,
        score=error_rate,
        parts=rates,
        needs=("speaker",),
        counts=("errors", "length"),
    ),
)
