"""What an audio file says of itself: WAV and FLAC without any package, everything else through PyAV."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from parakh.audio import _wav
from parakh.audio.decode import library, no_recording, opened
from parakh.audio.facts import Header
from parakh.errors import Fault, InputError

_LOSSLESS = {"flac", "alac", "wavpack", "tta"}
_STREAMINFO = 34
_RATES, _CHANNELS = range(1000, 1_000_001), range(1, 65)
"""What a recording may have; other numbers are those of a damaged header."""


def read_header(path: Path) -> Header:
    """The header of an audio file, without decoding a sample.

    Args:
        path: The file; its content tells what it is, whatever it is called.

    Raises:
        InputError: The file is missing, empty, or no audio.
        MissingPackageError: It is neither WAV nor FLAC, and PyAV (extra ``cascade``) is not installed.

    >>> import tempfile, wave
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with wave.open(f"{folder}/a.wav", "wb") as out:
    ...         out.setparams((1, 2, 16000, 0, "NONE", ""))
    ...         out.writeframes(bytes(32000))
    ...     read_header(Path(folder) / "a.wav")
    Header(container='wav', codec='pcm_s16le', sample_rate=16000, channels=1, bits=16, duration=1.0)
    """
    wav = readable_wav(path)
    header = wav.header if wav and wav.plain else _flac(path) or _any(path)
    if header.sample_rate not in _RATES or header.channels not in _CHANNELS:
        found = f"{header.channels} channels at {header.sample_rate} Hz"
        expected = f"1 to {_CHANNELS[-1]} channels at {_RATES[0]} to {_RATES[-1]} Hz"
        raise InputError(Fault(str(path), "audio", found, expected, "Check that the file is whole and is what its name says."))
    return header


def readable_wav(path: Path) -> _wav.Wav | None:
    """The header of a WAV file with all that reading its samples takes; None where it is another kind of file.

    Raises:
        InputError: There is no file with anything in it, or it is WAV with a header that cannot be made sense of.
    """
    if wrong := no_recording(path):
        raise InputError(Fault(str(path), "audio", wrong, "a recording with sound in it"))
    try:
        return _wav.read(path)
    except OSError as error:
        raise InputError(Fault(str(path), "audio", str(error.strerror), "a readable file", "Check the file.")) from error


def _flac(path: Path) -> Header | None:
    """The STREAMINFO block of a FLAC file (RFC 9639, section 8.2); None where the file does not start with one."""
    with path.open("rb") as stream:
        head = stream.read(8 + _STREAMINFO)
    if head[:4] != b"fLaC" or head[4] & 0x7F or len(head) < 8 + _STREAMINFO:
        return None
    packed = int.from_bytes(head[18:26], "big")
    rate, channels, bits = packed >> 44, (packed >> 41 & 7) + 1, (packed >> 36 & 31) + 1
    samples = packed & (1 << 36) - 1
    return Header("flac", "flac", rate, channels, bits, samples / rate if samples and rate else None)


def _any(path: Path) -> Header:
    av = library()
    with opened(av, path) as container:
        stream = container.streams.audio[0]
        context = stream.codec_context
        codec = _name(context)
        bits = getattr(context, "bits_per_coded_sample", 0) if codec in _LOSSLESS or codec.startswith("pcm_") else 0
        seconds = container.duration / av.time_base if container.duration else None
        return Header(
            _container(path, container.format.name), codec, context.sample_rate, context.channels, bits or None, seconds
        )


def _name(context: Any) -> str:
    """The codec, not the program that decodes it: "mp3", not "mp3float"."""
    name: str = getattr(context.codec, "canonical_name", context.name)
    return name


def _container(path: Path, names: str) -> str:
    """FFmpeg knows one kind of container by several names; the file's own suffix picks one of them."""
    suffix = path.suffix.lower().removeprefix(".")
    known = names.split(",")
    return suffix if suffix in known else known[0]
