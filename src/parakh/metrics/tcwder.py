"""Time-constrained word diarization error rate: WDER on an alignment in which two words can only meet where they overlap.

Everything is as in ``wder`` but the alignment: both whole conversations, each as one stream of words in the time order of
its segments, are aligned once with the pseudo-times, the collar and the order of preference of ``tcpwer``. A word that is
said twice can so not be taken for another one a minute later, whose speaker may differ.

Formula:
    (S_IS + C_IS) / (S + C)

Choices:
    ``collar`` as in ``tcpwer``.

Equal to:
    No tool has it; a slow twin tries every assignment (tests/property/test_wder_twin.py).

Pitfalls:
    A small collar leaves fewer words to compare, and so may make it better: read it beside ``tcpwer`` with the same collar.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from parakh import _native
from parakh.alignment import Alignment
from parakh.metrics import Better, Metric, Payload
from parakh.metrics._attribution import attribution_mapping, attribution_rate, attribution_rates, attribution_stats
from parakh.metrics._speakers import Rules, aligned_words, checked, form_texts
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
    """Words of one session that carry the wrong speaker, where words must overlap in time to be aligned.

    Args:
        reference: The reference segments of the session, with speakers and times in seconds.
        hypothesis: The system's segments.
        collar: Seconds by which a hypothesis word is widened on each side, >= 0.
        reference_timing: Where the words of a reference segment lie inside it, by name.
        hypothesis_timing: The same of the hypothesis.

    Returns:
        As of ``wder``.

    Raises:
        InputError: A segment has no speaker or no times, or ends before it starts; the collar is negative; no rule of
            pseudo-times has that name, or it is "none" and a segment has several words.

    Source: Shafey, Soltau, Shafran, Interspeech 2019; the constraint is that of von Neumann et al., MeetEval, CHiME 2023.

    >>> reference = [Segment("v1", "asha", 0.0, 1.0, "जी"), Segment("v1", "mother", 60.0, 61.0, "जी")]
    >>> heard = [Segment("v1", "p", 30.0, 31.0, "ठीक"), Segment("v1", "q", 60.0, 61.0, "जी")]
    >>> one = stats(reference, heard)
    >>> one["errors"], one["length"]
    (0, 1)
    """
    rules = Rules(collar, reference_timing, hypothesis_timing)
    steps, chosen = _aligned(reference, hypothesis, rules)
    return attribution_stats(steps, {k: form > 0 for k, form in chosen})


def align(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    *,
    collar: float = 5.0,
    reference_timing: str = SAID,
    hypothesis_timing: str = HEARD,
) -> Alignment:
    """The alignment that ``stats`` counts, in time order.

    Args:
        reference: The reference segments of the session, with speakers and times in seconds.
        hypothesis: The system's segments.
        collar: Seconds by which a hypothesis word is widened on each side, >= 0.
        reference_timing: Where the words of a reference segment lie inside it, by name.
        hypothesis_timing: The same of the hypothesis.

    Returns:
        One entry a step; segment indices are those of the sequences given, and times are the shares of the pseudo-times,
        before any collar.

    Raises:
        InputError: As in ``stats``.

    Source: as of ``stats``.

    >>> steps = align([Segment("v1", "asha", 0.0, 1.0, "जी")], [Segment("v1", "p", 30.0, 31.0, "जी")])
    >>> [str(step.op) for step in steps]
    ['deletion', 'insertion']
    """
    return _aligned(reference, hypothesis, Rules(collar, reference_timing, hypothesis_timing))[0]


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
        ``{hypothesis speaker: reference speaker}``; a speaker without a partner is left out, and so is a pair of speakers
        without a word in common.

    Raises:
        InputError: As in ``stats``.

    Source: as of ``stats``.

    >>> speaker_mapping([Segment("v1", "asha", 0.0, 1.0, "जी")], [Segment("v1", "p", 0.0, 1.0, "जी")])
    {'p': 'asha'}
    """
    rules = Rules(collar, reference_timing, hypothesis_timing)
    return attribution_mapping(_aligned(reference, hypothesis, rules)[0])


def forms_taken(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    *,
    collar: float = 5.0,
    reference_timing: str = SAID,
    hypothesis_timing: str = HEARD,
) -> dict[int, str]:
    """The form in which ``stats`` counts each segment that accepts several: those with the fewest word errors in all.

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

    >>> forms_taken([Segment("v1", "A", 0.0, 2.0, "पाँच गोली", forms=("5 गोली",))], [Segment("v1", "p", 0.0, 2.0, "5 गोली")])
    {0: '5 गोली'}
    """
    rules = Rules(collar, reference_timing, hypothesis_timing)
    return form_texts(reference, _aligned(reference, hypothesis, rules)[1])


def _aligned(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], rules: Rules
) -> tuple[Alignment, list[tuple[int, int]]]:
    rows, chosen = checked(partial(_native.align_stream, **rules.timings()), reference, hypothesis, rules)
    return aligned_words(reference, hypothesis, rules, rows.tolist()), chosen


METRICS = (
    Metric(
        name="tcwder",
        title="Time-constrained word diarization error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="Shafey, Soltau, Shafran, Interspeech 2019; time constraint of MeetEval, CHiME 2023",
        version=1,
        stats=stats,
        score=attribution_rate,
        parts=attribution_rates,
        options=("collar", "reference_timing", "hypothesis_timing"),
        needs=("speaker", "start_time"),
        counts=("errors", "length"),
        charges_missing=False,
    ),
)
