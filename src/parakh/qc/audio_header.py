"""A recording is not stored as 16 kHz, mono, 16-bit PCM.

What it does:
    Compares the header with what speech corpora are exchanged in: 16,000 samples a second, one channel, 16 bits, stored
    without loss (WAV with PCM, or FLAC).

Why it matters:
    Every recogniser and diarizer resamples to this. Where each does it its own way, scores differ for no other reason. What a
    phone has compressed with loss, or sampled at 8 kHz, does not come back.

How to mend:
    Record in this form. Convert what exists once, and keep the original: `ffmpeg -i IN -ac 1 -ar 16000 -c:a pcm_s16le OUT.wav`.
    A conversion mends the form, not what was lost before.

Limits:
    `sample-rate` (16000) Hz, `channels` (1), `bits` (16).

Example:
    It says: "the audio is 16000 Hz, 2 channels, 16 bits, pcm_s16le in wav; expected 16000 Hz, 1 channel, 16 bits, WAV with PCM
    or FLAC".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.audio.facts import Header
from parakh.errors import counted
from parakh.qc import Check, Material, Settings
from parakh.types import Finding, Severity

_LOSSLESS = ("pcm_s", "pcm_u", "flac")


def _look(material: Material, settings: Settings) -> Iterator[Finding]:
    if material.audio is None:
        return
    header = material.audio.header
    rate, channels, bits = (round(settings.limit(name)) for name in CHECK.limits)
    fits = (header.sample_rate, header.channels, header.bits) == (rate, channels, bits)
    if not fits or not header.codec.startswith(_LOSSLESS):
        expected = f"{rate} Hz, {counted(channels, 'channel')}, {bits} bits, WAV with PCM or FLAC"
        yield CHECK.at(material, f"the audio is {_described(header)}; expected {expected}")


def _described(header: Header) -> str:
    bits = "" if header.bits is None else f", {header.bits} bits"
    codec = header.codec if header.codec == header.container else f"{header.codec} in {header.container}"
    return f"{header.sample_rate} Hz, {counted(header.channels, 'channel')}{bits}, {codec}"


CHECK = Check(
    "QC101",
    "audio-header",
    "The audio is not 16 kHz mono 16-bit PCM",
    Severity.WARNING,
    recording=_look,
    limits={"sample-rate": 16000, "channels": 1, "bits": 16},
)
