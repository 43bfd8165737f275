"""Pseudo-times: where the words of a segment are taken to lie inside it, when only the segment has times.

Each rule has meeteval's name. ``character_based`` gives each word the share of its length in code points,
``equidistant_intervals`` the same share to each, ``full_segment`` the whole segment to each, and ``none`` the segment to
its only word: the segments are words already. With ``_points`` instead, a word stands at the centre of its share.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from itertools import accumulate, pairwise

from parakh.errors import Fault, InputError

TIMINGS = (
    "character_based",
    "character_based_points",
    "equidistant_intervals",
    "equidistant_points",
    "full_segment",
    "none",
)
SAID, HEARD = "character_based", "character_based_points"
"""The rule of a reference and of a hypothesis, unless told otherwise."""


def check_timing(option: str, timing: str) -> None:
    """Refuse a name that no rule has.

    Raises:
        InputError: With the names there are, and the closest one.

    >>> check_timing("reference_timing", "full_segment")
    """
    if timing in TIMINGS:
        return
    close = difflib.get_close_matches(str(timing), TIMINGS, n=1)
    action = f"Did you mean {close[0]!r}?" if close else ""
    raise InputError(Fault(option, "", repr(timing), f"one of {', '.join(TIMINGS)}", action))


def word_times(words: Sequence[str], start: float, end: float, timing: str = SAID) -> list[tuple[float, float]]:
    """The share of its segment that each word holds; of a rule of points the shares whose centres they are.

    Args:
        words: The words of a segment, in order.
        start: Seconds.
        end: Seconds, >= start.
        timing: One of ``TIMINGS``.

    Returns:
        (start, end) in seconds for each word.

    Source: meeteval 0.4.3, pseudo_word_level_strategies.

    >>> word_times(["दवा", "ली"], 0.0, 5.0)
    [(0.0, 3.0), (3.0, 5.0)]
    """
    if timing in {"full_segment", "none"} or len(words) < 2:
        return [(start, end)] * len(words)
    weights = [1] * len(words) if timing.startswith("equidistant") else [len(word) for word in words]
    passed = list(accumulate(weights, initial=0))
    share = (end - start) / passed[-1]
    return [(start + share * one, start + share * next_one) for one, next_one in pairwise(passed)]
