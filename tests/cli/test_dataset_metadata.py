"""--metadata takes a data set: scores are sliced by what it knows of recordings and of speakers."""

import json
import sys

import pytest

from parakh.cli.main import main

STM = "v1 1 a 0 2 नमस्ते दीदी\nv1 1 b 2 4 जी हाँ\nv2 1 c 0 2 कैसे हो\n"
HYPOTHESIS = "v1 1 a 0 2 नमस्ते दीदी\nv1 1 b 2 4 जी\nv2 1 c 0 2 कैसे\n"
TABLE = "session_id,speaker,place,sex\nv1,,home,\nv1,a,,f\nv1,b,,m\nv2,,phc,\nv2,c,,f\n"


def call(monkeypatch, text):
    monkeypatch.setattr(sys, "argv", ["parakh", *text.split()])
    with pytest.raises(SystemExit) as stop:
        main()
    return stop.value.code or 0


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ref.stm").write_text(STM)
    (tmp_path / "hyp.stm").write_text(HYPOTHESIS)
    (tmp_path / "set").mkdir()
    (tmp_path / "set/recordings.jsonl").write_text(
        '{"session_id": "v1", "split": "dev1"}\n{"session_id": "v2", "split": "eval"}\n'
    )
    (tmp_path / "set/metadata.csv").write_text(TABLE)


@pytest.mark.parametrize("given", ["set", "set/recordings.jsonl"])
def test_scores_are_sliced_by_place_sex_and_split(monkeypatch, capsys, given):
    slices = "--slice place --slice sex --slice split --metric cpwer"
    assert call(monkeypatch, f"score asr -r ref.stm -h hyp.stm --metadata {given} {slices} --json -") == 0
    found = json.loads(capsys.readouterr().out)["slices"]
    errors = {name: {value: one["cpwer"]["stats"]["errors"] for value, one in values.items()} for name, values in found.items()}
    assert errors == {"place": {"home": 1, "phc": 1}, "sex": {"f": 1, "m": 1}, "split": {"dev1": 1, "eval": 1}}


def test_endings_come_off_the_ids_of_a_data_set_too(monkeypatch, capsys):
    for name in ("ref.stm", "set/recordings.jsonl", "set/metadata.csv"):
        with open(name) as file:
            text = file.read()
        with open(name, "w") as file:
            file.write(text.replace("v1", "v1_SPEAKER"))
    options = "--strip-suffix _SPEAKER --slice place --metric cpwer --json -"
    assert call(monkeypatch, f"score asr -r ref.stm -h hyp.stm --metadata set {options}") == 0
    assert set(json.loads(capsys.readouterr().out)["slices"]["place"]) == {"home", "phc"}


def test_systems_are_compared_by_groups_of_a_data_set(monkeypatch, capsys):
    for name in ("ref", "hyp"):
        call(monkeypatch, f"score asr -r ref.stm -h {name}.stm --json {name}.json")
    assert call(monkeypatch, "compare ref.json hyp.json --metadata set --group-by place") == 0
    assert call(monkeypatch, "compare ref.json hyp.json --metadata set --group-by placo") == 2
    assert "expected a field of set: place, speakers, split" in capsys.readouterr().err


def test_a_faulty_data_set_is_told_line_by_line(monkeypatch, capsys):
    with open("set/metadata.csv", "a") as file:
        file.write("v9,,home,\n")
    assert call(monkeypatch, "score asr -r ref.stm -h hyp.stm --metadata set --slice place") == 2
    assert capsys.readouterr().err.startswith("set/metadata.csv:7: session_id: found 'v9', expected a recording of")
