"""What the speaker-attributed word error rates share: one assignment of speakers, then counts or alignments of its pairs.

Every reference speaker's words are compared with every hypothesis speaker's; speakers are assigned one to one so that the
errors are fewest; a speaker left over costs all its words. A segment without words still makes its speaker a speaker.
Where a reference segment accepts several forms (``Segment.forms``), every pair is compared in its cheapest forms.
Words are cut by ``str.split()``. Segments are put in time order; without times (cpWER only) they keep the order given.
Among equally cheap alignments the choice at each word is: insertion, else deletion, else match or substitution.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from parakh import _native
from parakh.errors import Fault, InputError
from parakh.metrics._edits import aligned_word, edit_stats, places
from parakh.results import Stats
from parakh.types import AlignedWord, Segment

Outcome = TypeVar("Outcome")


def speaker_stats(reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None) -> Stats:
    """Word errors under the best assignment; ``collar`` None means that time does not matter."""
    errors, substitutions, length, heard, said_speakers, heard_speakers = _call(
        _native.count_words, reference, hypothesis, collar
    )
    return Stats(
        {
            **edit_stats(errors, substitutions, length, heard),
            "missed_speaker": max(0, said_speakers - heard_speakers),
            "falarm_speaker": max(0, heard_speakers - said_speakers),
            "scored_speaker": said_speakers,
        }
    )


def speaker_alignment(reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None) -> list[AlignedWord]:
    """The alignment that ``speaker_stats`` counts: one pair of speakers after the other, each in time order."""
    pairs = _call(_native.align_words, reference, hypothesis, collar)
    first = [[places(k, one, form) for form in (one.words, *one.forms)] for k, one in enumerate(reference)]
    second = [places(k, one, one.words) for k, one in enumerate(hypothesis)]
    return [
        aligned_word(None if r < 0 else first[r][form][i], None if h < 0 else second[h][j])
        for _, _, steps in pairs
        for r, form, i, h, _, j in steps.tolist()
    ]


def assigned_speakers(reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None) -> dict[str, str]:
    """The reference speaker of each hypothesis speaker; one without a partner is left out."""
    pairs = _call(_native.align_words, reference, hypothesis, collar)
    return {h: r for r, h, _ in pairs if r is not None and h is not None}


def _call(
    kernel: Callable[[Sequence[Segment], Sequence[Segment], float | None], Outcome],
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    collar: float | None,
) -> Outcome:
    """Call a kernel; it refuses bad segments, and only then are they searched for what is wrong."""
    if collar is not None and not (math.isfinite(collar) and collar >= 0):
        raise InputError(Fault("collar", "", str(collar), "finite seconds >= 0"))
    try:
        return kernel(reference, hypothesis, collar)
    except ValueError as error:
        faults = [*_faults("reference", reference, collar), *_faults("hypothesis", hypothesis, collar)]
        raise InputError(faults) from error


def _faults(side: str, segments: Sequence[Segment], collar: float | None) -> Iterator[Fault]:
    """The first fault of a side, if it has one."""
    for entry, segment in enumerate(segments, start=1):
        where = f"{side} of {segment.session_id}"
        start, end = segment.start_time, segment.end_time
        if segment.speaker is None:
            yield Fault(where, "speaker", "none", "a speaker", "Give a format with speakers, or score wer.", entry)
        elif start is None or end is None:
            if collar is None:
                continue
            yield Fault(where, "start_time", "none", "seconds", "Give a format with times, or score cpwer.", entry)
        elif not (math.isfinite(start) and math.isfinite(end) and start <= end):
            yield Fault(where, "end_time", f"{end} after start_time {start}", "finite seconds >= start_time", "Mend it.", entry)
        else:
            continue
        return
