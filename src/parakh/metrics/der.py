"""Diarization error rate: how much speaker time is missed, falsely heard or given to the wrong speaker.

The rules are dscore's, the challenge's scorer, in this order:

1. Turns are cut to the scoring regions. Without regions, one is inferred per recording from the first start to the
   last end over reference and hypothesis together.
2. Turns of one speaker that overlap are one turn. Turns that only touch stay two: their boundary gets a collar.
3. Speakers are mapped one to one so that the time they share inside the regions is greatest; the time that step 4
   leaves out takes part. Two speakers that never speak together are not mapped.
4. With a collar c, the time from c before to c after every reference boundary is not scored; c is a half width.
   ``score_regions`` further restricts what is scored by how many reference speakers speak: ``all`` time, ``single``
   (exactly one), ``overlap`` (two or more) or ``nonoverlap`` (none or one: md-eval's ``-1``).
5. In every stretch of duration d with R reference and H hypothesis speakers, K of them mapped to each other: miss
   d max(R - H, 0), false alarm d max(H - R, 0), confusion d (min(R, H) - K), scored speaker time d R.

Where the published tools differ, on purpose or by their own limits:

- dscore rounds times to milliseconds and seconds to two decimals; here nothing is rounded. It adds onset and duration
  in binary, so that some turns that touch in the file overlap by 1e-13 and are joined; the readers here add in
  decimal. It cannot score a file without reference speech; here the false alarms count in the corpus and the
  file's own rate is None.
- spy-der 0.4.1 joins touching turns (so their boundary gets no collar), lets a turn without duration run on into
  what follows, and puts collars at boundaries outside the regions but not where a region cuts a turn.
- pyannote.metrics' collar is the full width, and it maps speakers after step 4. Its ``skip_overlap`` is
  ``nonoverlap`` here.

Choices:
    A collar forgives what annotators cannot tell apart, and hides errors at every change of speaker; ``score_regions`` says
    whether overlap is scored. Either can move the rate by several points, so both stand in the signature.

Equal to:
    dscore e02f949 and published figures, to the printed digits (tests/golden/test_der_published.py); spy-der 0.4.1 in all
    its region kinds (tests/crosscheck/test_der_spyder.py); pyannote.metrics 4.2.0 without a collar
    (tests/crosscheck/test_der_pyannote.py).

Pitfalls:
    A collar of 0.25 s here is 0.5 in pyannote.metrics. The rate may be above 1, and is higher the more overlap is scored.
    Whoever speaks much weighs much: a system that loses a quiet speaker altogether may still have a low rate (see ``jer``).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from parakh import _native, timeline
from parakh.errors import Fault, InputError
from parakh.metrics import Better, Metric, Payload
from parakh.results import Stats, ratio
from parakh.types import Region, Segment

_ANY = 2**31 - 1
SCORE_REGIONS: Mapping[str, tuple[int, int]] = {"all": (0, _ANY), "single": (1, 1), "overlap": (2, _ANY), "nonoverlap": (0, 1)}
"""What may be scored, by name, as the fewest and the most reference speakers speaking at a time."""


class ErrorKind(StrEnum):
    """What is wrong with a stretch of speech."""

    MISS = "miss"
    FALSE_ALARM = "false_alarm"
    CONFUSION = "confusion"


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of time with one kind of error.

    Args:
        start_time: Seconds.
        end_time: Seconds, > start_time.
        kind: What is wrong.
        speakers: How many speakers it concerns, >= 1: each of them costs the stretch's duration.
    """

    start_time: float
    end_time: float
    kind: ErrorKind
    speakers: int


@dataclass(frozen=True, slots=True)
class SpeakerPair:
    """A reference speaker and the hypothesis speaker that stands for it.

    Args:
        reference: The reference speaker.
        hypothesis: The hypothesis speaker mapped to it.
        shared_time: Seconds in which both speak, > 0.
        reference_time: Seconds in which the reference speaker speaks inside the regions.
        hypothesis_time: Seconds in which the hypothesis speaker speaks inside the regions.
    """

    reference: str
    hypothesis: str
    shared_time: float
    reference_time: float
    hypothesis_time: float


def stats(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    *,
    regions: Sequence[Region] | None = None,
    collar: float = 0.0,
    score_regions: str = "all",
) -> Stats:
    """Seconds of each kind of diarization error in one recording.

    Args:
        reference: Reference turns, any order; speaker and times in seconds are read.
        hypothesis: The system's turns.
        regions: Scoring regions; None infers one from the extents of both sides.
        collar: Seconds not scored on each side of every reference boundary, >= 0.
        score_regions: What is scored: "all", "single" (exactly one reference speaker), "overlap" (two or more) or
            "nonoverlap" (none or one).

    Returns:
        Seconds: ``miss``, ``false_alarm``, ``confusion`` and ``scored`` count each speaker; ``speech`` (reference
        speech), ``silence`` (the rest), ``overlap`` (two or more reference speakers), ``missed_speech`` (reference
        speech in which the system hears nobody) and ``false_speech`` (the system hears someone in silence) count time
        once. Numbers: ``reference_speakers`` and ``hypothesis_speakers`` inside the regions, ``missed_speakers`` and
        ``false_alarm_speakers`` (those of either side without partner), ``reference_self_overlaps`` and
        ``hypothesis_self_overlaps`` (turns that overlapped an earlier one of their speaker and were merged).

    Raises:
        InputError: The collar is negative or not finite, ``score_regions`` is none of the four, or a turn or region has
            times that make no sense.

    Source: NIST RT-09 evaluation plan; dscore e02f949 (md-eval-22).

    >>> asha, seeker = Segment("v1", "asha", 0.0, 6.0), Segment("v1", "seeker", 6.0, 10.0)
    >>> stats([asha, seeker], [Segment("v1", "s0", 0.0, 7.0), Segment("v1", "s1", 7.0, 9.0)])["confusion"]
    1.0
    """
    ref, hyp, spans = _sides(reference, hypothesis, regions, collar)
    figures = _native.der(ref, hyp, spans, collar, *_speakers_scored(score_regions))
    return Stats(figures, **timeline.self_overlap_counts(ref, hyp))


def score(total: Stats) -> float | None:
    """(miss + false alarm + confusion) / scored speaker time; may exceed 1; None without scored speaker time.

    >>> score(Stats(miss=1.0, false_alarm=0.5, confusion=0.5, scored=8.0))
    0.25
    """
    return ratio(total["miss"] + total["false_alarm"] + total["confusion"], total["scored"])


def parts(total: Stats) -> Mapping[str, float | None]:
    """The three error rates by scored speaker time, and the two of speech detection by reference speech.

    >>> parts(stats([Segment("v1", "A", 0.0, 8.0)], [Segment("v1", "x", 0.0, 6.0)]))["miss"]
    0.25
    """
    by_speaker = {key: ratio(total[key], total["scored"]) for key in ("miss", "false_alarm", "confusion")}
    return {**by_speaker, **{key: ratio(total[key], total["speech"]) for key in ("missed_speech", "false_speech")}}


def mapping(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], *, regions: Sequence[Region] | None = None
) -> dict[str, str]:
    """The reference speaker that each hypothesis speaker stands for; speakers without a partner are left out.

    Args:
        reference: Reference turns.
        hypothesis: The system's turns.
        regions: Scoring regions; None infers one.

    Returns:
        Hypothesis speaker to reference speaker, by the reference speaker's first turn.

    Raises:
        InputError: A turn or region has times that make no sense.

    >>> mapping([Segment("v1", "asha", 0.0, 6.0)], [Segment("v1", "s0", 0.0, 2.0), Segment("v1", "s1", 2.0, 6.0)])
    {'s1': 'asha'}
    """
    return {pair.hypothesis: pair.reference for pair in speaker_pairs(reference, hypothesis, regions=regions)}


def speaker_pairs(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], *, regions: Sequence[Region] | None = None
) -> list[SpeakerPair]:
    """The speaker mapping with the seconds behind it, by the reference speaker's first turn.

    Args:
        reference: Reference turns.
        hypothesis: The system's turns.
        regions: Scoring regions; None infers one.

    Raises:
        InputError: A turn or region has times that make no sense.

    >>> [pair] = speaker_pairs([Segment("v1", "asha", 0.0, 6.0)], [Segment("v1", "s1", 2.0, 7.0)])
    >>> pair.reference, pair.hypothesis, pair.shared_time
    ('asha', 's1', 4.0)
    """
    ref, hyp, spans = _sides(reference, hypothesis, regions)
    return [SpeakerPair(*pair) for pair in _native.pairs(ref, hyp, spans)]


def score_timeline(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    *,
    regions: Sequence[Region] | None = None,
    collar: float = 0.0,
    score_regions: str = "all",
) -> list[Stretch]:
    """Where the errors are that ``stats`` counts: its options, its sweep, so the two always agree.

    Returns:
        Stretches sorted by start, then end; the sum of duration times speakers over a kind is its count in ``stats``.

    Raises:
        InputError: As in ``stats``.

    >>> [one] = score_timeline([Segment("v1", "A", 0.0, 8.0)], [Segment("v1", "x", 0.0, 6.0)])
    >>> one.start_time, one.end_time, one.kind.value, one.speakers
    (6.0, 8.0, 'miss', 1)
    """
    ref, hyp, spans = _sides(reference, hypothesis, regions, collar)
    kinds = tuple(ErrorKind)
    found = _native.stretches(ref, hyp, spans, collar, *_speakers_scored(score_regions))
    return [Stretch(start, end, kinds[kind], speakers) for start, end, kind, speakers in found]


def _sides(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], regions: Sequence[Region] | None, collar: float = 0.0
) -> tuple[timeline.Turns, timeline.Turns, timeline.Spans]:
    if not (math.isfinite(collar) and collar >= 0):
        raise InputError(Fault("collar", "", str(collar), "finite seconds >= 0"))
    ref, hyp = timeline.turns(reference), timeline.turns(hypothesis)
    return ref, hyp, timeline.spans(ref, hyp, regions)


def _speakers_scored(score_regions: str) -> tuple[int, int]:
    if score_regions not in SCORE_REGIONS:
        raise InputError(Fault("score_regions", "", repr(score_regions), f"one of {', '.join(SCORE_REGIONS)}"))
    return SCORE_REGIONS[score_regions]


METRICS = (
    Metric(
        name="der",
        title="Diarization error rate",
        payload=Payload.TURNS,
        better=Better.LOWER,
        source="NIST RT-09 evaluation plan; dscore e02f949 (md-eval-22)",
        version=1,
        stats=stats,
        score=score,
        parts=parts,
        options=("collar", "score_regions"),
        needs=("speaker", "start_time"),
        counts=("scored",),
    ),
)
