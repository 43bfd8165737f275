"""Folders as they come from real work: links that lead nowhere, folders without the right to read, a full disk."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from parakh import files, formats
from parakh.dataset import importing
from parakh.dataset.checking import check
from parakh.dataset.exporting._format import exporter_of
from parakh.errors import InputError
from tests import datasets


def parakh(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "parakh.cli.main", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8")


def challenge(folder: Path, names: list[str]) -> Path:
    """The challenge's layout with one language, which ``Hindi/GT`` and ``Hindi/data`` hold."""
    for name in names:
        segments = datasets.conversation(name)
        formats.get("rttm").write(datasets.turns(segments), folder / "Hindi" / "data" / "rttm" / f"{name}_SPEAKER.rttm")
        formats.get("challenge-tsv").write(segments, folder / "Hindi" / "GT" / f"{name}.txt")
        datasets.write_wav(folder / "Hindi" / "data" / "wav" / f"{name}.wav", 0.1)
    return folder


def refuse(monkeypatch, name: str) -> None:
    """Let the system refuse to list a folder, as it does where the rights are missing."""
    scan = os.scandir

    def scandir(path="."):
        if Path(path).name == name:
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", scandir)


def request(source: Path, folder: Path, audio: str = "link", *, skip_faulty: bool = False) -> importing.Request:
    return importing.Request(source, folder, "displace-m", importing.Options(audio=audio), skip_faulty)


@pytest.mark.parametrize("verb", ["import", "check"])
def test_a_folder_that_cannot_be_read_is_told_and_nothing_is_done_without_it(verb, tmp_path, monkeypatch):
    source = challenge(tmp_path / "dev", ["a1"])
    refuse(monkeypatch, "GT")
    with pytest.raises(InputError, match=r"Hindi/GT: found Permission denied, expected a folder that can be read"):
        importing.run(request(source, tmp_path / "set")) if verb == "import" else check(source, audio="none")
    assert not (tmp_path / "set").exists()


def test_a_link_that_leads_nowhere_is_a_fault_of_its_recording(tmp_path):
    source = challenge(tmp_path / "dev", ["a1", "a2"])
    link = source / "Hindi" / "data" / "wav" / "a2.wav"
    link.unlink()
    link.symlink_to(tmp_path / "gone.wav")
    with pytest.raises(InputError, match=r"a2\.wav: audio: found no such file"):
        importing.run(request(source, tmp_path / "set"))
    outcome = importing.run(request(source, tmp_path / "set", skip_faulty=True))
    assert (outcome.imported, list(outcome.left_out)) == (("a1",), ["a2"])


def test_links_that_lead_nowhere_are_found_and_stop_nothing(tmp_path):
    source = challenge(tmp_path / "dev", ["a1", "a2"])
    for path in ("Hindi/Audio/a1.wav", "Hindi/data/wav/a2.wav", "Hindi/GT/a3.txt"):
        (source / path).parent.mkdir(exist_ok=True)
        (source / path).unlink(missing_ok=True)
        (source / path).symlink_to(tmp_path / "gone")
    found = check(source, audio="header", select=["unreadable-file"]).findings
    assert [(Path(one.path).name, one.message.split(",")[0]) for one in found] == [
        ("a1.wav", "found a link that leads nowhere"),
        ("a3.txt", "found no such file"),
        ("a2.wav", "found a link that leads nowhere"),
    ]


def test_audio_that_is_gone_behind_a_link_is_missing(tmp_path):
    source = challenge(tmp_path / "dev", ["a1", "a2"])
    importing.run(request(source, tmp_path / "set"))
    assert not check(tmp_path / "set", select=["missing-file"]).findings
    (source / "Hindi" / "data" / "wav" / "a2.wav").unlink()
    found = check(tmp_path / "set", select=["missing-file"]).findings
    assert [one.message for one in found] == ["the file audio/a2.wav (audio) is not there"]


def test_a_full_disk_is_no_fault_of_a_recording_and_the_import_goes_on_later(tmp_path, monkeypatch):
    source = challenge(tmp_path / "dev", ["a1", "a2", "a3"])
    write = files.replacing

    def full(target, is_private=False):
        if "a2" in target.name:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(target, is_private)

    monkeypatch.setattr(files, "replacing", full)
    with pytest.raises(InputError, match=r"No space left on device.* run the same command again") as stop:
        importing.run(request(source, tmp_path / "set", skip_faulty=True))
    assert len(stop.value.faults) == 1
    monkeypatch.setattr(files, "replacing", write)
    outcome = importing.run(request(source, tmp_path / "set", skip_faulty=True))
    assert (outcome.imported, outcome.resumed, outcome.left_out) == (("a1", "a2", "a3"), 1, {})


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_standard_output_is_named(tmp_path):
    challenge(tmp_path / "dev", ["a1"])
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "parakh.cli.main", "check", str(tmp_path / "dev"), "--audio", "none"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        "standard output: found No space left on device, expected a place to write to.\n",
    )


def test_a_file_that_is_no_text_is_passed_over_with_a_note(tmp_path):
    source = challenge(tmp_path / "dev", ["a1"])
    (source / "notes.txt").write_text("Sunday", encoding="utf-16")
    found = check(source, audio="none", select=["QC13"]).findings
    assert [(one.code, one.message) for one in found] == [("QC131", "not looked at: no format of annotations fits (passed-over)")]


PHONE = "9876543210"


def test_faults_of_any_verb_mask_what_they_quote(tmp_path):
    """A telephone number in the column of a time, in a file's name, and in a field that two files give."""
    datasets.make(tmp_path / "set")
    (tmp_path / "set" / "rttm" / "v1.rttm").write_text(f"SPEAKER v1 1 x{PHONE} 2 <NA> <NA> a <NA> <NA>\n")
    odd = tmp_path / f"{PHONE}.rttm"
    odd.write_text("SPEAKER v1\n")
    calls = [
        ("dataset", "stats", tmp_path / "set", "--json", "-"),
        ("dataset", "export", tmp_path / "set", tmp_path / "out", "--to", "rttm"),
        ("score", "diarization", "-r", odd, "-h", odd),
        ("dataset", "import", tmp_path / "set", tmp_path / "new", "--from", "files", "--skip-faulty"),
    ]
    for call in calls:
        done = parakh(*call)
        assert "10" in done.stdout + done.stderr, call  # the end of the number is shown
        assert PHONE not in done.stdout + done.stderr, call
    assert PHONE not in next((tmp_path / "new" / "imports").iterdir()).read_text()


def test_a_number_among_the_topics_is_masked_in_statistics(tmp_path):
    datasets.make(tmp_path / "set")
    (tmp_path / "set" / "topics.csv").write_text(f'rec_id,topics\nv1,"Fever, {PHONE}, 9000000010"\n')
    done = parakh("dataset", "stats", tmp_path / "set", "--json", "-")
    assert json.loads(done.stdout)["all"]["topics"] == {"Fever": 1, "••••••••10": 2}


def test_the_log_takes_no_name_and_no_number(tmp_path):
    datasets.make(tmp_path / "set")
    done = parakh("dataset", "advance", tmp_path / "set", "v1", "--to", "draft", "--by", f"Asha Devi {PHONE}")
    assert (done.returncode, PHONE in done.stderr) == (2, False)
    assert "--by: found 'Asha Devi ••••••••10', expected a code of who does it" in done.stderr
    for status in ("draft", "segmented"):
        assert parakh("dataset", "advance", tmp_path / "set", "v1", "--to", status, "--by", "ann01").returncode == 0
    done = parakh("dataset", "reject", tmp_path / "set", "v1", "--by", "qc01", "--reason", f"call {PHONE}")
    assert (done.returncode, "--reason: found 'call ••••••••10'" in done.stderr) == (2, True)
    assert PHONE not in (tmp_path / "set" / "annotation-log.jsonl").read_text()


def test_a_step_is_not_before_the_one_that_it_follows(tmp_path):
    datasets.make(tmp_path / "set")
    for status, at, code in (
        ("draft", "2026-03-31T09:30", 0),
        ("segmented", "2026-03-31T09:29", 2),
        ("segmented", "2026-03-31T09:30", 0),
    ):
        done = parakh("dataset", "advance", tmp_path / "set", "v1", "--to", status, "--by", "ann01", "--at", at)
        assert done.returncode == code, done.stderr
        assert (
            "found 2026-03-31T09:29:00Z, expected no time before its last step (2026-03-31T09:30:00Z)" in done.stderr
        ) == bool(code)


def test_a_field_that_no_recording_has_stratifies_nothing(tmp_path):
    datasets.make(tmp_path / "set")
    done = parakh("dataset", "audit", tmp_path / "set", "--size", "1", "--by", "qc01", "--stratify", "palce")
    assert (done.returncode, "--stratify: found 'palce', expected a field of the data set" in done.stderr) == (2, True)
    assert not (tmp_path / "set" / "annotation-log.jsonl").exists()


def test_a_checksum_of_a_shared_file_is_told_once(tmp_path):
    source = challenge(tmp_path / "dev", ["a1", "a2", "a3"])
    (source / "Hindi" / "GT" / "gt_data_topic_identification.csv").write_text("rec_id,gt_topics\na1,Fever\na2,Cough\na3,Fever\n")
    importing.run(request(source, tmp_path / "set"))
    with (tmp_path / "set" / "topics.csv").open("a") as table:
        table.write("\n")
    found = check(tmp_path / "set", select=["checksum-mismatch"]).findings
    assert [(one.session_id, one.message.rpartition(", ")[2]) for one in found] == [(None, "of 3 recordings")]
    found = check(tmp_path / "set", select=["checksum-mismatch"], sessions=["a2"]).findings
    assert [one.session_id for one in found] == ["a2"]


TABLE = "Hindi/GT/gt_data_topic_identification.csv"


def test_a_table_that_does_not_read_is_no_recording_and_its_loss_is_told(tmp_path):
    source = challenge(tmp_path / "dev", ["a1", "a2", "a3", "a4"])
    (source / TABLE).write_text("rec_id,gt_topics\na1,Fever\na1,Cough\n")
    found = check(source, audio="none")
    assert found.recordings == ("a1", "a2", "a3", "a4")
    assert [(one.code, one.session_id, one.line) for one in found.findings] == [("QC130", None, 3)]
    for kind in ("displace-m", "files"):
        outcome = importing.run(importing.Request(source, tmp_path / kind, kind, skip_faulty=True))
        assert outcome.imported == ("a1", "a2", "a3", "a4")
        assert [Path(one.path).name for one in outcome.notes if one.code == "file-left-out"] == [Path(TABLE).name]
        assert list(outcome.left_out) == [""]


def test_a_shared_table_that_does_not_read_holds_up_each_recording(tmp_path):
    source = challenge(tmp_path / "dev", ["a1", "a2"])
    (source / TABLE).write_text("rec_id,gt_topics\na1,Fever\na2,Cough\n")
    importing.run(request(source, tmp_path / "set"))
    (tmp_path / "set" / "topics.csv").write_text("rec_id,topics\na1,Fever\na1,Cough\n")
    for sessions in (["a1"], ["a2"], None):
        found = check(tmp_path / "set", audio="none", select=["QC130"], sessions=sessions).findings
        assert [(one.session_id, one.line) for one in found] == [(None, 3)]


def test_what_cannot_be_read_is_not_missing_besides(tmp_path):
    source = challenge(tmp_path / "dev", ["a1", "a2", "a3", "a4", "a5"])
    (source / "Hindi" / "GT" / "a1.txt").write_text("a1\t1\tspk0\trole\t2.0\t1.0\tजी\n")
    (source / "Hindi" / "data" / "rttm" / "a2_SPEAKER.rttm").write_text("SPEAKER a2 1 x 2 <NA> <NA> a <NA> <NA>\n")
    (source / "Hindi" / "data" / "rttm" / "a1_SPEAKER.rttm").unlink()
    found = check(source, audio="none", select=["QC13"]).findings
    assert [(one.code, one.session_id, one.message.partition(",")[0]) for one in found] == [
        ("QC130", "a1", "end: found '1.0'"),
        ("QC130", "a2", "onset: found 'x'"),
        ("QC133", "a1", "the recording has no file of the kind rttm"),
    ]


def test_what_an_export_wrote_beside_the_data_is_not_read_as_data(tmp_path):
    datasets.make(tmp_path / "set")
    assert parakh("dataset", "export", tmp_path / "set", tmp_path / "rttm", "--to", "rttm").returncode == 0
    assert (tmp_path / "rttm" / "LOSSES.txt").exists()
    done = parakh("score", "diarization", "-r", tmp_path / "rttm", "-h", tmp_path / "rttm")
    assert (done.returncode, done.stderr) == (0, "")
    assert not check(tmp_path / "rttm", select=["reader-notice"]).findings


@pytest.mark.parametrize(("sign", "name"), [(";", "semicolons"), ("\t", "tabs")])
@pytest.mark.parametrize("quote", ["", '"'])
def test_a_table_as_spreadsheets_save_it_is_told_in_one_line(sign, name, quote, tmp_path):
    datasets.make(tmp_path / "set")
    rows = [("session_id", "speaker", "place"), ("v1", "", "home"), ("v2", "", "phc, ward 2")]
    text = "".join(sign.join(f"{quote}{field}{quote}" for field in row) + "\r\n" for row in rows)
    (tmp_path / "set" / "metadata.csv").write_bytes(text.encode("utf-8-sig"))
    with pytest.raises(InputError) as stop:
        check(tmp_path / "set", audio="none")
    assert [str(one).partition(": ")[2] for one in stop.value.faults] == [
        f"found fields separated by {name}, expected commas between the fields. Save it as CSV with commas, in UTF-8."
    ]


def test_a_release_says_that_its_audio_lies_elsewhere(tmp_path):
    source = challenge(tmp_path / "dev", ["a1", "a2"])
    for audio in ("link", "copy"):
        folder = tmp_path / audio
        importing.run(request(source, folder, audio))
        done = parakh("dataset", "release", folder, "--by", "rel01")
        assert f"`parakh dataset init {folder} --force` makes that file" in done.stderr
        assert parakh("dataset", "init", folder, "--force", "--licence", "CC-BY-4.0", "--name", "Visits").returncode == 0
        text = (folder / "parakh.toml").read_text()
        (folder / "parakh.toml").write_text(text.replace("[check]\n", '[check]\nselect = ["QC507"]\n'))
        done = parakh("dataset", "release", folder, "--by", "rel01")
        told = "audio of 2 recordings lies outside this folder, and has to be given along"
        assert (done.returncode, told in done.stdout, told in (folder / "DATACARD.md").read_text()) == (
            0,
            audio == "link",
            audio == "link",
        )


def test_turns_that_come_from_the_transcript_are_told(tmp_path):
    source = challenge(tmp_path / "dev", ["a1", "a2"])
    (source / "Hindi" / "data" / "rttm" / "a2_SPEAKER.rttm").unlink()
    outcome = importing.run(request(source, tmp_path / "set"))
    assert [(one.code, one.session_id) for one in outcome.notes] == [("turns-of-transcript", "a2")]


def test_rounded_times_are_not_called_lost(tmp_path):
    datasets.make(tmp_path / "set")
    for form in ("srt", "webvtt", "eaf"):
        done = parakh("dataset", "export", tmp_path / "set", tmp_path / form, "--to", form)
        assert (done.returncode, "times of" in done.stdout) == (0, False)
    assert "segment.start_time" not in exporter_of(formats.get("keyed-text")).holds  # without any times
