"""Prompts for chat models, one versioned text file each, and the conversation as they show it."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from parakh.errors import UnavailableError
from parakh.types import Segment

_NAMES = {"health_worker": "Health worker", "health_seeker": "Health seeker"}


def read_prompt(name: str) -> str:
    """The text of a prompt, by its versioned name ("topics-v1")."""
    return (files("parakh.cascade.prompts") / f"{name}.txt").read_text("utf-8")


def conversation(transcript: Sequence[Segment], translation: Sequence[Segment]) -> str:
    r"""One line a turn, "speaker: words", in the language spoken; in English where there is no transcript.

    Args:
        transcript: The turns in the language spoken.
        translation: The same turns in English; may be empty.

    Raises:
        UnavailableError: Neither holds any words.

    >>> conversation([Segment("v", "a", words="नमस्ते", role="health_worker"), Segment("v", "b", words="नमस्ते दीदी")], [])
    'Health worker: नमस्ते\nb: नमस्ते दीदी'
    """
    for turns in (transcript, translation):
        lines = [
            f"{_NAMES.get(t.role or '', t.role or t.speaker or 'Speaker')}: {t.words.strip()}" for t in turns if t.words.strip()
        ]
        if lines:
            return "\n".join(lines)
    raise UnavailableError(
        "A chat model reads what was said and there is no transcript. "
        "Configure a transcriber for this language, or give transcripts of your own."
    )
