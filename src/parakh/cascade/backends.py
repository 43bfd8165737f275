"""What a backend of each kind is: one method.

A backend is a module of ``diarizers/``, ``transcribers/``, ``corrections/``, ``translators/``, ``llms/``, ``topics/`` or
``summaries/`` with a frozen dataclass ``Backend`` (its fields are its options, as written in a preset) that has the method of its
kind, and a tuple ``MODELS`` of the store's model names it needs. Heavy packages are imported inside methods.

A backend that cannot do what is asked raises ``UnavailableError`` naming what to configure. One with a method ``ready()`` is
asked before the first recording: it raises what would keep it from working here (a missing package, weights that are nowhere),
with the command that mends it. One with a property ``endpoint`` sends conversations to that address; what is used there goes to
``metering``. What one notices or does about a recording (a text dropped, a loop cut) goes to ``noticing``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from parakh.audio.decode import Audio
from parakh.types import Segment, Summary, Topics


class Diarizer(Protocol):
    """Who spoke when."""

    def diarize(self, audio: Audio) -> list[Segment]:
        """Turns with speaker labels, sorted by start time; words are empty."""
        ...


class Transcriber(Protocol):
    """What was said."""

    def transcribe(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with ``words`` and ``language`` filled in; none is dropped, added or moved."""
        ...


class Correction(Protocol):
    """The transcript, mended."""

    def correct(self, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with mended ``words``; none is dropped, added or moved."""
        ...


class Translator(Protocol):
    """The conversation in English."""

    def translate(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with English ``words`` and ``language="en"``.

        The turns hold the words of the transcript where there is one; a translator of speech does not look at them.
        """
        ...


class Llm(Protocol):
    """A chat model."""

    def complete(self, messages: Sequence[Mapping[str, str]]) -> str:
        """The reply to messages of ``{"role": "system"|"user"|"assistant", "content": text}``."""
        ...


class TopicFinder(Protocol):
    """Which health problems."""

    def find(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Topics:
        """Topics from the transcript (original language) and, where there is one, its English translation."""
        ...


class Summarizer(Protocol):
    """What the visit came to."""

    def summarize(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Summary:
        """The clinical summary in English."""
        ...
