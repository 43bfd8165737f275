"""Options of ``parakh score`` that meet each other, as a user mixes them: nothing is ignored, nothing is lost."""

import json
import sys
from pathlib import Path

import pytest

from parakh.cli.main import main


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("ref.stm").write_text("v1 1 A 0 2 नमस्ते दीदी\nv2 1 A 0 2 बुखार है\n", encoding="utf-8")
    Path("hyp.stm").write_text("v1 1 A 0 2 नमस्ते बहन\nv2 1 A 0 2 बुखार है\n", encoding="utf-8")
    Path("acc.stm").write_text("v1 1 A 0 2 नमस्ते बहन\n", encoding="utf-8")
    Path("empty.rttm").write_text("; nothing\n")
    Path("ref.csv").write_text("rec_id,summary\nv1,fever for three days\n")
    Path("more.csv").write_text("rec_id,summary\nzz,no fever\n")
    Path("recordings.jsonl").write_text('{"session_id": "v1", "village": "a", "snr": null}\n')
    return tmp_path


def call(monkeypatch: pytest.MonkeyPatch, line: str) -> int:
    monkeypatch.setattr(sys, "argv", ["parakh", *line.split()])
    with pytest.raises(SystemExit) as stop:
        main()
    return stop.value.code if isinstance(stop.value.code, int) else 1


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("score diarization -r empty.rttm -h empty.rttm --reference-format rttm --hypothesis-format rttm", "no recording"),
        ("score asr -r ref.stm -h hyp.stm --json ref.stm", "which is read"),
        ("score asr -r ref.stm -h hyp.stm --collar 1 --set collar=2", "given elsewhere too"),
        ("score asr -r ref.stm -h hyp.stm --seed 3", "no --interval"),
        ("score asr -r ref.stm -h hyp.stm --metric wder --slice speaker", "no alignment"),
        ("score asr -r ref.stm -h hyp.stm --interval 95 --group-by village --metadata recordings.jsonl", "nothing for v2"),
        ("score asr -r ref.stm -h hyp.stm --score-regions single", "collar"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(line, told, folder, monkeypatch, capsys):
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert call(monkeypatch, line) == 2
    message = capsys.readouterr().err.strip()
    assert told in message
    assert "\n" not in message
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_a_further_reference_is_in_the_signature_and_results_with_and_without_it_do_not_compare(folder, monkeypatch, capsys):
    assert call(monkeypatch, "score asr -r ref.stm -h hyp.stm --system plain --json plain.json") == 0
    assert call(monkeypatch, "score asr -r ref.stm -h hyp.stm --system easy --accept acc.stm --json easy.json") == 0
    found = [json.loads(Path(name).read_text(encoding="utf-8")) for name in ("plain.json", "easy.json")]
    assert [one["metrics"]["tcpwer"]["stats"]["errors"] for one in found] == [1, 0]
    assert found[0]["signature"]["reference"] != found[1]["signature"]["reference"]
    capsys.readouterr()
    assert call(monkeypatch, "compare plain.json easy.json") == 2
    assert "reference" in capsys.readouterr().err


def test_the_same_reference_in_another_order_of_recordings_has_the_same_fingerprint(folder, monkeypatch):
    lines = Path("ref.stm").read_text(encoding="utf-8").splitlines(keepends=True)
    Path("turned.stm").write_text("".join(reversed(lines)), encoding="utf-8")
    for name in ("ref", "turned"):
        assert call(monkeypatch, f"score asr -r {name}.stm -h hyp.stm --system a --json {name}.json") == 0
    assert Path("ref.json").read_bytes() == Path("turned.json").read_bytes()


def test_what_has_no_interval_and_what_the_manifest_does_not_know_is_told(folder, monkeypatch, capsys):
    Path("one.stm").write_text("v1 1 A 0 2 नमस्ते दीदी\n", encoding="utf-8")
    assert call(monkeypatch, "score asr -r one.stm -h one.stm --interval 95") == 0
    assert "no-interval" in capsys.readouterr().out
    assert call(monkeypatch, "score asr -r ref.stm -h hyp.stm --slice village --metadata recordings.jsonl") == 0
    assert "the manifest knows 1 of the 2 recordings" in capsys.readouterr().out


def test_many_findings_of_one_kind_are_told_in_one_line(folder, monkeypatch, capsys):
    Path("many.stm").write_text("".join(f"v{k:02} 1 A 0 2 ठीक है\n" for k in range(30)), encoding="utf-8")
    Path("few.stm").write_text("v00 1 A 0 2 ठीक है\n", encoding="utf-8")
    assert call(monkeypatch, "score asr -r many.stm -h few.stm") == 0
    shown = capsys.readouterr().out
    assert shown.count("warning missing-recording: missing") == 3
    assert "and 26 more warning missing-recording: v04, v05" in shown


def test_figures_that_do_not_charge_a_missing_recording_are_named(folder, monkeypatch, capsys):
    Path("half.stm").write_text("v1 1 A 0 2 नमस्ते बहन\n", encoding="utf-8")
    assert call(monkeypatch, "score asr -r ref.stm -h half.stm --metric cpwer --metric wder") == 0
    shown = capsys.readouterr().out
    assert "missing-not-charged: wder:" in shown
    assert "v2: warning missing-recording" in shown


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("score asr -r ref.stm -h hyp.stm --accept turns.stm", "Is it a file of turns?"),
        ("score summarization -r ref.csv -h ref.csv --transcript turns.stm", "Is it a file of turns?"),
    ],
)
def test_turns_are_no_transcripts(line, told, folder, monkeypatch, capsys):
    Path("turns.stm").write_text("v1 1 A 0 2\n", encoding="utf-8")
    assert call(monkeypatch, line) == 2
    assert told in capsys.readouterr().err


def test_a_table_without_a_figure_is_no_success(folder, monkeypatch, capsys):
    Path("said.ctm").write_text("v1 1 0 1 नमस्ते\n", encoding="utf-8")
    Path("ref.rttm").write_text("SPEAKER v1 1 0 1 <NA> <NA> A <NA> <NA>\n")
    assert call(monkeypatch, "score diarization -r ref.rttm -h said.ctm") == 2
    captured = capsys.readouterr()
    action = "Give a format that carries them (SegLST, STM, challenge TSV)."
    assert captured.out == ""
    assert captured.err.split("\n")[:2] == [
        f"hypothesis: found no speakers in 1 of 1 segment, expected speakers for {name}. {action}" for name in ("der", "jer")
    ]


def test_intervals_of_few_recordings_are_told_to_be_too_narrow(folder, monkeypatch, capsys):
    assert call(monkeypatch, "score asr -r ref.stm -h hyp.stm --interval 95") == 0
    assert "few-recordings: intervals from 2 recordings" in capsys.readouterr().out
