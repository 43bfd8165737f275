"""What the speaker-attributed error rates share: one assignment of speakers, then counts or alignments of its pairs.

Every reference speaker's words are compared with every hypothesis speaker's; speakers are assigned one to one so that the
errors are fewest; a speaker left over costs all its words. A segment without words still makes its speaker a speaker.
Where a reference segment accepts several forms (``Segment.forms``), every pair is compared in its cheapest forms.
Words are cut by ``str.split()``. Segments are put in time order; without times (not time-constrained) they keep the order
given. Among equally cheap alignments the choice at each word is: insertion, else deletion, else match or substitution.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypedDict, TypeVar

from parakh import _native
from parakh.alignment import Alignment
from parakh.errors import Fault, InputError, counted
from parakh.metrics._edits import aligned_word, edit_stats, places, sign_places
from parakh.metrics._times import HEARD, SAID, check_timing
from parakh.results import Stats
from parakh.types import Segment

Outcome = TypeVar("Outcome")


class _Timings(TypedDict):
    reference_timing: str
    hypothesis_timing: str


@dataclass(frozen=True, slots=True)
class Rules:
    """What is compared, and when two of it may meet.

    Args:
        collar: Seconds by which the hypothesis is widened on each side; None where time does not matter.
        reference_timing: Where the words of a reference segment lie inside it; one of ``_times.TIMINGS``.
        hypothesis_timing: The same of the hypothesis.
        characters: Compare code points, with a space before every word but a stream's first, instead of words.
    """

    collar: float | None = None
    reference_timing: str = SAID
    hypothesis_timing: str = HEARD
    characters: bool = False

    def timings(self) -> _Timings:
        """The rules of pseudo-times, as options of a kernel."""
        return {"reference_timing": self.reference_timing, "hypothesis_timing": self.hypothesis_timing}


def speaker_stats(reference: Sequence[Segment], hypothesis: Sequence[Segment], rules: Rules) -> Stats:
    """Errors under the best assignment.

    Self-overlap is how long segments of a speaker lie in earlier ones of the same speaker, and the total is the end of each
    speaker's last segment, both summed over the speakers of a side (meeteval 0.4.3, SelfOverlap). The forms are counted
    only in a session in which a segment accepts several.
    """
    kernel = partial(_native.count_words, **rules.timings(), characters=rules.characters)
    found = checked(kernel, reference, hypothesis, rules)
    said, heard = int(found["reference_speakers"]), int(found["hypothesis_speakers"])
    counts = (int(found[key]) for key in ("errors", "substitutions", "length", "hypothesis_length"))
    forms = ("alternatives", "other_forms") if found["alternatives"] else ()
    sides = [f"{side}_{what}" for side in ("reference", "hypothesis") for what in ("self_overlap", "total_time")]
    return Stats(
        {
            **edit_stats(*counts),
            "missed_speaker": max(0, said - heard),
            "falarm_speaker": max(0, heard - said),
            "scored_speaker": said,
            **{key: found[key] for key in (*sides, *forms)},
        }
    )


def speaker_alignment(reference: Sequence[Segment], hypothesis: Sequence[Segment], rules: Rules) -> Alignment:
    """The alignment that ``speaker_stats`` counts: one pair of speakers after the other, each in time order."""
    kernel = partial(_native.align_words, **rules.timings(), characters=rules.characters)
    pairs = checked(kernel, reference, hypothesis, rules)
    return aligned_words(reference, hypothesis, rules, [row for steps in pairs for row in steps.tolist()])


def aligned_words(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], rules: Rules, rows: Sequence[Sequence[int]]
) -> Alignment:
    """Steps from the rows of a kernel: segment, form and word of the reference, then of the hypothesis; -1 for none."""
    timings = rules.reference_timing, rules.hypothesis_timing
    placed = sign_places if rules.characters else places
    first = [[placed(k, one, form, timings[0]) for form in (one.words, *one.forms)] for k, one in enumerate(reference)]
    second = [placed(k, one, one.words, timings[1]) for k, one in enumerate(hypothesis)]
    pairs = ((None if r < 0 else first[r][form][i], None if h < 0 else second[h][j]) for r, form, i, h, _, j in rows)
    return Alignment(aligned_word(*pair) for pair in pairs)


def assigned_speakers(reference: Sequence[Segment], hypothesis: Sequence[Segment], rules: Rules) -> dict[str, str]:
    """The reference speaker of each hypothesis speaker; one without a partner is left out."""
    kernel = partial(_native.assigned_speakers, **rules.timings(), characters=rules.characters)
    return {heard: said for said, heard in checked(kernel, reference, hypothesis, rules)}


def chosen_forms(reference: Sequence[Segment], hypothesis: Sequence[Segment], rules: Rules) -> dict[int, str]:
    """The transcript in which each segment with several forms is counted, by its index in the reference."""
    kernel = partial(_native.take_forms, **rules.timings(), characters=rules.characters)
    return form_texts(reference, checked(kernel, reference, hypothesis, rules))


def form_texts(reference: Sequence[Segment], chosen: Sequence[tuple[int, int]]) -> dict[int, str]:
    """The transcripts of pairs (segment index, form); form 0 is the segment's words."""
    return {k: (reference[k].words, *reference[k].forms)[form] for k, form in sorted(chosen)}


def checked(
    kernel: Callable[[Sequence[Segment], Sequence[Segment], float | None], Outcome],
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    rules: Rules,
) -> Outcome:
    """Call a kernel; it refuses bad segments, and only then are they searched for what is wrong."""
    check_rules(rules)
    try:
        return kernel(reference, hypothesis, rules.collar)
    except ValueError:
        check_segments(reference, hypothesis, rules)
        raise
    except MemoryError as error:
        said, heard = (len({segment.speaker for segment in side}) for side in (reference, hypothesis))
        found, action = f"{said} and {heard} speakers", "Is there a label for every turn?"
        raise InputError(Fault("reference and hypothesis", "speaker", found, "as many as fit in memory", action)) from error


def check_rules(rules: Rules) -> None:
    """Refuse options out of range."""
    if rules.collar is not None and not (math.isfinite(rules.collar) and rules.collar >= 0):
        raise InputError(Fault("collar", "", str(rules.collar), "finite seconds >= 0"))
    check_timing("reference_timing", rules.reference_timing)
    check_timing("hypothesis_timing", rules.hypothesis_timing)


def check_segments(reference: Sequence[Segment], hypothesis: Sequence[Segment], rules: Rules) -> None:
    """Refuse segments that cannot be compared, naming the first of each side."""
    sides = (("reference", reference, rules.reference_timing), ("hypothesis", hypothesis, rules.hypothesis_timing))
    faults = [fault for side in sides for fault in _first_fault(*side, timed=rules.collar is not None)]
    if faults:
        raise InputError(faults)


def _first_fault(side: str, segments: Sequence[Segment], timing: str, timed: bool) -> Iterator[Fault]:
    for entry, segment in enumerate(segments, start=1):
        where = f"{side} of {segment.session_id}"
        start, end = segment.start_time, segment.end_time
        if segment.speaker is None:
            yield Fault(where, "speaker", "none", "a speaker", "Give a format with speakers, or score wer.", entry)
        elif start is None or end is None:
            if not timed:
                continue
            yield Fault(where, "start_time", "none", "seconds", "Give a format with times, or score cpwer.", entry)
        elif not (math.isfinite(start) and math.isfinite(end) and start <= end):
            yield Fault(where, "end_time", f"{end} after start_time {start}", "finite seconds >= start_time", "Mend it.", entry)
        elif timed and timing == "none" and (words := _most_words(segment)) > 1:
            expected = f"one word a segment, as {side}_timing is 'none'"
            yield Fault(where, "words", counted(words, "word"), expected, f"Choose another {side}_timing.", entry)
        else:
            continue
        return


def _most_words(segment: Segment) -> int:
    return max(len(form.split()) for form in (segment.words, *segment.forms))
