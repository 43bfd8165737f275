"""AI4Bharat's IndicConformer 600M: 22 languages of India, with the times of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from parakh.audio.decode import Audio
from parakh.cascade.devices import DEVICE, import_torch, is_device
from parakh.cascade.hearing import DETECTOR, Hearing, transcribed
from parakh.cascade.options import THREADS, require
from parakh.cascade.recognisers import indic_conformer
from parakh.errors import UnavailableError
from parakh.languages.tags import LANGUAGE, is_language, primary_language
from parakh.models import weights
from parakh.types import Segment

MODELS = (DETECTOR,)

_LONGEST = 15.0
"""Words get lost in windows of more than about 18 s."""


@dataclass(frozen=True)
class Backend:
    """Transcribes with the published parts, without running the repository's own code.

    Turns are packed into windows of up to 15 s, several of which are encoded together. The model has no English and does not tell
    languages: it must be known which one is spoken.

    Args:
        weights: A folder, or org/name of a hub repository that lies on this machine.
        decoder: "rnnt" (the transducer, the more exact one) or "ctc" (several times faster).
        device: "auto", "cpu", "cuda" or "cuda:N"; GPUs need onnxruntime-gpu.
        batch: Windows encoded together.
        language: BCP-47 tag; None takes the recording's own.
        guards: Whether loops and text of silence are looked for.
        threads: CPU threads.
    """

    weights: str = "ai4bharat/indic-conformer-600m-multilingual"
    decoder: str = "rnnt"
    device: str = "auto"
    batch: int = 4
    language: str | None = None
    guards: bool = True
    threads: int = 2

    def __post_init__(self) -> None:
        rules = {
            "weights": (self.weights != "", "a folder, or org/name of a hub repository"),
            "decoder": (self.decoder in indic_conformer.DECODERS, f"one of {', '.join(indic_conformer.DECODERS)}"),
            "device": (is_device(self.device), DEVICE),
            "batch": (1 <= self.batch <= 256, "a whole number from 1 to 256"),
            "language": (self.language is None or is_language(self.language), LANGUAGE),
            "threads": (1 <= self.threads <= 256, THREADS),
        }
        require("transcriber indic-conformer", self, rules)

    def ready(self) -> None:
        """See that the packages and the weights are here.

        Raises:
            MissingPackageError: onnxruntime or torch is not installed.
            ModelError: The weights are nowhere.
        """
        indic_conformer.library()
        import_torch("transcriber indic-conformer")
        self._folder()

    def transcribe(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        """The same turns with ``words``, ``word_times`` and ``language``; words are "" where no speech was heard.

        Args:
            audio: The recording.
            segments: Its turns.

        Raises:
            MissingPackageError: onnxruntime or torch is not installed.
            ModelError: The weights cannot be had.
            UnavailableError: The language is not known, or is none of the model's.
        """
        language = primary_language(self.language) if self.language else audio.language
        model = indic_conformer.loaded(self._folder(), self.decoder, self.device, self.threads)
        if language not in model.languages:
            found = f"is in {language!r}, which it does not know" if language else "is in a language that is not told"
            action = f"Set language to one of {', '.join(model.languages)}, or take another transcriber."
            raise UnavailableError(f"transcriber indic-conformer: {audio.session_id} {found}. {action}")
        return transcribed(audio, segments, language, model, Hearing(_LONGEST, self.batch, self.guards, strict=False))

    def _folder(self) -> Path:
        parts = ["encoder.onnx", *(f"{name}.onnx" for name in indic_conformer.DECODERS[self.decoder])]
        files = [f"assets/{name}" for name in ("preprocessor.ts", "vocab.json", "language_masks.json", *parts)]
        return weights.find(self.weights, files)
