"""What a command loads: start-up time without a clock."""

import subprocess
import sys
from pathlib import Path

import pytest

SHOW = "import sys, atexit; atexit.register(lambda: print(*sorted(sys.modules), file=sys.stderr)); from parakh.cli.main import main; main()"
HEAVY = {
    "pydantic",
    "numpy",
    "regex",
    "rapidfuzz",
    "importlib.metadata",
    "multiprocessing",
    "onnxruntime",
    "ctranslate2",
}
STM = ("v1 1 asha 0 2 नमस्ते दीदी\n", "v1 1 s0 0 2 नमस्ते दीदी\n")
RTTM = ("SPEAKER v1 1 0 2 <NA> <NA> asha <NA> <NA>\n", "SPEAKER v1 1 0 2.5 <NA> <NA> s0 <NA> <NA>\n")


def loaded(*arguments: str) -> set[str]:
    """The modules that a command has loaded when it ends."""
    process = subprocess.run([sys.executable, "-c", SHOW, *arguments], capture_output=True, text=True, check=True)
    return set(process.stderr.split())


@pytest.fixture
def pair(tmp_path: Path, request: pytest.FixtureRequest) -> list[str]:
    for side, text in zip("rh", request.param, strict=True):
        (tmp_path / side).write_text(text, encoding="utf-8")
    return ["-r", str(tmp_path / "r"), "-h", str(tmp_path / "h")]


def test_version_loads_no_more_than_the_command_line() -> None:
    modules = loaded("--version")
    assert not modules & (HEAVY | {"rich", "json", "decimal"})
    verbs = {"parakh.cli.main", "parakh.cli.answers", "parakh.cli.files", "parakh.cli.leaderboard", "parakh.cli.helping"}
    assert {name for name in modules if name.startswith("parakh")} == {"parakh", "parakh.cli", "parakh.errors"} | verbs


@pytest.mark.parametrize("pair", [STM], indirect=True)
def test_scoring_words_loads_what_it_needs(pair: list[str]) -> None:
    modules = loaded("score", "asr", *pair)
    assert not modules & HEAVY, "heavy packages; typer >= 0.29 would load pydantic: install what pyproject.toml asks for"
    assert not {name for name in modules if name.startswith(("parakh.clinical", "parakh.cascade", "parakh.metrics.rouge"))}


@pytest.mark.parametrize("pair", [RTTM], indirect=True)
def test_scoring_turns_loads_what_it_needs(pair: list[str]) -> None:
    modules = loaded("score", "diarization", *pair)
    assert not modules & HEAVY
    assert "rich.table" in modules
    assert "rich" not in loaded("score", "diarization", *pair, "--json", "-"), "tables are loaded to be printed"
