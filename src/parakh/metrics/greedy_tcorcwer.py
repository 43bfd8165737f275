"""Greedy time-constrained optimal reference combination word error rate: what was said and when.

As greedy ORC-WER, but two words can only meet where their times overlap, by the rule of tcpWER: a hypothesis word stands at the
centre of its share of the segment and is widened by the collar. The search is described in ``_greedy``.

Formula:
    (substitutions + deletions + insertions) / length, with the words of the reference as length, under the combination that
    the greedy search ends with, where only words that overlap in time meet

Choices:
    ``collar`` as in ``tcpwer``.

Equal to:
    meeteval 0.4.3 in every count and assignment (tests/crosscheck/test_greedy_meeteval.py).

Pitfalls:
    It is never below ``tcorcwer``, and mostly equal to it.
"""

from __future__ import annotations

from collections.abc import Sequence

from parakh.alignment import Alignment
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._edits import error_rate, rates
from parakh.metrics._greedy import greedy_alignment, greedy_assignment, greedy_stats
from parakh.results import Stats
from parakh.types import Segment


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment], *, collar: float = 5.0) -> Stats:
    """Word errors of one session, where words must overlap in time to meet.

    Args:
        reference: The reference segments of the session, with speakers and times in seconds.
        hypothesis: The system's segments.
        collar: Seconds by which a word is widened on each side, >= 0.

    Returns:
        ``errors`` = ``substitutions`` + ``deletions`` + ``insertions``, ``hits`` and ``length`` (reference words).

    Raises:
        InputError: A segment has no speaker or no times, or ends before it starts; the collar is negative.

    Source: von Neumann et al., Word error rate definitions and algorithms, 2024; meeteval 0.4.3.

    >>> reference, late = [Segment("v1", "A", 0.0, 2.0, "दवा ली")], [Segment("v1", "p", 9.0, 11.0, "दवा ली")]
    >>> [stats(reference, late, collar=seconds)["errors"] for seconds in (5.0, 10.0)]
    [4, 0]
    """
    return greedy_stats(reference, hypothesis, collar, invariant=False)


def align(reference: Sequence[Segment], hypothesis: Sequence[Segment], *, collar: float = 5.0) -> Alignment:
    """The alignment that ``stats`` counts.

    Args:
        reference: The reference segments of the session, with speakers and times in seconds.
        hypothesis: The system's segments.
        collar: Seconds by which a word is widened on each side, >= 0.

    Returns:
        One entry a step, one hypothesis stream after the other; segment indices are those of the sequences given.

    Raises:
        InputError: As in ``stats``.

    Source: meeteval 0.4.3.

    >>> steps = align([Segment("v1", "A", 0.0, 5.0, "दवा ली")], [Segment("v1", "p", 0.0, 2.0, "दवा")])
    >>> [(str(word.op), word.reference, word.reference_time) for word in steps]
    [('match', 'दवा', (0.0, 3.0)), ('deletion', 'ली', (3.0, 5.0))]
    """
    return greedy_alignment(reference, hypothesis, collar, invariant=False)


def assignment(reference: Sequence[Segment], hypothesis: Sequence[Segment], *, collar: float = 5.0) -> list[str | None]:
    """The hypothesis stream that ``stats`` gives each reference segment to.

    Args:
        reference: The reference segments of the session, with speakers and times in seconds.
        hypothesis: The system's segments.
        collar: Seconds by which a word is widened on each side, >= 0.

    Returns:
        A hypothesis stream for each segment of the reference, in the order given; None where the hypothesis has no segments.

    Raises:
        InputError: As in ``stats``.

    Source: meeteval 0.4.3.

    >>> reference = [Segment("s1", "A", 0.0, 2.0, "से है"), Segment("s1", "A", 20.0, 21.0, "से है")]
    >>> assignment(reference, [Segment("s1", "p", 0.0, 2.0, "से है"), Segment("s1", "q", 20.0, 21.0, "से है")])
    ['p', 'q']
    """
    return greedy_assignment(reference, hypothesis, collar, invariant=False)


METRICS = (
    Metric(
        name="greedy_tcorcwer",
        title="Greedy time-constrained optimal reference combination word error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="von Neumann et al., Word error rate definitions and algorithms, 2024; meeteval 0.4.3",
        version=1,
        stats=stats,
        align=align,
        score=error_rate,
        parts=rates,
        options=("collar",),
        needs=(
            "speaker",
            "start_time",
        ),
        counts=("errors", "length"),
    ),
)
