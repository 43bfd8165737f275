"""Recordings of every odd kind, as one batch through diarizer and transcriber: an answer or one line each, and none stops another."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from parakh.audio.decode import SAMPLE_RATE, load_audio
from parakh.cascade.diarizers import segmentation_clustering
from parakh.cascade.pipeline import Status, Visit
from parakh.cascade.preset import Preset, load_preset
from parakh.cascade.runner import find_recordings, run_all
from parakh.cascade.schedule import Failed
from parakh.cascade.transcribers import whisper_base
from parakh.models import store

av = pytest.importorskip("av", reason="the cascade extra is not installed")

Samples = NDArray[np.float32]
EXAMPLES = Path(__file__).parents[2] / "examples/audio"
NEEDED = (*segmentation_clustering.MODELS, *whisper_base.MODELS)
pytestmark = pytest.mark.skipif(
    any(store.path(name) is None for name in NEEDED), reason=f"needs `parakh models get {' '.join(NEEDED)}`"
)


def write(path: Path, channels: Samples, rate: int = SAMPLE_RATE) -> None:
    """A WAV file of 16 bits; channels of shape (channels, n)."""
    layout = {1: "mono", 2: "stereo"}[len(channels)]
    with av.open(str(path), "w", format="wav") as container:
        stream = container.add_stream("pcm_s16le", rate=rate)
        stream.layout = layout
        packed = np.ascontiguousarray((channels.T.reshape(1, -1) * 32767).clip(-32768, 32767).astype(np.int16))
        frame = av.AudioFrame.from_ndarray(packed, format="s16", layout=layout)
        frame.sample_rate = rate
        for packet in (*stream.encode(frame), *stream.encode(None)):
            container.mux(packet)


def music(seconds: float) -> Samples:
    """Three chords in turn with a drum on every beat: nobody speaks."""
    time = np.arange(int(seconds * SAMPLE_RATE)) / SAMPLE_RATE
    chords = np.array([[220.0, 277.2, 329.6], [196.0, 246.9, 293.7], [174.6, 220.0, 261.6]])
    notes = chords[(time // 2).astype(int) % 3].T
    tones = sum(np.sin(2 * np.pi * part * note * time) / part for note in notes for part in (1, 2, 3))
    beat = np.exp(-30 * (time % 0.5)) * np.random.default_rng(0).normal(size=len(time))
    return (0.08 * tones + 0.15 * beat).astype(np.float32)[None]


def voice(name: str, start: float, seconds: float, pitch: float = 1.0) -> Samples:
    """A part of an example, played at another pitch."""
    samples = load_audio(EXAMPLES / f"{name}.flac").samples[int(start * SAMPLE_RATE) :]
    places = np.arange(int(seconds * SAMPLE_RATE)) * pitch
    return np.interp(places, np.arange(len(samples)), samples).astype(np.float32)


def nine_speakers() -> Samples:
    """Nine voices that are none, 3 s each, in turn."""
    names = ("hi_anc_01", "hi_child_02", "hi_elder_03")
    return np.concatenate([voice(name, 4.0, 3.0, pitch) for pitch in (0.75, 1.0, 1.35) for name in names])[None]


def silent_video(path: Path) -> None:
    """A file of pictures without sound."""
    with av.open(str(path), "w", format="mp4") as container:
        stream = container.add_stream("mpeg4", rate=5)
        stream.width = stream.height = 64
        stream.pix_fmt = "yuv420p"
        for _ in range(5):
            frame = av.VideoFrame.from_ndarray(np.zeros((64, 64, 3), np.uint8), format="rgb24")
            for packet in stream.encode(frame):
                container.mux(packet)
        for packet in stream.encode(None):
            container.mux(packet)


def make(folder: Path) -> None:
    """The batch."""
    folder.mkdir()
    dialogue = voice("hi_elder_03", 4.0, 12.0)
    write(folder / "silence.wav", np.zeros((1, 5 * SAMPLE_RATE), np.float32))
    write(folder / "music.wav", music(12.0))
    write(folder / "nine.wav", nine_speakers())
    write(folder / "blink.wav", np.full((1, SAMPLE_RATE // 20), 0.1, np.float32))
    half = np.arange(len(dialogue)) < len(dialogue) // 2
    write(folder / "stereo.wav", np.stack([dialogue * half, dialogue * ~half])[:, ::2], 8000)
    write(folder / "fast.wav", dialogue[None, : 4 * SAMPLE_RATE].repeat(24, axis=1), 384_000)
    (folder / "empty.wav").write_bytes(b"")
    (folder / "corrupt.flac").write_bytes(b"fLaC" + bytes(range(256)) * 40)
    (folder / "text.mp3").write_text("This is no sound.\n" * 50)
    write(folder / "named.wav", dialogue[None, : 3 * SAMPLE_RATE])
    (folder / "named.wav").rename(folder / "named.mp3")
    write(folder / "header.wav", dialogue[None, :100])
    (folder / "header.wav").write_bytes((folder / "header.wav").read_bytes()[:24] + b"\xff\xff\xff\xff" + b"\0" * 40)
    silent_video(folder / "video.mp4")


def preset() -> Preset:
    embedded = load_preset("embedded", ["transcriber.beam=1"])
    return Preset("odd", "odd", embedded.stages[:2], embedded.digest)


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Visit | Failed]:
    folder = tmp_path_factory.mktemp("odd")
    make(folder / "audio")
    found = run_all(find_recordings([str(folder / "audio")], "hi"), preset(), folder / "out")
    return {one.session_id if isinstance(one, Visit) else one.recording.session_id: one for one in found}


def test_every_recording_has_answers_or_a_line(answers: dict[str, Visit | Failed]) -> None:
    failed = {name: str(one.error) for name, one in answers.items() if isinstance(one, Failed)}
    assert set(failed) == {"empty", "corrupt", "text", "header", "video"}
    assert set(answers) - set(failed) == {"silence", "music", "nine", "blink", "stereo", "fast", "named"}
    assert all(len(line.splitlines()) == 1 and "found" in line and "expected" in line for line in failed.values()), failed
    assert "without an audio track" in failed["video"]
    assert "empty file" in failed["empty"]
    for one in answers.values():
        assert isinstance(one, Failed) or {stage.status for stage in one.stages} == {Status.DONE}


def visit(answers: dict[str, Visit | Failed], name: str) -> Visit:
    found = answers[name]
    assert isinstance(found, Visit)
    return found


@pytest.mark.parametrize("name", ["silence", "blink"])
def test_where_nothing_is_said_there_are_no_turns_and_no_words(name: str, answers: dict[str, Visit | Failed]) -> None:
    assert not visit(answers, name).turns
    assert not any(turn.words for turn in visit(answers, name).transcript)


def test_music_is_not_taken_for_a_conversation(answers: dict[str, Visit | Failed]) -> None:
    turns = visit(answers, "music").turns or ()
    assert sum((turn.end_time or 0) - (turn.start_time or 0) for turn in turns) < 3.0


def test_more_voices_than_a_window_can_tell_apart_are_still_several(answers: dict[str, Visit | Failed]) -> None:
    turns = visit(answers, "nine").turns or ()
    assert 3 <= len({turn.speaker for turn in turns}) <= 9
    assert max(turn.end_time or 0 for turn in turns) <= 27.0


def test_channels_are_mixed_and_told_of(answers: dict[str, Visit | Failed]) -> None:
    found = visit(answers, "stereo")
    assert found.duration == pytest.approx(12.0, abs=0.1)
    assert [finding.code for finding in found.findings] == ["mixed-channels"]
    assert "2 channels that differ" in str(found.findings[0])
    assert max(turn.end_time or 0 for turn in found.turns or ()) > 7.0, "the second channel is heard"


def test_a_huge_rate_and_a_wrong_ending_are_no_hindrance(answers: dict[str, Visit | Failed]) -> None:
    assert visit(answers, "fast").duration == pytest.approx(4.0, abs=0.05)
    assert visit(answers, "named").duration == pytest.approx(3.0, abs=0.05)
    assert any(turn.words for turn in visit(answers, "fast").transcript)


def test_channels_that_are_alike_are_nothing_to_tell_and_opposite_ones_are(tmp_path: Path) -> None:
    tone = music(1.0)
    write(tmp_path / "same.wav", np.concatenate([tone, tone]))
    write(tmp_path / "opposite.wav", np.concatenate([tone, -tone]))
    assert not load_audio(tmp_path / "same.wav").findings
    (finding,) = load_audio(tmp_path / "opposite.wav").findings
    assert "cancel each other" in finding.message
