"""What is known of an audio file without understanding a word of it; ``inspect`` finds it out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parakh.types import Finding

FRAME_S = 0.01
"""Seconds of one frame of ``AudioFacts.level_db``."""
SILENCE_DB = -120.0
"""The lowest level there is: digital silence."""


@dataclass(frozen=True, slots=True)
class Header:
    """What an audio file says of itself.

    Args:
        container: "wav", "flac", "mp3" ...
        codec: "pcm_s16le", "flac", "mp3" ...
        sample_rate: Hz.
        channels: Number of channels.
        bits: Bits of a sample; None where the codec has no such number.
        duration: Seconds; None where the header does not say.
    """

    container: str
    codec: str
    sample_rate: int
    channels: int
    bits: int | None = None
    duration: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class AudioFacts:
    """One audio file, looked at.

    Args:
        header: What it says of itself.
        sha256: Of the whole file, 64 hexadecimal digits; None if not computed.
        duration: Seconds of decoded sound; the header's where it was not decoded, None where neither is known.
        peak: Largest absolute sample in [0, 1]; None if not decoded.
        clipped: Share of samples in runs at full scale, in [0, 1]; None if not decoded.
        level_db: Root mean square of each 10 ms frame in dB relative to full scale (a full sine is -3), all channels together,
            without offset, >= -120 (where nothing moves), shape (frames,), float16; None if not decoded.
        speech: Stretches with speech, seconds, ascending; None if not looked for.
        snr_db: Estimated signal-to-noise ratio of the speech; None if it cannot be told.
        findings: What was noticed while decoding.
    """

    header: Header
    sha256: str | None = None
    duration: float | None = None
    peak: float | None = None
    clipped: float | None = None
    level_db: NDArray[np.float16] | None = None
    speech: tuple[tuple[float, float], ...] | None = None
    snr_db: float | None = None
    findings: tuple[Finding, ...] = ()
