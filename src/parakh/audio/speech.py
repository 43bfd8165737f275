"""Where somebody speaks: Silero VAD 6 over windows of 32 ms, made into stretches.

Chosen among webrtcvad, energy in the speech band over an adaptive floor, and the diarizer's segmentation network: it alone calls
none of eight kinds of noise speech, and it is the best on real Hindi conversations (docs/measurements.md, "Speech
detection").

Source: Silero Team, "Silero VAD: pre-trained enterprise-grade voice activity detector" (2024), version 6.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.audio.decode import SAMPLE_RATE, library
from parakh.errors import ParakhError
from parakh.models.sessions import session

MODEL = "silero-vad"
Spans = tuple[tuple[float, float], ...]

_FILE = "silero_vad_v6.onnx"
_WINDOW, _BEFORE = 512, 64
"""Samples of a window, and those before it that the network sees too."""
_STATE = 128
_ON, _OFF = 0.2, 0.1
"""Speech begins at the one probability and goes on down to the other. The network's own 0.5 and 0.35 miss quiet answers."""
_LOUD_DB, _MOST_DB = -25.0, 60.0
"""Each block is raised until its loudest 5 % reach the one level, by at most the other: far voices are missed when quiet."""
_PAD_S = 0.06
"""Added at either end: the network fires on vowels, later than speech begins."""
_PAUSE_S = 0.3
"""Shorter pauses are part of the speech, as in the turns of the challenge."""
_LEAST_S = 0.1
"""Shorter sounds are no speech."""


class Detector:
    """Hears a recording block by block and tells where speech is.

    Args:
        rate: Hz of what it will hear.

    Raises:
        MissingPackageError: onnxruntime is not installed, or PyAV, which any rate but 16 kHz needs.
        ModelError: The network cannot be had.
    """

    def __init__(self, rate: int) -> None:
        self._network = _network()
        self._rate = rate
        self._resampler: Any = None
        if rate != SAMPLE_RATE:
            self._resampler = library().AudioResampler(format="flt", layout="mono", rate=SAMPLE_RATE)
        self._rest = np.zeros(_BEFORE, np.float32)
        self._state = (np.zeros((1, 1, _STATE), np.float32),) * 2
        self._probabilities: list[NDArray[np.float32]] = []

    def hear(self, samples: NDArray[np.float32]) -> None:
        """Take the next mono samples, shape (n,): some seconds, whose loudness is evened out together."""
        raised = samples * np.float32(10 ** (_missing_db(samples, self._rate // 100) / 20))
        self._feed(self._resampled(raised) if self._resampler else raised)

    def stretches(self, duration: float) -> Spans:
        """Stretches with speech in seconds, ascending, once all was heard."""
        if self._resampler:
            self._feed(self._resampled(None))
        missing = -(len(self._rest) - _BEFORE) % _WINDOW
        if len(self._rest) > _BEFORE:
            self._feed(np.zeros(missing, np.float32))
        every = np.concatenate(self._probabilities) if self._probabilities else np.zeros(0, np.float32)
        return stretches(every, duration)

    def _resampled(self, samples: NDArray[np.float32] | None) -> NDArray[np.float32]:
        frame = None
        if samples is not None:
            frame = library().AudioFrame.from_ndarray(np.ascontiguousarray(samples)[None], format="flt", layout="mono")
            frame.sample_rate = self._rate
        parts = [out.to_ndarray().reshape(-1) for out in self._resampler.resample(frame)]
        return np.concatenate(parts) if parts else np.zeros(0, np.float32)

    def _feed(self, samples: NDArray[np.float32]) -> None:
        heard = np.concatenate([self._rest, samples])
        count = (len(heard) - _BEFORE) // _WINDOW
        if count > 0:
            windows = np.lib.stride_tricks.sliding_window_view(heard, _BEFORE + _WINDOW)[::_WINDOW][:count]
            values = {"input": np.ascontiguousarray(windows), "h": self._state[0], "c": self._state[1]}
            found, *state = self._network.run(None, values)
            self._state = (state[0], state[1])
            self._probabilities.append(found.reshape(-1))
        self._rest = heard[max(count, 0) * _WINDOW :].copy()


def stretches(probabilities: NDArray[np.float32], duration: float) -> Spans:
    """Stretches of speech from the probability of each window.

    Args:
        probabilities: In [0, 1], one every 32 ms, shape (n,).
        duration: Seconds of the recording; no stretch goes beyond.

    >>> stretches(np.array([0.0] * 10 + [0.9] * 20 + [0.0] * 10, np.float32), 1.28)
    ((0.26, 1.02),)
    """
    decided = np.where(probabilities >= _ON, 1, np.where(probabilities < _OFF, 0, -1))
    last = np.maximum.accumulate(np.where(decided >= 0, np.arange(len(decided)), 0)) if len(decided) else decided
    edges = np.flatnonzero(np.diff(decided[last] == 1, prepend=False, append=False)) * (_WINDOW / SAMPLE_RATE)
    joined: list[tuple[float, float]] = []
    for start, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if joined and start - joined[-1][1] < _PAUSE_S + 2 * _PAD_S:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(_padded(start, end, duration) for start, end in joined if end - start >= _LEAST_S)


def covered(spans: Sequence[tuple[float, float]], start: float, end: float) -> float:
    """Seconds of [start, end) that lie in stretches, which are ascending and do not overlap.

    >>> covered([(0.0, 1.0), (2.0, 3.0)], 0.5, 2.25)
    0.75
    """
    return sum(max(0.0, min(end, b) - max(start, a)) for a, b in spans)


def _missing_db(samples: NDArray[np.float32], frame: int) -> float:
    """How far the loudest 5 % of a block's frames stay below ``_LOUD_DB``."""
    power = (samples[: len(samples) // frame * frame].reshape(-1, frame) ** 2).mean(axis=1)
    loud = float(np.percentile(power, 95)) if len(power) else 0.0
    return min(max(0.0, _LOUD_DB - 10 * float(np.log10(max(loud, 1e-12)))), _MOST_DB)


def _padded(start: float, end: float, duration: float) -> tuple[float, float]:
    return round(max(0.0, start - _PAD_S), 3), round(min(duration, end + _PAD_S), 3)


def _network() -> Any:
    """The network, loaded once a process; where it cannot be had that is remembered too, not tried for each recording."""
    found = _loaded()
    if isinstance(found, ParakhError):
        raise found
    return found


@cache
def _loaded() -> Any:
    try:
        return session(MODEL, lambda folder: (folder / _FILE).read_bytes(), threads=1, arena=True)
    except ParakhError as error:
        return error
