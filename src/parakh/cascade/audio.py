"""A recording in memory: 16 kHz mono float samples, decoded from whatever a phone makes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parakh.errors import Fault, InputError, MissingPackageError

SAMPLE_RATE = 16_000


@dataclass(frozen=True, eq=False)
class Audio:
    """One recording, decoded.

    Args:
        session_id: Its id (the file's stem unless a manifest says otherwise).
        samples: Mono samples in [-1, 1], shape (n,), float32, at ``SAMPLE_RATE``.
        language: BCP-47 primary tag of its main language; None lets the transcriber detect it.
    """

    session_id: str
    samples: NDArray[np.float32]
    language: str | None = None

    @property
    def duration(self) -> float:
        """Length in seconds."""
        return len(self.samples) / SAMPLE_RATE


def load_audio(path: Path, session_id: str | None = None, language: str | None = None) -> Audio:
    """Decode any file FFmpeg reads (WAV, FLAC, MP3, M4A, OPUS, 3GP ...) to 16 kHz mono.

    Args:
        path: The audio file.
        session_id: Its id; None takes the file's stem.
        language: Main language if known.

    Raises:
        InputError: The file is missing, is no audio, or holds no samples.
        MissingPackageError: PyAV (extra ``cascade``) is not installed.
    """
    try:
        import av
    except ImportError as error:
        raise MissingPackageError("av", "cascade", "reading audio") from error
    if not path.is_file():
        raise InputError(Fault(str(path), "audio", "no such file", "an audio file"))
    try:
        samples = _decode(av, path)
    except (av.error.FFmpegError, IndexError) as error:
        action = "Convert it to WAV or FLAC first if it is a rare codec."
        raise InputError(Fault(str(path), "audio", f"data that cannot be decoded ({error})", "audio", action)) from error
    if not len(samples):
        raise InputError(Fault(str(path), "audio", "0 samples", "a recording with sound in it"))
    return Audio(session_id or path.stem, samples, language)


def _decode(av: object, path: Path) -> NDArray[np.float32]:
    chunks: list[NDArray[np.float32]] = []
    with av.open(str(path)) as container:  # type: ignore[attr-defined]
        resampler = av.AudioResampler(format="flt", layout="mono", rate=SAMPLE_RATE)  # type: ignore[attr-defined]
        stream = container.streams.audio[0]
        for frame in container.decode(stream):
            chunks += [out.to_ndarray().reshape(-1) for out in resampler.resample(frame)]
        chunks += [out.to_ndarray().reshape(-1) for out in resampler.resample(None)]
    return np.concatenate(chunks).astype(np.float32, copy=False) if chunks else np.zeros(0, np.float32)
