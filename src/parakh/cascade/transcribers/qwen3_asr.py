"""Qwen3-ASR 1.7B: 30 languages, Hindi among them, in an environment of its own (python = "qwen3-asr")."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from parakh.audio.decode import Audio
from parakh.cascade.devices import DEVICE, is_device
from parakh.cascade.hearing import DETECTOR, Hearing, transcribed_apart
from parakh.cascade.options import require
from parakh.cascade.recognisers import qwen3_asr
from parakh.errors import UnavailableError
from parakh.languages.tags import LANGUAGE, is_language, primary_language
from parakh.models import weights
from parakh.types import Segment

MODELS = (DETECTOR,)

_FILES = ("config.json", "*.safetensors", "tokenizer_config.json", "preprocessor_config.json")


@dataclass(frozen=True)
class Backend:
    """Transcribes each turn by itself, as the model tells no times of words in Indian languages.

    Of Indian languages it knows Hindi alone. Where turns overlap, what is said belongs to the one that began first.

    Args:
        weights: A folder, or org/name of a hub repository that lies on this machine.
        device: "auto", "cpu", "cuda", "cuda:N" or "mps".
        batch: Windows decoded together.
        longest: Seconds of the longest window; longer turns are cut at pauses.
        language: BCP-47 tag; None takes the recording's own.
        prompt: Context: what the talk is about, names and terms as they are to be spelt.
        guards: Whether loops and text of silence are looked for.
    """

    weights: str = "Qwen/Qwen3-ASR-1.7B"
    device: str = "auto"
    batch: int = 8
    longest: float = 60.0
    language: str | None = None
    prompt: str = ""
    guards: bool = True

    def __post_init__(self) -> None:
        rules = {
            "weights": (self.weights != "", "a folder, or org/name of a hub repository"),
            "device": (is_device(self.device), DEVICE),
            "batch": (1 <= self.batch <= 256, "a whole number from 1 to 256"),
            "longest": (1 <= self.longest <= 1200, "seconds from 1 to 1200"),
            "language": (self.language is None or is_language(self.language), LANGUAGE),
        }
        require("transcriber qwen3-asr", self, rules)

    def ready(self) -> None:
        """See that the package and the weights are here.

        Raises:
            UnavailableError: The package is not installed in the interpreter that runs.
            ModelError: The weights are nowhere.
        """
        qwen3_asr.library()
        self._folder()

    def transcribe(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with ``words`` and ``language``; words are "" where no speech was heard.

        Args:
            audio: The recording.
            segments: Its turns.

        Raises:
            UnavailableError: The model does not know the language, or the package or the device is not there.
            ModelError: The weights cannot be had.
        """
        language = primary_language(self.language) if self.language else audio.language
        if language not in qwen3_asr.LANGUAGES:
            found = f"is in {language!r}, which it does not know" if language else "is in a language that is not told"
            action = "Take the transcriber indic-conformer for the languages of India, or set language."
            raise UnavailableError(f"transcriber qwen3-asr: {audio.session_id} {found}. {action}")
        model = qwen3_asr.loaded(self._folder(), self.device, self.prompt)
        return transcribed_apart(audio, segments, language, model, Hearing(self.longest, self.batch, self.guards))

    def _folder(self) -> Path:
        return weights.find(self.weights, _FILES)
