"""Prompts for chat models, one versioned text file each, and the conversation as they show it.

A prompt is a text file. What stands above a line ``---`` goes to the model as the system message, what stands below as the
user's; without that line all of it is the user's. ``{conversation}`` and the like are places that are filled; a paragraph with a
place for which there is nothing is left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from parakh.cascade.options import shown
from parakh.errors import Fault, InputError, UnavailableError
from parakh.files import read_text
from parakh.types import Segment

_PLACE = re.compile(r"\{([a-z_]+)\}")
_PARAGRAPHS = re.compile(r"\n\s*\n")


@dataclass(frozen=True)
class Prompt:
    r"""A prompt with its places still to be filled; ``system`` may be empty.

    >>> prompt = Prompt("", "The person: {seeker}.\n\nConversation:\n{conversation}")
    >>> prompt.messages({"conversation": "a: Namaste", "seeker": ""})
    [{'role': 'user', 'content': 'Conversation:\na: Namaste'}]
    """

    system: str
    user: str

    def messages(self, values: Mapping[str, str], shots: Sequence[tuple[str, str]] = ()) -> list[dict[str, str]]:
        """The messages to send.

        Args:
            values: What goes into the places.
            shots: Examples before the question: what takes the place of ``{conversation}``, and the answer to it.
        """
        system = _filled(self.system, values)
        messages = [{"role": "system", "content": system}] if system else []
        for conversation, answer in shots:
            example = _filled(self.user, {"conversation": conversation})
            messages += [{"role": "user", "content": example}, {"role": "assistant", "content": answer}]
        return [*messages, {"role": "user", "content": _filled(self.user, values)}]

    @property
    def places(self) -> frozenset[str]:
        """The names of its places."""
        return frozenset(_PLACE.findall(f"{self.system}\n{self.user}"))


def names() -> list[str]:
    """The names of our own prompts, sorted.

    >>> "topics-v2" in names()
    True
    """
    return sorted(one.name.removesuffix(".txt") for one in resources.files(__name__).iterdir() if one.name.endswith(".txt"))


def read_prompt(name: str, needed: Collection[str], offered: Collection[str] = ()) -> Prompt:
    """A prompt of ours by its versioned name, or the user's own by its path.

    Args:
        name: "topics-v2", or the path of a text file.
        needed: Places that it must have.
        offered: Further places that it may have.

    Raises:
        InputError: There is no such prompt; a needed place is missing from it, or it has one that nobody fills.
    """
    if name in names():
        text = (resources.files(__name__) / f"{name}.txt").read_text("utf-8")
    elif Path(name).is_file():
        text = read_text(Path(name))
    else:
        raise InputError(Fault("prompt", "prompt", shown(name), f"one of {', '.join(names())}, or the path of a text file"))
    above, line, below = text.partition("\n---\n")
    prompt = Prompt(above.strip(), below.strip()) if line else Prompt("", text.strip())
    if missing := sorted(set(needed) - prompt.places):
        places = ", ".join(f"{{{place}}}" for place in missing)
        raise InputError(Fault("prompt", "prompt", f"{shown(name)} without {places}", "a prompt with a place for that"))
    if unknown := sorted(prompt.places - {*needed, *offered}):
        known = ", ".join(f"{{{place}}}" for place in sorted({*needed, *offered}))
        raise InputError(Fault("prompt", "prompt", f"{shown(name)} with {{{unknown[0]}}}", f"only the places {known}"))
    return prompt


def conversation(turns: Sequence[Segment]) -> str:
    r"""One line a turn, "speaker: words"; turns without words are left out.

    Raises:
        UnavailableError: No turn holds any words.

    >>> conversation([Segment("v", "a", words="नमस्ते", role="health_worker"), Segment("v", "b", words="नमस्ते दीदी")])
    'Health worker: नमस्ते\nb: नमस्ते दीदी'
    """
    lines = [f"{speaker_name(turn)}: {turn.words.strip()}" for turn in turns if turn.words.strip()]
    if lines:
        return "\n".join(lines)
    raise UnavailableError(
        "A chat model reads what was said and there is no transcript. "
        "Configure a transcriber for this language, or give transcripts of your own."
    )


def speaker_name(turn: Segment) -> str:
    """What a prompt calls a turn's speaker: the role where it is known, else the label.

    >>> speaker_name(Segment("v", "spk0", role="health_seeker_attendant"))
    'Health seeker attendant'
    """
    return (turn.role or "").replace("_", " ").capitalize() or turn.speaker or "Speaker"


def _filled(text: str, values: Mapping[str, str]) -> str:
    kept = [paragraph for paragraph in _PARAGRAPHS.split(text) if all(values.get(place) for place in _PLACE.findall(paragraph))]
    return "\n\n".join(_PLACE.sub(lambda place: values[place[1]], paragraph) for paragraph in kept)
