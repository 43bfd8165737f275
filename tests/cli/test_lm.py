"""``parakh lm``: from transcripts to a file, and from a file to figures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from parakh.cli.lm import app
from parakh.errors import InputError
from parakh.ngram import read_arpa

STM = "v1 1 A 0.0 2.0 मुझे बुखार है ।\nv1 1 B 2.0 4.0 कब से बुखार है\nv2 1 A 0.0 1.0 <noise> दवा लो\n"


def call(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)), catch_exceptions=False)


@pytest.fixture
def transcripts(tmp_path: Path) -> Path:
    (tmp_path / "ref.stm").write_text(STM, "utf-8")
    return tmp_path / "ref.stm"


def test_a_model_is_built_and_scores(transcripts: Path, tmp_path: Path) -> None:
    out = tmp_path / "hi.arpa.gz"
    built = call("build", transcripts, "--out", out, "--order", "2")
    assert built.exit_code == 0
    assert "3 sentences; n-grams by order: 10, 10" in built.output
    assert "too little text to tell the discounts of order 1, 2" in built.output
    told = json.loads(call("score", out, transcripts, "--json", "-").stdout)
    assert (told["sentences"], told["tokens"], told["unknown"]) == (3, 9, 0)
    (tmp_path / "other.txt").write_text("मुझे खाँसी है\n\nकब से\n", "utf-8")
    shown = call("score", out, tmp_path / "other.txt", "--format", "lines").stdout
    assert "unknown (OOV)   1 (20.00 %)" in shown


def test_models_are_mixed_as_held_out_text_tells(transcripts: Path, tmp_path: Path) -> None:
    other, both = tmp_path / "other.arpa", tmp_path / "both.arpa"
    (tmp_path / "news.txt").write_text("बाजार में तेजी है\nसरकार ने कहा\n", "utf-8")
    call("build", tmp_path / "news.txt", "--format", "lines", "--out", other)
    told = call("build", transcripts, "--out", both, "--mix", other, "--held-out", transcripts).output
    weights = [float(line.split()[1].rstrip(":")) for line in told.splitlines() if line.startswith("weight")]
    assert weights[0] > 0.9
    assert sum(weights) == pytest.approx(1.0, abs=0.002)
    assert {"बुखार", "बाजार"} <= set(read_arpa(both).vocabulary)
    assert call("build", transcripts, "--out", both, "--mix", other).exit_code == 0


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--order", "9"], "--order: found 9, expected a whole number from 1 to 8"),
        (["--prune", "0,x"], "--prune: found '0,x'"),
        (["--prune", "1,0"], "do not fall"),
        (["--unit", "letter"], "found 'letter'"),
        (["--held-out", "x.stm"], "--held-out: found no --mix"),
    ],
)
def test_options_that_make_no_sense_are_told(options: list[str], told: str, transcripts: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=told):
        call("build", transcripts, "--out", tmp_path / "a.arpa", *options)
    assert not (tmp_path / "a.arpa").exists()


def test_the_transcripts_are_not_written_over(transcripts: Path) -> None:
    with pytest.raises(InputError, match="which is read"):
        call("build", transcripts, "--out", transcripts)


def test_a_text_whose_format_cannot_be_told_says_how_to_tell(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("नमस्ते दीदी\nनमस्ते भाई\n", "utf-8")
    with pytest.raises(InputError, match="--format lines for a sentence a line"):
        call("build", tmp_path / "a.txt", "--out", tmp_path / "a.arpa")
