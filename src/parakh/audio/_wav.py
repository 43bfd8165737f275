"""WAV without a library: its header, and its samples where they are not compressed.

RIFF, RF64 and BW64; WAVE_FORMAT_EXTENSIBLE; whole numbers of 8 to 32 bits, floats of 32 and 64 bits, A-law and u-law. A size
that was unknown when the header was written (0, or the largest) means: to the end of the file.

The ``wave`` module of the standard library reads no floats, no A-law and no RF64, and stops at a header that lies.

Source: Multimedia Programming Interface and Data Specifications 1.0 (1991); EBU Tech 3306 (RF64); ITU-T G.711 (A-law, u-law).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from parakh.audio.facts import Header
from parakh.errors import Fault, InputError

Samples = NDArray[np.float32]

_UNKNOWN_SIZE = 0x7FFF_0000
"""Sizes from which a header only says that the length was unknown when it was written."""
_PCM, _FLOAT, _ALAW, _ULAW, _EXTENSIBLE = 1, 3, 6, 7, 0xFFFE
_CODECS = {
    (_PCM, 8): "pcm_u8",
    (_PCM, 16): "pcm_s16le",
    (_PCM, 24): "pcm_s24le",
    (_PCM, 32): "pcm_s32le",
    (_FLOAT, 32): "pcm_f32le",
    (_FLOAT, 64): "pcm_f64le",
    (_ALAW, 8): "pcm_alaw",
    (_ULAW, 8): "pcm_mulaw",
}


@dataclass(frozen=True, slots=True)
class Wav:
    """What the header of a WAV file says, and where the samples lie.

    Args:
        header: For people.
        tag: Format tag; of WAVE_FORMAT_EXTENSIBLE the one inside.
        width: Bytes of one sample of one channel as stored.
        offset: Byte at which the samples start.
        size: Bytes of samples that are there.
        promised: Bytes of samples that the header promises; ``size`` where it does not.
        stray: Bytes after the samples that belong to no chunk: the header tells of too few.
        rate_fits: Whether the header's bytes a second and a frame are those of its other fields.
    """

    header: Header
    tag: int
    width: int
    offset: int
    size: int
    promised: int
    stray: int = 0
    rate_fits: bool = True

    @property
    def plain(self) -> bool:
        """Whether ``blocks`` can read the samples."""
        return (self.tag, 8 * self.width) in _CODECS

    @property
    def frame(self) -> int:
        """Bytes of one sample of every channel."""
        return self.width * self.header.channels


def read(path: Path) -> Wav | None:
    """The header of a WAV file; None where the file is none.

    Raises:
        InputError: It is one, but its header cannot be made sense of.
    """
    with path.open("rb") as stream:
        head = stream.read(12)
        if head[:4] not in (b"RIFF", b"RF64", b"BW64") or head[8:] != b"WAVE":
            return None
        return _chunks(path, stream, path.stat().st_size)


def blocks(path: Path, wav: Wav, frames: int) -> Iterator[Samples]:
    """The samples of a plain file in [-1, 1], shape (at most ``frames``, channels)."""
    decode = _decoder(wav.tag, wav.width)
    left = wav.size // wav.frame
    with path.open("rb") as stream:
        stream.seek(wav.offset)
        while left > 0:
            data = stream.read(min(left, frames) * wav.frame)
            whole = len(data) // wav.frame
            if not whole:
                return
            yield decode(data[: whole * wav.frame]).reshape(whole, wav.header.channels)
            left -= whole


def full_scale(codec: str, bits: int | None) -> float:
    """The largest sample of a codec, with 1.0 for the most negative one; of 16 bits where there are no bits.

    >>> full_scale("pcm_u8", 8)
    0.9921875
    """
    if codec == "pcm_alaw":
        return 32256 / 32768
    if codec == "pcm_mulaw":
        return 32124 / 32768
    steps = 1 << (15 if bits is None or "pcm_f" in codec else bits - 1)
    return (steps - 1) / steps


def _chunks(path: Path, stream: BinaryIO, length: int) -> Wav:
    """The chunks up to the samples, and whether what follows them are chunks."""
    fmt, long_size, at = b"", 0, 12
    while True:
        stream.seek(at)
        head = stream.read(8)
        if len(head) < 8:
            raise _fault(path, "no samples" if fmt else "no format", "a WAV file with a fmt and a data chunk")
        name, size = head[:4], int.from_bytes(head[4:], "little")
        if name == b"ds64":
            long_size = int.from_bytes(stream.read(16)[8:], "little")
        elif name == b"fmt ":
            fmt = stream.read(min(size, 40))
        elif name == b"data":
            break
        at += 8 + size + size % 2
    if long_size and size == 0xFFFF_FFFF:
        size = long_size
    start = at + 8
    there = length - start
    unknown = (size == 0 and not _is_complete(stream, start, length)) or (
        not long_size and size >= _UNKNOWN_SIZE and size > there
    )
    promised = there if unknown else size
    stray = 0 if unknown else _stray(stream, start + size + size % 2, length)
    return _made(path, fmt, start, min(promised, there), promised, stray)


def _is_complete(stream: BinaryIO, start: int, length: int) -> bool:
    """Whether the size of the whole file says that it ends where it does, or nothing but chunks follow."""
    stream.seek(4)
    return int.from_bytes(stream.read(4), "little") + 8 == length or not _stray(stream, start, length)


def _stray(stream: BinaryIO, at: int, length: int) -> int:
    """Bytes from the first one that is in no chunk; a chunk's name is four printable letters."""
    while at + 8 <= length:
        stream.seek(at)
        head = stream.read(8)
        size = int.from_bytes(head[4:], "little")
        if not all(32 <= byte < 127 for byte in head[:4]) or at + 8 + size > length:
            return length - at
        at += 8 + size + size % 2
    return 0


def _made(path: Path, fmt: bytes, offset: int, size: int, promised: int, stray: int) -> Wav:
    if len(fmt) < 16:
        raise _fault(path, f"a fmt chunk of {len(fmt)} bytes", "16 bytes or more")
    tag, channels, rate, per_second, per_frame, stored = struct.unpack("<HHIIHH", fmt[:16])
    bits = stored
    if tag == _EXTENSIBLE and len(fmt) >= 26:
        valid, tag = struct.unpack("<H", fmt[18:20])[0], struct.unpack("<H", fmt[24:26])[0]
        bits = valid if 0 < valid <= stored else stored
    width = -(-stored // 8)
    plain = (tag, 8 * width) in _CODECS
    fits = not plain or (per_frame == width * channels and per_second == per_frame * rate)
    bytes_a_second = width * channels * rate if plain else per_second
    codec = _CODECS.get((tag, 8 * width), f"wav-{tag:#06x}")
    known_bits = bits if tag in (_PCM, _FLOAT) else None
    header = Header("wav", codec, rate, channels, known_bits, promised / bytes_a_second if bytes_a_second else None)
    return Wav(header, tag, width, offset, size, promised, stray, fits)


def _fault(path: Path, found: str, expected: str) -> InputError:
    return InputError(Fault(str(path), "audio", found, expected, "Check that the file is whole and is what its name says."))


def _decoder(tag: int, width: int) -> Callable[[bytes], Samples]:
    """Turns stored bytes into samples in [-1, 1], flat."""
    if tag in (_ALAW, _ULAW):
        return lambda data: _table(tag)[np.frombuffer(data, np.uint8)]
    if tag == _FLOAT:
        return lambda data: np.frombuffer(data, f"<f{width}").astype(np.float32)
    if width == 1:
        return lambda data: (np.frombuffer(data, np.uint8).astype(np.float32) - np.float32(128)) / np.float32(128)
    if width == 3:
        return _from_24_bits
    return lambda data: np.frombuffer(data, f"<i{width}").astype(np.float32) / np.float32(1 << (8 * width - 1))


def _from_24_bits(data: bytes) -> Samples:
    wide = np.zeros((len(data) // 3, 4), np.uint8)
    wide[:, 1:] = np.frombuffer(data, np.uint8).reshape(-1, 3)
    return wide.view("<i4").reshape(-1).astype(np.float32) / np.float32(1 << 31)


@cache
def _table(tag: int) -> NDArray[Any]:
    """The 256 values of A-law or u-law."""
    code = np.arange(256) ^ (0x55 if tag == _ALAW else 0xFF)
    exponent, mantissa = (code >> 4) & 7, code & 15
    if tag == _ALAW:
        size = np.where(exponent == 0, 16 * mantissa + 8, (16 * mantissa + 264) << np.maximum(exponent - 1, 0))
        negative = code < 128
    else:
        size = (((mantissa << 3) + 132) << exponent) - 132
        negative = code >= 128
    return (np.where(negative, -size, size) / 32768).astype(np.float32)
