"""What the error rates under the best combination share: every reference utterance goes whole to one hypothesis stream.

The utterances of a reference segment sequence, in time order, are given to the speakers of the hypothesis so that the
errors of all of them together are fewest; the order of the utterances is kept within each. Who said an utterance does not
matter. The best combination is found exactly, never approximated: where that would take more memory than is allowed,
the session is refused.

Among equally good combinations the one of meeteval 0.4.3 is taken, which decides how the errors split into kinds: at each
utterance, from the last to the first, the stream whose speaker is heard first.
Where an utterance accepts several forms (``Segment.forms``), the form is chosen together with the stream, so that the
errors of the session are fewest; of equally cheap ones that given first. Its words are the length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from parakh import _native
from parakh.alignment import Alignment
from parakh.errors import Fault, InputError, counted
from parakh.metrics._edits import edit_stats
from parakh.metrics._speakers import Rules, aligned_words, checked
from parakh.results import Stats
from parakh.types import Segment

Outcome = TypeVar("Outcome")


def combination_stats(reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None) -> Stats:
    """Word errors under the best combination; ``collar`` None means that time does not matter."""
    return edit_stats(*_call(_native.count_combination, reference, hypothesis, collar))


def combination_alignment(reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None) -> Alignment:
    """The alignment that ``combination_stats`` counts: one hypothesis speaker after the other, each in time order."""
    streams = _call(_native.align_combination, reference, hypothesis, collar)
    return aligned_words(reference, hypothesis, Rules(collar), [row for _, _, steps in streams for row in steps.tolist()])


def combined_assignment(reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None) -> list[str | None]:
    """The hypothesis speaker that each reference segment goes to; None for one without words, and where nobody is heard."""
    speakers: list[str | None] = [None] * len(reference)
    for speaker, segments, _ in _call(_native.align_combination, reference, hypothesis, collar):
        for segment in segments:
            speakers[segment] = speaker
    return speakers


def _call(
    kernel: Callable[[Sequence[Segment], Sequence[Segment], float | None], Outcome],
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    collar: float | None,
) -> Outcome:
    """Call a kernel, and say what cannot be combined."""
    try:
        return checked(kernel, reference, hypothesis, Rules(collar))
    except OverflowError as error:
        raise InputError(_too_large(reference, hypothesis, collar, str(error))) from error


def _too_large(reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None, megabytes: str) -> Fault:
    speakers = counted(len({segment.speaker for segment in hypothesis}), "hypothesis speaker")
    size = f"{counted(len(reference), 'utterance')} and {speakers}, about {megabytes} MB of ways to combine them"
    advice = "Score tcorcwer or greedy_orcwer." if collar is None else "Lower the collar, or score greedy_tcorcwer."
    return Fault(f"reference of {reference[0].session_id}", "", size, "a session whose best combination can be found", advice)
