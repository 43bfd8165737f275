"""Qwen3-ASR through its own package, which lives in an environment of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from parakh.audio.decode import SAMPLE_RATE
from parakh.cascade.devices import import_torch, torch_device
from parakh.cascade.hearing import Hypothesis, Samples
from parakh.cascade.windows import spread
from parakh.errors import ModelError, UnavailableError

LANGUAGES = {
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English", "es": "Spanish",
    "fa": "Persian", "fi": "Finnish", "fil": "Filipino", "fr": "French", "hi": "Hindi", "hu": "Hungarian", "id": "Indonesian",
    "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "mk": "Macedonian", "ms": "Malay", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese",
    "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "vi": "Vietnamese", "yue": "Cantonese",
    "zh": "Chinese",
}  # fmt: skip
"""The languages that the model was trained for, by tag, as it calls them."""

_WHO = "transcriber qwen3-asr"
_STRICT = {"no_repeat_ngram_size": 6, "repetition_penalty": 1.1}
_MARK = "<asr_text>"
_LEAST = SAMPLE_RATE // 2
"""Samples of the shortest window that the model takes; shorter ones are padded with silence."""


class Qwen3Asr:
    """One loaded model.

    Args:
        folder: Its files.
        device: As the option ``device``.
        prompt: Context that the model is given: what the talk is about, names and terms.

    Raises:
        MissingPackageError: torch is not installed.
        UnavailableError: The package is not installed, or the device is not there.
        ModelError: The files cannot be loaded.
    """

    def __init__(self, folder: Path, device: str, prompt: str) -> None:
        torch = import_torch(_WHO)
        where = torch_device(device, _WHO)
        package = library()
        try:
            self._model = package.Qwen3ASRModel.from_pretrained(
                str(folder),
                dtype=torch.float32 if where.type == "cpu" else torch.bfloat16,
                device_map=str(where),
                local_files_only=True,
                max_inference_batch_size=-1,
            )
        except Exception as error:  # damaged files give errors of many kinds
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            action = "Look whether the folder is a whole checkpoint of Qwen3-ASR."
            raise ModelError(f"weights {folder}: found files that cannot be loaded ({reason}). {action}") from error
        self._prompt = prompt

    def recognise(self, windows: Sequence[Samples], language: str, *, strict: bool = False) -> list[Hypothesis]:
        """What each window says; the times of words are shared evenly."""
        padded = [np.pad(samples, (0, max(0, _LEAST - len(samples)))) for samples in windows]
        settings = self._model.model.thinker.generation_config
        usual = {name: getattr(settings, name) for name in _STRICT}
        if strict:
            settings.update(**_STRICT)
        try:
            # The package's public method cuts repetitions without telling; this one gives the text as it was written.
            texts = self._model._infer_asr([self._prompt] * len(windows), padded, [LANGUAGES[language]] * len(windows))
        finally:
            settings.update(**usual)
        return [
            Hypothesis(tuple(spread(text.rpartition(_MARK)[2], 0.0, len(samples) / SAMPLE_RATE)))
            for text, samples in zip(texts, windows, strict=True)
        ]


@cache
def loaded(folder: Path, device: str, prompt: str) -> Qwen3Asr:
    """A model, loaded once a process."""
    return Qwen3Asr(folder, device, prompt)


def library() -> Any:
    """The package qwen_asr.

    Raises:
        UnavailableError: It is not installed; with the way to its environment.
    """
    try:
        import qwen_asr
    except ImportError as error:
        action = 'Run: parakh environment build qwen3-asr, and set python = "qwen3-asr" in its table of the preset.'
        raise UnavailableError(f"{_WHO} needs the package qwen-asr, which pins its own transformers. {action}") from error
    return qwen_asr
