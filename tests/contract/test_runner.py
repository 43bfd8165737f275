"""Running many recordings: what is to do, what is written, and that a stopped run can go on."""

import json
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from parakh import formats
from parakh.audio.decode import SAMPLE_RATE, Audio, load_audio
from parakh.cascade.known import metadata
from parakh.cascade.noticing import note
from parakh.cascade.outputs import State, state_of, write_visit
from parakh.cascade.pipeline import Status, process
from parakh.cascade.preset import Preset, Stage, load_preset
from parakh.cascade.runner import find_recordings, make_plan, run_all
from parakh.errors import InputError, UnavailableError, UnknownNameError
from parakh.types import Recording, Segment, Summary, Topics


@dataclass(frozen=True)
class TwoTurns:
    """A diarizer that halves the recording: enough to follow data through the stages."""

    def diarize(self, audio: Audio) -> list[Segment]:
        half = audio.duration / 2
        return [Segment(audio.session_id, "spk0", 0.0, half), Segment(audio.session_id, "spk1", half, audio.duration)]


@dataclass(frozen=True)
class Says:
    """A transcriber that knows one language."""

    def transcribe(self, audio: Audio, segments: Sequence[Segment]) -> list[Segment]:
        if audio.language != "hi":
            raise UnavailableError(f"no weights for {audio.language}; configure another transcriber")
        words = ["बुखार है?", "हाँ, तीन दिन से बुखार है"]
        return [
            Segment(s.session_id, s.speaker, s.start_time, s.end_time, w, language="hi")
            for s, w in zip(segments, words, strict=True)
        ]


@dataclass(frozen=True)
class Finds:
    def find(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Topics:
        return Topics("", ("Fever",))


@dataclass(frozen=True)
class Sums:
    def summarize(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Summary:
        return Summary("", "The health seeker has fever.")


STAGES = (
    Stage("diarizer", "two-turns", TwoTurns(), (), None),
    Stage("transcriber", "says", Says(), (), None),
    Stage("topics", "finds", Finds(), (), None),
    Stage("summary", "sums", Sums(), (), None),
)
PRESET = Preset("test", "test", STAGES, "digest")


def write_wav(path: Path, seconds: float = 1.0, rate: int = SAMPLE_RATE) -> Path:
    samples = (0.1 * np.sin(np.arange(int(seconds * rate)) * 0.05) * 32767).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes())
    return path


def test_audio_of_another_rate_becomes_16_khz(tmp_path: Path) -> None:
    audio = load_audio(write_wav(tmp_path / "visit 01.wav", 2.0, 8000))
    assert audio.duration == pytest.approx(2.0, abs=0.01)
    assert audio.samples.dtype == np.float32


def test_a_visit_goes_to_the_challenge_files_and_back(tmp_path: Path) -> None:
    audio = Audio("v1", np.zeros(SAMPLE_RATE * 2, np.float32), "hi")
    visit = process(audio, PRESET)
    write_visit(visit, PRESET, tmp_path)
    turns = formats.load([tmp_path / "rttm"], Segment).items
    assert [(t.speaker, t.start_time, t.end_time) for t in turns] == [("spk0", 0.0, 1.0), ("spk1", 1.0, 2.0)]
    transcript = formats.load([tmp_path / "transcripts"], Segment).items
    assert [t.words for t in transcript] == ["बुखार है?", "हाँ, तीन दिन से बुखार है"]
    assert formats.load([tmp_path / "topics"], Topics).items == (Topics("v1", ("Fever",)),)
    assert formats.load([tmp_path / "summaries"], Summary).items == (Summary("v1", "The health seeker has fever."),)
    assert state_of(tmp_path, Recording("v1"), PRESET) is State.DONE
    assert state_of(tmp_path, Recording("v1", language="kn"), PRESET) is State.OTHER
    assert state_of(tmp_path, Recording("v1"), Preset("test", "test", STAGES, "another digest")) is State.OTHER
    assert state_of(tmp_path, Recording("v2"), PRESET) is State.ABSENT


def test_a_stage_that_cannot_answer_says_so_and_nothing_stands_in(tmp_path: Path) -> None:
    visit = process(Audio("k1", np.zeros(SAMPLE_RATE, np.float32), "kn"), PRESET)
    assert {stage.kind: stage.status for stage in visit.stages} == {
        "diarizer": Status.DONE,
        "transcriber": Status.UNAVAILABLE,
        "topics": Status.UNAVAILABLE,
        "summary": Status.UNAVAILABLE,
    }
    write_visit(visit, PRESET, tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["rttm", "runs"]
    card = json.loads((tmp_path / "runs" / "k1.json").read_text())
    assert "no weights for kn" in card["stages"][1]["reason"]


def test_without_turns_nothing_later_is_tried(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class NoTurns:
        def diarize(self, audio: Audio) -> list[Segment]:
            raise UnavailableError("no RTTM of v1")

    preset = Preset("test", "test", (Stage("diarizer", "external", NoTurns(), (), None), *STAGES[1:]), "digest")
    visit = process(Audio("v1", np.zeros(SAMPLE_RATE, np.float32), "hi"), preset)
    assert {stage.status for stage in visit.stages} == {Status.UNAVAILABLE}
    write_visit(visit, preset, tmp_path)
    assert [path.name for path in tmp_path.rglob("*") if path.is_file()] == ["v1.json"]


def test_a_run_keeps_what_is_done_and_asks_before_doing_it_again(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_wav(tmp_path / f"{name}.wav")
    recordings = find_recordings([str(tmp_path)], "hi")
    out = tmp_path / "out"
    visits = run_all(recordings, PRESET, out)
    assert next(visits).session_id == "a"
    visits.close()  # a stop between two recordings
    with pytest.raises(InputError, match="--resume"):
        make_plan(recordings, PRESET, out, resume=False, overwrite=False)
    plan = make_plan(recordings, PRESET, out, resume=True, overwrite=False)
    assert ([r.session_id for r in plan.todo], [r.session_id for r in plan.done]) == (["b"], ["a"])
    assert len(make_plan(recordings, PRESET, out, resume=False, overwrite=True).todo) == 2


def test_answers_of_an_earlier_run_do_not_outlive_it(tmp_path: Path) -> None:
    samples = np.zeros(SAMPLE_RATE, np.float32)
    write_visit(process(Audio("v1", samples, "hi"), PRESET), PRESET, tmp_path)
    write_visit(process(Audio("v1", samples, "kn"), PRESET), PRESET, tmp_path)
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()) == [
        "rttm/v1.rttm",
        "runs/v1.json",
    ]


def test_resume_refuses_answers_made_with_other_settings(tmp_path: Path) -> None:
    write_wav(tmp_path / "a.wav")
    recordings = find_recordings([str(tmp_path)], "hi")
    list(run_all(recordings, PRESET, tmp_path / "o"))
    changed = Preset("test", "test", STAGES, "another digest")
    with pytest.raises(InputError, match="another preset, option or language"):
        make_plan(recordings, changed, tmp_path / "o", resume=True, overwrite=False)


def test_what_an_endpoint_did_not_answer_is_asked_again(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Down:
        def find(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Topics:
            raise UnavailableError("connection refused")

    down = Preset("test", "test", (*STAGES[:2], Stage("topics", "llm", Down(), (), "http://localhost:1")), "digest")
    write_wav(tmp_path / "a.wav")
    recordings = find_recordings([str(tmp_path)], "hi")
    list(run_all(recordings, down, tmp_path / "o"))
    assert len(make_plan(recordings, down, tmp_path / "o", resume=True, overwrite=False).todo) == 1
    kannada = find_recordings([str(tmp_path)], "kn")
    list(run_all(kannada, down, tmp_path / "o"))
    assert len(make_plan(kannada, down, tmp_path / "o", resume=True, overwrite=False).done) == 1


@pytest.mark.parametrize("name", ["../../evil", "a/b", "..", "a b", "a\x1b[31m", ".hidden"])
def test_an_id_that_would_leave_the_folder_is_refused(name: str, tmp_path: Path) -> None:
    write_wav(tmp_path / "a.wav")
    (tmp_path / "m.jsonl").write_text(json.dumps({"session_id": name, "audio": "a.wav"}) + "\n")
    with pytest.raises(InputError, match="session_id"):
        find_recordings([str(tmp_path / "m.jsonl")])


def test_an_unreadable_recording_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(b"not audio")
    write_wav(tmp_path / "b.wav")
    faults: list[str] = []
    visits = list(
        run_all(find_recordings([str(tmp_path)], "hi"), PRESET, tmp_path / "o", on_fault=lambda r, e: faults.append(r.session_id))
    )
    assert ([v.session_id for v in visits], faults) == (["b"], ["a"])


def test_recordings_that_would_share_an_id_are_refused(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    paths = [write_wav(tmp_path / "a.wav"), write_wav(tmp_path / "sub" / "a.wav")]
    with pytest.raises(InputError, match="one id a recording"):
        find_recordings([str(path) for path in paths])


def test_a_space_in_a_file_name_does_not_reach_the_id(tmp_path: Path) -> None:
    [recording] = find_recordings([str(write_wav(tmp_path / "home visit 3.wav"))])
    assert recording.session_id == "home_visit_3"


def test_settings_change_single_options_and_the_digest() -> None:
    plain, changed = load_preset("embedded"), load_preset("embedded", ["diarizer.num_speakers=2"])
    assert changed.stages[0].backend.num_speakers == 2
    assert plain.digest != changed.digest


def test_unknown_names_list_close_matches() -> None:
    with pytest.raises(UnknownNameError, match="did you mean 'embedded'"):
        load_preset("embeded")


def test_what_a_backend_notices_is_in_the_visit(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Notices:
        def find(self, transcript: Sequence[Segment], translation: Sequence[Segment]) -> Topics:
            note("odd-topics", f"the place is {metadata()['place']}")
            return Topics("", ())

    preset = Preset("test", "test", (*STAGES[:2], Stage("topics", "notices", Notices(), (), None)), "digest")
    write_wav(tmp_path / "a.wav")
    (tmp_path / "recordings.jsonl").write_text(
        json.dumps({"session_id": "a", "audio": "a.wav", "language": "hi", "place": "home"}) + "\n"
    )
    (visit,) = run_all(find_recordings([str(tmp_path / "recordings.jsonl")]), preset, tmp_path / "o")
    assert [str(one) for one in visit.findings] == ["a: warning odd-topics: the place is home"]
    assert json.loads((tmp_path / "o" / "runs" / "a.json").read_text())["findings"] == [str(visit.findings[0])]


def test_a_data_set_tells_who_speaks(tmp_path: Path) -> None:
    write_wav(tmp_path / "a.wav")
    (tmp_path / "recordings.jsonl").write_text(json.dumps({"session_id": "a", "audio": "a.wav"}) + "\n")
    (tmp_path / "metadata.csv").write_text("session_id,speaker,role,age,sex\na,spk0,health_seeker,34,f\n")
    for path in (tmp_path, tmp_path / "recordings.jsonl"):
        (recording,) = find_recordings([str(path)])
        assert json.loads(recording.metadata["speakers"])["spk0"] == {"role": "health_seeker", "age": "34", "sex": "f"}
