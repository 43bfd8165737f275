"""parakh report with the ending of a table, and parakh compare of many systems, as a person calls them."""

import json
import sys
from pathlib import Path

import pytest

from parakh import tracks
from parakh.cli.main import main
from parakh.evaluate import evaluate
from parakh.types import Segment

ROOT = Path(__file__).parent.parent.parent
PAPER = """\
[[system]]
name = "paper"
track = "diarization"
source = "a paper"
[system.metrics]
der = 4.5
"""


def call(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["parakh", *arguments])
    with pytest.raises(SystemExit) as stop:
        main()
    return stop.value.code or 0


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """Results of eight systems; the later ones end their turns earlier, and the last lacks three recordings."""
    monkeypatch.chdir(tmp_path)
    reference = [Segment(f"v{k}", "A", 0.0, 4.0) for k in range(9)]
    for number in range(8):
        turns = [Segment(f"v{k}", "A", 0.0, 3.9 - number / 5 + (k % 3) / 20) for k in range(9 if number < 7 else 6)]
        found = evaluate(
            tracks.get("diarization"), reference, turns, system=f"s{number}", metrics=["der"], skip_missing=number == 7
        )
        (tmp_path / f"s{number}.json").write_text(found.to_json())
    (tmp_path / "again.json").write_text(Path("s1.json").read_text().replace('"s1"', '"s0"'))
    (tmp_path / "paper.toml").write_text(PAPER)
    return tmp_path


def test_a_table_by_its_ending(folder, monkeypatch, capsys):
    for ending, sign in ((".tex", r"\toprule"), (".md", "| system | DER ↓ |"), (".csv", "system,der,der_low,der_high")):
        out = f"t{ending}"
        assert call(monkeypatch, "report", "s0.json", "s1.json", "--published", "paper.toml", "--out", out) == 0
        assert capsys.readouterr().out == f"{out}\n"
        text = Path(out).read_text()
        assert sign in text
        assert "paper" in text


def test_all_tables_into_a_folder(folder, monkeypatch, capsys):
    assert call(monkeypatch, "report", "s0.json", "s1.json", "--table", "all", "--out", "tables") == 0
    made = sorted(path.name for path in Path("tables").iterdir())
    names = ("diarbench", "recordings", "systems")
    assert made == sorted(f"{name}{ending}" for name in names for ending in (".csv", ".md", ".tex"))
    assert capsys.readouterr().out.split() == [f"tables/{name}{ending}" for name in names for ending in (".tex", ".md", ".csv")]


BAD = {
    "report s0.json s0.json --out t.html": "s0.json: found the same results as in s0.json, expected each only once.",
    "report s0.json again.json --out t.md": "again.json: system: found 's0', expected a name other than that in s0.json.",
    "report s0.json --table slices --out t.md": "--table: found slices, expected a table that these results make. "
    "They make diarbench, recordings, systems.",
    "report s0.json --table system --out t.md": "there is no table 'system'; did you mean 'systems'?",
    "report s0.json --table all --out t.md": "--out: found 't.md', expected a folder, for --table all.",
    "report s0.json --published none.toml --out t.md": "none.toml: found no such file",
    "report s0.json --published s0.json --out t.md": "s0.json:1: found no TOML",
    "report s0.json --published paper.toml --out paper.toml": "--out: found 'paper.toml', expected a file that ends in",
    "compare s0.json --published s1.json": "s1.json:1: found no TOML",
}


@pytest.mark.parametrize("command", BAD)
def test_a_refusal_is_one_line_and_code_2(folder, monkeypatch, capsys, command):
    assert call(monkeypatch, *command.split()) == 2
    told = capsys.readouterr()
    assert told.err.startswith(BAD[command])
    assert len(told.err.splitlines()) == 1
    assert told.out == ""


def test_a_table_is_no_figure(folder, monkeypatch, capsys):
    assert call(monkeypatch, "report", "s0.json", "--table", "systems", "--out", "t.pdf") == 2
    assert capsys.readouterr().err == "--table: found --out t.pdf, expected a file that ends in .tex, .md or .csv.\n"


def test_a_page_that_cannot_be_as_small_as_its_limit_says_so(folder, monkeypatch, capsys):
    assert call(monkeypatch, "report", "s0.json", "--limit", "1kb", "--out", "r.html") == 0
    assert "is more than --limit 1kb" in capsys.readouterr().err


def test_a_name_obeys_no_terminal_and_a_nul_stops_no_page(folder, monkeypatch, capsys):
    Path("r.json").write_text(
        '[{"session_id": "a\\u202eb", "speaker": "x", "start_time": 0, "end_time": 2, "words": "\\u0000 b"}]', encoding="utf-8"
    )
    assert call(monkeypatch, "score", "asr", "-r", "r.json", "-h", "r.json", "--per-recording") == 0
    printed = capsys.readouterr().out
    assert "\u202e" not in printed
    assert "a\\u202eb" in printed
    assert call(monkeypatch, "score", "asr", "-r", "r.json", "-h", "r.json", "--detail", "--json", "nul.json") == 0
    assert call(monkeypatch, "report", "nul.json", "--out", "nul.html") == 0
    assert "\ufffd b" in Path("nul.html").read_text(encoding="utf-8")


def test_many_systems_stay_readable(folder, monkeypatch, capsys):
    files = [f"s{number}.json" for number in range(8)]
    assert call(monkeypatch, "compare", *files, "--published", "paper.toml", "--samples", "500", "--json", "c.json") == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "8 systems on 6 recordings that all were scored on"
    assert "  each was scored on 6 to 9; --json FILE names what is left out" in out
    assert any(line.startswith("  * published figures on recordings of their own, never tested: a paper") for line in out)
    assert [line.split()[0] for line in out if line.startswith("s")] == ["system", *(f"s{number}" for number in range(8))]
    assert not any("s0 - s1" in line for line in out)  # differences of two on request only
    matrix = next(k for k, line in enumerate(out) if line.split()[:2] == ["der", "1"])
    # The smallest p is 2 of 64 exchanges of six recordings.
    assert out[matrix + 1].split() == ["1", "s0", *["."] * 7]
    assert "warning: adjusted for 28 pairs no p-value can be below 0.88: no two are told apart in the matrix" in out
    assert out[-1].endswith("--all-pairs shows the differences of every two.")
    assert max(map(len, out[1 : matrix + 9])) < 100
    document = json.loads(Path("c.json").read_text())
    assert [len(document[key]) for key in ("pairs", "duels", "fusions", "oracles", "ranking")] == [7, 28, 28, 1, 8]
    assert document["coverage"][0] == {"system": "s0", "recordings": 9, "left_out": ["v6", "v7", "v8"], "published": None}
    assert document["coverage"][8]["published"] == "a paper"
    assert call(monkeypatch, "compare", *files, "--samples", "500", "--all-pairs") == 0
    assert "s0 - s1" in capsys.readouterr().out


def test_the_bundled_figures_stand_beside_a_system_in_one_command(folder, monkeypatch, capsys):
    said = [Segment("v0", "a", 0.0, 4.0, "बुखार कब से है"), Segment("v1", "a", 0.0, 4.0, "दवा ली")]
    metrics = ["tcpwer", "wer", "cer"]
    Path("asr.json").write_text(evaluate(tracks.get("asr"), said, said, system="ours", metrics=metrics).to_json())
    figures = str(ROOT / "examples" / "published" / "displace-m.toml")
    assert call(monkeypatch, "report", "asr.json", "--published", figures, "--table", "challenge-asr", "--out", "t.md") == 0
    lines = Path("t.md").read_text().splitlines()
    assert lines[2] == "| system | CER ↓ | WER ↓ | tcpWER ↓ |"
    assert lines[4].startswith("| ours | **0.00** ")
    assert r"| best team\* | 10.59 | 18.15 | 18.63 |" in lines
