"""parakh dataset export as a person calls it, and what other tools make of the layouts."""

import io
import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from parakh import formats
from parakh.cli.main import main
from parakh.dataset import exporting, manifest
from parakh.dataset.content import contents
from parakh.types import Entry, Recording, Segment
from tests import datasets


@pytest.fixture
def folder(tmp_path) -> Path:
    datasets.make(tmp_path / "set")
    return tmp_path / "set"


def call(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["parakh", "dataset", "export", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        main()
    return stop.value.code or 0


def export(folder: Path, kind: str, **more) -> Path:
    out = folder.parent / kind
    exporting.run(exporting.Request(folder, out, kind, **more))
    return out


def test_what_was_lost_is_said_and_written_down(folder, tmp_path, monkeypatch, capsys):
    assert call(monkeypatch, folder, tmp_path / "out", "--to", "rttm") == 0
    out = capsys.readouterr().out
    assert "3 recordings exported as rttm" in out
    assert "lost: transcript of 2 recordings" in out
    assert "lost: metadata district of 3 recordings" in out
    assert "lost: age of 3 speakers" in out
    written = (tmp_path / "out" / "LOSSES.txt").read_text().splitlines()
    assert [f"lost: {line}" for line in written] == out.splitlines()[1:]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["LOSSES.txt", "v1.rttm", "v2.rttm", "v3.rttm"]


def test_nothing_lost_leaves_no_list(tmp_path):
    datasets.write_wav(tmp_path / "set" / "audio" / "v1.wav", 0.5)
    formats.get("rttm").write([Segment("v1", "a", 0.0, 0.5, channel="1")], tmp_path / "set" / "v1.rttm")
    entry = Entry(
        Recording("v1", str(tmp_path / "set" / "audio" / "v1.wav"), 0.5, "hi"), {"rttm": str(tmp_path / "set" / "v1.rttm")}
    )
    manifest.save(manifest.Dataset(tmp_path / "set", (entry,)))
    out = export(tmp_path / "set", "displace-m")
    assert sorted(datasets.tree(out)) == ["Hindi/data/rttm/v1_SPEAKER.rttm", "Hindi/data/wav/v1.wav"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["set", "out", "--to", "pyanote"], "did you mean 'pyannote'"),
        (["set", "set", "--to", "rttm"], "found the folder of the data set, expected another folder"),
        (["set", ".", "--to", "rttm"], "found the folder of the data set, expected another folder"),
        (
            ["set", "used", "--to", "rttm"],
            "used: found a folder with files, expected a new one. Choose another, or give --overwrite.",
        ),
        (["set", "file", "--to", "rttm"], "file: found a file, expected a folder to make"),
        (["set", "out", "--to", "rttm", "--audio", "copy"], "--audio: found 'copy', expected one of none for rttm"),
        (["set", "out", "--to", "ctm"], "found 'नमस्ते दीदी, बैठिए', expected one word without blanks"),
        (["used", "out", "--to", "rttm"], "used"),
        (["set", "out", "--to", "rttm", "--split", "eval"], "split: found 'eval'"),
    ],
)
def test_a_wrong_call_is_told_and_leaves_nothing(arguments, message, folder, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "used").mkdir()
    (tmp_path / "used" / "mine").write_text("mine")
    (tmp_path / "file").write_text("mine")
    before = datasets.tree(tmp_path)
    assert call(monkeypatch, *arguments) == 2
    err = capsys.readouterr().err
    assert message in err
    assert "Traceback" not in err
    assert ".partial" not in err
    assert datasets.tree(tmp_path) == before


def test_overwrite_replaces_all_of_a_folder(folder, tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "old.txt").write_text("old")
    assert call(monkeypatch, folder, tmp_path / "out", "--to", "rttm", "--overwrite") == 0
    assert not (tmp_path / "out" / "old.txt").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "set"]


def test_faults_of_the_data_set_are_told_with_their_lines(folder, tmp_path, monkeypatch, capsys):
    (folder / "rttm" / "v2.rttm").write_text("SPEAKER v2 1 0 -1 <NA> <NA> a <NA> <NA>\n")
    assert call(monkeypatch, folder, tmp_path / "out", "--to", "rttm") == 2
    assert "rttm/v2.rttm:1: duration: found '-1'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


# What other tools make of it


def test_pyannote_database_loads_the_protocols_with_the_same_turns(folder):
    out = export(folder, "pyannote")
    code = f"""
import json
from pyannote.database import registry, FileFinder
registry.load_database({str(out / "database.yml")!r})
found = {{}}
for name in ("Whole", "train", "test"):
    protocol = registry.get_protocol(f"set.SpeakerDiarization.{{name}}", preprocessors={{"audio": FileFinder()}})
    for subset in ("train", "development", "test"):
        try:
            files = list(getattr(protocol, subset)())
        except (AttributeError, NotImplementedError):
            continue
        for file in files:
            turns = sorted([s.start, s.end, label] for s, _, label in file["annotation"].itertracks(yield_label=True))
            regions = [[s.start, s.end] for s in file["annotated"]]
            found[f"{{name}}.{{subset}}.{{file['uri']}}"] = [turns, regions, str(file["audio"])]
print(json.dumps(found))
"""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=False, env={**os.environ}
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert sorted(found) == ["Whole.test.v2", "Whole.test.v3", "Whole.train.v1", "test.test.v2", "test.test.v3", "train.test.v1"]
    for content in contents(manifest.load(folder)):
        split = content.entry.split
        for protocol in (f"Whole.{split}", f"{split}.test"):
            turns, regions, audio = found[f"{protocol}.{content.session_id}"]
            end = 2.5 if content.session_id == "v1" else 3.0  # it cuts turns to what is scored
            want = sorted([one.start_time, min(one.end_time, end), one.speaker] for one in content.turns)
            assert [label for *_, label in turns] == [label for *_, label in want]
            assert [t for *times, _ in turns for t in times] == pytest.approx([t for *times, _ in want for t in times], abs=1e-6)
            assert regions == [[0.0, end]]
            assert Path(audio).resolve() == Path(content.entry.recording.audio)


def archive(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def test_codabench_bundles_are_flat_and_blind(folder):
    out = export(folder, "codabench", audio="copy")
    secret = archive(out / "secret" / "train" / "reference_data.zip")
    assert sorted(secret) == ["gt_data_summarization.csv", "gt_data_topic_identification.csv", "v1.txt", "v1_SPEAKER.rttm"]
    assert secret["gt_data_topic_identification.csv"].decode() == 'rec_id,gt_topics\nv1,"Fever, Leg pain"\n'
    public = archive(out / "public" / "train" / "input_data.zip")
    assert sorted(public) == ["recordings.csv", "v1.wav"]
    assert public["recordings.csv"].decode() == "rec_id,duration,language\nv1,3.0,hi\n"
    assert public["v1.wav"] == (folder / "audio" / "v1.wav").read_bytes()
    everything = b"".join(
        data for part in ("train", "test") for data in archive(out / "public" / part / "input_data.zip").values()
    )
    for told in ("spk0", "Fever", "दीदी", "SPEAKER", "health_worker", "Udupi", "0.25"):
        assert told.encode() not in everything
    assert all("/" not in name for name in (*secret, *public))


def test_codabench_checksums_and_tasks_name_every_bundle(folder):
    out = export(folder, "codabench")
    done = subprocess.run(["sha256sum", "-c", "CHECKSUMS.sha256"], cwd=out, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": OK") == len(list(out.rglob("*.zip"))) == 4
    yaml = pytest.importorskip("yaml")
    tasks = yaml.safe_load((out / "tasks.yaml").read_text())["tasks"]
    assert [(task["index"], task["name"], task["is_public"]) for task in tasks] == [
        (0, "set train", False),
        (1, "set test", False),
    ]
    assert all((out / task[key]).is_file() for task in tasks for key in ("input_data", "reference_data"))


def test_a_bundle_scores_its_own_references_without_an_error(folder, tmp_path):
    out = export(folder, "codabench")
    with zipfile.ZipFile(io.BytesIO((out / "secret" / "train" / "reference_data.zip").read_bytes())) as opened:
        opened.extractall(tmp_path / "reference")
    call = [
        sys.executable,
        "-m",
        "parakh.cli.main",
        "score",
        "asr",
        "-r",
        "reference/v1.txt",
        "-h",
        "reference/v1.txt",
        "--json",
        "-",
    ]
    done = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["metrics"]["tcpwer"]["value"] == 0


def test_parquet_has_the_columns_of_indic_diarbench(folder):
    pq = pytest.importorskip("pyarrow.parquet")
    out = export(folder, "diarbench")
    table = pq.read_table(out / "hindi" / "train-00000-of-00001.parquet").to_pylist()
    assert [path.relative_to(out).as_posix() for path in sorted(out.rglob("*.parquet"))] == [
        "hindi/test-00000-of-00001.parquet",
        "hindi/train-00000-of-00001.parquet",
        "kannada/test-00000-of-00001.parquet",
    ]
    (row,) = table
    assert row["audio"]["bytes"] == (folder / "audio" / "v1.wav").read_bytes()
    assert {name: row[name] for name in ("recording_id", "language", "dataset_type", "num_speakers", "num_segments")} == {
        "recording_id": "v1",
        "language": "hi",
        "dataset_type": "nf",
        "num_speakers": 2,
        "num_segments": 3,
    }
    assert row["annotated_transcript"][1] == {
        "speaker_id": "spk1",
        "transcript": "जी BP 120 है",
        "start_time": 1.4,
        "end_time": 2.0,
    }
    assert row["native_transcript"][1]["transcript"] == "जी बीपी एक सौ बीस है"
    assert row["district"] == "Udupi"
