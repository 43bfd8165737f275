"""Hooks, wheels and citation: what they name is there."""

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import yaml

import parakh

ROOT = Path(__file__).parent.parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
HOOKS: dict[str, dict[str, Any]] = {
    one["id"]: one for one in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
}


def called(entry: str, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    name, *rest = shlex.split(entry)
    assert name == "parakh"
    command = [sys.executable, "-m", "parakh.cli.main", *rest, *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)


def test_the_check_hook_refuses_a_faulty_file(tmp_path: Path) -> None:
    hook = HOOKS["parakh-check"]
    (tmp_path / "v1.rttm").write_text("SPEAKER v1 1 0 2 <NA> <NA> asha <NA> <NA>\n", encoding="utf-8")
    assert re.search(hook["files"], "rttm/v1.rttm")
    assert not re.search(hook["files"], "README.md")
    assert called(hook["entry"], "v1.rttm", cwd=tmp_path).returncode == 0
    (tmp_path / "v1.rttm").write_text("SPEAKER v1 1 0 -2 <NA> <NA> asha <NA> <NA>\n", encoding="utf-8")
    done = called(hook["entry"], "v1.rttm", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith("v1.rttm:1: ")


def test_the_check_hook_looks_at_transcripts_and_leaves_other_files_out(tmp_path: Path) -> None:
    hook = HOOKS["parakh-check"]
    names = ("transcripts/hi_anc_01.txt", "answers/hi_anc_01.json", "topics.csv", "package.json")
    assert all(re.search(hook["files"], name) for name in names)
    assert re.search(hook["exclude"], "visits/recordings.jsonl")
    (tmp_path / "package.json").write_text('{"a": 1}', encoding="utf-8")
    assert called(hook["entry"], "package.json", cwd=tmp_path).returncode == 0
    text = (ROOT / "examples" / "transcripts" / "hi_anc_01.txt").read_text(encoding="utf-8")
    (tmp_path / "v1.txt").write_text(text, encoding="utf-8")
    assert called(hook["entry"], "--select", "QC1", "v1.txt", "package.json", cwd=tmp_path).returncode == 0
    seglst = '[{"session_id": "v1", "speaker": "asha", "start_time": 0, "end_time": 4, "words": "मेरा नंबर 98765 43210 है"}]'
    (tmp_path / "v1.json").write_text(seglst, encoding="utf-8")
    done = called(hook["entry"], "--select", "QC1", "v1.json", "package.json", cwd=tmp_path)
    assert done.returncode == 1
    assert "98765" not in done.stdout
    assert done.stderr == "package.json: left out, no format reads it\n"


def test_the_score_hook_takes_its_arguments_from_the_configuration() -> None:
    hook = HOOKS["parakh-score"]
    assert hook["pass_filenames"] is False
    examples = ROOT / "examples"
    arguments = ["diarization", "--reference", "rttm", "--hypothesis", "challenge/systems/embedded/rttm"]
    done = called(hook["entry"], *arguments, cwd=examples)
    assert done.returncode == 0
    assert re.search(r"^der ↓ +8\.31 ", done.stdout, re.M)


def test_commands_that_try_a_wheel_work_here() -> None:
    for line in PROJECT["tool"]["cibuildwheel"]["test-command"]:
        done = called(line.replace("{package}", str(ROOT)), cwd=ROOT)
        assert done.returncode == 0, (line, done.stderr)


def test_wheels_are_of_every_python_that_the_package_takes() -> None:
    least = int(PROJECT["project"]["requires-python"].removeprefix(">=3."))
    built = [int(name.removeprefix("cp3").removesuffix("-*")) for name in PROJECT["tool"]["cibuildwheel"]["build"]]
    assert built == list(range(least, built[-1] + 1))


def test_the_citation_is_of_this_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["version"], citation["license"]) == (parakh.__version__, PROJECT["project"]["license"])
    assert all(one["authors"] and one["title"] and one["year"] for one in citation["references"])
