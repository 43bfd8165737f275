"""Whisper base on this machine: Hindi (heard as Urdu, written in Devanagari) and English."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from parakh.audio.decode import Audio
from parakh.cascade.whisper.options import WhisperOptions
from parakh.cascade.whisper.recognition import FREQUENCIES, WHISPER, hear, hindi_speller
from parakh.types import Segment

MODELS = (WHISPER, FREQUENCIES)


@dataclass(frozen=True)
class Backend(WhisperOptions):
    """Transcribes Hindi and English; refuses languages for which the model writes only garbage.

    Whisper base misspells Hindi in Devanagari but hears it well when it may write Urdu, so Hindi is decoded as
    Urdu and each word is looked up among Hindi words (``parakh.cascade.whisper.urdu``).

    Args:
        threads: CPU threads.
        language: BCP-47 tag; None takes the recording's own, or else listens.
        beam: Beam width of the search; 1 costs two thirds of it and makes 3 points more word errors.
    """

    stage = "transcriber"

    def transcribe(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with ``words`` and ``language``; words are "" where no speech was heard.

        Args:
            audio: The recording.
            segments: Its turns.

        Raises:
            UnavailableError: The model is useless for the recording's language.
            ModelError: The weights cannot be had.
        """
        hearing = hear(audio, segments, self.threads, self.language)
        texts = hearing.texts("transcribe", self.beam, segments)
        if hearing.language == "hi":
            spell = hindi_speller().spell
            texts = [spell(text) for text in texts]
        return [replace(s, words=text, language=hearing.language) for s, text in zip(segments, texts, strict=True)]
