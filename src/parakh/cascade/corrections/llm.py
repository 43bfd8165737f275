"""A transcript mended by a chat model, turn by turn, as the prompt ``correction-v1`` asks for.

A turn that comes back changed by more than ``max_change``, or with other digits in it, is not believed and stays as it was; so
does one that does not come back. Both are noted. What the transcript was before is kept beside it, so that the two can be
scored against each other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance import Levenshtein

from parakh.cascade import noticing
from parakh.cascade.chat.numbered import NumberedStage, numbers
from parakh.cascade.options import check_all, require
from parakh.cascade.windows import spread
from parakh.errors import counted
from parakh.text.folds import ascii_digits
from parakh.types import Segment, Severity

MODELS: tuple[str, ...] = ()


@dataclass(frozen=True)
class Backend(NumberedStage):
    """Asks a chat model to mend medical terms and what was evidently misheard.

    Args:
        llm: The chat model.
        prompt: Name of a prompt of ours, or path of a text file with ``{turns}`` in it.
        asks: How often to ask for turns that do not come back.
        batch: Turns in one request.
        context: Turns before them that the model is shown.
        max_change: Largest share of a turn's characters that a correction may change, in [0, 1].
    """

    prompt: str = "correction-v1"
    max_change: float = 0.3

    def __post_init__(self) -> None:
        rules = {"max_change": (0 <= self.max_change <= 1, "a number from 0 to 1")}
        check_all(super().__post_init__, lambda: require("correction llm", self, rules))

    def correct(self, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns, some with mended ``words``; none is dropped, added or moved.

        Raises:
            UnavailableError: No model, or no turn came back.
            MissingPackageError: A package that the chat model needs is not installed.
        """
        wanted = [at for at, turn in enumerate(segments) if turn.words.strip()]
        texts = self.texts(segments, wanted, lambda _, text: True)
        changed = [at for at in wanted if _squeezed(texts.get(at, "")) not in ("", _squeezed(segments[at].words))]
        rewritten = [at for at in changed if not self._is_believed(segments[at].words, texts[at])]
        mended = [at for at in changed if at not in rewritten]
        self._tell(len(wanted), mended, rewritten, [at for at in wanted if at not in texts])
        return [corrected(turn, texts[at]) if at in mended else turn for at, turn in enumerate(segments)]

    def _is_believed(self, before: str, after: str) -> bool:
        return change(before, after) <= self.max_change and _digits(before) == _digits(after)

    def _tell(self, total: int, mended: Sequence[int], rewritten: Sequence[int], missing: Sequence[int]) -> None:
        of = f"of {counted(total, 'turn')}"
        if mended:
            noticing.note("corrected-turns", f"{len(mended)} {of} corrected: {numbers(mended)}", severity=Severity.NOTE)
        if rewritten:
            what = f"{len(rewritten)} {of} came back with a digit or more than {self.max_change:.0%} changed"
            noticing.note("rewritten-turns", f"{what} and stay as they were: {numbers(rewritten)}")
        if missing:
            noticing.note("missing-turns", f"{len(missing)} {of} did not come back and stay as they were: {numbers(missing)}")


def change(before: str, after: str) -> float:
    """The share of a turn's characters that differ: edits over the length before, spaces squeezed.

    >>> change("बुखर है", "बुखार है"), change("", "x")
    (0.14285714285714285, 1.0)
    """
    old, new = _squeezed(before), _squeezed(after)
    return Levenshtein.distance(old, new) / max(1, len(old))


def corrected(turn: Segment, words: str) -> Segment:
    """A turn with other words; their times stay where there are as many, else they share the turn's time evenly.

    >>> turn = Segment("v", "a", 0.0, 3.0, words="pa ra seeta", word_times=((0.5, 1.0), (1.0, 1.5), (1.5, 2.5)))
    >>> corrected(turn, "paracetamol tablet").word_times
    ((0.5, 1.5), (1.5, 2.5))
    """
    times = turn.word_times
    if times and len(times) != len(words.split()):
        times = tuple((word.start, word.end) for word in spread(words, times[0][0], times[-1][1]))
    return replace(turn, words=words, word_times=times)


def _digits(text: str) -> list[str]:
    return re.findall(r"[0-9]+", ascii_digits(text))


def _squeezed(text: str) -> str:
    return " ".join(text.split())
