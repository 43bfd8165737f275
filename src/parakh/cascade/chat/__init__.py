"""What the stages that ask a chat model have in common: the model, the prompt, and asking again where a reply cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from parakh.cascade import noticing
from parakh.cascade.backends import Llm, inside
from parakh.cascade.chat.replies import ReplyError, check_willing, quoted
from parakh.cascade.prompts import names
from parakh.errors import UnavailableError, counted
from parakh.types import Severity

Read = TypeVar("Read")

Message = Mapping[str, str]
"""``{"role": "system"|"user"|"assistant", "content": text}``."""


@dataclass(frozen=True)
class ChatStage:
    """A stage that asks a chat model.

    Args:
        llm: The chat model.
        prompt: Name of a prompt of ours ("topics-v2"), or path of a text file.
        asks: How often to ask before a reply that cannot be read is given up.
    """

    llm: Llm = field(metadata=inside("llm", "openai-compatible"))
    prompt: str = ""
    asks: int = 2

    @property
    def endpoint(self) -> str | None:
        """The network address that the chat model is behind; None where it runs in this process."""
        return getattr(self.llm, "endpoint", None)

    @property
    def inputs(self) -> tuple[Path, ...]:
        """Files whose contents define the answers: a prompt of the user's own."""
        return () if self.prompt in names() else (Path(self.prompt),)

    def ready(self) -> None:
        """See that the chat model can be asked.

        Raises:
            ParakhError: A package, weights or a key are missing; the message has the command that mends it.
        """
        check = getattr(self.llm, "ready", None)
        if check is not None:
            check()


def ask(llm: Llm, messages: Sequence[Message], read: Callable[[str], Read], asks: int) -> Read:
    """What is read out of a chat model's reply; it is asked again, with what was wrong, where that cannot be done.

    Args:
        llm: The chat model.
        messages: What to ask.
        read: Reads a reply; raises ReplyError.
        asks: How often to ask, >= 1.

    Raises:
        UnavailableError: No reply can be read; the last one's beginning is quoted without personal numbers.
    """
    said: Sequence[Message] = messages
    for number in range(1, asks + 1):
        reply = llm.complete(said)
        try:
            check_willing(reply)
            result = read(reply)
        except ReplyError as error:
            fault = error
            said = (*messages, {"role": "assistant", "content": reply}, {"role": "user", "content": _again(error)})
            continue
        if number > 1:
            noticing.note("asked-again", f"the chat model was asked {counted(number, 'time')}: {fault}", severity=Severity.NOTE)
        return result
    raise UnavailableError(
        f"The model's reply cannot be used: {fault}: {quoted(fault.reply)}. Asked {counted(asks, 'time')}. "
        "Use a model that follows instructions."
    )


def _again(error: ReplyError) -> str:
    return f"Your answer cannot be used: found {error.found}, expected {error.expected}. Answer again in the form asked for."
