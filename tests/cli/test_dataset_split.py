"""parakh dataset split as a person calls it: the tables, the proof, what is written, and what is refused with its reason."""

import json
import sys
from pathlib import Path

import pytest

from parakh.cli.main import main
from parakh.dataset.manifest import load


def call(monkeypatch, text):
    monkeypatch.setattr(sys, "argv", ["parakh", "dataset", *text.split()])
    with pytest.raises(SystemExit) as stop:
        main()
    return stop.value.code or 0


def made(lines, rows=()):
    with open("set/recordings.jsonl", "w") as file:
        file.write("".join(json.dumps(line) + "\n" for line in lines))
    with open("set/metadata.csv", "w") as file:
        file.write("session_id,speaker,person,place\n" + "".join(f"{row}\n" for row in rows))


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    """Twenty recordings of half an hour, one worker for every two, one seeker each."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "set").mkdir()
    lines = [{"session_id": f"v{k:02}", "duration": 1800, "language": "hi" if k % 4 < 2 else "kn", "x": 1} for k in range(20)]
    made(lines, [f"v{k:02},a,W{k // 2},\nv{k:02},b,S{k},\nv{k:02},,,{'home' if k % 8 < 4 else 'phc'}" for k in range(20)])


ASKED = "split set --part dev1=2h --part dev2=10% --part eval=rest"


def test_the_split_is_written_and_shown(monkeypatch, capsys):
    assert call(monkeypatch, f"{ASKED} --stratify language") == 0
    out = capsys.readouterr().out
    rows = [line.split() for line in out.splitlines()]
    assert rows[1:4] == [
        ["dev1", "2h", "4", "2.00", "+0.0", "%", "6"],
        ["dev2", "10%", "2", "1.00", "+0.0", "%", "3"],
        ["eval", "rest", "14", "7.00", "+0.0", "%", "21"],
    ]
    assert "dev1 and eval share no person" in out
    assert "no split of them is nearer to what was asked" in out
    found = load("set").entries
    assert {name: sum(one.split == name for one in found) for name in ("dev1", "dev2", "eval")} == {
        "dev1": 4,
        "dev2": 2,
        "eval": 14,
    }
    languages = [one.recording.language for one in found if one.split == "dev1"]
    assert sorted(languages) == ["hi", "hi", "kn", "kn"]
    workers = {name: {one.speakers[0].person for one in found if one.split == name} for name in ("dev1", "dev2", "eval")}
    assert not workers["dev1"] & workers["dev2"] | workers["dev1"] & workers["eval"] | workers["dev2"] & workers["eval"]
    first = json.loads(Path("set/recordings.jsonl").read_text().split("\n")[0])
    assert list(first) == ["session_id", "duration", "language", "x", "split"]


def test_a_dry_run_writes_nothing_and_gives_the_same_split(monkeypatch, capsys):
    before = Path("set/recordings.jsonl").read_text()
    assert call(monkeypatch, f"{ASKED} --stratify language,place --dry-run --json plan.json") == 0
    assert Path("set/recordings.jsonl").read_text() == before
    plan = json.loads(Path("plan.json").read_text())
    assert plan["schema"] == "parakh.split/1"
    assert plan["disjoint"] == {
        "pairs": [["dev1", "dev2"], ["dev1", "eval"], ["dev2", "eval"]],
        "shared_persons": [],
        "unknown_persons": [],
    }
    assert set(plan["parts"][0]["strata"]) == {"hi, home", "hi, phc", "kn, home", "kn, phc"}
    capsys.readouterr()
    assert call(monkeypatch, f"{ASKED} --stratify language,place --json -") == 0
    assert json.loads(capsys.readouterr().out) == plan
    assert {one.session_id: one.split for one in load("set").entries} == {
        session: part["name"] for part in plan["parts"] for session in part["recordings"]
    }


def test_what_is_split_stays_so_without_replace(monkeypatch, capsys):
    assert call(monkeypatch, ASKED) == 0
    assert call(monkeypatch, ASKED) == 2
    assert (
        "split: found parts already (dev1, dev2, eval), expected recordings without one. Give --replace"
        in capsys.readouterr().err
    )
    assert call(monkeypatch, "split set --part dev=50% --part eval=50% --replace") == 0
    assert {one.split for one in load("set").entries} == {"dev", "eval"}


def test_parts_by_number_of_recordings_need_no_durations(monkeypatch, capsys):
    made([{"session_id": f"v{k}"} for k in range(10)], [f"v{k},a,P{k}," for k in range(10)])
    assert call(monkeypatch, "split set --part dev=3 --part eval=rest") == 0
    rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert rows[1:3] == [["dev", "3", "3", "n/a", "+0.0", "%", "3"], ["eval", "rest", "7", "n/a", "+0.0", "%", "7"]]
    assert call(monkeypatch, "split set --part dev=30% --part eval=rest --replace") == 2
    assert "recordings.jsonl: duration: found nothing for v0, v1, v2, v3, v4 ... (10 recordings)" in capsys.readouterr().err


def test_recordings_with_unknown_persons_are_refused_or_told(monkeypatch, capsys):
    made(
        [{"session_id": f"v{k}", "duration": 60} for k in range(6)],
        ["v0,a,P0,", "v1,a,,", "v2,a,P2,", "v3,a,P3,", "v3,b,,", "v4,a,P4,"],
    )
    asked = "split set --part dev=50% --part eval=50% --dry-run"
    assert call(monkeypatch, asked) == 2
    assert "person: found 3 recordings with a speaker whose person is not known (v1, v3, v5)" in capsys.readouterr().err
    assert call(monkeypatch, f"{asked} --unknown-persons own") == 0
    assert "not proved for 3 recordings with a speaker whose person is not known: v1, v3, v5" in capsys.readouterr().out
    assert call(monkeypatch, f"{asked} --unknown-persons together --json -") == 0
    parts = json.loads(capsys.readouterr().out)["parts"]
    assert [{"v1", "v3", "v5"} <= {*part["recordings"]} for part in parts].count(True) == 1


def test_fields_keep_recordings_together(monkeypatch, capsys):
    lines = [{"session_id": f"v{k}", "duration": 60, "source": f"r{k // 3}"} for k in range(9)]
    made(lines, [f"v{k},a,P{k}," for k in range(9)])
    assert call(monkeypatch, "split set --part dev=3 --part eval=rest --group-by source --json -") == 0
    dev = json.loads(capsys.readouterr().out)["parts"][0]["recordings"]
    assert [int(one[1:]) // 3 for one in dev] == [int(dev[0][1:]) // 3] * 3


def test_an_impossible_request_is_refused_with_the_reason(monkeypatch, capsys):
    lines = [{"session_id": f"v{k}", "duration": 3600} for k in range(10)]
    made(lines, [f"v{k},a,{'P' if k < 6 else f'Q{k}'}," for k in range(10)])
    assert call(monkeypatch, "split set --part dev=50% --part eval=50% --tolerance 10") == 2
    told = capsys.readouterr().err.splitlines()
    reason = "The largest group that must stay together: 6 recordings with 60.0 % of the hours, joined by P."
    assert all(reason in line for line in told)
    assert sorted(line.partition(", expected")[0].partition("found ")[2] for line in told) == [
        "4 h at the best",
        "6 h at the best",
    ]
    assert call(monkeypatch, "split set --part dev=50% --part eval=50% --dry-run") == 0, "20 % off is allowed as it is"
    assert "+20.0 %" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("asked", "fault"),
    [
        ("--part dev=10%", "--part: found one part, expected two or more."),
        (
            "--part dev --part eval=rest",
            "--part: found 'dev', expected NAME=AMOUNT, the amount as 2h, 90m, 10%, 30 (recordings) or",
        ),
        ("--part dev=0h --part eval=rest", "--part: found 'dev=0h', expected NAME=AMOUNT"),
        ("--part dev=1d --part eval=rest", "--part: found 'dev=1d', expected NAME=AMOUNT"),
        ("--part =1h --part eval=rest", "--part: found '=1h', expected NAME=AMOUNT"),
        ("--part a=1h --part a=rest", "--part: a: found the name twice, expected a name for each part."),
        ("--part a=rest --part b=rest", "--part: found a=rest and b=rest, expected one part that is the rest."),
        (
            "--part a=11h --part b=rest",
            "--part: found a=11h, b=rest, which leaves nothing for b, expected less than the 10.00 h there",
        ),
        (
            "--part a=10% --part b=20%",
            "--part: found a=10%, b=20%, expected parts that together are the 10.00 h there are. Make one",
        ),
        ("--part a=80% --part b=30%", "--part: found a=80%, b=30%, expected parts that together are the 10.00 h there are."),
        ("--part a=20 --part b=rest", "which leaves nothing for b, expected less than the 20 recordings there are."),
        (
            "--part a=50% --part b=rest --stratify plac",
            "--stratify: found 'plac', expected a field of the data set: language, person,",
        ),
        (
            "--part a=50% --part b=rest --group-by plac",
            "--group-by: found 'plac', expected a field of the data set: language, person,",
        ),
        (
            "--part a=50% --part b=rest --unknown-persons no",
            "--unknown-persons: found 'no', expected one of refuse, own, together.",
        ),
        ("--part a=50% --part b=rest --tolerance -1", "--tolerance: found -1, expected a percentage, 0 or more."),
        ("--part a=50% --part b=rest --group-by language,place", None),
        (
            "--part a=50% --part b=rest --json set/metadata.csv",
            "--json: found set/metadata.csv, which is read, expected another file.",
        ),
    ],
)
def test_what_cannot_be_asked_for_is_told(monkeypatch, capsys, asked, fault):
    code = call(monkeypatch, f"split set {asked} --dry-run")
    err = capsys.readouterr().err
    if fault is None:
        assert code == 2
        assert "found 1 group that must stay together, expected at least 2, one for each part." in err
    else:
        assert (code, fault in err) == (2, True), err


def test_an_empty_data_set_cannot_be_split(monkeypatch, capsys):
    made([])
    assert call(monkeypatch, ASKED) == 2
    assert "set: found no recordings, expected recordings to split." in capsys.readouterr().err
