"""DiariZen: WavLM and a Conformer hear chunks of 8 s, speaker embeddings of them are clustered; on torch.

The published checkpoints are read as they are; DiariZen itself, and the packages of its time, are not needed. Works on any
language and any length; beside the samples memory grows by some 5 kB a second.

Source: Han et al., "Leveraging self-supervised learning for speaker diarization" (ICASSP 2025); DiariZen at commit
a60b181 with agglomerative clustering. The settings are those of the DISPLACE-M challenge's zero-shot baseline; its
fine-tuned one has ``threshold`` 0.7 and ``min_cluster_size`` 30.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.audio.decode import SAMPLE_RATE, Audio
from parakh.cascade.devices import DEVICE, is_device, torch_device
from parakh.cascade.diarizers._chunks import (
    FIRST_S,
    STEP_S,
    Chunks,
    chunk,
    chunk_starts,
    clean_masks,
    median_filtered,
    speaker_activity,
)
from parakh.cascade.diarizers._dendrogram import Rule, local_clusters, scipy_hierarchy
from parakh.cascade.diarizers._timeline import labelled, turns
from parakh.cascade.options import require
from parakh.models import weights
from parakh.types import Segment

MODELS: tuple[str, ...] = ()

_NAME = "diarizer diarizen"
_MOST = 100
"""Most speakers that may be asked for."""
_LEAST_SAMPLES = 400
"""Fewest samples that an embedding is made of."""


@dataclass(frozen=True)
class Backend:
    """Who spoke when, by DiariZen.

    Args:
        weights: Folder or hub name of a segmentation: "BUT-FIT/diarizen-wavlm-large-s80-md",
            "BUT-FIT/diarizen-wavlm-base-s80-md", or a fine-tuned one.
        embedding: Folder or hub name of the speaker embedding.
        num_speakers: Number of speakers if it is known; goes before the two that follow.
        min_speakers: Least number.
        max_speakers: Greatest number.
        threshold: Distance of two clusters from which they are two speakers, in (0, 2].
        min_cluster_size: Local speakers that a cluster needs to be a speaker.
        duration: Seconds of a chunk.
        step: Seconds from one chunk to the next, up to ``duration``; smaller is slower.
        median_filter: Whether activity is smoothed over 11 frames.
        batch: Chunks heard at once.
        device: "auto", "cpu", "cuda", "cuda:N" or "mps".
    """

    weights: str = "BUT-FIT/diarizen-wavlm-large-s80-md"
    embedding: str = "pyannote/wespeaker-voxceleb-resnet34-LM"
    num_speakers: int | None = None
    min_speakers: int = 2
    max_speakers: int = 2
    threshold: float = 0.6
    min_cluster_size: int = 13
    duration: float = 8.0
    step: float = 0.8
    median_filter: bool = True
    batch: int = 8
    device: str = "auto"

    def __post_init__(self) -> None:
        known = self.num_speakers is None or 1 <= self.num_speakers <= _MOST
        rules = {
            "weights": (self.weights != "", "a folder or org/name of a hub"),
            "embedding": (self.embedding != "", "a folder or org/name of a hub"),
            "num_speakers": (known, f"a whole number from 1 to {_MOST}"),
            "min_speakers": (1 <= self.min_speakers <= self.max_speakers, "1 <= min_speakers <= max_speakers"),
            "max_speakers": (self.max_speakers <= _MOST, f"a whole number up to {_MOST}"),
            "threshold": (0 < self.threshold <= 2, "a distance in (0, 2]"),
            "min_cluster_size": (self.min_cluster_size >= 1, "a whole number >= 1"),
            "duration": (1 <= self.duration <= 60, "seconds from 1 to 60"),
            "step": (0.1 <= self.step <= self.duration, "seconds from 0.1 to duration"),
            "batch": (1 <= self.batch <= 1024, "a whole number from 1 to 1024"),
            "device": (is_device(self.device), DEVICE),
        }
        require(_NAME, self, rules)

    def ready(self) -> None:
        """Load the networks.

        Raises:
            MissingPackageError: torch or scipy (extra ``diarizen``) is not installed.
            ModelError: Weights are nowhere, or do not read.
            UnavailableError: The device is not there.
        """
        _ = self._networks

    def diarize(self, audio: Audio) -> list[Segment]:
        """Turns of the speakers, labelled spk0, spk1, ... by first appearance; empty when nobody speaks.

        Args:
            audio: The recording.

        Returns:
            Turns sorted by start time; those of different speakers may overlap.

        Raises:
            MissingPackageError: torch or scipy (extra ``diarizen``) is not installed.
            ModelError: Weights are nowhere, or do not read.
            UnavailableError: The device is not there.
        """
        if not audio.samples.any():  # also when there are none
            return []
        chunks = self._hear(audio.samples)
        if not chunks.active.any():
            return []
        rule = self._rule()
        clusters = local_clusters(chunks.active, chunks.embeddings, rule)
        active = speaker_activity(chunks, clusters, rule.most)
        return labelled(audio, turns(active, 0.0, 0.0, lambda frame: frame * STEP_S + FIRST_S))

    def _rule(self) -> Rule:
        fewest, most = (self.min_speakers, self.max_speakers) if self.num_speakers is None else (self.num_speakers,) * 2
        return Rule(self.threshold, self.min_cluster_size, fewest, most)

    def _hear(self, samples: NDArray[np.float32]) -> Chunks:
        """Activity and embeddings of every chunk, a batch at a time."""
        length, step = round(self.duration * SAMPLE_RATE), round(self.step * SAMPLE_RATE)
        starts = chunk_starts(len(samples), length, step).tolist()
        found = []
        for first in range(0, len(starts), self.batch):
            batch = np.stack([chunk(samples, start, length) for start in starts[first : first + self.batch]])
            active = self._segment(batch)
            found.append((active, self._embed(batch, active)))
        active, embeddings = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return Chunks(length / SAMPLE_RATE, step / SAMPLE_RATE, active, embeddings)

    def _segment(self, batch: NDArray[np.float32]) -> NDArray[np.bool_]:
        import torch

        segmentation, _, device = self._networks
        with torch.inference_mode():
            classes = segmentation(torch.from_numpy(batch).to(device)).argmax(dim=-1).cpu().numpy()
        active: NDArray[np.bool_] = segmentation.powerset[classes]
        return median_filtered(active) if self.median_filter else active

    def _embed(self, batch: NDArray[np.float32], active: NDArray[np.bool_]) -> NDArray[np.float32]:
        import torch

        from parakh.cascade.torch_networks.resnet import features

        _, embedding, device = self._networks
        masks = clean_masks(active, math.ceil(active.shape[1] * _LEAST_SAMPLES / batch.shape[1]))
        frames = np.stack([features(samples) for samples in batch])
        with torch.inference_mode():
            weights = torch.from_numpy(masks.transpose(0, 2, 1).astype(np.float32))
            vectors = embedding(torch.from_numpy(frames).to(device), weights.to(device))
        rows: NDArray[np.float32] = vectors.cpu().numpy()
        return rows

    @cached_property
    def _networks(self) -> tuple[Any, Any, Any]:
        """Segmentation and embedding, and the device they are on."""
        scipy_hierarchy()
        device = torch_device(self.device, _NAME)
        from parakh.cascade.torch_networks import eend, resnet

        segmentation = eend.load(weights.find(self.weights, eend.FILES)).to(device)
        embedding = resnet.load(weights.find(self.embedding, resnet.FILES)).to(device)
        return segmentation, embedding, device
