"""parakh compare as a person calls it: the table, the JSON, the refusals."""

import json
import shutil
import sys
from pathlib import Path

import pytest

from parakh import tracks
from parakh.cli.main import main
from parakh.evaluate import evaluate
from parakh.types import Segment

LINES = {"alpha": 3.9, "beta": 3.8, "gamma": 2.0}
"""Where each system ends its turns of four seconds."""


def call(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["parakh", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    return stop.value.code or 0


def turns(end):
    return [Segment(f"v{k}", "A", 0.0, end + (k % 3) / 20 if end < 4 else end) for k in range(8)]


@pytest.fixture(scope="module")
def scored(tmp_path_factory) -> Path:
    """The results of each system, as `parakh score diarization --json` writes them."""
    here = tmp_path_factory.mktemp("scored")
    reference = turns(4.0)
    for name, end in LINES.items():
        results = evaluate(tracks.get("diarization"), reference, turns(end), system=name)
        (here / f"{name}.json").write_text(results.to_json())
    collar = evaluate(tracks.get("diarization"), reference, turns(3.8), system="collar", options={"collar": 0.25})
    (here / "collar.json").write_text(collar.to_json())
    (here / "turns.rttm").write_text("SPEAKER v0 1 0.0 4.0 <NA> <NA> A <NA> <NA>\n")
    fields = [{"session_id": f"v{k}", "language": "hi" if k < 4 else "kn", "district": f"d{k // 2}"} for k in range(8)]
    (here / "recordings.jsonl").write_text("".join(json.dumps(one) + "\n" for one in fields))
    return here


@pytest.fixture
def folder(scored, tmp_path, monkeypatch) -> Path:
    shutil.copytree(scored, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_table_says_who_is_better(folder, monkeypatch, capsys):
    assert call(monkeypatch, "compare", "gamma.json", "alpha.json", "--metric", "der") == 0
    out = capsys.readouterr().out
    assert "gamma, alpha on 8 recordings" in out
    assert "der: alpha is better than gamma, by 47.50 points." in out
    row = next(line for line in out.splitlines() if line.startswith("gamma - alpha"))
    assert row.split()[5] == "+47.50"
    assert "0.0078" in row  # 2 of 2**8 exchanges
    assert (
        "interval: bca bootstrap over recordings, 95 %, n=10000, seed=1; of differences percentile. p: two-sided paired permutation test"
        in out
    )


def test_the_table_says_what_could_not_be_seen(folder, monkeypatch, capsys):
    one = json.loads(Path("alpha.json").read_text())
    one["system"] = "twin"
    wobble = [0.2, -0.2, 0.1, -0.1, 0.3, -0.2, 0.1, -0.1]
    for recording, more in zip(one["recordings"], wobble, strict=True):
        recording["stats"]["der"]["false_alarm"] += 0.4 + more
    alpha = json.loads(Path("alpha.json").read_text())
    for recording in alpha["recordings"]:
        recording["stats"]["der"]["false_alarm"] += 0.4
    Path("twin.json").write_text(json.dumps(one))
    Path("base.json").write_text(json.dumps(alpha))
    assert call(monkeypatch, "compare", "base.json", "twin.json", "--metric", "der") == 0
    out = capsys.readouterr().out
    assert "der: alpha and twin are not told apart: a true difference under " in out
    assert "points is easily missed with these 8 recordings." in out
    assert "  the other way round on 4 recordings: v1 (" in out


def test_three_systems_have_a_matrix_and_groups(folder, monkeypatch, capsys):
    assert call(monkeypatch, "compare", "gamma.json", "beta.json", "alpha.json", "--metric", "der") == 0
    out = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[:2] for line in out[2:5]] == [["alpha", "a"], ["beta", "b"], ["gamma", "c"]]
    place = out.index(["der", "alpha", "beta", "gamma"])
    # 2 of 2**8 exchanges, adjusted for three pairs: each of the differences is one.
    assert out[place + 1 : place + 4] == [["alpha", "8-0*", "8-0*"], ["beta", "0-8*", "8-0*"], ["gamma", "0-8*", "0-8*"]]


def test_published_figures_of_other_tracks_are_left_out(folder, monkeypatch, capsys):
    def system(track, metric):
        return f'[[system]]\nname = "paper"\ntrack = "{track}"\nsource = "a paper"\n[system.metrics]\n{metric} = 5\n'

    Path("both.toml").write_text(system("diarization", "der") + system("asr", "wer"))
    assert call(monkeypatch, "compare", "alpha.json", "--published", "both.toml", "--metric", "der") == 0
    out = capsys.readouterr().out
    assert "alpha on 8 recordings" in out
    assert [line.split()[1] for line in out.splitlines() if line.startswith("paper*")] == ["5.00"]
    Path("asr.toml").write_text(system("asr", "wer"))
    assert call(monkeypatch, "compare", "alpha.json", "--published", "asr.toml") == 2
    assert capsys.readouterr().err == "asr.toml: track: found asr, expected a system of the track diarization.\n"


def test_json_on_standard_output_is_the_document_and_the_same_each_time(folder, monkeypatch, capsys):
    texts = []
    for _ in range(2):
        assert call(monkeypatch, "compare", "alpha.json", "beta.json", "gamma.json", "--all-pairs", "--json", "-") == 0
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]
    document = json.loads(texts[0])
    assert [pair["metric"] for pair in document["pairs"]] == ["der"] * 3 + ["jer"] * 3


def test_json_in_a_file_beside_the_table(folder, monkeypatch, capsys):
    assert call(monkeypatch, "compare", "alpha.json", "beta.json", "--json", "out.json", "--seed", "3", "--samples", "200") == 0
    assert "alpha - beta" in capsys.readouterr().out
    assert json.loads(Path("out.json").read_text())["plan"] == {"method": "bca", "level": 0.95, "samples": 200, "seed": 3}


def test_groups_and_strata_come_from_the_metadata(folder, monkeypatch, capsys):
    fields = ["--metadata", "recordings.jsonl", "--group-by", "district", "--stratify-by", "language"]
    assert call(monkeypatch, "compare", "alpha.json", "gamma.json", *fields) == 0
    out = capsys.readouterr().out
    assert "bca bootstrap over groups of one district" in out
    assert "4 groups of one district can be exchanged in 16 ways: no p-value can be below 0.125" in out


BAD = {
    "compare alpha.json": "compare: found 1 results file, expected two or more.",
    "compare alpha.json alpha.json": "alpha.json: found the same results as in alpha.json, expected each only once. Give one of the two.",
    "compare alpha.json none.json": "none.json: found no such file",
    "compare alpha.json turns.rttm": "turns.rttm:1: found no JSON",
    "compare alpha.json beta.json --metric wer": "alpha.json: metrics: found no wer, expected one of der, jer.",
    "compare alpha.json beta.json --metric dre": "there is no metric 'dre'; did you mean 'der'?",
    "compare alpha.json beta.json --baseline gamma": "--baseline: found 'gamma', expected one of the systems alpha, beta.",
    "compare alpha.json beta.json --interval 195": "--interval: found 195, expected a percentage between 0 and 100, as 95.",
    "compare alpha.json beta.json --samples 3": "--samples: found 3, expected a number from 100 to 1 million.",
    "compare alpha.json beta.json --seed -1": "--seed: found -1, expected a whole number >= 0.",
    "compare alpha.json beta.json --method bootstrap": "--method: found 'bootstrap', expected one of bca, percentile.",
    "compare alpha.json beta.json --group-by language": "--group-by: found no --metadata",
    "compare alpha.json beta.json --group-by clinic --metadata recordings.jsonl": "--group-by: found 'clinic', expected a field",
    "compare alpha.json collar.json": "collar.json: collar: found 0.25, expected 0.0, as in alpha.json.",
}


@pytest.mark.parametrize("command", BAD)
def test_a_refusal_is_one_line_and_code_2(folder, monkeypatch, capsys, command):
    assert call(monkeypatch, *command.split()) == 2
    told = capsys.readouterr()
    assert told.err.startswith(BAD[command])
    assert len(told.err.splitlines()) <= 2
    assert told.out == ""


def test_force_carries_what_differs(folder, monkeypatch, capsys):
    text = Path("beta.json").read_text().replace('"region": "extents', '"region": "uem extents')
    Path("other.json").write_text(text)
    assert call(monkeypatch, "compare", "alpha.json", "other.json", "--force") == 0
    out = capsys.readouterr().out
    assert "compared all the same: other.json: region: found uem extents of" in out
