"""pyannote.audio's own pipeline, read from a folder; on torch.

Made for ``pyannote/speaker-diarization-community-1`` (segmentation, speaker embeddings, VBx clustering) and pyannote.audio 4;
any pipeline that it loads from a folder and that diarizes will do. Its telemetry is switched off, and nothing is fetched.

Source: Bredin, "pyannote.audio 2.1 speaker diarization pipeline" (Interspeech 2023); pyannote.audio 4.0.7.
"""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.cascade.devices import DEVICE, is_device, torch_device
from parakh.cascade.diarizers._timeline import labelled
from parakh.cascade.options import require
from parakh.errors import MissingPackageError, ModelError
from parakh.models import weights
from parakh.types import Segment

MODELS: tuple[str, ...] = ()

_NAME = "diarizer pyannote"
_MOST = 100
"""Most speakers that may be asked for."""
_CONFIG = "config.yaml"
_PARTS = ("segmentation", "embedding", "plda")
"""What a pipeline names its models by."""
_LEAST_S = 0.1
"""Shorter recordings hold no turn."""


@dataclass(frozen=True)
class Backend:
    """Who spoke when, by pyannote.audio.

    Args:
        weights: Folder or hub name of a pipeline: what ``config.yaml`` and the folders it names hold.
        num_speakers: Number of speakers if it is known; goes before the two that follow.
        min_speakers: Least number, if known.
        max_speakers: Greatest number, if known.
        exclusive: Whether to take the turns without overlap, which pyannote.audio 4 gives for transcription.
        device: "auto", "cpu", "cuda", "cuda:N" or "mps".
    """

    weights: str = "pyannote/speaker-diarization-community-1"
    num_speakers: int | None = None
    min_speakers: int | None = None
    max_speakers: int | None = None
    exclusive: bool = False
    device: str = "auto"

    def __post_init__(self) -> None:
        least, most = self.min_speakers or 1, _MOST if self.max_speakers is None else self.max_speakers
        known = self.num_speakers is None or 1 <= self.num_speakers <= _MOST
        rules = {
            "weights": (self.weights != "", "a folder or org/name of a hub"),
            "num_speakers": (known, f"a whole number from 1 to {_MOST}"),
            "min_speakers": (self.min_speakers is None or 1 <= self.min_speakers <= most, "1 <= min_speakers <= max_speakers"),
            "max_speakers": (least <= most <= _MOST, f"a whole number from min_speakers to {_MOST}"),
            "device": (is_device(self.device), DEVICE),
        }
        require(_NAME, self, rules)

    def ready(self) -> None:
        """Load the pipeline.

        Raises:
            MissingPackageError: pyannote.audio (extra ``pyannote``) is not installed.
            ModelError: Weights are nowhere, or do not load.
            UnavailableError: The device is not there.
        """
        _ = self._pipeline

    def diarize(self, audio: Audio) -> list[Segment]:
        """Turns of the speakers, labelled spk0, spk1, ... by first appearance; empty when nobody speaks.

        Args:
            audio: The recording.

        Returns:
            Turns sorted by start time; those of different speakers may overlap unless ``exclusive`` is set.

        Raises:
            MissingPackageError: pyannote.audio (extra ``pyannote``) is not installed.
            ModelError: Weights are nowhere, or do not load.
            UnavailableError: The device is not there.
        """
        if audio.duration < _LEAST_S or not audio.samples.any():
            return []
        pipeline = self._pipeline
        import torch

        file = {"waveform": torch.from_numpy(audio.samples)[None], "sample_rate": SAMPLE_RATE, "uri": audio.session_id}
        asked = {"num_speakers": self.num_speakers} if self.num_speakers else self._range()
        output = pipeline(file, **asked)
        found = sorted((turn.start, turn.end, str(speaker)) for turn, _, speaker in self._turns(output))
        return labelled(audio, [(round(start, 3), round(end, 3), speaker) for start, end, speaker in found])

    def _range(self) -> dict[str, int]:
        limits = {"min_speakers": self.min_speakers, "max_speakers": self.max_speakers}
        return {name: value for name, value in limits.items() if value is not None}

    def _turns(self, output: Any) -> Any:
        """The annotation of version 4's output, or the output itself, as older pipelines give it."""
        name = "exclusive_speaker_diarization" if self.exclusive else "speaker_diarization"
        annotation = getattr(output, name, None)
        if annotation is None and self.exclusive:
            raise ModelError(f"{self.weights}: found a pipeline without exclusive turns, expected one of pyannote.audio 4.")
        return (output if annotation is None else annotation).itertracks(yield_label=True)

    @cached_property
    def _pipeline(self) -> Any:
        loader = _loader()
        device = torch_device(self.device, _NAME)
        folder = weights.find(self.weights, (_CONFIG,))
        _check_local(folder)
        try:
            pipeline = loader.from_pretrained(folder)
        except Exception as error:  # its loaders raise errors of any kind
            raise ModelError(f"{folder}: found no pipeline that loads ({error}), expected one of pyannote.audio 4.") from error
        return pipeline.to(device)


def _loader() -> Any:
    """pyannote.audio's class ``Pipeline``, with the telemetry off that would report each use to its makers."""
    os.environ["PYANNOTE_METRICS_ENABLED"] = "0"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of decoders that samples in memory do not need
            from pyannote.audio import Pipeline
    except ImportError as error:
        raise MissingPackageError("pyannote.audio", "pyannote", _NAME) from error
    return Pipeline


def _check_local(folder: Path) -> None:
    """A pipeline names its models as folders of its own, else they would be fetched from a hub.

    Raises:
        ModelError: It names others, or its configuration does not read.
    """
    import yaml

    path = folder / _CONFIG
    try:
        params = yaml.safe_load(path.read_text("utf-8"))["pipeline"]["params"]
        named = {part: str(params[part]) for part in _PARTS if part in params}
    except Exception as error:  # YAML gives errors of any kind
        raise ModelError(f"{path}: found no pipeline ({error}), expected pyannote.audio's configuration.") from error
    other = [f"{part}: {value}" for part, value in named.items() if not value.startswith("$model/") and not Path(value).exists()]
    if other:
        expected = "folders within it, as $model/segmentation"
        raise ModelError(f"{path}: found {', '.join(other)}, expected {expected}. Put the models there and name them so.")
