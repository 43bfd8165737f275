"""What the model hears of a window: log-mel features, and the encoder's output where the encoder stays as it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.audio.decode import SAMPLE_RATE
from parakh.cascade.whisper.features import padded
from parakh.cascade.windows import Window

Array = NDArray[Any]

FULL = 30 * SAMPLE_RATE
"""Samples that Whisper was trained on, whatever is in them."""


def length(longest: int, full: bool) -> int:
    """Samples that every window is padded to.

    Args:
        longest: Samples of the longest window.
        full: Whether to take the 30 s of the training whatever is in them.

    >>> length(16000, True) / SAMPLE_RATE, length(16000, False) / SAMPLE_RATE
    (30.0, 1.52)
    """
    return FULL if full else min(FULL, padded(longest))


def log_mel(extractor: Any, samples: NDArray[np.float32], windows: Sequence[Window], size: int) -> Array:
    """Features of windows, shape (windows, mel bins, 100 a second), float16.

    Args:
        extractor: transformers' ``WhisperFeatureExtractor``.
        samples: The recording.
        windows: Where in it.
        size: Samples to pad each to.
    """
    cut = [window.cut(samples) for window in windows]
    each = [
        extractor(one, sampling_rate=SAMPLE_RATE, padding="max_length", max_length=size, return_tensors="np")["input_features"][0]
        for one in cut
    ]
    return np.stack(each).astype(np.float16) if each else np.zeros((0, 0, 0), np.float16)


def encode(encoder: Any, features: Any) -> Any:
    """The encoder's output for features of any length up to 30 s, which transformers itself takes only whole.

    Args:
        encoder: transformers' ``WhisperEncoder``.
        features: Tensor of shape (batch, mel bins, frames).

    Returns:
        Tensor of shape (batch, frames / 2, width).
    """
    from torch.nn.functional import gelu

    hidden = gelu(encoder.conv2(gelu(encoder.conv1(features)))).permute(0, 2, 1)
    hidden = hidden + encoder.embed_positions.weight[: hidden.shape[1]]
    for layer in encoder.layers:
        hidden = layer(hidden, None)
    return encoder.layer_norm(hidden)


def masked(features: Any, frequencies: int, frames: int) -> Any:
    """SpecAugment: in each window two bands of frequencies and two stretches of time are made the features' mean.

    Args:
        features: Tensor of shape (batch, mel bins, frames).
        frequencies: Most bins of a band.
        frames: Most frames of a stretch.

    Source: Park et al., "SpecAugment" (2019), without time warping.
    """
    import torch

    mean = features.mean(dim=(1, 2), keepdim=True)
    hidden = torch.zeros_like(features, dtype=torch.bool)
    for axis, most in ((1, frequencies), (2, frames)):
        size = features.shape[axis]
        places = torch.arange(size, device=features.device)
        for _ in range(2):
            width = torch.randint(0, most + 1, (len(features), 1)).to(features.device)
            start = (torch.rand(len(features), 1).to(features.device) * (size - width + 1)).long()
            inside = (places >= start) & (places < start + width)
            hidden |= inside[:, :, None] if axis == 1 else inside[:, None, :]
    return torch.where(hidden, mean, features)
