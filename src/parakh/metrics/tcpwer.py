"""Time-constrained minimum-permutation word error rate: what was said, by whom and when.

Two words can only meet where their times overlap. Inside its segment each word gets the share of its length in code points;
a reference word holds that share, a hypothesis word stands at its centre and is widened by the collar on both sides, so
it is [centre - collar, centre + collar]. Touching is no overlap. Words of a segment without duration stand at one moment.
``reference_timing`` and ``hypothesis_timing`` place the words otherwise, by meeteval's names: ``character_based`` (the
reference, unless told otherwise), ``character_based_points`` (the hypothesis), ``equidistant_intervals``,
``equidistant_points``, ``full_segment``, and ``none`` where every segment is one word. The collar always widens the
hypothesis, whatever its rule.

Equal to meeteval in every count, computed in binary floating point (meeteval's STM reader computes in decimals, which can
decide an exact touch otherwise). Where we differ on purpose: the collar has a default, 5 s, the one of meeteval's command
line; any number of speakers (meeteval refuses more than 20); a session without reference words has no rate (None); a
segment without words is no fault of ``none``. Where a reference segment accepts several forms (``Segment.forms``), those
that make the errors of its speaker fewest are taken, of equally cheap ones that given first; the length is the words of
the forms taken.

Formula:
    (substitutions + deletions + insertions) / length, with the words of the reference as length, under the assignment of
    speakers with the fewest errors, where only words that overlap in time meet

Choices:
    ``collar`` is how far off a hypothesis word may be: 5 s is usual in papers, 3 s in the DISPLACE-M challenge. A small one
    measures times of words that were only estimated from their segment; with 0 hardly anything meets. The rules of
    pseudo-times matter at small collars.

Equal to:
    meeteval 0.4.3 in every count and in the assignment, with every rule of pseudo-times
    (tests/crosscheck/test_tcpwer_meeteval.py).

Pitfalls:
    Figures with different collars do not compare. It is never below ``cpwer``. Long segments may cost errors, as the times
    of their words are rougher guesses.
"""

from __future__ import annotations

from collections.abc import Sequence

from parakh.alignment import Alignment
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._edits import error_rate, rates
from parakh.metrics._speakers import Rules, assigned_speakers, chosen_forms, speaker_alignment, speaker_stats
from parakh.metrics._times import HEARD, SAID
from parakh.results import Stats
from parakh.types import Segment


def stats(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    *,
    collar: float = 5.0,
    reference_timing: str = SAID,
    hypothesis_timing: str = HEARD,
) -> Stats:
    """Word errors of one session under the best assignment of speakers, where words must overlap in time to meet.

    Args:
        reference: The reference segments of the session, with speakers and times in seconds.
        hypothesis: The system's segments.
        collar: Seconds by which a hypothesis word is widened on each side, >= 0.
        reference_timing: Where the words of a reference segment lie inside it, by name.
        hypothesis_timing: The same of the hypothesis.

    Returns:
        ``errors`` = ``substitutions`` + ``deletions`` + ``insertions``, ``hits``, ``length`` (reference words);
        ``missed_speaker``, ``falarm_speaker``, ``scored_speaker`` (numbers of speakers); seconds of each side's
        ``_self_overlap`` and ``_total_time``; in a session where segments accept several
        forms ``alternatives`` (such segments) and ``other_forms`` (those where not the first is taken).

    Raises:
        InputError: A segment has no speaker or no times, or ends before it starts; the collar is negative; no rule of
            pseudo-times has that name, or it is "none" and a segment has several words.

    Source: von Neumann et al., MeetEval, CHiME 2023; meeteval 0.4.3.

    >>> reference, late = [Segment("v1", "A", 0.0, 2.0, "दवा ली")], [Segment("v1", "p", 9.0, 11.0, "दवा ली")]
    >>> [stats(reference, late, collar=seconds)["errors"] for seconds in (5.0, 10.0)]
    [4, 0]
    """
    return speaker_stats(reference, hypothesis, Rules(collar, reference_timing, hypothesis_timing))


def align(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    *,
    collar: float = 5.0,
    reference_timing: str = SAID,
    hypothesis_timing: str = HEARD,
) -> Alignment:
    """The alignment that ``stats`` counts.

    Args:
        reference: The reference segments of the session, with speakers and times in seconds.
        hypothesis: The system's segments.
        collar: Seconds by which a hypothesis word is widened on each side, >= 0.
        reference_timing: Where the words of a reference segment lie inside it, by name.
        hypothesis_timing: The same of the hypothesis.

    Returns:
        One entry a step, one pair of speakers after the other; segment indices are those of the sequences given, and
        times are the shares of the pseudo-times, before any collar.

    Raises:
        InputError: As in ``stats``.

    Source: meeteval 0.4.3.

    >>> steps = align([Segment("v1", "A", 0.0, 2.0, "दवा ली")], [Segment("v1", "p", 0.0, 2.0, "दवा")])
    >>> [(str(word.op), word.reference) for word in steps]
    [('match', 'दवा'), ('deletion', 'ली')]
    """
    return speaker_alignment(reference, hypothesis, Rules(collar, reference_timing, hypothesis_timing))


def speaker_mapping(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    *,
    collar: float = 5.0,
    reference_timing: str = SAID,
    hypothesis_timing: str = HEARD,
) -> dict[str, str]:
    """The assignment of speakers that ``stats`` uses.

    Args:
        reference: The reference segments of the session, with speakers and times in seconds.
        hypothesis: The system's segments.
        collar: Seconds by which a hypothesis word is widened on each side, >= 0.
        reference_timing: Where the words of a reference segment lie inside it, by name.
        hypothesis_timing: The same of the hypothesis.

    Returns:
        ``{hypothesis speaker: reference speaker}``; a speaker without a partner is left out.

    Raises:
        InputError: As in ``stats``.

    Source: meeteval 0.4.3.

    >>> reference = [Segment("v1", "asha", 0.0, 2.0, "दवा ली")]
    >>> speaker_mapping(reference, [Segment("v1", "s0", 5.0, 6.0, "जी"), Segment("v1", "s1", 0.0, 2.0, "दवा ली")])
    {'s1': 'asha'}
    """
    return assigned_speakers(reference, hypothesis, Rules(collar, reference_timing, hypothesis_timing))


def forms_taken(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    *,
    collar: float = 5.0,
    reference_timing: str = SAID,
    hypothesis_timing: str = HEARD,
) -> dict[int, str]:
    """The form in which ``stats`` counts each segment that accepts several.

    Args:
        reference: The reference segments of the session, with speakers and times in seconds.
        hypothesis: The system's segments.
        collar: Seconds by which a hypothesis word is widened on each side, >= 0.
        reference_timing: Where the words of a reference segment lie inside it, by name.
        hypothesis_timing: The same of the hypothesis.

    Returns:
        ``{index in the reference: transcript}``; a segment with one form only is left out.

    Raises:
        InputError: As in ``stats``.

    Source: the alternations of NIST's STM; the choice is this project's.

    >>> reference = [Segment("v1", "A", 0.0, 2.0, "पाँच गोली", forms=("5 गोली",)), Segment("v1", "A", 2.0, 3.0, "जी")]
    >>> forms_taken(reference, [Segment("v1", "p", 0.0, 2.0, "5 गोली")])
    {0: '5 गोली'}
    """
    return chosen_forms(reference, hypothesis, Rules(collar, reference_timing, hypothesis_timing))


METRICS = (
    Metric(
        name="tcpwer",
        title="Time-constrained minimum-permutation word error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="von Neumann et al., MeetEval, CHiME 2023; meeteval 0.4.3",
        version=1,
        stats=stats,
        align=align,
        score=error_rate,
        parts=rates,
        options=("collar", "reference_timing", "hypothesis_timing"),
        needs=("speaker", "start_time"),
        counts=("errors", "length"),
    ),
)
