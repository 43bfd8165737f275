"""Word diarization error rate: of the words heard, the share given to the wrong speaker.

The conversation is aligned as one stream of words, whoever speaks: the alignment of ``wer``. C words are aligned with
themselves and S with another word; of these C_IS and S_IS carry the wrong speaker. Speakers are assigned one to one so
that the words with the right speaker are most, S and C alike; every word of a speaker left over is wrong. Deletions and
insertions do not count: they have no two speakers to compare. Numerators and denominators add over recordings. What was
missed or made up leaves no trace in it: read it beside ``wer``.

Formula:
    (S_IS + C_IS) / (S + C)

Equal to:
    No tool that counts so is compared with; a slow twin tries every assignment (tests/property/test_wder_twin.py).

Pitfalls:
    A system that leaves out every difficult word does well here. Where one person says nearly everything, so does one that
    hears a single speaker.
"""

from __future__ import annotations

from collections.abc import Sequence

from parakh.alignment import Alignment
from parakh.metrics import Better, Metric, Payload
from parakh.metrics import wer as words
from parakh.metrics._attribution import attribution_mapping, attribution_rate, attribution_rates, attribution_stats
from parakh.metrics._sentences import in_time_order, transcripts
from parakh.metrics._speakers import Rules, check_segments
from parakh.results import Stats
from parakh.types import Segment


def stats(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Stats:
    """Words of one session that carry the wrong speaker.

    Args:
        reference: The reference segments of the session, with speakers; times in seconds only order them.
        hypothesis: The system's segments.

    Returns:
        ``errors`` = ``wrong_correct`` (C_IS) + ``wrong_substituted`` (S_IS), and ``length`` = ``correct`` (C) +
        ``substituted`` (S); in a session where segments accept several forms ``alternatives`` (such segments) and
        ``other_forms`` (those where not the first is taken).

    Raises:
        InputError: A segment has no speaker, or ends before it starts.

    Source: Shafey, Soltau, Shafran, "Joint speech recognition and speaker diarization via sequence transduction",
        Interspeech 2019.

    >>> reference = [Segment("v1", "asha", 0.0, 1.0, "दवा ली"), Segment("v1", "mother", 1.0, 3.0, "जी रोज़ ली")]
    >>> one = stats(reference, [Segment("v1", "p", 0.0, 2.0, "दवा ली जी"), Segment("v1", "q", 2.0, 3.0, "रोज़")])
    >>> one["errors"], one["length"]
    (1, 4)
    """
    steps, taken = align(reference, hypothesis), forms_taken(reference, hypothesis)
    return attribution_stats(steps, {k: text != reference[k].words for k, text in taken.items()})


def align(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> Alignment:
    """The alignment that ``stats`` counts: that of ``wer``, in time order.

    Args:
        reference: The reference segments of the session, with speakers.
        hypothesis: The system's segments.

    Returns:
        One entry a step; segment indices are those of the sequences given; a word's time is its share of its segment.

    Raises:
        InputError: A segment has no speaker, or ends before it starts.

    Source: as of ``stats``.

    >>> (step,) = align([Segment("v1", "asha", words="दवा")], [Segment("v1", "p", words="दवा")])
    >>> step.reference_speaker, step.hypothesis_speaker
    ('asha', 'p')
    """
    check_segments(reference, hypothesis, Rules())
    return words.align(reference, hypothesis)


def speaker_mapping(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> dict[str, str]:
    """The assignment of speakers that ``stats`` uses.

    Args:
        reference: The reference segments of the session, with speakers.
        hypothesis: The system's segments.

    Returns:
        ``{hypothesis speaker: reference speaker}``; a speaker without a partner is left out, and so is a pair of speakers
        without a word in common.

    Raises:
        InputError: A segment has no speaker, or ends before it starts.

    Source: as of ``stats``.

    >>> speaker_mapping([Segment("v1", "asha", words="दवा ली")], [Segment("v1", "p", words="दवा ली")])
    {'p': 'asha'}
    """
    return attribution_mapping(align(reference, hypothesis))


def forms_taken(reference: Sequence[Segment], hypothesis: Sequence[Segment]) -> dict[int, str]:
    """The form in which ``stats`` counts each segment that accepts several: that of ``wer``.

    Args:
        reference: The reference segments of the session.
        hypothesis: The system's segments.

    Returns:
        ``{index in the reference: transcript}``; a segment with one form only is left out.

    Source: the alternations of NIST's STM; the choice is this project's.

    >>> forms_taken([Segment("v1", words="पाँच गोली", forms=("5 गोली",))], [Segment("v1", words="5 गोली")])
    {0: '5 गोली'}
    """
    if not any(segment.forms for segment in reference):
        return {}
    said, _ = transcripts(reference, hypothesis, str.split)
    by_index = sorted(zip(in_time_order(reference), said, strict=True))
    return {k: text for k, text in by_index if reference[k].forms}


METRICS = (
    Metric(
        name="wder",
        title="Word diarization error rate",
        payload=Payload.WORDS,
        better=Better.LOWER,
        source="Shafey, Soltau, Shafran, Interspeech 2019",
        version=1,
        stats=stats,
        score=attribution_rate,
        parts=attribution_rates,
        needs=("speaker",),
        counts=("errors", "length"),
        charges_missing=False,
    ),
)
