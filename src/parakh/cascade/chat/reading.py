"""Stages that read a whole conversation (topics, summary): which part of it, with what examples, what is told of people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Literal

from parakh.cascade import known, noticing
from parakh.cascade.chat import ChatStage
from parakh.cascade.chat.seekers import about_seekers
from parakh.cascade.chat.shots import Shot, choose, manifest_of, read_shots
from parakh.cascade.options import check_all, require
from parakh.cascade.prompts import Prompt, conversation, read_prompt
from parakh.clinical.roles import HEALTH_SEEKER, canonical_role
from parakh.errors import counted
from parakh.types import Segment, Severity, Summary, Topics

SPEAKERS = ("all", "health_seeker")
READS = ("transcript", "translation")
_MOST_SHOTS = 100


@dataclass(frozen=True)
class ReadingStage(ChatStage):
    """A stage that asks a chat model about a conversation.

    Args:
        llm: The chat model.
        prompt: Name of a prompt of ours, or path of a text file with ``{conversation}`` in it.
        asks: How often to ask before a reply that cannot be read is given up.
        reads: "transcript" or "translation": which words the model gets.
        speakers: "all", or "health_seeker" for what the health seekers say alone.
        demographics: Whether to tell the model age and sex of the health seekers, where the manifest says them.
        shots: Data set with examples (transcripts and answers): its folder or its recordings.jsonl; None gives no examples.
        shots_split: Only this part of that data set; None takes all.
        n_shots: How many examples.
        shots_seed: Another seed chooses other examples.
    """

    reads: str = "transcript"
    speakers: str = "all"
    demographics: bool = False
    shots: str | None = None
    shots_split: str | None = None
    n_shots: int = 6
    shots_seed: int = 0

    kind: ClassVar[Literal["topics", "summary"]]

    def __post_init__(self) -> None:
        rules = {
            "asks": (1 <= self.asks <= 10, "a whole number from 1 to 10"),
            "reads": (self.reads in READS, " or ".join(map(repr, READS))),
            "speakers": (self.speakers in SPEAKERS, " or ".join(map(repr, SPEAKERS))),
            "shots": (self.shots is None or manifest_of(self.shots).is_file(), "a data set that is there"),
            "n_shots": (1 <= self.n_shots <= _MOST_SHOTS, f"a whole number from 1 to {_MOST_SHOTS}"),
        }
        check_all(lambda: self.template, lambda: require(f"{self.kind} llm", self, rules))

    def ready(self) -> None:
        """See that the chat model can be asked and the examples can be read.

        Raises:
            ParakhError: What is missing, with what to do.
        """
        super().ready()
        _ = self.examples

    @property
    def inputs(self) -> tuple[Path, ...]:
        """Files whose contents define the answers: the prompt, and the manifest of the examples."""
        return (*super().inputs, *([manifest_of(self.shots)] if self.shots is not None else []))

    @property
    def values(self) -> dict[str, str]:
        """What goes into the places of the prompt beside the conversation."""
        return {"seekers": _seekers() if self.demographics else ""}

    @property
    def needed(self) -> tuple[str, ...]:
        """Places that the prompt must have."""
        return ("conversation", *(["seekers"] if self.demographics else []))

    @cached_property
    def template(self) -> Prompt:
        """The prompt with its places."""
        return read_prompt(self.prompt, self.needed, ("seekers", "topics_list"))

    @cached_property
    def examples(self) -> list[Shot]:
        """The examples to choose from."""
        return read_shots(self.shots, self.shots_split, self.kind, self.n_shots) if self.shots is not None else []

    def messages(
        self, transcript: Sequence[Segment], translation: Sequence[Segment], written: Callable[[Topics | Summary], str]
    ) -> list[dict[str, str]]:
        """What to ask of a conversation.

        Args:
            transcript: The turns in the language spoken.
            translation: The same turns in English; may be empty.
            written: Writes the answer of an example as the prompt wants it.

        Raises:
            UnavailableError: There are no words.
        """
        turns = self._spoken(self._read(transcript, translation))
        text = conversation(turns)
        chosen = choose(self.examples, self.n_shots, self.shots_seed, turns[0].session_id)
        if self.examples and len(chosen) < self.n_shots:
            noticing.note(
                "fewer-shots",
                f"{counted(len(chosen), 'example')} of {self.n_shots}: one is this recording itself",
                severity=Severity.NOTE,
            )
        shots = [(conversation(self._of_seekers(shot.turns) or shot.turns), written(shot.answer)) for shot in chosen]
        return self.template.messages({"conversation": text, **self.values}, shots)

    def _read(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Sequence[Segment]:
        first, second = (translation, transcript) if self.reads == "translation" else (transcript, translation)
        if any(turn.words.strip() for turn in first):
            return first
        if any(turn.words.strip() for turn in second):
            other = next(name for name in READS if name != self.reads)
            noticing.note("other-words", f"there is no {self.reads}: the chat model was given the {other}")
        return second

    def _spoken(self, turns: Sequence[Segment]) -> Sequence[Segment]:
        chosen = self._of_seekers(turns)
        if chosen:
            return chosen
        noticing.note("unknown-roles", "nobody is known to be a health seeker: the chat model was given everybody's words")
        return turns

    def _of_seekers(self, turns: Sequence[Segment]) -> Sequence[Segment]:
        """The turns with words that the option ``speakers`` asks for; none where roles do not tell."""
        if self.speakers == "all":
            return turns
        return [turn for turn in turns if canonical_role(turn.role) == HEALTH_SEEKER and turn.words.strip()]


def _seekers() -> str:
    told = about_seekers(known.metadata())
    if not told:
        noticing.note("no-demographics", "age and sex of the health seeker are not in the manifest: the chat model was not told")
    return told
