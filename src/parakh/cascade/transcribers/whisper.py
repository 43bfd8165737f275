"""Whisper of any size on this machine: through faster-whisper, or through transformers (fine-tuned checkpoints too)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from parakh.audio.decode import Audio
from parakh.cascade.biasing import BiasOptions
from parakh.cascade.hearing import DETECTOR
from parakh.cascade.recognisers.whisper_backend import WhisperBackend
from parakh.types import Segment

MODELS = (DETECTOR,)


@dataclass(frozen=True)
class Backend(WhisperBackend, BiasOptions):
    """Transcribes the languages that its weights know, with the times of words.

    Turns are packed into windows of up to 29 s, several of which are decoded together. A window whose text loops is decoded again
    with repetitions forbidden; what still loops is cut, what is written where nobody speaks is dropped, and each such act is told
    in the run card. A language model and hot words lead every token of the search with transformers; with faster-whisper hot
    words are a prompt, and the best texts of each window are judged with both.

    Args:
        lm: ARPA file of a language model, as ``parakh lm build`` writes it.
        lm_weight: Weight of its natural logarithms, 0 to 10.
        hot_words: List of words to be expected, one a line, with a weight after a tab where one is wanted.
        hot_word_boost: What a hot word of weight 1 is worth, in nats, 0 to 100.
        engine: "faster-whisper" (CTranslate2; fast, also on CPUs) or "transformers" (any checkpoint).
        weights: A folder, or org/name of a hub repository that lies on this machine; None takes large-v3.
        device: "auto", "cpu", "cuda", "cuda:N", or with transformers "mps".
        compute_type: "auto", "float32", "float16", "bfloat16", with faster-whisper also "int8" and its mixtures.
        beam: Beam width of the search.
        batch: Windows decoded together.
        language: BCP-47 tag; None takes the recording's own, or else listens once a recording.
        prompt: Text that is taken to have been said before: names and terms as they are to be spelt.
        guards: Whether loops and text of silence are looked for.
        threads: CPU threads.
    """

    def rules(self) -> dict[str, tuple[bool, str]]:
        """What the options may be, as ``options.require`` takes it."""
        return {**super().rules(), **self.bias_rules()}

    def ready(self) -> None:
        """See that the package and the weights are here.

        Raises:
            MissingPackageError: The engine's package is not installed.
            ModelError: The weights are nowhere.
            InputError: The language model or the list of hot words is wrong.
        """
        super().ready()
        self.fusion()

    def transcribe(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with ``words``, ``word_times`` and ``language``; words are "" where no speech was heard.

        Args:
            audio: The recording.
            segments: Its turns.

        Raises:
            MissingPackageError: The engine's package is not installed.
            ModelError: The weights cannot be had.
            UnavailableError: The weights do not know the language, or the device is not there.
        """
        return self.hear(audio, segments, fusion=self.fusion())
