"""pyannote segmentation-3.0: who is active in each frame of a short window, as classes of a powerset.

Sinc filters, two convolutions, four bidirectional LSTM layers, two linear layers, seven classes: nobody, one of
three local speakers, or two of them.

Source: Bredin, "pyannote.audio 2.1 speaker diarization pipeline" (Interspeech 2023); Plaquet and Bredin,
"Powerset multi-class cross entropy loss for neural speaker diarization" (Interspeech 2023).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.cascade.networks.graph import Graph
from parakh.cascade.networks.powerset import mapping
from parakh.cascade.networks.weights import read_weights

MODEL = "pyannote-segmentation-3.0"
WINDOW_SAMPLES = 160_000
FRAME_STEP = 270
"""Samples from one frame to the next."""
FRAME_FIELD = 991
"""Samples that one frame sees; frame i is centred on sample 270 i + 495."""
FRAMES = 1 + (WINDOW_SAMPLES - FRAME_FIELD) // FRAME_STEP
"""Frames of a full window (589)."""
SPEAKERS = 3
POWERSET = mapping(SPEAKERS, 2)
"""Which of the three local speakers each of the seven classes means, shape (7, 3)."""

_MIN_LOW_HZ = 50.0
_MIN_BAND_HZ = 50.0
_NYQUIST_HZ = 8000.0


def build(folder: Any) -> bytes:
    """The ONNX model from the published checkpoint: samples (batch, 1, n) -> log-probabilities (batch, frames, 7)."""
    weights = read_weights(folder / "pytorch_model.bin", "state_dict")
    graph = Graph(weights)
    x = graph.instance_norm("samples", "sincnet.wav_norm1d")
    x = graph.node("Conv", x, graph.constant(sinc_filters(weights)), strides=[10])
    x = _pool_and_norm(graph, graph.node("Abs", x), 0)
    for layer in (1, 2):
        x = _pool_and_norm(graph, graph.conv1d(x, f"sincnet.conv1d.{layer}"), layer)
    x = graph.node("Transpose", x, perm=[2, 0, 1])  # to (time, batch, features)
    for number in range(4):
        x = graph.lstm(x, "lstm", number, bidirectional=True)
    x = graph.node("Transpose", x, perm=[1, 0, 2])
    for layer in (0, 1):
        x = graph.node("LeakyRelu", graph.linear(x, f"linear.{layer}"), alpha=0.01)
    x = graph.node("LogSoftmax", graph.linear(x, "classifier"), axis=-1)
    return graph.model({"samples": ["batch", 1, "n"]}, x, ["batch", "frames", len(POWERSET)])


def sinc_filters(weights: Mapping[str, NDArray[Any]]) -> NDArray[np.float32]:
    """The 80 band-pass filters of the first layer, 40 even ones then 40 odd ones, shape (80, 1, 251).

    Each is the difference of two windowed sincs between a learned low edge and low edge plus band.

    Source: Ravanelli and Bengio, "Speaker recognition from raw waveform with SincNet" (SLT 2018); Pariente et
    al., "Filterbank design for end-to-end speech separation" (ICASSP 2020) for the odd half.
    """
    names = ("low_hz_", "band_hz_", "window_", "n_")
    low, band, window, times = (weights[f"sincnet.conv1d.0.filterbank.{name}"].astype(np.float64) for name in names)
    low = _MIN_LOW_HZ + np.abs(low)
    high = np.clip(low + _MIN_BAND_HZ + np.abs(band), _MIN_LOW_HZ, _NYQUIST_HZ)
    width = 2 * (high - low)
    even = (np.sin(high @ times) - np.sin(low @ times)) / (times / 2) * window
    odd = (np.cos(low @ times) - np.cos(high @ times)) / (times / 2) * window
    cosines = np.concatenate([even, width, even[:, ::-1]], axis=1) / width
    sines = np.concatenate([odd, np.zeros_like(width), -odd[:, ::-1]], axis=1) / width
    return np.concatenate([cosines, sines])[:, None, :].astype(np.float32)


def _pool_and_norm(graph: Graph, x: str, layer: int) -> str:
    pooled = graph.node("MaxPool", x, kernel_shape=[3], strides=[3])
    return graph.node("LeakyRelu", graph.instance_norm(pooled, f"sincnet.norm1d.{layer}"), alpha=0.01)
