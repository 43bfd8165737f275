"""Bad input on every command: one line a fault, exit code 2, no traceback, nothing half-written."""

import re
import sys
from pathlib import Path

import pytest

from parakh.cli.main import main

LINE = re.compile(r"^.+: found .+, expected .+\.|^there is no |^\.\.\. and ")


def call(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run the command in this process; returns its exit code."""
    monkeypatch.setattr(sys, "argv", ["parakh", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    return stop.value.code if isinstance(stop.value.code, int) else 1


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("ref.rttm").write_text("SPEAKER v1 1 0.0 2.0 <NA> <NA> A <NA> <NA>\n")
    Path("spaces.rttm").write_text(
        "SPEAKER v1 1 0.0 2.0 <NA> <NA> ASHA worker <NA> <NA>\nSPEAKER v1 1 x 2 <NA> <NA> A <NA> <NA>\n"
    )
    Path("other.rttm").write_text("SPEAKER other 1 0.0 2.0 <NA> <NA> A <NA> <NA>\n")
    Path("ref.stm").write_text("v1 1 A 0 2 नमस्ते दीदी\n", encoding="utf-8")
    Path("topics.csv").write_text("rec_id,gt_topics\nv1,Fever\n")
    Path("further.csv").write_text("rec_id,gt_topics\nv2,Fever\n")
    Path("ref.txt").write_text("u1 नमस्ते\n", encoding="utf-8")
    Path("junk.rttm").write_bytes(bytes(range(256)) * 8)
    Path("junk.wav").write_bytes(b"no audio at all")
    Path("empty.wav").write_bytes(b"")
    Path("results.json").write_text('{"schema": "parakh.results/1"}')
    Path("preset.toml").write_text('[diarizer]\nname = "external"\npth = "x"\n')
    Path("broken.toml").write_text("[diarizer\n")
    Path("nodiarizer.toml").write_text('[topics]\nname = "concepts"\n')
    Path("manifest.jsonl").write_text('{"session_id": "a", "audio": "a.wav", "duration": -1}\nnot json\n{"session_id": "a"}\n')
    Path("traversal.jsonl").write_text('{"session_id": "../../evil", "audio": "junk.wav"}\n')
    Path("none.jsonl").write_text("")
    Path("recordings.jsonl").write_text('{"session_id": "v1", "audio": "junk.wav", "district": "Udupi"}\n')
    Path("empty").mkdir()
    return tmp_path


BAD = [
    "score diarization -r missing.rttm -h ref.rttm",
    "score diarization -r ref.rttm -h spaces.rttm",
    "score diarization -r ref.rttm -h junk.rttm",
    "score diarization -r ref.rttm -h empty",
    "score diarization -r ref.rttm -h *.nothing",
    "score diarization -r ref.rttm -h other.rttm",
    "score diarization -r ref.rttm -h ref.rttm --collar -1",
    "score diarization -r ref.rttm -h ref.rttm --collar nan",
    "score diarization -r ref.rttm -h ref.rttm --metric dre",
    "score diarization -r ref.rttm -h ref.rttm --metric rougeL",
    "score diarization -r ref.rttm -h ref.rttm --uem ref.rttm",
    "score diarization -r ref.rttm -h ref.rttm --normalize indik",
    "score diarization -r ref.rttm -h ref.rttm --reference-format rtm",
    "score diarization -r ref.rttm -h ref.rttm --slice language",
    "score diarization -r ref.rttm -h ref.rttm --json /proc/none/out.json",
    "score diarisation -r ref.rttm -h ref.rttm",
    "score asr -r ref.txt -h ref.txt --metric tcpwer",
    "score asr -r ref.stm -h ref.stm --skip-overlap",
    "score diarization -r ref.rttm -h ref.rttm --score-regions some",
    "score diarization -r ref.rttm -h ref.rttm --score-regions single --skip-overlap",
    "score topics -r ref.rttm -h ref.rttm",
    "report missing.json",
    "report results.json",
    "report ref.rttm",
    "run missing.wav --out o",
    "run empty --out o",
    "run manifest.jsonl --out o",
    "run junk.wav --out o --preset imbedded",
    "run junk.wav --out o --preset missing.toml",
    "run junk.wav --out o --preset broken.toml",
    "run junk.wav --out o --preset preset.toml",
    "run junk.wav --out o --preset nodiarizer.toml",
    "run junk.wav --out o --set diarizer.speakers=2",
    "run junk.wav --out o --set speakers=2",
    "run junk.wav --out ref.rttm",
    "run junk.wav --out o --language klingon",
    "run junk.wav --out o --resume --overwrite",
    "run junk.wav --out o --set nope.x=1",
    "run junk.wav --out o --set diarizer.num_speakers=2.5",
    "run junk.wav --out o --set topics.most=0",
    "run traversal.jsonl --out o",
    "run none.jsonl --out o",
    "run junk.wav --out /proc/none/o",
    "score diarization -r ref.rttm -h ref.rttm --stemmer",
    "score diarization -r ref.rttm -h ref.rttm --metric wer",
    "score diarization -r ref.rttm -h ref.rttm --slice nothing --metadata recordings.jsonl",
    "score diarization -r ref.rttm -h ref.rttm --interval 0",
    "score diarization -r ref.rttm -h ref.rttm --interval 95 --samples 3",
    "score diarization -r ref.rttm -h ref.rttm --interval 95 --method bac",
    "score diarization -r ref.rttm -h ref.rttm --interval 95 --group-by district",
    "score diarization -r ref.rttm -h ref.rttm --interval 95 --group-by nothing --metadata recordings.jsonl",
    "score diarization -r ref.rttm -h ref.rttm --jobs 0",
    "score diarization -r ref.rttm -h ref.rttm --accept other.rttm",
    "score asr -r ref.stm -h ref.stm --set collar",
    "score asr -r ref.stm -h ref.stm --set collar=wide",
    "score asr -r ref.stm -h ref.stm --set colour=3",
    "score asr -r ref.stm -h ref.stm --slice snr:10,5",
    "score diarization -r ref.rttm -h ref.rttm --slice speaker",
    "score diarization -r ref.rttm -h ref.rttm --accept ref.rttm",
    "score topics -r topics.csv -h topics.csv --set synonyms=names.tsv",
    "score topics -r topics.csv -h topics.csv --set stemmer=perhaps",
    "score topics -r topics.csv -h topics.csv --accept further.csv",
    "score asr -r ref.stm -h ref.stm --transcript ref.rttm",
    "models get nothing-of-the-kind",
    "models get",
    "explain tcpwr",
    "list metrix",
    "explain nothing-of-the-kind",
]


@pytest.mark.parametrize("line", BAD)
def test_every_fault_is_a_line_and_the_exit_code_is_2(
    line: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sorted(folder.rglob("*"))
    assert call(monkeypatch, *line.split()) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.strip().split("\n")
    assert [one for one in lines if not LINE.match(one)] == []
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("line", ["score", "score asr -r a", "run", "nonsense", "score asr -r a -h b --collar x", "list a b"])
def test_a_wrong_call_says_how_to_call(
    line: str, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, *line.split()) == 2
    captured = capsys.readouterr()
    assert "Usage: parakh" in captured.err
    assert "Traceback" not in captured.err


def test_all_faults_of_a_file_come_at_once_with_their_lines(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(monkeypatch, *["score", "diarization", "-r", "ref.rttm", "-h", "spaces.rttm"]) == 2
    lines = capsys.readouterr().err.strip().split("\n")
    assert [line.split(":")[:2] for line in lines] == [["spaces.rttm", "1"], ["spaces.rttm", "2"]]
