"""parakh dataset import as a person calls it: what is imported, what is refused, and what a kill leaves behind."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from parakh import formats
from parakh.cli.main import main
from parakh.dataset import importing, manifest
from parakh.dataset.content import contents
from parakh.dataset.importing import _run
from parakh.dataset.importing._journal import FOLDER, JOURNAL
from parakh.errors import InputError
from parakh.types import Segment, Summary, Topics
from tests import datasets


def is_under_way(folder: Path) -> bool:
    return (folder / FOLDER / JOURNAL).is_file()


def call(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["parakh", "dataset", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        main()
    return stop.value.code or 0


def challenge(folder: Path, names: list[str]) -> Path:
    """The challenge's layout, with a folder for Hindi and one for Kannada."""
    for number, name in enumerate(names):
        place = folder / ("Hindi" if number % 2 == 0 else "Kannada")
        segments = datasets.conversation(name)
        formats.get("rttm").write(datasets.turns(segments), place / "data" / "rttm" / f"{name}_SPEAKER.rttm")
        formats.get("challenge-tsv").write(segments, place / "GT" / f"{name}.txt")
        datasets.write_wav(place / "data" / "wav" / f"{name}.wav", 0.1)
    for place in ("Hindi", "Kannada"):
        own = [name for number, name in enumerate(names) if (number % 2 == 0) == (place == "Hindi")]
        if own:
            gt = folder / place / "GT"
            topics = "".join(f'{name},"Fever, Cough"\n' for name in own)
            (gt / "gt_data_topic_identification.csv").write_text(f"rec_id,gt_topics\n{topics}")
            summaries = "".join(f'{name},"Three days of fever, {name}."\n' for name in own)
            (gt / "gt_data_summarization.csv").write_text(f"rec_id,gt_summary\n{summaries}")
    return folder


def test_the_challenge_layout_becomes_a_data_set(tmp_path, monkeypatch, capsys):
    challenge(tmp_path / "dev", ["a1", "a2", "a3"])
    (tmp_path / "dev" / "readme.md").write_text("x")
    assert call(monkeypatch, "import", tmp_path / "dev", tmp_path / "set", "--split", "dev1") == 0
    out = capsys.readouterr().out
    assert "3 recordings imported as displace-m" in out
    assert "1 file not imported: readme.md" in out
    dataset = manifest.load(tmp_path / "set")
    assert [(one.session_id, one.recording.language, one.split) for one in dataset.entries] == [
        ("a1", "hi", "dev1"),
        ("a3", "hi", "dev1"),
        ("a2", "kn", "dev1"),
    ]
    first = next(contents(dataset))
    assert first.transcript == tuple(datasets.conversation("a1"))
    assert first.turns == tuple(datasets.turns(datasets.conversation("a1")))
    assert first.topics == Topics("a1", ("Fever", "Cough"))
    assert first.summary == Summary("a1", "Three days of fever, a1.")
    assert first.entry.recording.duration == 0.1
    assert {one.speaker: one.role for one in first.entry.speakers} == {"spk0": "health_worker", "spk1": "health_seeker"}
    assert (tmp_path / "set" / "audio" / "a1.wav").readlink() == tmp_path / "dev" / "Hindi" / "data" / "wav" / "a1.wav"
    for kind, path in first.entry.files.items():
        assert _sha(path) == first.entry.sha256[kind]
    assert _sha(first.entry.recording.audio) == first.entry.sha256["audio"]
    assert not (tmp_path / "set" / ".import").exists()


def _sha(path):
    done = subprocess.run(["sha256sum", path], capture_output=True, text=True, check=True)
    return done.stdout.split()[0]


@pytest.mark.parametrize("mode", ["link", "copy", "refer", "none"])
def test_audio_is_linked_copied_referred_to_or_left(mode, tmp_path, monkeypatch):
    challenge(tmp_path / "dev", ["a1"])
    assert call(monkeypatch, "import", tmp_path / "dev", tmp_path / "set", "--audio", mode) == 0
    audio = manifest.load(tmp_path / "set").entries[0].recording.audio
    source = tmp_path / "dev" / "Hindi" / "data" / "wav" / "a1.wav"
    if mode == "none":
        assert audio is None
        assert not (tmp_path / "set" / "audio").exists()
        return
    assert Path(audio).read_bytes() == source.read_bytes()
    assert Path(audio).is_symlink() == (mode == "link")
    assert Path(audio).resolve().is_relative_to(tmp_path / "set") == (mode == "copy")


def test_all_faults_come_at_once_and_nothing_is_imported(tmp_path, monkeypatch, capsys):
    dev = challenge(tmp_path / "dev", ["a1", "a2", "a3", "a4"])
    rttm = dev / "Hindi" / "data" / "rttm" / "a1_SPEAKER.rttm"
    rttm.write_text(rttm.read_text() + "SPEAKER a1 1 3.0 -1 <NA> <NA> spk0 <NA> <NA>\n")
    (dev / "Kannada" / "GT" / "a2.txt").write_text("a2\ta2_1\tspk0\thealth_worker\t2.0\t1.0\tनमस्ते\n")
    (dev / "Kannada" / "data" / "wav" / "a4.wav").write_bytes(b"")
    (dev / "Hindi" / "GT" / "gt_data_summarization.csv").write_text("rec_id,gt_summary\na1,x\na1,y\n")
    assert call(monkeypatch, "import", dev, tmp_path / "set") == 2
    err = capsys.readouterr().err
    assert "a1_SPEAKER.rttm:4: duration: found '-1'" in err
    assert "a2.txt:1: end: found '1.0'" in err
    assert "a4.wav: audio: found an empty file" in err
    assert "gt_data_summarization.csv:3: rec_id: found 'a1'" in err
    assert "Traceback" not in err
    assert not (tmp_path / "set").exists()


def test_faulty_recordings_are_left_out_and_named(tmp_path, monkeypatch, capsys):
    dev = challenge(tmp_path / "dev", ["a1", "a2", "a3"])
    (dev / "Kannada" / "GT" / "a2.txt").write_text("a2\ta2_1\tspk0\thealth_worker\t2.0\t1.0\tनमस्ते\n")
    assert call(monkeypatch, "import", dev, tmp_path / "set", "--skip-faulty") == 1
    out = capsys.readouterr().out
    assert "1 recording left out" in out
    assert [one.session_id for one in manifest.load(tmp_path / "set").entries] == ["a1", "a3"]
    report = (tmp_path / "set" / "imports" / "001-displace-m.md").read_text()
    assert "Left out, with what is wrong:" in report
    assert f"{dev}/Kannada/GT/a2.txt:1: end: found '1.0', expected seconds >= start (2.0)" in report
    assert not list((tmp_path / "set").rglob("a2*"))


def test_a_second_import_adds_and_an_id_that_is_there_is_refused(tmp_path, monkeypatch, capsys):
    challenge(tmp_path / "one", ["a1"])
    challenge(tmp_path / "two", ["b1"])
    challenge(tmp_path / "three", ["a1", "c1"])
    assert call(monkeypatch, "import", tmp_path / "one", tmp_path / "set") == 0
    assert call(monkeypatch, "import", tmp_path / "two", tmp_path / "set") == 0
    before = datasets.tree(tmp_path / "set")
    dataset = manifest.load(tmp_path / "set")
    assert [one.session_id for one in dataset.entries] == ["a1", "b1"]
    assert [one.topics.topics for one in contents(dataset)] == [("Fever", "Cough")] * 2
    assert dataset.entries[0].sha256["topics"] == dataset.entries[1].sha256["topics"] == _sha(tmp_path / "set" / "topics.csv")
    assert sorted(path.name for path in (tmp_path / "set" / "imports").iterdir()) == ["001-displace-m.md", "002-displace-m.md"]
    assert call(monkeypatch, "import", tmp_path / "three", tmp_path / "set") == 2
    assert "found 'a1', expected an id that the data set does not have yet" in capsys.readouterr().err
    assert datasets.tree(tmp_path / "set") == before


def test_a_file_in_the_way_is_kept(tmp_path, monkeypatch, capsys):
    challenge(tmp_path / "dev", ["a1"])
    (tmp_path / "set" / "rttm").mkdir(parents=True)
    (tmp_path / "set" / "rttm" / "a1.rttm").write_text("mine\n")
    assert call(monkeypatch, "import", tmp_path / "dev", tmp_path / "set") == 2
    assert "rttm/a1.rttm: found a file that the manifest does not name" in capsys.readouterr().err
    assert datasets.tree(tmp_path / "set") == {"rttm/a1.rttm": b"mine\n"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere", "set"], "nowhere: found no such file or folder"),
        (["dev", "dev"], "found the source, expected another folder"),
        (["dev", "set", "--from", "displacem"], "did you mean 'displace-m'"),
        (["dev", "set", "--audio", "move"], "--audio: found 'move', expected one of link, copy, refer, none"),
        (["dev", "set", "--language", "x"], "--language: found 'x'"),
        (["dev", "set", "--split", " "], "--split: found ' '"),
        (["dev/Hindi/GT/a1.txt", "set"], "found nothing that an importer knows"),
        (["dev", "dev/Hindi/GT/a1.txt"], "found a file, expected a folder for the data set"),
        (["dev", "set", "--from", "diarbench", "--audio", "link"], "found 'link', expected copy or none"),
        (["dev", "set", "--from", "diarbench"], "found no parquet file"),
    ],
)
def test_a_wrong_call_is_told_in_a_line(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    challenge(tmp_path / "dev", ["a1"])
    before = datasets.tree(tmp_path)
    assert call(monkeypatch, "import", *arguments) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
    assert datasets.tree(tmp_path) == before


def test_a_data_set_inside_its_source_is_no_part_of_it(tmp_path, monkeypatch):
    datasets.write_wav(tmp_path / "visit.wav")
    assert call(monkeypatch, "import", tmp_path, tmp_path / "set", "--from", "files") == 0
    datasets.write_wav(tmp_path / "later.wav")
    (tmp_path / "visit.wav").rename(tmp_path / "other.wav")
    assert call(monkeypatch, "import", tmp_path, tmp_path / "set", "--from", "files") == 0
    assert [one.session_id for one in manifest.load(tmp_path / "set").entries] == ["visit", "later", "other"]


def test_audio_that_is_in_the_data_set_stays_where_it_is(tmp_path, monkeypatch):
    path = datasets.write_wav(tmp_path / "set" / "raw" / "visit.wav")
    assert call(monkeypatch, "import", tmp_path / "set" / "raw", tmp_path / "set") == 0
    assert manifest.load(tmp_path / "set").entries[0].recording.audio == str(path)
    assert json.loads((tmp_path / "set" / "recordings.jsonl").read_text())["audio"] == "raw/visit.wav"


# A killed import: for real, and at each step of putting in place.


def test_killed_again_and_again_it_ends_with_the_same_bytes(tmp_path):
    dev = challenge(tmp_path / "dev", [f"r{number:03d}" for number in range(60)])
    whole = importing.run(importing.Request(dev, tmp_path / "whole", options=importing.Options(audio="copy")))
    target = tmp_path / "set"
    command = [sys.executable, "-m", "parakh.cli.main", "dataset", "import", dev, target, "--audio", "copy"]
    journal = target / ".import" / "journal.jsonl"
    kills = 0
    for wanted in (1, 15, 35, 59, 61):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ})
        while process.poll() is None and _lines(journal) <= wanted:
            time.sleep(0.002)
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
            kills += 1
        process.communicate()
        assert process.returncode in (0, -signal.SIGKILL)
        assert manifest.is_dataset(target) == (not is_under_way(target)) or wanted > 59
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert kills >= 3
    assert done.returncode == 0 or "does not have yet" in done.stderr, done.stderr
    assert datasets.tree(target) == datasets.tree(tmp_path / "whole")
    assert len(whole.imported) == 60


def _lines(path):
    try:
        return path.read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


class Killed(BaseException):
    """As abrupt as a kill: nothing in the code catches it."""


@pytest.mark.parametrize("step", ["_moved", "_with_table", "_outcome", "_report", "manifest.save", "journal"])
@pytest.mark.parametrize("after", [0, 1])
def test_a_stop_at_any_step_of_putting_in_place_is_made_good(step, after, tmp_path, monkeypatch):
    challenge(tmp_path / "one", ["a1"])
    challenge(tmp_path / "two", ["b1", "b2", "b3"])
    for name in ("whole", "set"):
        importing.run(importing.Request(tmp_path / "one", tmp_path / name))
    importing.run(importing.Request(tmp_path / "two", tmp_path / "whole"))
    with monkeypatch.context() as patch:
        _stop_at(patch, step, after)
        try:
            importing.run(importing.Request(tmp_path / "two", tmp_path / "set"))
        except Killed:
            assert is_under_way(tmp_path / "set")
    if is_under_way(tmp_path / "set"):
        assert importing.run(importing.Request(tmp_path / "two", tmp_path / "set")).resumed > 0
    assert datasets.tree(tmp_path / "set") == datasets.tree(tmp_path / "whole")


def _stop_at(patch, step, after):
    place, name = (manifest, "save") if step == "manifest.save" else (_run, step)
    if step == "journal":
        place, name = _run.Journal, "close"
    work = getattr(place, name)
    calls = []

    def stopping(*arguments, **options):
        tried = step == "manifest.save" and arguments[0].folder.name == ".trial"
        calls.extend([] if tried else [1])
        if len(calls) > after and not tried:
            if step == "journal":
                work(arguments[0], remove=False)
            raise Killed
        return work(*arguments, **options)

    patch.setattr(place, name, stopping)


def test_a_source_that_changed_meanwhile_is_read_anew(tmp_path, monkeypatch):
    dev = challenge(tmp_path / "dev", ["a1", "a2"])
    with monkeypatch.context() as patch:
        _stop_at(patch, "_put_in_place", 0)
        patch.setattr(_run.Journal, "finish", lambda self: (_ for _ in ()).throw(Killed))
        with pytest.raises(Killed):
            importing.run(importing.Request(dev, tmp_path / "set"))
    formats.get("challenge-tsv").write(datasets.conversation("a1")[:1], dev / "Hindi" / "GT" / "a1.txt")
    outcome = importing.run(importing.Request(dev, tmp_path / "set"))
    assert outcome.resumed == 0
    assert len(next(contents(manifest.load(tmp_path / "set"))).transcript) == 1


def test_a_transcript_that_the_table_cannot_hold_becomes_seglst(tmp_path):
    source = tmp_path / "source"
    segments = [
        Segment("v1", "spk0", 0.0, 1.0, "नमस्ते", language="hi", segment_id="s1"),
        Segment("v1", "spk1", 1.0, 2.0, "हाँ", segment_id="s2"),
    ]
    formats.get("seglst").write(segments, source / "v1.seglst.json")
    importing.run(importing.Request(source, tmp_path / "set", "files"))
    found = next(contents(manifest.load(tmp_path / "set")))
    assert found.entry.files["transcript"].endswith("transcripts/v1.seglst.json")
    assert found.transcript == tuple(segments)
    assert [(one.speaker, one.start_time, one.end_time) for one in found.turns] == [("spk0", 0.0, 1.0), ("spk1", 1.0, 2.0)]


def test_labels_with_blanks_are_renamed_and_told(tmp_path):
    formats.get("seglst").write(
        [Segment("v1", "Rekha Devi", 0.0, 1.0, "हाँ", segment_id="1"), Segment("v1", "asha", 1.0, 2.0, "जी", segment_id="2")],
        tmp_path / "source" / "v1.seglst.json",
    )
    outcome = importing.run(importing.Request(tmp_path / "source", tmp_path / "set", "files"))
    found = next(contents(manifest.load(tmp_path / "set")))
    assert [one.speaker for one in found.transcript] == ["Rekha_Devi", "asha"]
    assert [one.speaker for one in found.entry.speakers] == ["Rekha_Devi", "asha"]
    assert any("speaker 'Rekha Devi' is called 'Rekha_Devi'" in str(note) for note in outcome.notes)


def test_what_an_import_writes_has_no_orphan(tmp_path, monkeypatch, capsys):
    challenge(tmp_path / "dev", ["a1", "a2"])
    importing.run(importing.Request(tmp_path / "dev", tmp_path / "set"))
    monkeypatch.setattr(
        sys, "argv", ["parakh", "check", str(tmp_path / "set"), "--select", "orphan-file,QC5", "--ignore", "QC505"]
    )
    with pytest.raises(SystemExit):
        main()
    assert "QC132" not in capsys.readouterr().out


def test_two_imports_at_once_are_refused(tmp_path):
    challenge(tmp_path / "one", ["a1"])
    journal = importing._run.Journal(tmp_path / "set", {"source": "x", "number": 1})
    journal.open()
    with pytest.raises(InputError, match="found another import at work"):
        importing.run(importing.Request(tmp_path / "one", tmp_path / "set"))
    journal.close(remove=True)
    assert importing.run(importing.Request(tmp_path / "one", tmp_path / "set")).imported == ("a1",)


def test_an_import_stopped_half_in_place_has_to_be_finished_first(tmp_path, monkeypatch):
    challenge(tmp_path / "one", ["a1"])
    challenge(tmp_path / "two", ["b1"])
    with monkeypatch.context() as patch:
        _stop_at(patch, "manifest.save", 0)
        with pytest.raises(Killed):
            importing.run(importing.Request(tmp_path / "one", tmp_path / "set"))
    with pytest.raises(InputError, match=r"found an import of .*one that was stopped while it was put in place"):
        importing.run(importing.Request(tmp_path / "two", tmp_path / "set"))
    importing.run(importing.Request(tmp_path / "one", tmp_path / "set"))
    importing.run(importing.Request(tmp_path / "two", tmp_path / "set"))
    assert [one.session_id for one in manifest.load(tmp_path / "set").entries] == ["a1", "b1"]
