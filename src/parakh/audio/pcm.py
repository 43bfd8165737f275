"""Samples as 16-bit integers, and as a WAV file of them in memory."""

from __future__ import annotations

import io
import wave

import numpy as np
from numpy.typing import NDArray

from parakh.audio.decode import SAMPLE_RATE


def as_16_bit(samples: NDArray[np.float32]) -> NDArray[np.int16]:
    """Samples in [-1, 1] rounded to 16 bits; what lies outside is clipped.

    >>> as_16_bit(np.array([-1.0, 0.0, 0.5, 1.0], np.float32)).tolist()
    [-32768, 0, 16384, 32767]
    """
    return np.rint(np.clip(samples, -1, 1 - 2**-15) * 32768).astype(np.int16)


def wav(samples: NDArray[np.float32]) -> bytes:
    """Samples in [-1, 1] at 16 kHz as a WAV file of 16 bits.

    >>> len(wav(np.zeros(16000, np.float32)))
    32044
    """
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((1, 2, SAMPLE_RATE, 0, "NONE", ""))
        out.writeframes(as_16_bit(samples).astype("<i2").tobytes())
    return file.getvalue()
