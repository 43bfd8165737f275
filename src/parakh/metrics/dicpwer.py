"""Diarization-invariant cpWER: what a perfect diarization of the same segments would leave of cpWER.

Each segment of the hypothesis is given to the reference speaker with whom it costs least, so that errors of speaker labels cost
nothing, and words that a segment takes from two speakers do. Found by the greedy search that is described in ``_greedy``.

Formula:
    (substitutions + deletions + insertions) / length, with the words of the reference as length, with each hypothesis
    segment given to the reference speaker that the greedy search ends with

Equal to:
    meeteval 0.4.3 in every count and assignment (tests/crosscheck/test_greedy_meeteval.py).

Pitfalls:
    ``cpwer`` - ``dicpwer`` is what wrong labels cost; segments that hold two speakers' words are charged in both. The
    search is greedy: another assignment may have fewer errors.
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
    >>> one = stats(reference, [Segment("s1", "p", 0.0, 2.0, "बुखार कब"), Segment("s1", "p", 2.0, 4.0, "से")])
    >>> one["errors"], one["length"]
    (1, 4)
    """
    return greedy_stats(reference, hypothesis, None, invariant=True)


def align(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Alignment:
    """The alignment that ``stats`` counts.

    Args:
        reference: The reference segments of the session, with speakers; times in seconds only order them.
        hypothesis: The system's segments.

    Returns:
        One entry a step, one reference speaker after the other; segment indices are those of the sequences given.

    Raises:
        InputError: As in ``stats``.

    Source: meeteval 0.4.3.

    >>> reference = [Segment("s1", "A", 0.0, 2.0, "दवा"), Segment("s1", "B", 2.0, 4.0, "ली")]
    >>> [str(word.op) for word in align(reference, [Segment("s1", "p", 0.0, 4.0, "दवा ली")])]
    ['match', 'insertion', 'deletion']
    """
    return greedy_alignment(reference, hypothesis, None, invariant=True)


def assignment(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> list[str | None]:
    """The reference speaker that ``stats`` gives each hypothesis segment to.

    Args:
        reference: The reference segments of the session, with speakers; times in seconds only order them.
        hypothesis: The system's segments.

    Returns:
        A reference speaker for each segment of the hypothesis, in the order given; None where the reference has no segments.

    Raises:
        InputError: As in ``stats``.

    Source: meeteval 0.4.3.

    >>> reference = [Segment("s1", "A", 0.0, 2.0, "से है"), Segment("s1", "B", 2.0, 3.0, "जी")]
    >>> assignment(reference, [Segment("s1", "p", 0.0, 2.0, "से है"), Segment("s1", "p", 2.0, 3.0, "जी")])
    ['A', 'B']
    """
    return greedy_assignment(reference, hypothesis, None, invariant=True)


METRICS = (
    Metric(
        name="dicpwer",
        title="Diarization-invariant cpWER",
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
