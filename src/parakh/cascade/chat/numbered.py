"""Stages that go through a conversation turn by turn (translation, correction): numbered turns out, numbered lines back."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from parakh import languages
from parakh.cascade import noticing
from parakh.cascade.chat import ChatStage
from parakh.cascade.chat.replies import ReplyError, check_willing, quoted
from parakh.cascade.options import check_all, require
from parakh.cascade.prompts import Prompt, read_prompt, speaker_name
from parakh.errors import UnavailableError, counted
from parakh.types import Segment, Severity

_LINE = re.compile(r"([0-9]{1,5}) ?[.):](.*)", re.DOTALL)
_EXPECTED = "a line for each turn: its number, a full stop and its text"
_LISTED = 10

Accept = Callable[[Segment, str], bool]
"""Whether a text can be the answer for a turn."""


@dataclass(frozen=True)
class NumberedStage(ChatStage):
    """A stage that asks a chat model about every turn, a batch of turns at a time.

    Args:
        llm: The chat model.
        prompt: Name of a prompt of ours, or path of a text file with ``{turns}`` in it.
        asks: How often to ask for turns that do not come back.
        batch: Turns in one request.
        context: Turns before them that the model is shown.
    """

    asks: int = 3
    batch: int = 20
    context: int = 6

    def __post_init__(self) -> None:
        rules = {
            "asks": (1 <= self.asks <= 10, "a whole number from 1 to 10"),
            "batch": (1 <= self.batch <= 1000, "a whole number from 1 to 1000"),
            "context": (0 <= self.context <= 1000, "a whole number from 0 to 1000"),
        }
        check_all(lambda: self.template, lambda: require("llm", self, rules))

    @cached_property
    def template(self) -> Prompt:
        """The prompt with its places."""
        return read_prompt(self.prompt, ("turns",), ("context", "language"))

    def texts(self, turns: Sequence[Segment], wanted: Sequence[int], accept: Accept) -> dict[int, str]:
        """What the model writes for turns.

        Args:
            turns: All turns of a recording.
            wanted: Indices of the turns to ask about, in order.
            accept: Whether a text can be the answer for a turn; one that cannot counts as not come back.

        Returns:
            A text for each turn that came back, by index.

        Raises:
            UnavailableError: No turn came back at all, or there is no model.
        """
        texts: dict[int, str] = {}
        fault = ""
        for first in range(0, len(wanted), self.batch):
            left = list(wanted[first : first + self.batch])
            for _ in range(self.asks):
                try:
                    found = self._answered(turns, left, texts)
                except ReplyError as error:
                    fault = f" ({error}: {quoted(error.reply)})"
                    continue
                texts |= {at: text for at, text in found.items() if accept(turns[at], text)}
                left = [at for at in left if at not in texts]
                if not left:
                    break
        if wanted and not texts:
            raise UnavailableError(
                f"None of {counted(len(wanted), 'turn')} came back from the chat model as asked for{fault}. "
                "Use a model that follows instructions, or a smaller batch."
            )
        return texts

    def _answered(self, turns: Sequence[Segment], left: Sequence[int], done: Mapping[int, str]) -> dict[int, str]:
        """What one request brings."""
        before = [at for at in range(max(0, left[0] - self.context), left[0]) if turns[at].words.strip()]
        values = {
            "context": "\n".join(f"{_shown(turns[at])}{f' = {done[at]}' if at in done else ''}" for at in before),
            "turns": "\n".join(f"{at + 1}. {_shown(turns[at])}" for at in left),
            "language": language_name([turns[at] for at in left]),
        }
        reply = self.llm.complete(self.template.messages(values))
        check_willing(reply)
        return parse(reply, {at: speaker_name(turns[at]) for at in left})


def parse(reply: str, asked: Mapping[int, str]) -> dict[int, str]:
    r"""The texts of numbered lines by the index of their turn; numbers count from 1.

    A line that repeats the speaker's name is taken without it. A number that comes twice with two texts counts as not given.
    Lines without a number, and numbers nobody asked for, are noted.

    Args:
        reply: The model's reply.
        asked: Name of the speaker of each turn asked about, by index.

    Raises:
        ReplyError: No line has the number of a turn.

    >>> parse("1. Yes.\n2. [Health worker] Since when?", {0: "Health seeker", 1: "Health worker"})
    {0: 'Yes.', 1: 'Since when?'}
    """
    found: dict[int, set[str]] = {}
    strays = 0
    for line in filter(str.strip, reply.splitlines()):
        match = _LINE.fullmatch(line.strip())
        at = int(match[1]) - 1 if match else -1
        if match is None or at not in asked:
            strays += 1
            continue
        found.setdefault(at, set()).add(match[2].strip().removeprefix(f"[{asked[at]}]").strip())
    if not found:
        raise ReplyError("no line with the number of a turn", _EXPECTED, reply)
    if strays:
        noticing.note("stray-lines", f"the chat model wrote {counted(strays, 'line')} that are no turn", severity=Severity.NOTE)
    return {at: next(iter(texts)) for at, texts in sorted(found.items()) if len(texts) == 1 and texts != {""}}


def language_name(turns: Sequence[Segment]) -> str:
    """The language of most turns, in English; "an Indian language" where it is not known.

    >>> language_name([Segment("v", language="kn")]), language_name([Segment("v")])
    ('Kannada', 'an Indian language')
    """
    tags = Counter(turn.language for turn in turns if turn.language)
    known = languages.get(tags.most_common(1)[0][0]) if tags else None
    return known.name if known and known.tag != "und" else "an Indian language"


def numbers(indices: Sequence[int]) -> str:
    """Turns by their numbers, the first ten of them.

    >>> numbers([0, 3])
    '1, 4'
    """
    more = f" and {len(indices) - _LISTED} more" if len(indices) > _LISTED else ""
    return ", ".join(str(at + 1) for at in indices[:_LISTED]) + more


def _shown(turn: Segment) -> str:
    return f"[{speaker_name(turn)}] {' '.join(turn.words.split())}"
