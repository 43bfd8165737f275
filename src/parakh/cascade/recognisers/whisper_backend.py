"""Whisper of any size as a backend: through faster-whisper, or through transformers (fine-tuned checkpoints too)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from parakh.audio.decode import Audio
from parakh.cascade.biasing import Fusion
from parakh.cascade.devices import DEVICE, is_device
from parakh.cascade.hearing import Hearing, Hypothesis, Samples, transcribed, transcribed_apart
from parakh.cascade.options import THREADS, require
from parakh.cascade.recognisers import whisper_faster, whisper_torch
from parakh.cascade.recognisers.whisper import Decoding
from parakh.cascade.windows import pack
from parakh.errors import UnavailableError
from parakh.languages.tags import LANGUAGE, is_language, primary_language
from parakh.models import weights
from parakh.types import Segment

ENGINES: dict[str, ModuleType] = {"faster-whisper": whisper_faster, "transformers": whisper_torch}
_WEIGHTS = {"faster-whisper": "Systran/faster-whisper-large-v3", "transformers": "openai/whisper-large-v3"}
_DETECTED_ON = 4
"""Windows that language detection looks at."""


@dataclass(frozen=True)
class WhisperBackend:
    """What the transcriber and the translator share: their options, the loaded engine, and how it hears a recording.

    Args:
        engine: "faster-whisper" or "transformers".
        weights: A folder, or org/name of a hub repository that lies on this machine; None takes large-v3.
        device: "auto", "cpu", "cuda", "cuda:N", or with transformers "mps".
        compute_type: "auto", "float32", "float16", "bfloat16", with faster-whisper also "int8" and its mixtures.
        beam: Beam width of the search.
        batch: Windows decoded together.
        language: BCP-47 tag; None takes the recording's own, or else listens once a recording.
        prompt: Text that is taken to have been said before.
        guards: Whether loops and text of silence are looked for.
        threads: CPU threads.
    """

    engine: str = "faster-whisper"
    weights: str | None = None
    device: str = "auto"
    compute_type: str = "auto"
    beam: int = 5
    batch: int = 4
    language: str | None = None
    prompt: str = ""
    guards: bool = True
    threads: int = 2

    def __post_init__(self) -> None:
        require("transcriber whisper", self, self.rules())

    def rules(self) -> dict[str, tuple[bool, str]]:
        """What the options may be, as ``options.require`` takes it."""
        types = ENGINES[self.engine].COMPUTE_TYPES if self.engine in ENGINES else (self.compute_type,)
        return {
            "engine": (self.engine in ENGINES, f"one of {', '.join(ENGINES)}"),
            "weights": (self.weights != "", "a folder, or org/name of a hub repository"),
            "device": (is_device(self.device), DEVICE),
            "compute_type": (self.compute_type in types, f"one of {', '.join(types)} with {self.engine}"),
            "beam": (1 <= self.beam <= 20, "a whole number from 1 to 20"),
            "batch": (1 <= self.batch <= 256, "a whole number from 1 to 256"),
            "language": (self.language is None or is_language(self.language), LANGUAGE),
            "threads": (1 <= self.threads <= 256, THREADS),
        }

    def ready(self) -> None:
        """See that the package and the weights are here.

        Raises:
            MissingPackageError: The engine's package is not installed.
            ModelError: The weights are nowhere.
        """
        ENGINES[self.engine].library()
        self._folder()

    def hear(
        self, audio: Audio, segments: Sequence[Segment], *, english: bool = False, fusion: Fusion | None = None
    ) -> list[Segment]:
        """The same turns with words: those that were said, or in English.

        Args:
            audio: The recording.
            segments: Its turns.
            english: Whether speech is translated, each turn heard by itself; times of words are those of what was said.
            fusion: The language model and the hot words that lead what is said.

        Raises:
            MissingPackageError: The engine's package is not installed.
            ModelError: The weights cannot be had.
            UnavailableError: The weights do not know the language, or the device is not there.
        """
        engine = ENGINES[self.engine].loaded(self._folder(), self.device, self.compute_type, self.threads)
        language = self._language(engine, audio, segments)
        if not engine.knows(language):
            text = f"transcriber whisper: the weights do not know {language!r}, the language of {audio.session_id}."
            raise UnavailableError(f"{text} Set language, or take weights that do.")
        task = "translate" if english and language != "en" else "transcribe"
        plain = Decoding(task=task, beam=self.beam, prompt=self.prompt)
        recogniser = _Bound(engine, engine.led(plain, fusion) if fusion else plain)
        how = Hearing(engine.longest, self.batch, self.guards)
        return (transcribed_apart if english else transcribed)(audio, segments, language, recogniser, how)

    def _folder(self) -> Path:
        return weights.find(self.weights or _WEIGHTS[self.engine], ENGINES[self.engine].FILES)

    def _language(self, engine: Any, audio: Audio, segments: Sequence[Segment]) -> str:
        """The language that is set, the recording's, or the likeliest of its first windows; English when there are none."""
        if known := primary_language(self.language) if self.language else audio.language:
            return known
        windows = [window.cut(audio.samples) for window in pack(audio, segments, engine.longest)[:_DETECTED_ON]]
        heard: dict[str, float] = engine.languages(windows) if windows else {"en": 1.0}
        return max(heard, key=lambda language: (heard[language], language))


@dataclass(frozen=True)
class _Bound:
    """An engine with its decoding, as a recogniser."""

    engine: Any
    decoding: Decoding

    def recognise(self, windows: Sequence[Samples], language: str, *, strict: bool = False) -> list[Hypothesis]:
        heard: list[Hypothesis] = self.engine.recognise(windows, language, self.decoding, strict=strict)
        return heard
