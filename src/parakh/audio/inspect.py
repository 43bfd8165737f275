"""Look at an audio file: what its header says, and what its samples do.

One pass, 16 s at a time, so that memory does not grow with the recording. Samples are looked at as they are stored, in every
channel, before any resampling: that is where clipping shows. WAV needs no package; other kinds need PyAV, and speech needs
onnxruntime. Where one is missing, the facts it would give are None and a note says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.audio import _wav
from parakh.audio.decode import Decoding, damage, library, pieces
from parakh.audio.facts import AudioFacts, Header
from parakh.audio.header import read_header, readable_wav
from parakh.audio.levels import BLOCK_S, Meter, even
from parakh.audio.noise import signal_to_noise
from parakh.audio.speech import Detector
from parakh.errors import MissingPackageError, ParakhError, counted
from parakh.files import checksum
from parakh.types import Finding, Severity

Samples = NDArray[np.float32]

_STRAY_S = 0.5
"""Sound behind the end that a header tells, in seconds, from which it is worth telling."""
_LONGER_S, _LONGER = 0.5, 1.02
"""A recording is longer than its header says by more than this: encoders pad, and lossy ones do not know exactly."""


def inspect(path: Path, *, decode: bool) -> AudioFacts:
    """What an audio file is.

    Args:
        path: The file: WAV, FLAC, or anything FFmpeg reads.
        decode: Listen to it as well: checksum, duration, peak, clipping, levels, speech and noise.

    Returns:
        The facts. Findings are ``truncated-audio``, ``damaged-audio``, ``header-lies``, and the notes ``audio-not-decoded``
        and ``speech-not-looked-for`` where a package or the speech detector cannot be had. Their path is the file, their
        session None.

    Raises:
        InputError: The file is missing, empty, or no audio.
        MissingPackageError: Not even the header can be read without PyAV (extra ``cascade``).

    >>> import tempfile, wave
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with wave.open(f"{folder}/a.wav", "wb") as out:
    ...         out.setparams((1, 2, 16000, 0, "NONE", ""))
    ...         out.writeframes(bytes(32000))
    ...     inspect(Path(folder) / "a.wav", decode=False).duration
    1.0
    """
    wav = readable_wav(path)
    header = read_header(path)
    findings = _lies(wav) if wav else []
    facts = AudioFacts(header, duration=header.duration)
    if wav and wav.plain and not decode:
        findings += damage(Decoding(promised=_seconds(wav, wav.promised)), _seconds(wav, wav.size))
    elif decode:
        facts, heard = _listen(path, wav if wav and wav.plain else None, replace(facts, sha256=checksum(path)))
        findings += heard
    return replace(facts, findings=tuple(replace(one, path=str(path)) for one in findings))


def _seconds(wav: _wav.Wav, size: int) -> float:
    return size / (wav.frame * wav.header.sample_rate)


def _lies(wav: _wav.Wav) -> list[Finding]:
    """What a WAV header says that is not so."""
    told = []
    if not wav.rate_fits:
        told.append("bytes a second or a frame that do not fit its rate, channels and bits")
    if wav.plain and _seconds(wav, wav.stray) > _STRAY_S:
        told.append(f"{_seconds(wav, wav.size):.1f} s, and {_seconds(wav, wav.stray):.1f} s of other data follow")
    return [Finding("header-lies", f"the header tells of {what}") for what in told]


def _listen(path: Path, wav: _wav.Wav | None, facts: AudioFacts) -> tuple[AudioFacts, list[Finding]]:
    header = facts.header
    told = Decoding(promised=_seconds(wav, wav.promised) if wav else 0.0)
    try:
        blocks = _wav.blocks(path, wav, BLOCK_S * header.sample_rate) if wav else _decoded(path, header, told)
    except MissingPackageError as error:
        return facts, [Finding("audio-not-decoded", str(error), Severity.NOTE)]
    meter = Meter(header.sample_rate, header.channels, _wav.full_scale(header.codec, header.bits))
    detector, notes = _detector(header.sample_rate)
    no_numbers = 0
    for block in even(blocks, BLOCK_S * header.sample_rate):
        sound, bad = _finite(block)
        no_numbers += bad
        meter.hear(sound)
        if detector:
            detector.hear(sound.mean(axis=1) if header.channels > 1 else sound[:, 0])
    duration = meter.samples / header.sample_rate
    level_db = meter.level_db
    speech = detector.stretches(duration) if detector else None
    found = [*damage(told, duration), *_oddities(meter.samples, no_numbers, duration, header), *notes]
    heard = replace(
        facts,
        duration=duration,
        peak=min(meter.peak, 1.0),
        clipped=meter.clipped / (meter.samples * header.channels) if meter.samples else 0.0,
        level_db=level_db,
        speech=speech,
        snr_db=None if speech is None else signal_to_noise(level_db, speech),
    )
    return heard, found


def _detector(rate: int) -> tuple[Detector | None, list[Finding]]:
    try:
        return Detector(rate), []
    except ParakhError as error:
        return None, [Finding("speech-not-looked-for", str(error), Severity.NOTE)]


def _oddities(samples: int, no_numbers: int, duration: float, header: Header) -> Sequence[Finding]:
    found = []
    if not samples:
        found.append(Finding("damaged-audio", "holds no samples"))
    if no_numbers:
        found.append(Finding("damaged-audio", f"has {counted(no_numbers, 'sample')} that are not numbers, taken as silence"))
    if header.duration and duration - header.duration > _LONGER_S and duration > _LONGER * header.duration:
        found.append(Finding("header-lies", f"the header tells of {header.duration:.1f} s, and there are {duration:.1f} s"))
    return found


def _finite(block: Samples) -> tuple[Samples, int]:
    """A block with what is no number made silent, and how many of its samples that were."""
    good = np.isfinite(block)
    if good.all():
        return block, 0
    return np.where(good, block, np.float32(0)), int(good.size - np.count_nonzero(good))


def _decoded(path: Path, header: Header, told: Decoding) -> Iterator[Samples]:
    """The samples of any file, shape (n, channels), through PyAV.

    Raises:
        MissingPackageError: It is not installed; at once, not at the first sample.
    """
    library()
    return (_samples(piece, header) for piece in pieces(path, told))


def _samples(piece: Any, header: Header) -> Samples:
    if isinstance(piece, float):
        return np.zeros((round(piece * header.sample_rate), header.channels), np.float32)
    raw = piece.to_ndarray()
    shaped = raw.T if piece.format.is_planar else raw.reshape(-1, header.channels)
    if raw.dtype.kind == "f":
        return np.asarray(shaped, np.float32)
    scale = np.float32(1 << (8 * raw.dtype.itemsize - 1))
    samples: Samples = shaped.astype(np.float32) / scale
    return samples - np.float32(1) if raw.dtype.kind == "u" else samples
