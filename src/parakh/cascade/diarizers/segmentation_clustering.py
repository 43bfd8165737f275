"""Diarization without torch: neural segmentation of short windows, then clustering of speaker embeddings.

Works on any language and any length, on a CPU, in bounded memory beside the samples; the same samples give the
same turns.

Source: the pipeline of Bredin, "pyannote.audio 2.1 speaker diarization pipeline" (Interspeech 2023), with CAM++
embeddings and with clustering of short pieces instead of whole local speakers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parakh.audio.decode import Audio
from parakh.cascade.diarizers._clustering import Rule, evenly, speaker_means
from parakh.cascade.diarizers._pieces import FEATURE_HZ, LEAST, Embedding, Pieces, cut
from parakh.cascade.diarizers._timeline import activity, labelled, turns
from parakh.cascade.networks import campplus, ge2e, segmentation
from parakh.cascade.options import THREADS, require, require_packages
from parakh.errors import UnknownNameError
from parakh.types import Segment

MODELS = (segmentation.MODEL, campplus.MODEL)

_EMBEDDINGS: dict[str, Embedding] = {campplus.MODEL: campplus, ge2e.MODEL: ge2e}
_WINDOW_S = segmentation.WINDOW_SAMPLES / 16_000
_MOST = 100
"""Most speakers that may be asked for."""
_CLUSTERED = 1000
"""At most so many pieces are clustered, evenly drawn; bounds memory and time of long recordings."""
_CLEAR = 100
"""Clean feature frames (1 s) from which a piece takes part in the clustering."""
_SHARE, _LEAST_S, _ENOUGH_S = 0.04, 2.0, 45.0
"""A cluster is a speaker with 4 % of the speech, yet not under 2 s, and always with 45 s."""


@dataclass(frozen=True)
class Backend:
    """Who spoke when, by segmentation and clustering.

    Args:
        num_speakers: Number of speakers if it is known; None estimates it.
        min_speakers: Least number, where it is estimated.
        max_speakers: Greatest number, where it is estimated.
        threshold: How far two voices must be from each other to be two speakers (one minus a cosine freed of noise);
            lower finds more speakers. None takes the value that suits the embedding.
        step: Seconds from one window to the next, in (0, 10]; smaller is slower and slightly better.
        fill: Pauses within a turn that are shorter (seconds) are filled.
        least: Turns that are shorter (seconds) are dropped.
        embedding: Model of the speaker embedding: "campplus-zh-en", or "ge2e", which is faster and less exact.
        threads: CPU threads.
    """

    num_speakers: int | None = None
    min_speakers: int = 1
    max_speakers: int = 8
    threshold: float | None = None
    step: float = 2.5
    fill: float = 0.25
    least: float = 0.1
    embedding: str = campplus.MODEL
    threads: int = 2

    def __post_init__(self) -> None:
        if self.embedding not in _EMBEDDINGS:
            raise UnknownNameError("speaker embedding", self.embedding, list(_EMBEDDINGS))
        known = self.num_speakers is None or 1 <= self.num_speakers <= _MOST
        rules = {
            "num_speakers": (known, f"a whole number from 1 to {_MOST}"),
            "min_speakers": (1 <= self.min_speakers <= self.max_speakers, "1 <= min_speakers <= max_speakers"),
            "max_speakers": (self.max_speakers <= _MOST, f"a whole number up to {_MOST}"),
            "threshold": (self.threshold is None or 0 < self.threshold <= 2, "a cosine distance in (0, 2]"),
            "step": (0 < self.step <= _WINDOW_S, "seconds in (0, 10]"),
            "fill": (self.fill >= 0, "seconds >= 0"),
            "least": (self.least >= 0, "seconds >= 0"),
            "threads": (1 <= self.threads <= 256, THREADS),
        }
        require("diarizer segmentation-clustering", self, rules)

    def ready(self) -> None:
        """Whether the packages are there."""
        require_packages("diarizer 'segmentation-clustering'", "cascade", "onnxruntime", "onnx")

    def memory(self, seconds: float) -> tuple[int, int]:
        """The networks; a batch of windows and the votes of every frame (measured, rounded up)."""
        return 120_000_000, 400_000_000 + round(15_000 * seconds)

    def diarize(self, audio: Audio) -> list[Segment]:
        """Turns of the speakers, labelled spk0, spk1, ... by first appearance; empty when nobody speaks.

        Args:
            audio: The recording.

        Returns:
            Turns sorted by start time; those of different speakers may overlap.

        Raises:
            ModelError: The models are absent and cannot be fetched.
            MissingPackageError: onnxruntime or onnx (extra ``cascade``) is not installed.
        """
        pieces = cut(audio.samples, self.step, _EMBEDDINGS[self.embedding], self.threads)
        if not len(pieces.window):
            return []
        active = activity(pieces, self._means(pieces))
        return labelled(audio, turns(active, self.fill, self.least))

    def _means(self, pieces: Pieces) -> NDArray[np.float32]:
        """The mean embedding of each speaker."""
        items = np.flatnonzero(pieces.clean >= _CLEAR)
        items = items if len(items) else np.flatnonzero(pieces.clean >= LEAST)
        if not len(items):
            return np.ones((1, pieces.embeddings.shape[1]), np.float32)  # too little speech for more than one speaker
        weights = pieces.clean / FEATURE_HZ * self.step / _WINDOW_S
        total = weights[items].sum()
        if len(items) > _CLUSTERED:
            items = items[evenly(len(items), _CLUSTERED)]
        window, local = pieces.window[items], pieces.local[items]
        apart = (window[:, None] == window) & (local[:, None] != local)
        first, last = (pieces.starts[window] + edge[items] for edge in (pieces.first, pieces.last))
        disjoint = (first[:, None] >= last) | (last[:, None] <= first)
        scaled = weights[items] * (total / weights[items].sum())
        return speaker_means(pieces.embeddings[items], scaled.astype(np.float32), apart, disjoint, self._rule(total))

    def _rule(self, seconds: float) -> Rule:
        large = min(seconds, float(np.clip(_SHARE * seconds, _LEAST_S, _ENOUGH_S)))
        model = _EMBEDDINGS[self.embedding]
        if self.num_speakers is not None:
            return Rule(np.inf, -np.inf, large, self.num_speakers, self.num_speakers)
        shift = model.SHIFT if self.threshold is None else self.threshold
        return Rule(model.SPREAD, shift, large, self.min_speakers, self.max_speakers)
