"""Whisper base's own translation to English, from the windows the transcriber encoded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from parakh.audio.decode import Audio
from parakh.cascade.whisper.options import WhisperOptions
from parakh.cascade.whisper.recognition import WHISPER, hear
from parakh.types import Segment

MODELS = (WHISPER,)


@dataclass(frozen=True)
class Backend(WhisperOptions):
    """Rough English of Hindi speech, at times invented: a hint beside the transcript. English speech is transcribed.

    Args:
        threads: CPU threads.
        language: BCP-47 tag; None takes the recording's own, or else listens.
        beam: Beam width of the search.
    """

    stage = "translator"

    def translate(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with English ``words`` and ``language="en"``.

        Args:
            audio: The recording.
            segments: Its turns.

        Raises:
            UnavailableError: The model is useless for the recording's language.
            ModelError: The weights cannot be had.
        """
        hearing = hear(audio, segments, self.threads, self.language, "translate")
        turns = hearing.words(self.beam, segments) or []
        return [replace(s, words=" ".join(w.text for w in turn), language="en") for s, turn in zip(segments, turns, strict=True)]
