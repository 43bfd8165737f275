"""What experiment trackers take: keys by the rules of both, numbers only, nothing lost and nothing mixed up."""

import json
import re
import sys
from pathlib import Path

import pytest

from parakh.cli.main import main
from parakh.errors import InputError
from parakh.report import trackers
from parakh.results import Results, Score, Signature, Stats

SCORE = Score(0.25, Stats(), {"deletion": 0.1, "insertion": None}, 0.3, (0.2, 0.3), 0.35)
KEY = re.compile(r"[A-Za-z0-9_]+(?:/[A-Za-z0-9_]+)+")
"""Parts that both trackers take; Source: MLflow's validation of names, W&B's constraints of metric names."""


def results(track: str = "asr", system: str = "ours", **slices: dict[str, dict[str, Score]]) -> Results:
    return Results(track, system, Signature({"collar": "3.0"}), {"tcpwer": SCORE}, (), slices=slices)


def test_a_system_is_a_run_with_the_metrics_and_choices_of_all_its_tracks():
    (found,) = trackers.records([results(), results("diarization")])
    assert found["run"] == "ours"
    assert found["metrics"]["asr/tcpwer"] == 0.25
    assert found["metrics"]["asr/tcpwer_deletion"] == 0.1
    assert (found["metrics"]["asr/tcpwer_macro"], found["metrics"]["asr/tcpwer_by_duration"]) == (0.3, 0.35)
    assert "asr/tcpwer_insertion" not in found["metrics"], "what is undefined is no number"
    assert found["params"] == {"asr/collar": "3.0", "diarization/collar": "3.0"}
    assert found["tags"] == {"parakh/tracks": "asr, diarization"}
    assert "step" not in found


def test_keys_follow_the_rules_of_both_trackers_and_no_two_values_share_one():
    odd = ["पुणे", "मैसूर", "< 10", "10 - 20", "10_20", "..", "a/../b", "x" * 400, "", "hi"]
    (found,) = trackers.records([results(language={value: {"tcpwer": SCORE} for value in odd})])
    keys = [key for key in found["metrics"] if "/language" in key or key.count("/") == 2]
    assert len(keys) == len(odd) * 6
    every = [*found["metrics"], *found["params"], *found["tags"]]
    assert [key for key in every if not KEY.fullmatch(key) or len(key) > 250] == []
    folders = {key.rpartition("/")[0] for key in found["metrics"]}
    assert not folders & set(found["metrics"]), "a key that is the folder of another cannot be stored as a file"
    assert found["metrics"]["asr/language_hi/tcpwer"] == 0.25
    assert {"language=पुणे", "language=< 10"} <= set(found["tags"].values())


def test_two_results_of_a_system_and_track_are_refused():
    with pytest.raises(InputError, match=r"ours: asr: found two results"):
        trackers.records([results(), results()])


def test_the_report_verb_writes_them_and_takes_a_step_for_nothing_else(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("asr.json").write_text(results().to_json(), encoding="utf-8")

    def call(line: str) -> int:
        monkeypatch.setattr(sys, "argv", ["parakh", *line.split()])
        with pytest.raises(SystemExit) as stop:
            main()
        return int(stop.value.code or 0)

    assert call("report asr.json --out metrics.jsonl --step 7") == 0
    (line,) = Path("metrics.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["step"] == 7
    capsys.readouterr()
    assert call("report asr.json --out page.html --step 7") == 2
    assert capsys.readouterr().err == "--step: found --out page.html, expected a file that ends in .jsonl.\n"
    assert not Path("page.html").exists()
