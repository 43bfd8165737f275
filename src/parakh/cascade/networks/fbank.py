"""Log mel filterbank features as Kaldi computes them, in NumPy.

25 ms Povey (or Hamming) windows every 10 ms, offset removed, pre-emphasis 0.97, no dither, 512-point power spectrum,
triangular mel filters from 20 Hz to 8 kHz, natural logarithm.

Source: Kaldi ``compute-fbank-feats``; equal to ``torchaudio.compliance.kaldi.fbank`` 2.11 with ``dither=0``.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

SHIFT = 160
"""Samples from one frame to the next."""
LENGTH = 400
"""Samples of one frame."""

_FFT = 512
_LOW_HZ, _HIGH_HZ, _RATE_HZ = 20.0, 8000.0, 16000.0
_PRE_EMPHASIS = 0.97
_FLOOR = float(np.finfo(np.float32).eps)
_BATCH = 3000
"""Frames computed at once: bounds memory."""


def fbank(samples: NDArray[np.float32], bands: int = 80, window: str = "povey") -> NDArray[np.float32]:
    """Log mel energies of every whole frame.

    Args:
        samples: Mono samples in [-1, 1] at 16 kHz, shape (n,).
        bands: Number of mel filters.
        window: "povey" or "hamming".

    Returns:
        Shape (frames, bands), with ``1 + (n - 400) // 160`` frames; (0, bands) for less than one frame.

    >>> fbank(np.zeros(16000, np.float32)).shape
    (98, 80)
    """
    if len(samples) < LENGTH:
        return np.zeros((0, bands), np.float32)
    frames = np.lib.stride_tricks.sliding_window_view(samples, LENGTH)[::SHIFT]
    parts = [_log_mel(frames[start : start + _BATCH], bands, window) for start in range(0, len(frames), _BATCH)]
    return np.concatenate(parts)


def _log_mel(frames: NDArray[np.float32], bands: int, window: str) -> NDArray[np.float32]:
    frames = frames - frames.mean(axis=1, keepdims=True)
    previous = np.concatenate([frames[:, :1], frames[:, :-1]], axis=1)
    windowed = (frames - np.float32(_PRE_EMPHASIS) * previous) * _window(window)
    power = np.abs(np.fft.rfft(windowed, _FFT)) ** 2
    energies = power.astype(np.float32) @ _mel_filters(bands)
    logs: NDArray[np.float32] = np.log(np.maximum(energies, np.float32(_FLOOR)))
    return logs


@cache
def _window(name: str) -> NDArray[np.float32]:
    cosine = np.cos(2 * np.pi * np.arange(LENGTH) / (LENGTH - 1))
    window: NDArray[np.float64] = 0.54 - 0.46 * cosine if name == "hamming" else (0.5 - 0.5 * cosine) ** 0.85
    return window.astype(np.float32)


@cache
def _mel_filters(bands: int) -> NDArray[np.float32]:
    """Triangles equally wide in mel, shape (257, bands); the Nyquist bin has no weight."""
    edges = np.linspace(_mel(_LOW_HZ), _mel(_HIGH_HZ), bands + 2)
    mels = _mel(np.arange(_FFT // 2 + 1) * _RATE_HZ / _FFT)[:, None]
    rising = (mels - edges[:-2]) / (edges[1:-1] - edges[:-2])
    falling = (edges[2:] - mels) / (edges[2:] - edges[1:-1])
    filters = np.maximum(0.0, np.minimum(rising, falling))
    filters[-1] = 0.0
    return filters.astype(np.float32)


def _mel(hz: float | NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(1127.0 * np.log1p(np.asarray(hz) / 700.0))
