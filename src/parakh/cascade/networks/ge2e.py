"""GE2E: a speaker embedding of 256 values from 1.6 s of speech, three LSTM layers and one linear layer.

Source: Wan et al., "Generalized end-to-end loss for speaker verification" (ICASSP 2018); weights and features of
Resemblyzer 0.1.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parakh.cascade.networks.graph import Graph
from parakh.cascade.networks.runtime import network
from parakh.cascade.networks.weights import read_weights

MODEL = "ge2e"
BANDS = 40
FRAMES = 160
"""Frames of one partial utterance (1.6 s)."""
SIZE = 256
SPREAD = 0.4
"""Average cosine distance from which clusters of 1.5 s pieces do not merge."""
SHIFT = 0.12
"""Distance of two clusters, freed of their own spread, from which they are two speakers."""

_HOP = 77
_STEP, _LENGTH = 160, 400
_LEVEL_DB = -30.0
_BREAK_HZ = 1000.0


def build(folder: Path) -> bytes:
    """The ONNX model from the published weights: features (batch, frames, 40) -> embeddings (batch, 256)."""
    graph = Graph(read_weights(folder / "pretrained.pt", "model_state"))
    x = graph.node("Transpose", "features", perm=[1, 0, 2])
    for number in range(3):
        x = graph.lstm(x, "lstm", number, bidirectional=False)
    x = graph.node("Gather", x, graph.constant(np.array(-1, np.int64)), axis=0)
    x = graph.node("LpNormalization", graph.node("Relu", graph.linear(x, "linear")), axis=-1, p=2)
    return graph.model({"features": ["batch", "frames", BANDS]}, x, ["batch", SIZE])


def embed(pieces: Sequence[NDArray[np.float32]], threads: int) -> NDArray[np.float32]:
    """The embedding of each piece of ``features``: the mean over partial utterances, shape (pieces, 256)."""
    parts = [_partials(piece) for piece in pieces]
    owners = np.repeat(np.arange(len(parts)), np.array([len(part) for part in parts], np.int64))
    rows = np.zeros((len(pieces), SIZE), np.float32)
    if parts:
        np.add.at(rows, owners, network(MODEL, build, threads)(np.concatenate(parts)))
    counts = np.maximum(np.bincount(owners, minlength=len(parts)), 1)
    return (rows / counts[:, None]).astype(np.float32)


def _partials(frames: NDArray[np.float32]) -> NDArray[np.float32]:
    padded = np.pad(frames, ((0, max(0, FRAMES - len(frames))), (0, 0)))
    return np.stack([padded[start : start + FRAMES] for start in range(0, len(padded) - FRAMES + 1, _HOP)])


def features(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Mel energies (not logarithms) of speech raised to -30 dBFS, shape (1 + n // 160, 40).

    25 ms Hann windows every 10 ms centred on their time, power spectrum, Slaney mel filters of unit area.

    Source: ``librosa.feature.melspectrogram`` 0.11 as called by Resemblyzer 0.1.4.
    """
    loudness = 10 * np.log10(max(float(np.mean(samples.astype(np.float64) ** 2)), 1e-12)) if len(samples) else 0.0
    gain = 10 ** (max(0.0, _LEVEL_DB - loudness) / 20)
    padded = np.pad(samples * np.float32(gain), _LENGTH // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _LENGTH)[::_STEP]
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(_LENGTH) / _LENGTH)
    power = np.abs(np.fft.rfft(frames * hann, _LENGTH)) ** 2
    return (power @ _filters()).astype(np.float32)


@cache
def _filters() -> NDArray[np.float64]:
    edges = _hz(np.linspace(0.0, _mel(8000.0), BANDS + 2))
    bins = np.arange(_LENGTH // 2 + 1)[:, None] * 16000.0 / _LENGTH
    rising = (bins - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - bins) / (edges[2:] - edges[1:-1])
    areas: NDArray[np.float64] = np.maximum(0.0, np.minimum(rising, falling)) * 2.0 / (edges[2:] - edges[:-2])
    return areas


def _mel(hz: float) -> float:
    return 3 * hz / 200 if hz < _BREAK_HZ else 15 + 27 * float(np.log(hz / _BREAK_HZ) / np.log(6.4))


def _hz(mels: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(mels < 15, 200 * mels / 3, _BREAK_HZ * np.exp(np.log(6.4) * (mels - 15) / 27))
