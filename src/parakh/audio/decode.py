"""A recording in memory: 16 kHz mono float samples, decoded from whatever a phone makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.errors import Fault, InputError, MissingPackageError, counted
from parakh.languages.tags import primary_language
from parakh.types import Finding

SAMPLE_RATE = 16_000

_GAP_S = 0.05
"""A jump of the time stamps that is longer (seconds) is filled with silence, so that later times stay right."""
_SHORT_S, _SHORT = 0.5, 0.95
"""A recording is cut short when it lacks more seconds than this and holds less of what its header promises."""
_NO_PROMISE = 0x7FFF_0000
"""Sizes in a WAV header from which they only say that the length was unknown when it was written."""


@dataclass(frozen=True, eq=False)
class Audio:
    """One recording, decoded.

    Args:
        session_id: Its id (the file's stem unless a manifest says otherwise).
        samples: Mono samples in [-1, 1], shape (n,), float32, at ``SAMPLE_RATE``.
        language: BCP-47 tag of its main language, kept as its primary subtag; None lets the transcriber detect it.
        findings: What was noticed while decoding: ``truncated-audio``, ``damaged-audio``.
        metadata: What else its manifest says of it.

    >>> Audio("v", np.zeros(1, np.float32), "hi-IN").language
    'hi'
    """

    session_id: str
    samples: NDArray[np.float32]
    language: str | None = None
    findings: tuple[Finding, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.language is not None:
            object.__setattr__(self, "language", primary_language(self.language))

    @property
    def duration(self) -> float:
        """Length in seconds."""
        return len(self.samples) / SAMPLE_RATE


def load_audio(path: Path, session_id: str | None = None, language: str | None = None) -> Audio:
    """Decode any file FFmpeg reads (WAV, FLAC, MP3, M4A, OPUS, 3GP ...) to 16 kHz mono.

    What is missing or damaged inside is told in ``Audio.findings``; silence stands in for it where the file's own
    time stamps tell how much is missing.

    Args:
        path: The audio file.
        session_id: Its id; None takes the file's stem.
        language: Main language if known.

    Raises:
        InputError: The file is missing, is no audio, holds no samples, or samples that are not numbers.
        MissingPackageError: PyAV (extra ``cascade``) is not installed.
    """
    told = Decoding()
    av = library()
    try:
        chunks = list(mono(pieces(path, told)))
    except av.error.FFmpegError as error:  # a sample rate that nothing can be made of
        raise InputError(_undecodable(path, av, error)) from error
    samples = np.concatenate(chunks) if chunks else np.zeros(0, np.float32)
    if not len(samples):
        raise InputError(Fault(str(path), "audio", "no samples", "a recording with sound in it"))
    if bad := len(samples) - int(np.count_nonzero(np.isfinite(samples))):
        found = f"{bad} of {len(samples)} samples that are not numbers"
        raise InputError(Fault(str(path), "audio", found, "samples in [-1, 1]", "Export the recording again."))
    session = session_id or path.stem
    promised = max(told.promised, len(samples) / SAMPLE_RATE * _wav_share(path))
    findings = damage(replace(told, promised=promised), len(samples) / SAMPLE_RATE)
    return Audio(session, samples, language, tuple(replace(one, session_id=session, path=str(path)) for one in findings))


@dataclass
class Decoding:
    """What is noticed while a recording is decoded.

    Args:
        promised: Seconds the container promises; 0 where it does not.
        lost: Pieces that could not be decoded.
        filled: Seconds that were missing and are made silent.
    """

    promised: float = 0.0
    lost: int = 0
    filled: float = 0.0


Piece = Any
"""A frame of PyAV, or the seconds of a gap in its place."""


def damage(told: Decoding, seconds: float) -> list[Finding]:
    """What was noticed while decoding, as findings ``truncated-audio`` and ``damaged-audio``.

    >>> [finding.message for finding in damage(Decoding(promised=6.0), 3.0)]
    ['holds 3.0 s of the 6.0 s that its header promises']
    """
    found = []
    if told.promised - seconds > _SHORT_S and seconds < _SHORT * told.promised:
        what = f"holds {seconds:.1f} s of the {told.promised:.1f} s that its header promises"
        found.append(Finding("truncated-audio", what))
    if told.lost or told.filled:
        parts = [f"{counted(told.lost, 'piece')} that cannot be decoded"] * bool(told.lost)
        parts += [f"{told.filled:.2f} s missing, which were made silent"] * bool(told.filled)
        found.append(Finding("damaged-audio", f"has {' and '.join(parts)}"))
    return found


def pieces(path: Path, told: Decoding) -> Iterator[Piece]:
    """The decoded frames of a recording in order of time, one after the other; nothing else is held in memory.

    Args:
        path: The audio file.
        told: Filled with what is noticed on the way.

    Yields:
        Frames of PyAV in the file's own sample format; a float in between is a gap of that many seconds.

    Raises:
        InputError: The file is missing or is no audio.
        MissingPackageError: PyAV (extra ``cascade``) is not installed.
    """
    av = library()
    if wrong := no_recording(path):
        raise InputError(Fault(str(path), "audio", wrong, "a recording with sound in it"))
    with opened(av, path) as container:
        yield from _in_time(av, container, told)


def library() -> Any:
    """PyAV.

    Raises:
        MissingPackageError: It is not installed.
    """
    try:
        import av
    except ImportError as error:
        raise MissingPackageError("av", "cascade", "reading audio") from error
    return av


@contextmanager
def opened(av: Any, path: Path) -> Iterator[Any]:
    """A container of PyAV that has an audio track.

    Raises:
        InputError: It has none, or is no audio.
    """
    try:
        with av.open(str(path)) as container:
            if not container.streams.audio:
                raise InputError(Fault(str(path), "audio", "a file without an audio track", "audio"))
            if container.streams.audio[0].codec_context is None:
                raise InputError(Fault(str(path), "audio", "sound in a codec that is not known", "audio"))
            yield container
    except (av.error.FFmpegError, UnicodeError) as error:
        raise InputError(_undecodable(path, av, error)) from error


def mono(frames: Iterable[Piece]) -> Iterator[NDArray[np.float32]]:
    """Frames and gaps as mono float samples at ``SAMPLE_RATE``."""
    resampler = library().AudioResampler(format="flt", layout="mono", rate=SAMPLE_RATE)
    for frame in frames:
        if isinstance(frame, float):
            yield np.zeros(round(frame * SAMPLE_RATE), np.float32)
        else:
            yield from map(_samples, resampler.resample(frame))
    yield from map(_samples, resampler.resample(None))


def no_recording(path: Path) -> str:
    """What stands at a path where no recording can be; "" where one may be."""
    if path.is_dir():
        return "a folder"
    if not path.exists():
        return "no such file"
    if path.is_char_device():
        return "a device with no samples"
    return "an empty file with no samples" if path.is_file() and not path.stat().st_size else ""


def _undecodable(path: Path, av: Any, error: Exception) -> Fault:
    if isinstance(error, av.error.PermissionError):
        return Fault(str(path), "audio", "no permission", "a readable file", "Check the file's permissions.")
    if path.suffix.lower() in {".wav", ".flac"}:
        action = "Check that the file is whole and is what its name says."
    else:
        action = "Check that the file is whole, or convert it to WAV or FLAC if it is a rare codec."
    found = "data that is no audio" if isinstance(error, av.error.InvalidDataError) else f"data that cannot be decoded ({error})"
    return Fault(str(path), "audio", found, "audio", action)


def _in_time(av: Any, container: Any, told: Decoding) -> Iterator[Piece]:
    stream = container.streams.audio[0]
    if stream.codec_context.name == "flac":  # its frames carry checksums, which are not looked at by default
        stream.codec_context.options = {"err_detect": "crccheck+explode"}
    told.promised = container.duration / av.time_base if container.duration else 0.0
    origin: float | None = None
    position = 0.0
    first: tuple[object, ...] | None = None
    for frame in _frames(av, container, stream, told):
        first = first or _form(frame)
        if _form(frame) != first:  # a recording glued together from several kinds
            told.lost += 1
            continue
        if frame.time is not None:
            origin = frame.time - position if origin is None else origin
            gap = frame.time - origin - position
            if gap > _GAP_S and frame.time - origin <= told.promised:
                yield gap
                told.filled += gap
                position += gap
        position += frame.samples / frame.sample_rate
        yield frame


def _frames(av: Any, container: Any, stream: Any, told: Decoding) -> Iterator[Any]:
    """The frames of a stream; packets that cannot be decoded are counted and passed over."""
    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets, None)
            if packet is None:
                return
            yield from packet.decode()
        except av.error.InvalidDataError:
            told.lost += 1


def _form(frame: Any) -> tuple[object, ...]:
    return frame.sample_rate, frame.layout.name, frame.format.name


def _samples(frame: Any) -> NDArray[np.float32]:
    samples: NDArray[np.float32] = frame.to_ndarray().reshape(-1).astype(np.float32, copy=False)
    return samples


def _wav_share(path: Path) -> float:
    """How many times its own size a WAV file should have by its header; 0 where the header does not tell."""
    if not path.is_file():
        return 0.0
    with path.open("rb") as stream:
        head = stream.read(12)
    size = int.from_bytes(head[4:8], "little") + 8
    is_wav = head[:4] == b"RIFF" and head[8:] == b"WAVE" and size < _NO_PROMISE
    return size / path.stat().st_size if is_wav else 0.0
