"""Time-constrained minimum-permutation character error rate: tcpWER on code points instead of words.

Characters are those of ``cpcer``. Each segment's text, written with one space before every word, is spread evenly over the
segment, every code point with the same share; the first space of a speaker's whole text is then left out, with its share.
A reference code point holds its share, a hypothesis code point stands at the centre of its own and is widened by the collar
on both sides: [centre - collar, centre + collar]. Two can only meet where these times overlap; touching is no overlap. With
a collar longer than the session it is ``cpcer``.

``reference_timing`` and ``hypothesis_timing`` place them otherwise, by the names of ``tcpwer``: as every code point is as
long as another, ``equidistant_...`` places as ``character_based...`` does; ``full_segment`` gives each the whole segment,
and ``none`` does so too but refuses a segment of several words.

Formula:
    (substitutions + deletions + insertions) / length in code points, under the assignment of speakers with the fewest
    errors, where only code points that overlap in time meet

Choices:
    ``collar`` as in ``tcpwer``, the seconds by which a hypothesis code point is widened.

Equal to:
    No tool has it. With a long collar it is ``cpcer``; a slow twin fills the whole table
    (tests/property/test_character_twin.py).

Pitfalls:
    Speakers are assigned by characters, and may be so otherwise than for ``tcpwer``. Figures with different collars do not
    compare.
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
    """Character errors of one session under the best assignment of speakers, where characters must overlap in time to meet.

    Args:
        reference: The reference segments of the session, with speakers and times in seconds.
        hypothesis: The system's segments.
        collar: Seconds by which a hypothesis character is widened on each side, >= 0.
        reference_timing: Where the characters of a reference segment lie inside it, by name.
        hypothesis_timing: The same of the hypothesis.

    Returns:
        As of ``tcpwer``, in code points: ``length`` is that of the reference, spaces between words included.

    Raises:
        InputError: A segment has no speaker or no times, or ends before it starts; the collar is negative; no rule of
            pseudo-times has that name, or it is "none" and a segment has several words.

    Source: tcpWER of von Neumann et al., MeetEval, CHiME 2023, on the characters of ``cpcer``; the combination is this
        project's.

    >>> reference = [Segment("v1", "A", 0.0, 2.0, "ಹೊಟ್ಟೆ ನೋವು")]
    >>> [stats(reference, [Segment("v1", "p", 9.0, 11.0, "ಹೊಟ್ಟೆ ನೋವ")], collar=seconds)["errors"] for seconds in (5.0, 10.0)]
    [21, 1]
    """
    return speaker_stats(reference, hypothesis, Rules(collar, reference_timing, hypothesis_timing, characters=True))


def align(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    *,
    collar: float = 5.0,
    reference_timing: str = SAID,
    hypothesis_timing: str = HEARD,
) -> Alignment:
    """The alignment that ``stats`` counts, character by character.

    Args:
        reference: The reference segments of the session, with speakers and times in seconds.
        hypothesis: The system's segments.
        collar: Seconds by which a hypothesis character is widened on each side, >= 0.
        reference_timing: Where the characters of a reference segment lie inside it, by name.
        hypothesis_timing: The same of the hypothesis.

    Returns:
        As of ``cpcer.align``.

    Raises:
        InputError: As in ``stats``.

    Source: as of ``stats``.

    >>> [sign] = align([Segment("v1", "A", 0.0, 2.0, "ए")], [Segment("v1", "p", 0.0, 2.0, "ऐ")])
    >>> str(sign.op), sign.reference_time
    ('substitution', (1.0, 2.0))
    """
    rules = Rules(collar, reference_timing, hypothesis_timing, characters=True)
    return speaker_alignment(reference, hypothesis, rules)


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
        collar: Seconds by which a hypothesis character is widened on each side, >= 0.
        reference_timing: Where the characters of a reference segment lie inside it, by name.
        hypothesis_timing: The same of the hypothesis.

    Returns:
        ``{hypothesis speaker: reference speaker}``; a speaker without a partner is left out.

    Raises:
        InputError: As in ``stats``.

    Source: as of ``stats``.

    >>> reference = [Segment("v1", "asha", 0.0, 2.0, "दवा")]
    >>> speaker_mapping(reference, [Segment("v1", "s0", 5.0, 6.0, "जी"), Segment("v1", "s1", 0.0, 2.0, "दवाई")])
    {'s1': 'asha'}
    """
    rules = Rules(collar, reference_timing, hypothesis_timing, characters=True)
    return assigned_speakers(reference, hypothesis, rules)


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
        collar: Seconds by which a hypothesis character is widened on each side, >= 0.
        reference_timing: Where the characters of a reference segment lie inside it, by name.
        hypothesis_timing: The same of the hypothesis.

    Returns:
        ``{index in the reference: transcript}``; a segment with one form only is left out.

    Raises:
        InputError: As in ``stats``.

    Source: the alternations of NIST's STM; the choice is this project's.

    >>> forms_taken([Segment("v1", "A", 0.0, 2.0, "പനി ഉണ്ട്", forms=("പനിയുണ്ട്",))], [Segment("v1", "p", 0.0, 2.0, "പനിയുണ്ട")])
    {0: 'പനിയുണ്ട്'}
    """
    return chosen_forms(reference, hypothesis, Rules(collar, reference_timing, hypothesis_timing, characters=True))


METRICS = (
    Metric(
        name="tcpcer",
        title="Time-constrained minimum-permutation character error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="tcpWER (von Neumann et al., MeetEval, CHiME 2023) on code points",
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
