"""Log-mel features as Whisper was trained on them."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from parakh.audio.decode import SAMPLE_RATE

MEL_BINS = 80
HOP = 160
"""Samples between two frames: 10 ms."""

FRAME = SAMPLE_RATE // 50
"""Samples a frame of the encoder's output stands for."""

_SILENCE = SAMPLE_RATE // 2
"""Least silence (samples) after the speech, which the model needs to end its text."""

_FFT = 400


def padded(longest: int) -> int:
    """Samples that every window is filled up to, given those of the longest: whole frames, after some silence.

    >>> padded(16000) / SAMPLE_RATE
    1.52
    """
    length = longest + _SILENCE
    return length + -length % (2 * FRAME)


def log_mel(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-mel spectrogram: log10 of 80 mel energies, floored 8 below the maximum, as ``(x + 4) / 4``.

    Args:
        samples: Mono samples at 16 kHz, shape (n,), n >= 400.

    Returns:
        Features of shape (80, n // 160), float32.

    Source: Radford et al., "Robust Speech Recognition via Large-Scale Weak Supervision" (2022), section 2.2;
        equal to faster-whisper 1.2.1's feature extractor.

    >>> log_mel(np.zeros(16000, np.float32)).shape
    (80, 100)
    """
    padded = np.pad(samples, _FFT // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, _FFT)[:-1:HOP]
    window = np.hanning(_FFT + 1)[:-1].astype(np.float32)
    power = np.abs(np.fft.rfft(frames * window)).astype(np.float32) ** 2
    energies = np.log10(np.maximum(mel_filters() @ power.T, 1e-10))
    floored = np.maximum(energies, energies.max() - 8.0)
    features: NDArray[np.float32] = ((floored + 4.0) / 4.0).astype(np.float32)[:, : len(samples) // HOP]
    return features


@cache
def mel_filters() -> NDArray[np.float32]:
    """Triangular filters on the Slaney mel scale with unit area, shape (80, 201)."""
    frequencies = np.linspace(0, SAMPLE_RATE / 2, _FFT // 2 + 1)
    edges = _mel_to_hz(np.linspace(0, _hz_to_mel(SAMPLE_RATE / 2), MEL_BINS + 2))
    width = np.diff(edges)
    slopes = edges[:, None] - frequencies[None, :]
    rising, falling = -slopes[:-2] / width[:-1, None], slopes[2:] / width[1:, None]
    triangles = np.maximum(0, np.minimum(rising, falling))
    filters: NDArray[np.float32] = (triangles * (2.0 / (edges[2:] - edges[:-2]))[:, None]).astype(np.float32)
    return filters


def _hz_to_mel(hertz: float) -> float:
    """Linear below 1000 Hz (15 mel), logarithmic above."""
    return float(15.0 + np.log(hertz / 1000.0) * 27.0 / np.log(6.4))


def _mel_to_hz(mels: NDArray[np.float64]) -> NDArray[np.float64]:
    hertz: NDArray[np.float64] = np.where(mels < 15.0, mels * 200.0 / 3.0, 1000.0 * np.exp(np.log(6.4) / 27.0 * (mels - 15.0)))
    return hertz
