"""Imports of files that others made, against what is known of them."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from parakh.dataset import importing, manifest
from parakh.dataset.content import contents
from parakh.errors import InputError

DATA = Path(__file__).parent.parent.parent.parent / "shared" / "data"
pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the public test files are not here")


def imported(source: Path, folder: Path, kind: str | None = None, audio: str = "link") -> tuple[importing.Outcome, list]:
    outcome = importing.run(importing.Request(source, folder, kind, importing.Options(audio=audio)))
    return outcome, list(contents(manifest.load(folder)))


def test_primock57_has_two_speakers_in_each_of_57_consultations(tmp_path):
    outcome, found = imported(DATA / "primock57", tmp_path / "set")
    assert outcome.kind == "textgrid"
    assert len(found) == 57  # its README: 57 mock consultations, a file for the doctor and one for the patient
    assert {tuple(one.speaker for one in content.entry.speakers) for content in found} == {("doctor", "patient")}
    for content in found:
        files = [DATA / "primock57" / "transcripts" / f"{content.session_id}_{who}.TextGrid" for who in ("doctor", "patient")]
        text = "".join(path.read_text(encoding="utf-8") for path in files)
        said = [line.partition("=")[2].strip()[1:-1] for line in text.splitlines() if line.strip().startswith("text =")]
        assert Counter(one.words for one in content.transcript) == Counter(
            words.replace('""', '"') for words in said if words.strip()
        )


def test_ami_supervisions_of_lhotse(tmp_path):
    folder = DATA / "lhotse" / "test" / "fixtures" / "ami"
    outcome, (content,) = imported(folder, tmp_path / "set")
    lines = [json.loads(line) for line in gzip.decompress((folder / "ES2011a_sups.jsonl.gz").read_bytes()).splitlines()]
    assert outcome.kind == "lhotse"
    assert content.session_id == "ES2011a"
    assert [(one.segment_id, one.speaker, one.start_time, one.words) for one in content.transcript] == [
        (one["id"], one["speaker"], one["start"], one["text"]) for one in lines
    ]
    assert content.entry.recording.language == "en"
    assert {one.speaker: one.sex for one in content.entry.speakers} == {one["speaker"]: one["gender"].lower() for one in lines}


def test_commands_of_a_kaldi_folder_are_told_and_never_run(tmp_path):
    folder = DATA / "lhotse" / "test" / "fixtures" / "mini_librispeech"
    outcome, found = imported(folder, tmp_path / "set")
    commands = [note for note in outcome.notes if note.code == "audio-command"]
    assert len(found) == len(commands) == len((folder / "wav.scp").read_text().splitlines())
    assert all(content.entry.recording.audio is None for content in found)
    durations = dict(line.split() for line in (folder / "reco2dur").read_text().splitlines())
    assert {content.session_id: content.entry.recording.duration for content in found} == {
        key: float(value) for key, value in durations.items()
    }


def test_an_end_of_minus_one_is_the_end_of_the_recording(tmp_path):
    folder = DATA / "cases" / "42-kaldi-end-minus-one"
    _, (content,) = imported(folder, tmp_path / "set")
    assert max(one.end_time for one in content.turns) == content.entry.recording.duration == 30.0  # its CASE.md


def test_the_demo_of_displace_2024(tmp_path):
    _, (content,) = imported(DATA / "displace2024-demo", tmp_path / "set", "files")
    name = "Lok_Sabha_Zero_Hour_1204_PM_-_0130_PM_07_December_2023_12min"
    lines = (DATA / "displace2024-demo" / "output" / f"{name}.rttm").read_text().splitlines()
    assert content.session_id == name
    assert len(content.turns) == len(lines)
    assert {one.speaker for one in content.entry.speakers} == {line.split()[7] for line in lines}


def test_two_hindi_voices_come_with_their_audio(tmp_path):
    _, found = imported(DATA / "hindi-two-voices", tmp_path / "set")
    for content in found:
        known = json.loads((DATA / "hindi-two-voices" / f"{content.session_id}.json").read_text())
        assert content.entry.recording.duration == known["duration"]
        assert len(content.turns) == len(known["segments"])
        assert Path(content.entry.recording.audio).resolve() == DATA.resolve() / "hindi-two-voices" / known["audio"]


def test_voxconverse_has_448_recordings(tmp_path):
    outcome, found = imported(DATA / "voxconverse", tmp_path / "set", "files")
    assert len(found) == 216 + 232  # its README: dev and test
    assert not outcome.left_out


def test_a_name_that_is_not_ascii_is_kept_and_not_taken_for_another(tmp_path):
    _, found = imported(DATA / "pyannote-audio", tmp_path / "set")
    assert {"trñ00", "trn00"} <= {content.session_id for content in found}  # the audio, and the labels of another one
    assert all(content.regions is not None for content in found if content.session_id in ("dev00", "tst00"))


def test_audio_of_one_name_in_several_folders_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"convo_001.* expected one file of that name"):
        imported(DATA / "doctor-patient-indic", tmp_path / "set", "files")
    assert not (tmp_path / "set").exists()


def test_an_elan_document_of_pympi(tmp_path):
    outcome, (content,) = imported(DATA / "pympi", tmp_path / "set")
    assert outcome.kind == "elan"
    assert content.session_id == "sample_2.8"
    assert len(content.transcript) == len(content.turns) > 1000
    assert {note.code for note in outcome.notes} >= {"unused-files"}
