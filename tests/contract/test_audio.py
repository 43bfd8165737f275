"""Recordings that are cut short, damaged or no recordings at all: refused in a line, or decoded with a finding."""

from __future__ import annotations

import math
import os
import struct
from pathlib import Path

import numpy as np
import pytest

from parakh.audio.decode import SAMPLE_RATE, load_audio
from parakh.errors import InputError

av = pytest.importorskip("av", reason="the cascade extra is not installed")
SECONDS = 6


def encoded(path: Path, codec: str) -> bytes:
    """Six seconds of noise in a file."""
    noise = (np.random.default_rng(0).normal(size=(1, SECONDS * SAMPLE_RATE)) * 3000).astype(np.int16)
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=SAMPLE_RATE)
        stream.layout = "mono"
        frame = av.AudioFrame.from_ndarray(noise, format="s16", layout="mono")
        frame.sample_rate = SAMPLE_RATE
        resampler = av.AudioResampler(stream.codec_context.format, "mono", SAMPLE_RATE, stream.codec_context.frame_size or None)
        for part in [*resampler.resample(frame), *resampler.resample(None), None]:
            container.mux(stream.encode(part))
    return path.read_bytes()


KINDS = [("a.wav", "pcm_s16le"), ("a.flac", "flac"), ("a.mp3", "mp3"), ("a.m4a", "aac")]


@pytest.mark.parametrize(("name", "codec"), KINDS)
def test_a_whole_recording_has_no_findings(name: str, codec: str, tmp_path: Path) -> None:
    encoded(tmp_path / name, codec)
    audio = load_audio(tmp_path / name)
    assert audio.duration == pytest.approx(SECONDS, abs=0.15)
    assert audio.findings == ()


@pytest.mark.parametrize(("name", "codec"), KINDS[:3])
def test_half_a_recording_is_given_with_a_finding(name: str, codec: str, tmp_path: Path) -> None:
    data = encoded(tmp_path / name, codec)
    (tmp_path / name).write_bytes(data[: len(data) // 2])
    audio = load_audio(tmp_path / name, "v1")
    assert audio.duration == pytest.approx(SECONDS / 2, abs=0.2)
    finding = audio.findings[0]
    assert (finding.code, finding.session_id, finding.path) == ("truncated-audio", "v1", str(tmp_path / name))
    assert "of the 6.0 s that its header promises" in finding.message


@pytest.mark.parametrize("size", [0, 0xFFFFFFFF, 0x7FFFF024])
def test_a_wav_written_to_a_pipe_promises_nothing(size: int, tmp_path: Path) -> None:
    samples = np.zeros(SECONDS * SAMPLE_RATE, "<i2").tobytes()
    fmt = struct.pack("<IHHIIHH", 16, 1, 1, SAMPLE_RATE, 2 * SAMPLE_RATE, 2, 16)
    head = b"RIFF" + struct.pack("<I", size) + b"WAVEfmt " + fmt + b"data" + struct.pack("<I", size)
    (tmp_path / "a.wav").write_bytes(head + samples)
    audio = load_audio(tmp_path / "a.wav")
    assert (audio.duration, audio.findings) == (SECONDS, ())


@pytest.mark.parametrize(("name", "codec", "size"), [("a.flac", "flac", 1), ("a.flac", "flac", 200), ("a.m4a", "aac", 200)])
def test_overwritten_bytes_become_silence_and_later_times_stay(name: str, codec: str, size: int, tmp_path: Path) -> None:
    data = bytearray(encoded(tmp_path / name, codec))
    whole = load_audio(tmp_path / name).samples
    at = len(data) // 2
    data[at : at + size] = bytes(255 - byte for byte in data[at : at + size])
    (tmp_path / name).write_bytes(data)
    audio = load_audio(tmp_path / name)
    assert [finding.code for finding in audio.findings] == ["damaged-audio"]
    assert len(audio.samples) == pytest.approx(len(whole), abs=40)
    tail = slice(-SAMPLE_RATE, -SAMPLE_RATE // 2)
    assert float(np.corrcoef(whole[tail], audio.samples[tail])[0, 1]) > 0.99


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_samples_that_are_no_numbers_are_refused(bad: float, tmp_path: Path) -> None:
    samples = np.zeros(SAMPLE_RATE, "<f4")
    samples[100:103] = bad
    fmt = struct.pack("<IHHIIHH", 16, 3, 1, SAMPLE_RATE, 4 * SAMPLE_RATE, 4, 32)
    size = 4 * SAMPLE_RATE
    head = b"RIFF" + struct.pack("<I", 36 + size) + b"WAVEfmt " + fmt + b"data" + struct.pack("<I", size)
    (tmp_path / "a.wav").write_bytes(head + samples.tobytes())
    with pytest.raises(InputError, match=r"a\.wav: audio: found \d+ of 16000 samples that are not numbers, expected"):
        load_audio(tmp_path / "a.wav")


def test_what_is_no_recording_is_told_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "junk.wav").write_bytes(b"no audio at all")
    (tmp_path / "junk.amr").write_bytes(b"no audio at all")
    (tmp_path / "empty.wav").write_bytes(b"")
    told = {}
    for path in (
        tmp_path,
        tmp_path / "none.wav",
        Path(os.devnull),
        *(tmp_path / n for n in ("junk.wav", "junk.amr", "empty.wav")),
    ):
        with pytest.raises(InputError) as caught:
            load_audio(path)
        (fault,) = caught.value.faults
        told[path.name] = (fault.found, fault.action)
    assert told[tmp_path.name][0] == "a folder"
    assert told["none.wav"][0] == "no such file"
    assert told["null"][0] == "a device with no samples"
    assert told["empty.wav"][0] == "an empty file with no samples"
    assert told["junk.wav"] == ("data that is no audio", "Check that the file is whole and is what its name says.")
    assert (told["junk.amr"][0], "convert it" in told["junk.amr"][1]) == ("data that is no audio", True)
