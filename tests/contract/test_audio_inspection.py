"""What is found out about audio files: sound ones of many kinds, and odd, damaged and lying ones."""

from __future__ import annotations

import hashlib
import struct
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from parakh.audio import _wav
from parakh.audio.decode import load_audio
from parakh.audio.header import read_header
from parakh.audio.inspect import inspect
from parakh.errors import InputError, MissingPackageError
from parakh.models import store

RATE = 16_000
SECONDS = 3
DATA = Path("../shared/data")
needs_network = pytest.mark.skipif(store.path("silero-vad") is None, reason="needs `parakh models get silero-vad`")


def sine(channels: int = 1, rate: int = RATE, peak: float = 0.5) -> np.ndarray:
    time = np.arange(SECONDS * rate) / rate
    return np.repeat((peak * np.sin(2 * np.pi * 440 * time))[:, None], channels, axis=1)


def wav(
    fmt: bytes, data: bytes, riff: bytes = b"RIFF", size: int | None = None, before: bytes = b"", after: bytes = b""
) -> bytes:
    size = len(data) if size is None else size
    body = b"WAVE" + before + b"fmt " + struct.pack("<I", len(fmt)) + fmt + b"data" + struct.pack("<I", size) + data + after
    return riff + struct.pack("<I", min(len(body), 0xFFFFFFFF) if riff == b"RIFF" else 0xFFFFFFFF) + body


def pcm(channels: int = 1, rate: int = RATE, bits: int = 16, tag: int = 1) -> bytes:
    frame = channels * bits // 8
    return struct.pack("<HHIIHH", tag, channels, rate, rate * frame, frame, bits)


def stored(samples: np.ndarray, bits: int) -> bytes:
    whole = np.round(samples * (2 ** (bits - 1) - 1)).astype("<i4")
    if bits == 24:
        return whole.reshape(-1).view(np.uint8).reshape(-1, 4)[:, :3].tobytes()
    return (whole + 128).astype(np.uint8).tobytes() if bits == 8 else whole.astype(f"<i{bits // 8}").tobytes()


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def codes(facts) -> list[str]:
    return [one.code for one in facts.findings if one.severity != "note"]


@pytest.mark.parametrize("bits", [8, 16, 24, 32])
@pytest.mark.parametrize("channels", [1, 2])
def test_whole_numbers_of_every_width(bits: int, channels: int, tmp_path: Path) -> None:
    path = written(tmp_path / "a.wav", wav(pcm(channels, 44_100, bits), stored(sine(channels, 44_100), bits)))
    facts = inspect(path, decode=True)
    assert (facts.header.sample_rate, facts.header.channels, facts.header.bits) == (44_100, channels, bits)
    assert facts.duration == facts.header.duration == SECONDS
    assert facts.peak == pytest.approx(0.5, abs=2 / 2**bits + 1e-6)
    assert (facts.clipped, codes(facts)) == (0.0, [])
    assert len(facts.level_db) == 100 * SECONDS
    assert facts.level_db[5:-5] == pytest.approx(20 * np.log10(0.5 / 2**0.5), abs=0.5)
    assert facts.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("bits", [32, 64])
def test_floats(bits: int, tmp_path: Path) -> None:
    path = written(tmp_path / "a.wav", wav(pcm(1, RATE, bits, 3), sine().astype(f"<f{bits // 8}").tobytes()))
    facts = inspect(path, decode=True)
    assert (facts.header.codec, facts.peak) == (f"pcm_f{bits}le", pytest.approx(0.5, abs=1e-4))


def test_the_extensible_format_tells_its_own_kind_and_valid_bits(tmp_path: Path) -> None:
    guid = struct.pack("<H", 1) + bytes.fromhex("000000001000800000aa00389b71")
    fmt = struct.pack("<HHIIHH", 0xFFFE, 1, RATE, 4 * RATE, 4, 32) + struct.pack("<HHI", 22, 24, 4) + guid
    samples = (np.round(sine() * (2**23 - 1)).astype("<i4") << 8).tobytes()
    facts = inspect(written(tmp_path / "a.wav", wav(fmt, samples)), decode=True)
    assert (facts.header.codec, facts.header.bits, facts.peak) == ("pcm_s32le", 24, pytest.approx(0.5, abs=1e-4))


@pytest.mark.parametrize("kind", [b"RF64", b"BW64"])
def test_files_that_may_be_longer_than_four_gigabytes(kind: bytes, tmp_path: Path) -> None:
    data = stored(sine(), 16)
    ds64 = b"ds64" + struct.pack("<IQQQI", 28, 0, len(data), len(data) // 2, 0)
    content = wav(pcm(), data, kind, 0xFFFFFFFF, ds64, b"LIST" + struct.pack("<I", 4) + b"INFO")
    facts = inspect(written(tmp_path / "a.wav", content), decode=True)
    assert (facts.duration, codes(facts)) == (SECONDS, [])


@pytest.mark.parametrize(("codec", "tag"), [("pcm_alaw", 6), ("pcm_mulaw", 7)])
def test_the_tables_of_telephony_are_those_of_ffmpeg(codec: str, tag: int, tmp_path: Path) -> None:
    av = pytest.importorskip("av", reason="the cascade extra is not installed")
    path = written(tmp_path / "a.wav", wav(pcm(1, 8000, 8, tag), bytes(range(256)) * 10))
    own = np.concatenate(list(_wav.blocks(path, _wav.read(path), 1000)))
    with av.open(str(path)) as container:
        theirs = np.concatenate([frame.to_ndarray().reshape(-1) for frame in container.decode(audio=0)])
    assert np.array_equal(np.round(own[:, 0] * 32768), theirs)
    assert read_header(path).codec == codec


@pytest.mark.parametrize("bits", [8, 16, 24])
def test_clipping_is_seen_at_the_files_own_depth(bits: int, tmp_path: Path) -> None:
    samples = np.clip(sine(peak=1.5), -1, 1)
    facts = inspect(written(tmp_path / "a.wav", wav(pcm(1, RATE, bits), stored(samples, bits))), decode=True)
    assert facts.clipped == pytest.approx(float((np.abs(samples) >= 1).mean()), abs=0.002)
    assert facts.clipped > 0.3
    touched = inspect(written(tmp_path / "b.wav", wav(pcm(1, RATE, bits), stored(sine(peak=0.9), bits))), decode=True)
    assert touched.clipped == 0


def test_two_samples_at_full_scale_are_a_peak_and_three_are_cut_off(tmp_path: Path) -> None:
    for count, share in ((2, 0.0), (3, 3 / (SECONDS * RATE))):
        samples = sine()
        samples[1000 : 1000 + count] = 1
        facts = inspect(written(tmp_path / "a.wav", wav(pcm(), stored(samples, 16))), decode=True)
        assert (facts.peak, facts.clipped) == (pytest.approx(1.0, abs=1e-4), pytest.approx(share))


def test_digital_silence_is_silence_whatever_sounds_beside_it(tmp_path: Path) -> None:
    """The mean of a block, which is taken off as an offset, is not that of its silent part: -62 dB once were told for zeros."""
    samples = np.concatenate([0.2 + sine() / 4, np.zeros((RATE, 1)), np.full((RATE, 1), 0.2)])
    facts = inspect(written(tmp_path / "a.wav", wav(pcm(), stored(samples, 16))), decode=True)
    assert (facts.level_db[-200:] == -120).all()
    assert facts.level_db[: 100 * SECONDS].min() > -40


def test_an_offset_is_no_sound(tmp_path: Path) -> None:
    facts = inspect(written(tmp_path / "a.wav", wav(pcm(), stored(np.full((RATE, 1), 0.25), 16))), decode=True)
    assert facts.level_db.max() < -90
    assert facts.peak == pytest.approx(0.25, abs=1e-3)


def test_half_a_wav_is_told_without_decoding_too(tmp_path: Path) -> None:
    whole = wav(pcm(), stored(sine(), 16))
    facts = inspect(written(tmp_path / "a.wav", whole[: len(whole) // 2]), decode=False)
    assert codes(facts) == ["truncated-audio"]


def test_half_a_wav_is_told_and_what_is_there_is_measured(tmp_path: Path) -> None:
    whole = wav(pcm(), stored(sine(), 16))
    facts = inspect(written(tmp_path / "a.wav", whole[: len(whole) // 2]), decode=True)
    assert facts.duration == pytest.approx(SECONDS / 2, abs=0.01)
    (finding,) = [one for one in facts.findings if one.code == "truncated-audio"]
    assert (finding.message, finding.path) == ("holds 1.5 s of the 3.0 s that its header promises", str(tmp_path / "a.wav"))


@pytest.mark.parametrize("size", [0, 0xFFFFFFFF, 0x7FFFF024])
def test_a_wav_written_to_a_pipe_promises_nothing(size: int, tmp_path: Path) -> None:
    head = b"RIFF" + struct.pack("<I", size) + b"WAVEfmt " + struct.pack("<I", 16) + pcm() + b"data" + struct.pack("<I", size)
    facts = inspect(written(tmp_path / "a.wav", head + stored(sine(), 16)), decode=True)
    assert (facts.duration, facts.header.duration, codes(facts)) == (SECONDS, SECONDS, [])


def test_a_header_that_tells_of_less_than_there_is(tmp_path: Path) -> None:
    data = stored(sine(), 16)
    facts = inspect(written(tmp_path / "a.wav", wav(pcm(), data, size=len(data) // 3)), decode=True)
    assert [one.message for one in facts.findings if one.code == "header-lies"] == [
        "the header tells of 1.0 s, and 2.0 s of other data follow"
    ]


def test_chunks_after_the_samples_are_no_lie(tmp_path: Path) -> None:
    after = b"LIST" + struct.pack("<I", 4 * RATE) + bytes(4 * RATE) + b"id3 " + struct.pack("<I", 3) + b"abc\0"
    facts = inspect(written(tmp_path / "a.wav", wav(pcm(), stored(sine(), 16), after=after)), decode=True)
    assert (facts.duration, codes(facts)) == (SECONDS, [])


def test_a_header_whose_numbers_contradict_each_other(tmp_path: Path) -> None:
    fmt = struct.pack("<HHIIHH", 1, 1, RATE, 8000, 1, 16)
    facts = inspect(written(tmp_path / "a.wav", wav(fmt, stored(sine(), 16))), decode=False)
    assert codes(facts) == ["header-lies"]
    assert facts.duration == SECONDS


def test_a_recording_without_samples_is_told(tmp_path: Path) -> None:
    facts = inspect(written(tmp_path / "a.wav", wav(pcm(), b"")), decode=True)
    assert (facts.duration, facts.peak, facts.clipped, len(facts.level_db)) == (0, 0, 0, 0)
    assert [one.message for one in facts.findings if one.code == "damaged-audio"] == ["holds no samples"]


def test_samples_that_are_no_numbers_are_told_and_taken_as_silence(tmp_path: Path) -> None:
    samples = sine().astype("<f4")
    samples[100:103] = [[np.nan], [np.inf], [-np.inf]]
    facts = inspect(written(tmp_path / "a.wav", wav(pcm(1, RATE, 32, 3), samples.tobytes())), decode=True)
    assert "has 3 samples that are not numbers, taken as silence" in [one.message for one in facts.findings]
    assert np.isfinite(facts.level_db).all()


BAD = {
    "empty.wav": (b"", "an empty file with no samples"),
    "text.wav": ("यह आवाज़ नहीं है\n".encode() * 40, "data that is no audio"),
    "head.wav": (b"RIFF\x24\0\0\0WAVE", "no format"),
    "nofmt.wav": (b"RIFF\x24\0\0\0WAVEdata\x04\0\0\0\0\0\0\0", "a fmt chunk of 0 bytes"),
    "short.wav": (b"RIFF\x24\0\0\0WAVEfmt \x04\0\0\0\x01\0\x01\0data\0\0\0\0", "a fmt chunk of 4 bytes"),
    "nodata.wav": (b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0" + pcm(), "no samples"),
    "none.wav": (wav(pcm(0), b"abcd"), "0 channels at 16000 Hz"),
    "stopped.wav": (wav(pcm(1, 0), b"abcd"), "1 channels at 0 Hz"),
    "fast.wav": (wav(struct.pack("<HHIIHH", 1, 1, 4_000_000_000, 0, 2, 16), b"abcd"), "1 channels at 4000000000 Hz"),
    "codec.wav": (wav(struct.pack("<HHIIHH", 0x7A7A, 1, RATE, RATE, 2, 16), bytes(4000)), "sound in a codec that is not known"),
}


@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("decode", [True, False])
def test_what_is_no_audio_is_refused_in_a_line(name: str, decode: bool, tmp_path: Path) -> None:
    pytest.importorskip("av", reason="the cascade extra is not installed")
    content, found = BAD[name]
    with pytest.raises(InputError) as caught:
        inspect(written(tmp_path / name, content), decode=decode)
    (fault,) = caught.value.faults
    assert (fault.path, fault.field, fault.found) == (str(tmp_path / name), "audio", found)


@pytest.mark.parametrize("seed", range(40))
def test_damaged_bytes_are_refused_or_measured(seed: int, tmp_path: Path) -> None:
    """Anything but facts or a fault would be a traceback."""
    pytest.importorskip("av", reason="the cascade extra is not installed")
    generator = np.random.default_rng(seed)
    whole = wav(pcm(), stored(sine()[:8000], 16)) if seed % 2 else Path("examples/audio/kn_fever_04.flac").read_bytes()[:20_000]
    content = np.frombuffer(whole, np.uint8).copy()
    at = generator.integers(0, 64 if seed % 4 else len(content), size=5)
    content[at] = generator.integers(0, 256, size=5)
    path = written(tmp_path / "a.wav", content.tobytes())
    with suppress(InputError):
        load_audio(path)
    with suppress(InputError):
        facts = inspect(path, decode=True)
        assert facts.duration >= 0
        assert len(facts.level_db) == pytest.approx(100 * facts.duration, abs=1)


def test_folders_and_missing_files_are_refused(tmp_path: Path) -> None:
    for path, found in ((tmp_path, "a folder"), (tmp_path / "a.wav", "no such file")):
        with pytest.raises(InputError, match=found):
            inspect(path, decode=True)


@pytest.mark.parametrize(
    ("name", "codec", "rate"), [("a.mp3", "mp3", 8000), ("a.ogg", "libopus", 48_000), ("a.m4a", "aac", 22_050)]
)
def test_what_phones_make(name: str, codec: str, rate: int, tmp_path: Path) -> None:
    av = pytest.importorskip("av", reason="the cascade extra is not installed")
    path = tmp_path / name
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=rate)
        stream.layout = "stereo"
        frame = av.AudioFrame.from_ndarray(sine(2, rate).astype(np.float32).reshape(1, -1), format="flt", layout="stereo")
        frame.sample_rate = rate
        resampler = av.AudioResampler(stream.codec_context.format, "stereo", rate, stream.codec_context.frame_size or None)
        for part in [*resampler.resample(frame), *resampler.resample(None), None]:
            container.mux(stream.encode(part))
    facts = inspect(path, decode=True)
    assert (facts.header.container, facts.header.sample_rate, facts.header.channels) == (path.suffix[1:], rate, 2)
    assert (facts.header.codec, facts.header.bits) == (codec.removeprefix("lib"), None)
    assert facts.duration == pytest.approx(SECONDS, abs=0.2)
    assert facts.level_db[50:-50] == pytest.approx(20 * np.log10(0.5 / 2**0.5), abs=1.5)
    assert codes(facts) == []


def test_a_flac_header_needs_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    facts = inspect(Path("examples/audio/hi_anc_01.flac"), decode=True)
    assert (facts.header.sample_rate, facts.header.channels, facts.header.bits) == (16_000, 1, 16)
    assert facts.duration == pytest.approx(78.5445)  # examples/recordings.jsonl
    assert facts.level_db is facts.speech is facts.snr_db is None
    assert [(one.code, one.severity) for one in facts.findings] == [("audio-not-decoded", "note")]
    assert "pip install 'parakh[cascade]'" in facts.findings[0].message
    assert len(facts.sha256) == 64


def test_a_core_install_measures_wav_and_says_that_speech_was_not_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from parakh.audio import speech

    monkeypatch.setitem(sys.modules, "av", None)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    speech._loaded.cache_clear()
    try:
        facts = inspect(written(tmp_path / "a.wav", wav(pcm(), stored(sine(), 16))), decode=True)
        with pytest.raises(MissingPackageError, match="av"):
            inspect(written(tmp_path / "a.mp3", b"\xff\xfb\x90\x00" * 1000), decode=False)
    finally:
        speech._loaded.cache_clear()
    assert (facts.duration, facts.speech, facts.snr_db) == (SECONDS, None, None)
    assert facts.level_db is not None
    assert [(one.code, one.severity) for one in facts.findings] == [("speech-not-looked-for", "note")]
    assert "onnxruntime" in facts.findings[0].message


@needs_network
@pytest.mark.parametrize("session_id", ["hi_anc_01", "kn_fever_04"])
def test_speech_of_the_examples_is_where_their_turns_are(session_id: str) -> None:
    from parakh.formats import rttm

    turns = rttm.read(Path(f"examples/rttm/{session_id}.rttm")).items
    facts = inspect(Path(f"examples/audio/{session_id}.flac"), decode=True)
    spans = sorted((one.start_time, one.end_time) for one in turns)
    times = np.arange(0, facts.duration, 0.01)
    said = np.array([any(a <= t < b for a, b in spans) for t in times])
    heard = np.array([any(a <= t < b for a, b in facts.speech) for t in times])
    assert (said & ~heard).mean() < 0.005
    assert (heard & ~said).mean() < 0.06
    assert facts.snr_db == pytest.approx({"hi_anc_01": 17.0, "kn_fever_04": 15.0}[session_id], abs=1.5)  # recordings.jsonl


@needs_network
@pytest.mark.skipif(not DATA.exists(), reason="the shared data is not here")
def test_speech_of_an_english_telephone_call() -> None:
    """Eleven turns in 30 s; the first speech is at 6.69 s (sample.rttm)."""
    facts = inspect(DATA / "pyannote-audio/src/pyannote/audio/sample/sample.wav", decode=True)
    assert facts.speech[0][0] == pytest.approx(6.69, abs=0.15)
    assert sum(end - start for start, end in facts.speech) == pytest.approx(22.7, abs=1.0)


@needs_network
def test_noise_and_silence_are_no_speech(tmp_path: Path) -> None:
    generator = np.random.default_rng(1)
    for samples in (np.zeros((5 * RATE, 1)), generator.normal(size=(5 * RATE, 1)) * 0.05, np.tile(sine(), (2, 1))):
        facts = inspect(written(tmp_path / "a.wav", wav(pcm(), stored(samples, 16))), decode=True)
        assert (facts.speech, facts.snr_db) == ((), None)
