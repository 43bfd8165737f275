"""Whisper's own translation of speech to English, with weights of any size that were trained for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from parakh.audio.decode import Audio
from parakh.cascade.hearing import DETECTOR
from parakh.cascade.recognisers.whisper_backend import WhisperBackend
from parakh.types import Segment

MODELS = (DETECTOR,)


@dataclass(frozen=True)
class Backend(WhisperBackend):
    """Hears each turn by itself and writes it in English; English speech is transcribed.

    Each turn is encoded as a whole window, so that this costs more than transcribing the recording. The turbo and English-only
    weights do not translate.

    Args:
        engine: "faster-whisper" (CTranslate2; fast, also on CPUs) or "transformers" (any checkpoint).
        weights: A folder, or org/name of a hub repository that lies on this machine; None takes large-v3.
        device: "auto", "cpu", "cuda", "cuda:N", or with transformers "mps".
        compute_type: "auto", "float32", "float16", "bfloat16", with faster-whisper also "int8" and its mixtures.
        beam: Beam width of the search.
        batch: Turns decoded together.
        language: BCP-47 tag of what is spoken; None takes the recording's own, or else listens once a recording.
        prompt: English text that is taken to have been said before: names and terms as they are to be spelt.
        guards: Whether loops and text of silence are looked for.
        threads: CPU threads.
    """

    def translate(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with English ``words`` and ``language="en"``.

        Args:
            audio: The recording.
            segments: Its turns; their words are not used.

        Raises:
            MissingPackageError: The engine's package is not installed.
            ModelError: The weights cannot be had.
            UnavailableError: The weights do not know the language, or the device is not there.
        """
        heard = self.hear(audio, segments, english=True)
        return [replace(turn, language="en", word_times=()) for turn in heard]
