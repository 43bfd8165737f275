"""NeMo's Sortformer: up to four speakers of a recording in the order in which they first speak; on torch.

A recording longer than a chunk is heard in overlapping chunks. The speakers of one chunk are matched to those of the ones
before by what both say of the overlap; who is silent there is matched by what is left over, which can confuse two of them.

Source: Park et al., "Sortformer: seamless integration of speaker diarization and ASR by bridging timestamps and tokens"
(2024); NeMo 3.0.0. The matching of chunks is this project's.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.cascade.devices import DEVICE, is_device, torch_device
from parakh.cascade.diarizers._timeline import labelled, turns
from parakh.cascade.options import require
from parakh.errors import MissingPackageError, ModelError
from parakh.models import weights
from parakh.types import Segment

MODELS: tuple[str, ...] = ()
SPEAKERS = 4
"""Most speakers that the model tells apart."""

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]

_NAME = "diarizer sortformer"
_LEAST_SAMPLES = SAMPLE_RATE // 10
"""Shorter recordings hold no turn."""


@dataclass(frozen=True)
class Backend:
    """Who spoke when, by Sortformer.

    Args:
        weights: Folder or hub name that holds one .nemo file.
        max_speakers: Most speakers, 1 to 4; what more of them say goes to the likeliest of those who speak most.
        onset: Probability from which somebody speaks.
        offset: Probability below which somebody stops.
        pad_onset: Seconds by which turns begin earlier.
        pad_offset: Seconds by which turns end later.
        min_duration_off: Pauses within a turn that are shorter (seconds) are filled.
        min_duration_on: Turns that are shorter (seconds) are dropped.
        chunk: Seconds heard at once; memory grows with its square.
        overlap: Seconds that chunks share, less than ``chunk``.
        device: "auto", "cpu", "cuda", "cuda:N" or "mps".
    """

    weights: str = "nvidia/diar_sortformer_4spk-v1"
    max_speakers: int = SPEAKERS
    onset: float = 0.5
    offset: float = 0.5
    pad_onset: float = 0.0
    pad_offset: float = 0.0
    min_duration_off: float = 0.0
    min_duration_on: float = 0.0
    chunk: float = 90.0
    overlap: float = 30.0
    device: str = "auto"

    def __post_init__(self) -> None:
        more = f"a whole number from 1 to {SPEAKERS}: Sortformer tells no more apart; diarizen and pyannote do"
        rules = {
            "weights": (self.weights != "", "a folder or org/name of a hub"),
            "max_speakers": (1 <= self.max_speakers <= SPEAKERS, more),
            "onset": (0 < self.onset < 1, "a probability in (0, 1)"),
            "offset": (0 < self.offset <= self.onset, "a probability above 0 and up to onset"),
            "pad_onset": (0 <= self.pad_onset <= 1, "seconds from 0 to 1"),
            "pad_offset": (0 <= self.pad_offset <= 1, "seconds from 0 to 1"),
            "min_duration_off": (self.min_duration_off >= 0, "seconds >= 0"),
            "min_duration_on": (self.min_duration_on >= 0, "seconds >= 0"),
            "chunk": (10 <= self.chunk <= 3600, "seconds from 10 to 3600"),
            "overlap": (1 <= self.overlap < self.chunk - 1, "seconds from 1 to less than chunk - 1"),
            "device": (is_device(self.device), DEVICE),
        }
        require(_NAME, self, rules)

    def ready(self) -> None:
        """Load the model.

        Raises:
            MissingPackageError: NeMo (extra ``sortformer``) is not installed.
            ModelError: Weights are nowhere, or do not load.
            UnavailableError: The device is not there.
        """
        _ = self._model

    def diarize(self, audio: Audio) -> list[Segment]:
        """Turns of the speakers, labelled spk0, spk1, ... by first appearance; empty when nobody speaks.

        Args:
            audio: The recording.

        Returns:
            Turns sorted by start time; those of different speakers may overlap.

        Raises:
            MissingPackageError: NeMo (extra ``sortformer``) is not installed.
            ModelError: Weights are nowhere, or do not load.
            UnavailableError: The device is not there.
        """
        if len(audio.samples) < _LEAST_SAMPLES or not audio.samples.any():
            return []
        likely = strongest(self._posteriors(audio.samples), self.max_speakers)
        active = hysteresis(likely, self.onset, self.offset)
        pads = (self.pad_onset, self.pad_offset)
        found = turns(active, self.min_duration_off, self.min_duration_on, lambda frame: frame * self._frame_s, pads)
        return labelled(audio, found)

    def _posteriors(self, samples: Floats) -> Floats:
        """Probability of each speaker in each frame of the recording, shape (frames, 4)."""
        import torch

        size = round(self._frame_s * SAMPLE_RATE)
        length, step = (round(seconds * SAMPLE_RATE / size) * size for seconds in (self.chunk, self.chunk - self.overlap))
        found = np.zeros((0, SPEAKERS), np.float32)
        last = max(0, len(samples) - length)
        for start in range(0, last + step, step):  # the last chunk that begins before the end is within one step of it
            batch = torch.from_numpy(samples[start : start + length])[None].to(self._model.device)
            with torch.inference_mode():
                heard = self._model.forward(audio_signal=batch, audio_signal_length=torch.tensor([batch.shape[1]]))
            found = joined(found, heard[0].float().cpu().numpy(), start // size)
        return found

    @cached_property
    def _frame_s(self) -> float:
        config = self._model.cfg
        return float(config.preprocessor.window_stride * config.encoder.subsampling_factor)

    @cached_property
    def _model(self) -> Any:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                from nemo.collections.asr.models import SortformerEncLabelModel
        except ImportError as error:
            raise MissingPackageError("nemo_toolkit", "sortformer", _NAME) from error
        device = torch_device(self.device, _NAME)
        folder = weights.find(self.weights, ("*.nemo",))
        files = sorted(folder.glob("*.nemo"))
        if len(files) > 1:
            raise ModelError(f"{folder}: found {len(files)} .nemo files, expected one. Leave one there.")
        try:
            model = SortformerEncLabelModel.restore_from(str(files[0]), map_location=device)
        except Exception as error:  # NeMo raises errors of any kind
            raise ModelError(f"{files[0]}: found no Sortformer that loads ({error}), expected a .nemo file of one.") from error
        model.preprocessor.featurizer.dither = 0.0
        model.preprocessor.featurizer.pad_to = 0
        return model.eval().to(device)


def joined(before: Floats, after: Floats, start: int) -> Floats:
    """Two chunks as one, the speakers of the later reordered as they agree best on the overlap.

    Args:
        before: Probabilities of what was heard so far, shape (frames, speakers).
        after: Those of the next chunk.
        start: Its first frame.

    Returns:
        Shape (frames of both, speakers); the middle of the overlap is where the later chunk takes over.

    >>> both = joined(np.eye(2)[[0, 0, 1, 1]], np.eye(2)[[0, 0, 1]], 2)
    >>> both.argmax(axis=1).tolist()
    [0, 0, 1, 1, 0]
    """
    shared = min(len(before) - start, len(after))
    if shared <= 0:
        return np.concatenate([before, after])
    left, right = before[start : start + shared], after[:shared]
    costs = ((left[:, :, None] - right[:, None]) ** 2).sum(axis=0)
    rows = np.arange(len(costs))
    order = min(permutations(range(len(costs))), key=lambda places: costs[rows, list(places)].sum())
    middle = shared // 2
    return np.concatenate([before[: start + middle], after[middle:, list(order)]])


def strongest(likely: Floats, count: int) -> Floats:
    """The ``count`` speakers that speak most; what others say goes to the likeliest of them.

    >>> strongest(np.array([[0.9, 0.0, 0.1], [0.8, 0.1, 0.0], [0.2, 0.1, 0.6], [0.1, 0.9, 0.0], [0.0, 0.9, 0.0]]), 2).tolist()
    [[0.9, 0.0], [0.8, 0.1], [0.6, 0.1], [0.1, 0.9], [0.0, 0.9]]
    """
    if count >= likely.shape[1]:
        return likely
    order = np.argsort(-likely.sum(axis=0), kind="stable")
    kept, others = likely[:, np.sort(order[:count])], likely[:, order[count:]]
    rows, best = np.arange(len(kept)), kept.argmax(axis=1)
    kept[rows, best] = np.maximum(kept[rows, best], others.max(axis=1))
    return kept


def hysteresis(likely: Floats, onset: float, offset: float) -> Flags:
    """Active from where the probability exceeds ``onset`` to where it falls below ``offset``, shape as given.

    Source: Gelly and Gauvain, "Minimum word error training of RNN-based voice activity detection" (Interspeech 2015).

    >>> hysteresis(np.array([[0.4], [0.6], [0.4], [0.2], [0.4]]), 0.5, 0.3).astype(int).ravel().tolist()
    [0, 1, 1, 0, 0]
    """
    told = (likely > onset) | (likely < offset)
    last = np.maximum.accumulate(np.where(told, np.arange(len(likely))[:, None], -1), axis=0)
    starts = np.take_along_axis(likely, np.maximum(last, 0), axis=0)
    active: Flags = (last >= 0) & (starts > onset)
    return active
