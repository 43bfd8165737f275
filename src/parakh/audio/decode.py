"""A recording as 16 kHz mono float samples, decoded from whatever a phone makes.

The samples are decoded block by block into a nameless temporary file, mapped into memory: however long a recording is, the
system can take back all of its memory but what is being looked at.
"""

from __future__ import annotations

import errno
import mmap
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from parakh.errors import Fault, InputError, counted
from parakh.languages.tags import primary_language
from parakh.packages import imported
from parakh.types import Finding, Severity

SAMPLE_RATE = 16_000

_GAP_S = 0.05
"""A jump of the time stamps that is longer (seconds) is filled with silence, so that later times stay right."""
_SHORT_S, _SHORT = 0.5, 0.95
"""A recording is cut short when it lacks more seconds than this and holds less of what its header promises."""
_DIFFERENT, _OPPOSED = 0.05, 0.9
"""Share of the sound in which channels differ: from the first they are told of, from the second mixing cancels most of it."""
_NO_PROMISE = 0x7FFF_0000
"""Sizes in a WAV header from which they only say that the length was unknown when it was written."""


@dataclass(frozen=True, eq=False)
class Audio:
    """One recording, decoded.

    Args:
        session_id: Its id (the file's stem unless a manifest says otherwise).
        samples: Mono samples in [-1, 1], shape (n,), float32, at ``SAMPLE_RATE``.
        language: BCP-47 tag of its main language, kept as its primary subtag; None lets the transcriber detect it.
        findings: What was noticed while decoding: ``truncated-audio``, ``damaged-audio``, ``mixed-channels``.
        metadata: What else its manifest says of it.
        mapped: The file that holds the samples, mapped into memory; None where they are in memory as they are.

    >>> Audio("v", np.zeros(1, np.float32), "hi-IN").language
    'hi'
    """

    session_id: str
    samples: NDArray[np.float32]
    language: str | None = None
    findings: tuple[Finding, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    mapped: mmap.mmap | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.language is not None:
            object.__setattr__(self, "language", primary_language(self.language))

    @property
    def duration(self) -> float:
        """Length in seconds."""
        return len(self.samples) / SAMPLE_RATE

    def release(self) -> None:
        """Let go of the memory of samples that were looked at; they are read again from their file when needed."""
        if self.mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            self.mapped.madvise(mmap.MADV_DONTNEED)


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
        with TemporaryFile() as file:
            count = _store(mono(_weighed(pieces(path, told), told)), file, path)
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)  # some libraries take no read-only arrays
    except av.error.FFmpegError as error:  # a sample rate that nothing can be made of
        raise InputError(_undecodable(path, av, error)) from error
    session = session_id or path.stem
    promised = max(told.promised, count / SAMPLE_RATE * _wav_share(path))
    findings = damage(replace(told, promised=promised), count / SAMPLE_RATE)
    located = tuple(replace(one, session_id=session, path=str(path)) for one in findings)
    return Audio(session, np.frombuffer(mapped, np.float32), language, located, mapped=mapped)


def _store(chunks: Iterable[NDArray[np.float32]], file: IO[bytes], path: Path) -> int:
    """Write samples to a file, and count them.

    Raises:
        InputError: There are none, or some are not numbers, or the disk is full.
    """
    count = bad = 0
    try:
        for chunk in chunks:
            count += len(chunk)
            bad += len(chunk) - int(np.count_nonzero(np.isfinite(chunk)))
            file.write(chunk.data)
        file.flush()
    except OSError as error:
        if error.errno != errno.ENOSPC:  # those of the recording itself
            raise
        found, expected = "no space left for its samples", "4 bytes a sample in the folder for temporary files"
        raise InputError(Fault(str(path), "audio", found, expected, "Make room, or set TMPDIR.")) from error
    if not count:
        raise InputError(Fault(str(path), "audio", "no samples", "a recording with sound in it"))
    if bad:
        found = f"{bad} of {count} samples that are not numbers"
        raise InputError(Fault(str(path), "audio", found, "samples in [-1, 1]", "Export the recording again."))
    return count


def _weighed(frames: Iterable[Piece], told: Decoding) -> Iterator[Piece]:
    """The frames as they are; how far their channels differ is noted on the way."""
    for frame in frames:
        if not isinstance(frame, float) and frame.layout.nb_channels > 1:
            channels = frame.layout.nb_channels
            samples = frame.to_ndarray()
            table = samples if frame.format.is_planar else samples.reshape(-1, channels).T
            scaled = table.astype(np.float32) - np.float32(128 * (samples.dtype == np.uint8))
            told.channels = channels
            told.energy += float(np.square(scaled).sum(dtype=np.float64))
            told.difference += float(np.square(scaled - scaled.mean(axis=0)).sum(dtype=np.float64))
        yield frame


@dataclass
class Decoding:
    """What is noticed while a recording is decoded.

    Args:
        promised: Seconds the container promises; 0 where it does not.
        lost: Pieces that could not be decoded.
        filled: Seconds that were missing and are made silent.
        channels: How many channels there are.
        energy: Of all channels.
        difference: Of what each channel differs from the mean of all.
    """

    promised: float = 0.0
    lost: int = 0
    filled: float = 0.0
    channels: int = 1
    energy: float = 0.0
    difference: float = 0.0


Piece = Any
"""A frame of PyAV, or the seconds of a gap in its place."""


def damage(told: Decoding, seconds: float) -> list[Finding]:
    """What was noticed while decoding, as findings ``truncated-audio``, ``damaged-audio`` and ``mixed-channels``.

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
    share = told.difference / told.energy if told.energy else 0.0
    if share > _OPPOSED:
        what = f"has {told.channels} channels that cancel each other: mixing them to one lost most of the sound. Give one of them"
        found.append(Finding("mixed-channels", what))
    elif share > _DIFFERENT:
        what = f"has {told.channels} channels that differ; they were mixed to one, and who spoke on which is not used"
        found.append(Finding("mixed-channels", what, Severity.NOTE))
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
    return imported("av", "cascade", "reading audio")


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
