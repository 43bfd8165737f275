"""parakh dataset stats as a person calls it: tables, machine-readable forms, the page, exit codes."""

import csv
import io
import json
import shutil
import sys
from pathlib import Path

import pytest

from parakh.cli.main import main
from parakh.markup import percent
from tests.pages import EVIL, Page, dump, needs_browser

EXAMPLES = Path(__file__).parents[2] / "examples"


def call(monkeypatch, text):
    monkeypatch.setattr(sys, "argv", ["parakh", "dataset", *text.split()])
    with pytest.raises(SystemExit) as stop:
        main()
    return stop.value.code or 0


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copytree(EXAMPLES, tmp_path / "set", ignore=shutil.ignore_patterns("scripts", "audio"))


def test_the_examples_are_described(monkeypatch, capsys):
    assert call(monkeypatch, "stats set --by language") == 0
    out, err = capsys.readouterr()
    assert err == ""
    rows = [line.split() for line in out.splitlines()]
    assert rows[0][-2:] == ["4", "recordings"]
    # seconds of the four recordings in examples/README.md: 78.5 + 75.7 + 79.0 and 74.4
    assert rows[4][:5] == ["hi", "3", "0.06", "1.3", "7"]
    assert rows[5][:5] == ["kn", "1", "0.02", "1.2", "2"]


def test_overlap_is_that_of_the_examples_own_table(monkeypatch, capsys):
    """The program that made the examples computed the overlap of each from the placed turns."""
    stated = {}
    for line in (EXAMPLES / "README.md").read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 7 and cells[0].startswith("`"):
            stated[cells[0].strip("`")] = float(cells[6])
    assert len(stated) == 4
    for name, overlap in stated.items():
        rows = [json.loads(line) for line in Path("set/recordings.jsonl").read_text(encoding="utf-8").splitlines()]
        Path("set/recordings.jsonl").write_text("".join(json.dumps({**row, "name": row["session_id"]}) + "\n" for row in rows))
        assert call(monkeypatch, "stats set --by name --json -") == 0
        slices = json.loads(capsys.readouterr().out)["slices"]
        (found,) = [one for one in slices if one["values"]["name"] == name]
        assert 100 * found["shares"]["overlap_of_speech"] == pytest.approx(overlap, abs=0.06)


def test_what_is_split_is_described_by_split(monkeypatch, capsys):
    assert call(monkeypatch, "split set --part dev=25% --part eval=rest") == 0
    capsys.readouterr()
    assert call(monkeypatch, "stats set --by split --json -") == 0
    found = json.loads(capsys.readouterr().out)
    assert {one["values"]["split"]: (one["sums"]["recordings"], one["persons"] > 1) for one in found["slices"]} == {
        "dev": (1, True),
        "eval": (3, True),
    }


def test_one_form_at_a_time_goes_to_standard_output(monkeypatch, capsys):
    assert call(monkeypatch, "stats set --csv --json out.json --html out.html") == 0
    rows = list(csv.reader(io.StringIO(capsys.readouterr().out)))
    assert rows[0] == ["table", "row", "column", "value"]
    assert all(len(row) == 4 for row in rows)
    assert json.loads(Path("out.json").read_text())["all"]["sums"]["recordings"] == 4
    assert call(monkeypatch, "stats set --markdown") == 0
    assert capsys.readouterr().out.startswith("### Recordings and people\n")
    assert call(monkeypatch, "stats set --latex") == 0
    assert capsys.readouterr().out.startswith("\\begin{table}\n")
    assert call(monkeypatch, "stats set --latex --csv") == 2
    assert "--csv: found --csv and --latex at once, expected one of them on standard output." in capsys.readouterr().err
    assert call(monkeypatch, "stats set --latex --json -") == 2
    assert call(monkeypatch, "stats set --html set/metadata.csv") == 2
    assert "--html: found set/metadata.csv, which is read" in capsys.readouterr().err


def test_a_file_that_does_not_read_ends_with_1(monkeypatch, capsys):
    Path("set/rttm/kn_fever_04.rttm").write_text("SPEAKER kn_fever_04 1 zero 1 <NA> <NA> a <NA> <NA>\n")
    assert call(monkeypatch, "stats set --json out.json") == 1
    assert capsys.readouterr().err.startswith("set/rttm/kn_fever_04.rttm:1: error unreadable: ")
    assert call(monkeypatch, "stats nowhere") == 2


def test_audio_that_is_not_there_is_told(monkeypatch, capsys):
    assert call(monkeypatch, "stats set --audio") == 1
    assert "set/audio/hi_anc_01.flac" in capsys.readouterr().err


def test_the_page_is_whole_and_needs_nothing_else(monkeypatch):
    assert call(monkeypatch, "stats set --by place --html page.html") == 0
    source = Path("page.html").read_text(encoding="utf-8")
    page = Page(source)
    assert (page.open, page.scripts) == ([], 0)
    assert [one for one in page.outer if not one.startswith("data:")] == []
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    assert max(page.ids.values()) == 1
    assert {"size", "speech", "words", "people", "roles", "topics", "turn-lengths", "overlaps"} <= set(page.ids)
    assert percent(0.0827) in page.text, "the overlap of all four together, as in the table"
    assert source.count('role="img"') >= 8


@needs_browser
def test_a_browser_shows_hostile_names_and_runs_nothing(monkeypatch, tmp_path):
    config = Path("set/parakh.toml")
    config.write_text(
        config.read_text().replace('name = "', f"name = '{EVIL}' # \"", 1) if config.exists() else f"[dataset]\nname = '{EVIL}'\n"
    )
    Path("set/topics.csv").write_text(f'rec_id,gt_topics\nhi_anc_01,"{EVIL}"\n')
    assert call(monkeypatch, "stats set --html page.html") == 0
    dom, log = dump(f"file://{tmp_path}/page.html", tmp_path)
    assert "CONSOLE" not in log
    assert "<img" not in dom
    assert "&lt;img src=/stolen" in dom
