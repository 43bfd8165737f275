"""How far speech stands above the noise of a recording."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from parakh.audio.facts import SILENCE_DB
from parakh.audio.levels import frames, mean_db

_AWAY_S = 0.1
"""Frames nearer to speech than this are neither speech nor noise: reverberation, breath, and the detector's own slack."""
_LEAST_FRAMES = 50
"""Of speech, and of noise (0.5 s), without which there is no estimate."""
_LEAST_DB = -10.0
"""Where speech cannot be told from the noise by its level."""


def signal_to_noise(level_db: NDArray[np.float16], speech: Sequence[tuple[float, float]]) -> float | None:
    """Signal-to-noise ratio of the speech in a recording.

    SNR = 10 log10((P_speech - P_noise) / P_noise), with the mean power of all frames with speech and the median
    power of the frames 0.1 s or more away from any: a slammed door is no background.

    Args:
        level_db: Level of each 10 ms frame in dB.
        speech: Stretches with speech, seconds, ascending.

    Returns:
        dB, at least -10. None with less than 0.5 s of speech or of noise.

    Source: the ratio of active speech to idle noise of ITU-T P.56, with the detector in place of its threshold. Against the
    ratio that noise was mixed at: docs/measurements.md, "Speech detection".

    >>> level = np.array([-60.0] * 100 + [-30.0] * 100 + [-60.0] * 100, np.float16)
    >>> round(signal_to_noise(level, [(1.0, 2.0)]))
    30
    """
    spoken = frames(speech, len(level_db))
    idle = ~frames([(start - _AWAY_S, end + _AWAY_S) for start, end in speech], len(level_db))
    if np.count_nonzero(spoken) < _LEAST_FRAMES or np.count_nonzero(idle) < _LEAST_FRAMES:
        return None
    noise = 10 ** (max(float(np.median(level_db[idle])), SILENCE_DB) / 10)
    signal = 10 ** (mean_db(level_db[spoken]) / 10) - noise
    return max(float(10 * np.log10(signal / noise)), _LEAST_DB) if signal > 0 else _LEAST_DB
