"""What the greedy word error rates share: the utterances of one side are given to the streams of the other, one by one.

With ``invariant`` the utterances of the hypothesis go to the speakers of the reference (diarization-invariant); otherwise those
of the reference go to the streams of the hypothesis. Both sides are in time order; without times in the order given.

- Start: speakers are assigned one to one as for cpWER (tcpWER with a collar), with all their utterances; who is left over
  goes to the stream with which they have fewest errors, the first in time order among equals.
- Pass: each utterance in turn is tried in every stream, the earlier ones where this pass left them, the later ones where the
  last pass did. It moves to the first stream in which it adds fewest errors; it stays where no other is better.
- Passes are repeated until nothing moves (49 at most), first with a substitution that costs 2, then with one that costs 1.

The errors are those of the alignment of each stream with what it was given in the end; among equally cheap alignments the
choice at each word is insertion, else deletion, else match or substitution (with ``invariant`` deletion, else insertion).
Equal to meeteval 0.4.3 in every count and assignment; it refuses more than 10 streams, we do not.

Where a reference segment accepts several forms, an utterance tried in a stream takes its cheapest form there. With
``invariant`` the search keeps the forms that are cheapest at the start, and the forms that are cheapest with what each speaker
was given in the end are counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from parakh import _native
from parakh.alignment import Alignment
from parakh.metrics._edits import edit_stats
from parakh.metrics._speakers import Rules, aligned_words, checked
from parakh.results import Stats
from parakh.types import Segment


def greedy_stats(reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None, *, invariant: bool) -> Stats:
    """Word errors of the greedy assignment; ``collar`` None means that time does not matter."""
    return edit_stats(*checked(partial(_native.greedy_counts, invariant=invariant), reference, hypothesis, Rules(collar)))


def greedy_alignment(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None, *, invariant: bool
) -> Alignment:
    """The alignment that ``greedy_stats`` counts: one stream after the other, each in time order."""
    _, streams = checked(partial(_native.greedy_words, invariant=invariant), reference, hypothesis, Rules(collar))
    return aligned_words(reference, hypothesis, Rules(collar), [row for steps in streams for row in steps.tolist()])


def greedy_assignment(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None, *, invariant: bool
) -> list[str | None]:
    """The stream of each utterance, in the order of the segments given; None where there is no stream."""
    return checked(partial(_native.greedy_words, invariant=invariant), reference, hypothesis, Rules(collar))[0]
