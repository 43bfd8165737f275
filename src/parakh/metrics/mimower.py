"""Multiple-input multiple-output word error rate: what was said, in any stream and any interleaving of the speakers.

Each utterance of the reference may be given to any stream of the hypothesis, as in ORC-WER; the utterances of one speaker keep
their order, those of different speakers may follow each other in any. Times only order the segments of a speaker (without
times: the order given). The errors are the fewest of all such ways, equal to meeteval in errors and length wherever the
search is exact; substitutions, deletions and insertions are those of one best way and may be split otherwise.

The number of ways grows with the power of speakers and streams. The greedy ORC-WER, a way in time order, bounds the errors
from above. A Lagrangian relaxation, in which each speaker meets each stream alone, bounds them from below. Between the two a
search goes through all states that could still be better, as long as they are no more than 2^21 and their edit distances
no more than 2^29 cells: ``gap`` is then 0 and the errors are the fewest. Otherwise the greedy way is counted, and ``gap`` tells
how many fewer errors another way could have at most: the fewest lie in [``errors`` - ``gap``, ``errors``]. Beyond 2^26 cells of
the relaxation (utterances times words of the streams, 140 MB) only the difference of both lengths bounds from below.

Where a reference segment accepts several forms (``Segment.forms``), the cheapest is taken and its words are the length. Where
we differ on purpose: any number of speakers and streams (meeteval refuses more than 10 and runs out of memory long before);
a hypothesis without segments is all deletions (meeteval fails); a session without reference words has no rate (None).

Formula:
    (substitutions + deletions + insertions) / length, with the words of the reference as length, in the way with the fewest
    errors where ``gap`` is 0

Equal to:
    meeteval 0.4.3 in errors and length where it can compute them (tests/crosscheck/test_mimo_meeteval.py).

Pitfalls:
    Look at ``gap`` before you compare: where it is not 0, the value is an upper bound. Neither labels nor the order between
    speakers count, so that it is more lenient than ``orcwer``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from parakh import _native
from parakh.alignment import Alignment
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._edits import edit_stats, error_rate, rates
from parakh.metrics._speakers import Rules, aligned_words, checked
from parakh.results import Stats, ratio
from parakh.types import Segment


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Stats:
    """Word errors of one session.

    Args:
        reference: The reference segments of the session, with speakers; times in seconds only order them.
        hypothesis: The system's segments.

    Returns:
        ``errors`` = ``substitutions`` + ``deletions`` + ``insertions``, ``hits``, ``length`` (reference words), and ``gap``: by
        how many errors the fewest may lie below ``errors``; 0 where these are proven to be the fewest.

    Raises:
        InputError: A segment has no speaker, or ends before it starts.

    Source: von Neumann et al., On word error rate definitions and their efficient computation for multi-speaker speech
    recognition systems, ICASSP 2023; meeteval 0.4.3.

    >>> reference = [Segment("s1", "A", 0.0, 2.0, "बुखार कब"), Segment("s1", "B", 2.0, 4.0, "से है")]
    >>> one = stats(reference, [Segment("s1", "p", 0.0, 4.0, "से है बुखार")])
    >>> one["errors"], one["length"], one["gap"]
    (1, 4, 0)
    """
    errors, substitutions, said, heard, least = checked(_native.mimo_counts, reference, hypothesis, Rules())
    return Stats({**edit_stats(errors, substitutions, said, heard), "gap": errors - least})


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
    >>> [word.reference_speaker for word in align(reference, [Segment("s1", "p", 0.0, 4.0, "ली दवा")])]
    ['B', 'A']
    """
    _, streams = checked(_native.mimo_words, reference, hypothesis, Rules())
    return aligned_words(reference, hypothesis, Rules(), [row for steps in streams for row in steps.tolist()])


def assignment(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> list[tuple[int, str | None]]:
    """The way that ``stats`` counts.

    Args:
        reference: The reference segments of the session, with speakers; times in seconds only order them.
        hypothesis: The system's segments.

    Returns:
        (index of a reference segment, hypothesis stream it is given to), in the order in which they are taken; segments
        without words are left out, and all are where the hypothesis has no segments.

    Raises:
        InputError: As in ``stats``.

    Source: meeteval 0.4.3.

    >>> reference = [Segment("s1", "A", 0.0, 2.0, "दवा"), Segment("s1", "B", 2.0, 4.0, "ली")]
    >>> assignment(reference, [Segment("s1", "p", 0.0, 4.0, "ली दवा")])
    [(1, 'p'), (0, 'p')]
    """
    return checked(_native.mimo_words, reference, hypothesis, Rules())[0]


def bounds(total: Stats) -> Mapping[str, float | None]:
    """The kinds of error as shares of the reference length, and the rate that no way is below; None for a slice of the words."""
    least = total["errors"] - total["gap"] if "gap" in total else None
    return {**rates(total), "lower_bound": None if least is None else ratio(least, total["length"])}


METRICS = (
    Metric(
        name="mimower",
        title="Multiple-input multiple-output word error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="von Neumann et al., ICASSP 2023; meeteval 0.4.3",
        version=1,
        stats=stats,
        align=align,
        score=error_rate,
        parts=bounds,
        needs=("speaker",),
        counts=("errors", "length"),
        costly=True,
    ),
)
