"""Topics from a chat model: the options are those of the llm ``openai-compatible``, the prompt is ``topics-v1``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from parakh.cascade.llms import openai_compatible
from parakh.cascade.prompts import conversation, read_prompt
from parakh.errors import UnavailableError
from parakh.types import Segment, Topics

MODELS: tuple[str, ...] = ()
_LONGEST_TERM = 7


@dataclass(frozen=True)
class Backend(openai_compatible.Backend):
    """Asks a chat model for the ongoing problems of the health seeker."""

    def find(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Topics:
        """The model's topics in its order; the answer "None" gives none.

        Raises:
            UnavailableError: No words, no model, or a reply that is no list of terms.
            MissingPackageError: The openai client is not installed.
        """
        prompt = read_prompt("topics-v1").replace("{conversation}", conversation(transcript, translation))
        reply = self.complete([{"role": "user", "content": prompt}])
        return Topics([*transcript, *translation][0].session_id, parse(reply))


def parse(reply: str) -> tuple[str, ...]:
    """The terms of a comma-separated list on one line; a repeated term counts once.

    Raises:
        UnavailableError: The reply is not one line of short terms; its beginning is quoted.

    >>> parse("Fever, Knee pain."), parse("None")
    (('Fever', 'Knee pain'), ())
    """
    line = reply.strip().removesuffix(".")
    terms = [term.strip().strip("\"'").strip() for term in line.split(",")]
    if "\n" in line or not all(terms) or any(len(term.split()) > _LONGEST_TERM for term in terms):
        raise UnavailableError(
            f"The model's reply is no comma-separated list of medical terms: {reply.strip()[:80]!r}. "
            "Use a model that follows instructions."
        )
    if [term.casefold() for term in terms] == ["none"]:
        return ()
    return tuple(term for at, term in enumerate(terms) if term.casefold() not in map(str.casefold, terms[:at]))
