"""A recording in memory: 16 kHz mono float samples, decoded from whatever a phone makes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.errors import Fault, InputError, MissingPackageError, counted
from parakh.types import Finding

SAMPLE_RATE = 16_000

LANGUAGE = "a language tag such as hi, kn or en-IN"
"""What a language is expected to be, for messages."""

_TAG = re.compile(r"([A-Za-z]{2,3})([-_][A-Za-z0-9]{1,8})*")
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

    >>> Audio("v", np.zeros(1, np.float32), "hi-IN").language
    'hi'
    """

    session_id: str
    samples: NDArray[np.float32]
    language: str | None = None
    findings: tuple[Finding, ...] = ()

    def __post_init__(self) -> None:
        if self.language is not None:
            object.__setattr__(self, "language", primary_language(self.language))

    @property
    def duration(self) -> float:
        """Length in seconds."""
        return len(self.samples) / SAMPLE_RATE


def primary_language(tag: str) -> str:
    """The primary subtag of a BCP-47 tag, in lower case; what is no tag stays as it is, in lower case.

    >>> primary_language("hi-IN"), primary_language("HI"), primary_language("en_in")
    ('hi', 'hi', 'en')
    """
    found = _TAG.fullmatch(tag.strip())
    return (found[1] if found else tag.strip()).lower()


def is_language(tag: str) -> bool:
    """Whether a tag has the form of a BCP-47 tag with a primary subtag of two or three letters.

    >>> is_language("kn"), is_language("klingon")
    (True, False)
    """
    return _TAG.fullmatch(tag.strip()) is not None


def check_language(tag: str) -> str:
    """The primary subtag of a language given on the command line, in lower case.

    Raises:
        InputError: It has not the form of a language tag.

    >>> check_language("hi-IN")
    'hi'
    """
    if not is_language(tag):
        raise InputError(Fault("--language", "", repr(tag), LANGUAGE, "Use the language's two- or three-letter code."))
    return primary_language(tag)


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
    try:
        import av
    except ImportError as error:
        raise MissingPackageError("av", "cascade", "reading audio") from error
    if wrong := _no_recording(path):
        raise InputError(Fault(str(path), "audio", wrong, "a recording with sound in it"))
    try:
        decoded = _decode(av, path)
    except (av.error.FFmpegError, UnicodeError) as error:
        raise InputError(_undecodable(path, av, error)) from error
    samples = np.concatenate(decoded.chunks) if decoded.chunks else np.zeros(0, np.float32)
    if not len(samples):
        raise InputError(Fault(str(path), "audio", "no samples", "a recording with sound in it"))
    if bad := len(samples) - int(np.count_nonzero(np.isfinite(samples))):
        found = f"{bad} of {len(samples)} samples that are not numbers"
        raise InputError(Fault(str(path), "audio", found, "samples in [-1, 1]", "Export the recording again."))
    session = session_id or path.stem
    return Audio(session, samples, language, tuple(_findings(decoded, len(samples) / SAMPLE_RATE, path, session)))


@dataclass
class _Decoded:
    """Samples as they come, seconds the container promises (0 where it does not), and what could not be decoded."""

    chunks: list[NDArray[np.float32]] = field(default_factory=list)
    promised: float = 0.0
    lost: int = 0
    filled: float = 0.0


def _no_recording(path: Path) -> str:
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


def _decode(av: Any, path: Path) -> _Decoded:
    made = _Decoded()
    with av.open(str(path)) as container:
        if not container.streams.audio:
            raise InputError(Fault(str(path), "audio", "a file without an audio track", "audio"))
        stream = container.streams.audio[0]
        if stream.codec_context.name == "flac":  # its frames carry checksums, which are not looked at by default
            stream.codec_context.options = {"err_detect": "crccheck+explode"}
        made.promised = container.duration / av.time_base if container.duration else 0.0
        resampler = av.AudioResampler(format="flt", layout="mono", rate=SAMPLE_RATE)
        origin: float | None = None
        position = 0.0
        for frame in _frames(av, container, stream, made):
            if frame.time is not None:
                origin = frame.time - position if origin is None else origin
                gap = frame.time - origin - position
                if gap > _GAP_S and frame.time - origin <= made.promised:
                    made.chunks.append(np.zeros(round(gap * SAMPLE_RATE), np.float32))
                    made.filled += gap
                    position += gap
            position += frame.samples / frame.sample_rate
            made.chunks += [_mono(out) for out in resampler.resample(frame)]
        made.chunks += [_mono(out) for out in resampler.resample(None)]
    return made


def _frames(av: Any, container: Any, stream: Any, made: _Decoded) -> Iterator[Any]:
    """The frames of a stream; packets that cannot be decoded are counted and passed over."""
    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets, None)
            if packet is None:
                return
            yield from packet.decode()
        except av.error.InvalidDataError:
            made.lost += 1


def _mono(frame: Any) -> NDArray[np.float32]:
    samples: NDArray[np.float32] = frame.to_ndarray().reshape(-1).astype(np.float32, copy=False)
    return samples


def _findings(decoded: _Decoded, seconds: float, path: Path, session: str) -> list[Finding]:
    found = []
    promised = max(decoded.promised, seconds * _wav_share(path))
    if promised - seconds > _SHORT_S and seconds < _SHORT * promised:
        what = f"holds {seconds:.1f} s of the {promised:.1f} s that its header promises"
        found.append(Finding("truncated-audio", what, session_id=session, path=str(path)))
    if decoded.lost or decoded.filled:
        damage = [f"{counted(decoded.lost, 'piece')} that cannot be decoded"] * bool(decoded.lost)
        damage += [f"{decoded.filled:.2f} s missing, which were made silent"] * bool(decoded.filled)
        what = f"has {' and '.join(damage)}"
        found.append(Finding("damaged-audio", what, session_id=session, path=str(path)))
    return found


def _wav_share(path: Path) -> float:
    """How many times its own size a WAV file should have by its header; 0 where the header does not tell."""
    if not path.is_file():
        return 0.0
    with path.open("rb") as stream:
        head = stream.read(12)
    size = int.from_bytes(head[4:8], "little") + 8
    is_wav = head[:4] == b"RIFF" and head[8:] == b"WAVE" and size < _NO_PROMISE
    return size / path.stat().st_size if is_wav else 0.0
