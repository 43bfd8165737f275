"""Topics from a chat model: a comma-separated list of medical terms, as the prompt ``topics-v2`` asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from parakh.cascade import noticing
from parakh.cascade.chat import ask
from parakh.cascade.chat.reading import ReadingStage
from parakh.cascade.chat.replies import ReplyError
from parakh.cascade.options import check_all
from parakh.errors import Fault, InputError, counted
from parakh.files import read_text
from parakh.types import Segment, Severity, Summary, Topics

MODELS: tuple[str, ...] = ()
_LONGEST_TERM = 7
_EXPECTED = "one line of short English medical terms, separated by commas, or None"
_ITEM = re.compile(r"(?:[-*•]|\d{1,2}[.)])\s+(.+)")
_MARKUP = re.compile(r"[*_#<>`{}|\[\]]")
_TERM = re.compile(r"[A-Za-zÀ-ɏ0-9 ()'’/.%+&°-]+")


@dataclass(frozen=True)
class Backend(ReadingStage):
    """Asks a chat model for the ongoing problems of the health seeker.

    Args:
        llm: The chat model.
        prompt: Name of a prompt of ours, or path of a text file with ``{conversation}`` in it.
        asks: How often to ask before a reply that cannot be read is given up.
        reads: "transcript" or "translation": which words the model gets.
        speakers: "all", or "health_seeker" for what the health seekers say alone.
        demographics: Whether to tell the model age and sex of the health seekers, where the manifest says them.
        shots: Data set with examples (transcripts and topics): its folder or its recordings.jsonl; None gives no examples.
        shots_split: Only this part of that data set; None takes all.
        n_shots: How many examples.
        shots_seed: Another seed chooses other examples.
        topics_list: Text file of terms, one a line, that the model is to use where they fit; None offers none.
    """

    prompt: str = "topics-v2"
    topics_list: str | None = None

    kind = "topics"

    def __post_init__(self) -> None:
        check_all(super().__post_init__, lambda: self.offered)

    @cached_property
    def offered(self) -> tuple[str, ...]:
        """The terms of the reference list."""
        return read_terms(self.topics_list) if self.topics_list is not None else ()

    @property
    def inputs(self) -> tuple[Path, ...]:
        """Files whose contents define the answers: the prompt, the manifest of the examples, the list of terms."""
        return (*super().inputs, *([Path(self.topics_list)] if self.topics_list is not None else []))

    @property
    def needed(self) -> tuple[str, ...]:
        """Places that the prompt must have."""
        return (*super().needed, *(["topics_list"] if self.topics_list is not None else []))

    @property
    def values(self) -> dict[str, str]:
        """What goes into the places of the prompt beside the conversation."""
        return {**super().values, "topics_list": ", ".join(self.offered)}

    def find(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Topics:
        """The model's topics in its order; the answer "None" gives none.

        Raises:
            UnavailableError: No words, no model, or no reply that is a list of terms.
            MissingPackageError: A package that the chat model needs is not installed.
        """
        terms = ask(self.llm, self.messages(transcript, translation, write), parse, self.asks)
        return Topics([*transcript, *translation][0].session_id, terms)


def parse(reply: str) -> tuple[str, ...]:
    """The terms of a comma-separated list on one line; a repeated term counts once.

    A list with a term on each line, with bullets or numbers, is taken too, and noted.

    Raises:
        ReplyError: The reply is not that: says what it is.

    >>> parse("Fever, Knee pain."), parse("None")
    (('Fever', 'Knee pain'), ())
    """
    lines = [line.strip() for line in reply.strip().splitlines() if line.strip()]
    if "```" in reply:
        raise ReplyError("a code fence ```", _EXPECTED, reply)
    items = [_ITEM.fullmatch(line) for line in lines]
    if lines and all(items):
        noticing.note("topics-as-list", "the topics came as a list of lines with bullets or numbers", severity=Severity.NOTE)
        given = [item[1] for item in items if item]
    elif len(lines) != 1:
        raise ReplyError(counted(len(lines), "line"), _EXPECTED, reply)
    else:
        given = lines[0].split(",")
    terms = [term.strip().removesuffix(".").strip().strip("\"'").strip() for term in given]
    if fault := next(filter(None, map(_fault, terms)), ""):
        raise ReplyError(fault, _EXPECTED, reply)
    is_none = [term.casefold() == "none" for term in terms]
    if any(is_none) and len(terms) > 1:
        raise ReplyError("None beside other terms", _EXPECTED, reply)
    if all(is_none):
        return ()
    unique: dict[str, str] = {}
    for term in terms:
        unique.setdefault(term.casefold(), term)
    return tuple(unique.values())


def write(answer: Topics | Summary) -> str:
    """Topics as the prompt asks for them; none are "None".

    >>> write(Topics("v", ("Fever", "Cough")))
    'Fever, Cough'
    """
    return ", ".join(answer.topics if isinstance(answer, Topics) else ()) or "None"


def read_terms(path: str) -> tuple[str, ...]:
    """The terms of a file, one a line; empty lines and those that begin with ``#`` are none.

    Raises:
        InputError: The file cannot be read, or holds no term.
    """
    if not Path(path).is_file():
        raise InputError(Fault(path, "topics_list", "no such file", "a text file with a term on each line"))
    lines = [line.strip() for line in read_text(Path(path)).splitlines()]
    terms = tuple(dict.fromkeys(line for line in lines if line and not line.startswith("#")))
    if not terms:
        raise InputError(Fault(path, "topics_list", "no terms", "a text file with a term on each line"))
    return terms


def _fault(term: str) -> str:
    """What is wrong with a term; "" where nothing is."""
    if not term:
        return "an empty term"
    if ":" in term:
        return "a heading"
    if _MARKUP.search(term):
        return "markup"
    if not _TERM.fullmatch(term) or not any(sign.isalpha() for sign in term):
        return "a term that is not written in English"
    words = len(term.split())
    return f"a term of {words} words" if words > _LONGEST_TERM else ""
