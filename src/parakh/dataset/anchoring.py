"""Anchoring: how much of a machine's draft annotators left as it was.

Who corrects a draft tends to let it stand; an annotator who leaves far more of it than the others, or all of it, has perhaps
not listened. Words are kept when the alignment of the draft with the final transcript matches them, in the order of time
and whoever speaks; a turn is kept when both its boundaries are where the draft had them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from parakh.errors import Fault, InputError
from parakh.metrics import wer
from parakh.results import Stats, ratio, total
from parakh.selection import by_session
from parakh.types import Op, Segment

_SAME_S = 0.001
"""Boundaries nearer than this are the same: formats round to milliseconds."""
UNKNOWN = "unknown"


@dataclass(frozen=True)
class Anchoring:
    """What one annotator left of the drafts.

    Args:
        annotator: Code; "unknown" where the log does not say.
        recordings: How many.
        stats: Sums of ``kept``.
    """

    annotator: str
    recordings: int
    stats: Stats

    @property
    def words(self) -> float | None:
        """Share of the draft's words that were left, in [0, 1]; None without words."""
        return ratio(self.stats["words_kept"], self.stats["words"])

    @property
    def turns(self) -> float | None:
        """Share of the draft's turns whose boundaries were left, in [0, 1]; None without turns."""
        return ratio(self.stats["turns_kept"], self.stats["turns"])


def kept(draft: Sequence[Segment], final: Sequence[Segment]) -> Stats:
    """What is left of the draft of one recording.

    Args:
        draft: Segments of the machine.
        final: Segments of the annotator.

    Returns:
        ``words`` and ``turns`` of the draft, ``words_kept`` and ``turns_kept`` of them.

    >>> draft = [Segment("v1", "a", 0.0, 2.0, "नमस्ते दीदी"), Segment("v1", "b", 2.0, 3.0, "जी")]
    >>> kept(draft, [Segment("v1", "a", 0.0, 2.0, "नमस्ते बहन"), Segment("v1", "b", 2.5, 3.0, "जी")])
    Stats(words=3, words_kept=2, turns=2, turns_kept=1)
    """
    steps = wer.align(_in_time(draft), _in_time(final))
    timed = [one for one in draft if one.start_time is not None]
    there = sorted((one.start_time or 0.0, one.end_time or 0.0) for one in final if one.start_time is not None)
    return Stats(
        words=sum(step.op is not Op.INSERTION for step in steps),
        words_kept=sum(step.op is Op.MATCH for step in steps),
        turns=len(timed),
        turns_kept=sum(_is_there(one, there) for one in timed),
    )


def anchoring(draft: Sequence[Segment], final: Sequence[Segment], annotators: Mapping[str, str] | None = None) -> list[Anchoring]:
    """What each annotator left of the drafts of the recordings that have one.

    Args:
        draft: The machine's segments of all recordings.
        final: The annotators' segments.
        annotators: Who annotated each recording, by session id.

    Returns:
        One entry an annotator, the one who left most words first.

    Raises:
        InputError: Draft and annotation have no recording in common.

    >>> draft = [Segment("v1", "a", 0.0, 2.0, "नमस्ते दीदी")]
    >>> [(one.annotator, one.words) for one in anchoring(draft, draft, {"v1": "ann01"})]
    [('ann01', 1.0)]
    """
    drafts, finals = by_session(draft), by_session(final)
    common = sorted(drafts.keys() & finals.keys())
    if not common:
        raise InputError(Fault("--draft", "", "no recording of the data set", "drafts with the same session_id"))
    groups: dict[str, list[Stats]] = {}
    for session in common:
        who = (annotators or {}).get(session, UNKNOWN)
        groups.setdefault(who, []).append(kept(drafts[session], finals[session]))
    found = [Anchoring(who, len(stats), total(stats)) for who, stats in groups.items()]
    return sorted(found, key=lambda one: (-(one.words or 0.0), one.annotator))


def _in_time(segments: Sequence[Segment]) -> list[Segment]:
    return sorted(segments, key=lambda one: (one.start_time is None, one.start_time or 0.0, one.speaker or ""))


def _is_there(turn: Segment, there: Sequence[tuple[float, float]]) -> bool:
    start, end = turn.start_time or 0.0, turn.end_time or 0.0
    return any(abs(start - one) < _SAME_S and abs(end - other) < _SAME_S for one, other in there)
