"""Time-constrained optimal reference combination word error rate: what was said and when, whoever it is given to.

Every utterance of the reference goes whole to one stream (speaker) of the hypothesis, so that the word errors of all streams
together are fewest; the order of the utterances, by start time over all speakers, is kept within each stream. Two words can
only meet where their times overlap, exactly as in tcpwer.

Equal to meeteval in every count, computed in binary floating point. Where we differ on purpose: the collar has a default,
5 s, the one of meeteval's command line; any number of hypothesis speakers (meeteval refuses more than 10); a session without
reference words has no rate (None). Where a reference segment accepts several forms (``Segment.forms``), the form is chosen
together with the stream and its words are the length.

Formula:
    (substitutions + deletions + insertions) / length, with the words of the reference as length, under the combination of
    utterances into streams with the fewest errors, where only words that overlap in time meet

Choices:
    ``collar`` as in ``tcpwer``.

Equal to:
    meeteval 0.4.3 in every count and in the combination (tests/crosscheck/test_orc_meeteval.py).

Pitfalls:
    Labels of speakers do not count at all: read it beside ``tcpwer`` with the same collar.
"""

from __future__ import annotations

from collections.abc import Sequence

from parakh.alignment import Alignment
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._combination import combination_alignment, combination_stats, combined_assignment
from parakh.metrics._edits import error_rate, rates
from parakh.results import Stats
from parakh.types import Segment


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment], *, collar: float = 5.0) -> Stats:
    """Word errors of one session under the best combination, where words must overlap in time to meet.

    Args:
        reference: The reference segments of the session, with speakers and times in seconds.
        hypothesis: The system's segments.
        collar: Seconds by which a hypothesis word is widened on each side, >= 0.

    Returns:
        ``errors`` = ``substitutions`` + ``deletions`` + ``insertions``, ``hits`` and ``length`` (reference words).

    Raises:
        InputError: A segment has no speaker or no times, or ends before it starts; the collar is negative; or the session
            has so many equally good ways to combine it that the best cannot be told in the memory allowed.

    Source: von Neumann et al., Word error rate definitions and algorithms for long-form multi-talker speech recognition,
    IEEE/ACM TASLP 2025; meeteval 0.4.3.

    >>> reference, late = [Segment("v1", "A", 0.0, 2.0, "दवा ली")], [Segment("v1", "p", 9.0, 11.0, "दवा ली")]
    >>> [stats(reference, late, collar=seconds)["errors"] for seconds in (5.0, 10.0)]
    [4, 0]
    """
    return combination_stats(reference, hypothesis, collar)


def align(reference: Sequence[Segment], hypothesis: Sequence[Segment], *, collar: float = 5.0) -> Alignment:
    """The alignment that ``stats`` counts.

    Args:
        reference: The reference segments of the session, with speakers and times in seconds.
        hypothesis: The system's segments.
        collar: Seconds by which a hypothesis word is widened on each side, >= 0.

    Returns:
        One entry a step, one hypothesis speaker after the other; segment indices are those of the sequences given.

    Raises:
        InputError: As in ``stats``.

    Source: meeteval 0.4.3.

    >>> steps = align([Segment("v1", "A", 0.0, 5.0, "दवा ली")], [Segment("v1", "p", 0.0, 5.0, "दवा")])
    >>> [(str(word.op), word.hypothesis_speaker, word.reference_time) for word in steps]
    [('match', 'p', (0.0, 3.0)), ('deletion', None, (3.0, 5.0))]
    """
    return combination_alignment(reference, hypothesis, collar)


def assignment(reference: Sequence[Segment], hypothesis: Sequence[Segment], *, collar: float = 5.0) -> list[str | None]:
    """The combination that ``stats`` counts.

    Args:
        reference: The reference segments of the session, with speakers and times in seconds.
        hypothesis: The system's segments.
        collar: Seconds by which a hypothesis word is widened on each side, >= 0.

    Returns:
        For each reference segment, in the order given, the hypothesis speaker it goes to; None for a segment without words,
        and for all where the hypothesis has none.

    Raises:
        InputError: As in ``stats``.

    Source: meeteval 0.4.3.

    >>> reference = [Segment("v1", "A", 0.0, 1.0, "जी"), Segment("v1", "A", 2.0, 3.0, "दवा ली")]
    >>> assignment(reference, [Segment("v1", "p", 0.0, 1.0, "जी"), Segment("v1", "q", 2.0, 3.0, "दवा ली")])
    ['p', 'q']
    """
    return combined_assignment(reference, hypothesis, collar)


METRICS = (
    Metric(
        name="tcorcwer",
        title="Time-constrained optimal reference combination word error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="von Neumann et al., IEEE/ACM TASLP 2025; meeteval 0.4.3",
        version=1,
        stats=stats,
        align=align,
        score=error_rate,
        parts=rates,
        options=("collar",),
        needs=("speaker", "start_time"),
        counts=("errors", "length"),
        costly=True,
    ),
)
