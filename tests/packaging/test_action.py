"""The action for code hosts: its scripts, run as a runner runs them."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parent.parent.parent
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS = {step.get("name", step.get("uses")): step for step in ACTION["runs"]["steps"]}
FAULTY = "SPEAKER v1 1 0 2 <NA> <NA> asha <NA> <NA>\nSPEAKER v1 1 1 -2 <NA> <NA> asha <NA> <NA>\n"
SOUND = "SPEAKER v1 1 0 2 <NA> <NA> asha <NA> <NA>\n"


def filled(text: str, inputs: dict[str, str]) -> str:
    """What the runner makes of an expression: an input, its default, or the action's folder."""
    values = {f"inputs.{name}": str(one.get("default", "")) for name, one in ACTION["inputs"].items()}
    values |= {f"inputs.{name}": value for name, value in inputs.items()} | {"github.action_path": str(ROOT)}
    return re.sub(r"\$\{\{ (.+?) \}\}", lambda found: values[found[1]], text)


def run(step: str, folder: Path, **inputs: str) -> tuple[int, str, dict[str, str], str]:
    """Exit status, output, the outputs and the summary of a step's script."""
    given = {name.replace("_", "-"): value for name, value in inputs.items()}
    assert set(given) <= set(ACTION["inputs"])
    for name in ("output", "summary", "path"):
        (folder / name).write_text("", encoding="utf-8")
    bin_folder = folder / "bin"
    bin_folder.mkdir(exist_ok=True)
    command = bin_folder / "parakh"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m parakh.cli.main "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}:{os.environ['PATH']}",
        "RUNNER_TEMP": str(folder),
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
        "GITHUB_PATH": str(folder / "path"),
        **{name: filled(value, given) for name, value in STEPS[step].get("env", {}).items()},
    }
    script = folder / "script.sh"
    script.write_text(STEPS[step]["run"], encoding="utf-8")
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    done = subprocess.run(shell, cwd=folder / "work", env=environment, capture_output=True, text=True, check=False)
    outputs = dict(line.partition("=")[::2] for line in (folder / "output").read_text(encoding="utf-8").splitlines())
    return done.returncode, done.stdout + done.stderr, outputs, (folder / "summary").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    (work / "my visits").mkdir(parents=True)
    (work / "my visits" / "v1.rttm").write_text(SOUND, encoding="utf-8")
    return tmp_path


def test_sound_files_pass(folder: Path) -> None:
    code, shown, outputs, summary = run("Run", folder, paths="my visits/v1.rttm", arguments="--audio=none")
    assert (code, outputs) == (0, {"sarif": "parakh.sarif", "json": "", "exit-code": "0"}), shown
    assert summary.startswith("### parakh check\n\n    nothing found in 1 recording")
    assert json.loads((folder / "work" / "parakh.sarif").read_text(encoding="utf-8"))["version"] == "2.1.0"


def test_findings_fail_the_step_and_stand_in_summary_and_files(folder: Path) -> None:
    (folder / "work" / "my visits" / "v1.rttm").write_text(FAULTY, encoding="utf-8")
    code, shown, outputs, summary = run("Run", folder, arguments="--audio\nnone", sarif="out.sarif", json="out.json")
    assert (code, outputs) == (1, {"sarif": "out.sarif", "json": "out.json", "exit-code": "1"})
    assert "my visits/v1.rttm:2:" in shown
    assert "    my visits/v1.rttm:2:" in summary
    results = json.loads((folder / "work" / "out.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
    assert len(results) == 1
    assert (folder / "work" / "out.json").is_file()


def test_a_severity_from_which_it_fails(folder: Path) -> None:
    (folder / "work" / "my visits" / "v1.rttm").write_text(FAULTY, encoding="utf-8")
    code, _, outputs, summary = run("Run", folder, arguments="--audio=none", fail_on="never", sarif="", summary="false")
    assert (code, outputs["exit-code"], outputs["sarif"], summary) == (0, "0", "", "")


def test_answers_are_scored(folder: Path) -> None:
    (folder / "work" / "ours.rttm").write_text(SOUND.replace("0 2", "0 1"), encoding="utf-8")
    code, shown, outputs, summary = run(
        "Run", folder, verb="score", track="diarization", reference="my visits\n", hypothesis="ours.rttm", json="scores.json"
    )
    assert code == 0, shown
    assert outputs == {"sarif": "", "json": "scores.json", "exit-code": "0"}
    assert re.search(r"^    der ↓ +50\.00 ", summary, re.M)
    assert (folder / "work" / "scores.json").is_file()


def test_what_cannot_be_read_is_told(folder: Path) -> None:
    code, shown, outputs, summary = run("Run", folder, paths="nowhere")
    assert (code, outputs["exit-code"]) == (2, "2")
    assert "nowhere" in shown
    assert "    nowhere" in summary


def test_another_verb_is_refused(folder: Path) -> None:
    code, shown, *_ = run("Run", folder, verb="run")
    assert (code, shown) == (2, "verb: found 'run', expected check or score.\n")


def test_inputs_are_never_read_as_shell(folder: Path) -> None:
    code, *_ = run("Run", folder, paths='$(touch made)\n`touch made`\n"; touch made; "', arguments="--audio=none", sarif="")
    assert code == 2
    assert not list(folder.rglob("made"))
    assert "${{" not in "".join(step.get("run", "") for step in STEPS.values())


def test_outputs_of_the_action_are_those_of_the_step() -> None:
    assert {name: one["value"] for name, one in ACTION["outputs"].items()} == {
        name: f"${{{{ steps.{STEPS['Run']['id']}.outputs.{name} }}}}" for name in ("sarif", "json", "exit-code")
    }


def test_installing_takes_the_checkout_of_the_action(folder: Path) -> None:
    """The real script; a package without dependencies stands for this one, whose building takes minutes."""
    package = folder / "small"
    package.mkdir()
    (package / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n', encoding="utf-8"
    )
    (package / "backend.py").write_text(BACKEND, encoding="utf-8")
    STEPS["Install"]["env"]["ACTION"] = str(package)
    code, shown, *_ = run("Install", folder)
    assert code == 0, shown
    place = Path((folder / "path").read_text(encoding="utf-8").strip())
    assert place == folder / "parakh" / "bin"
    done = subprocess.run([place / "python", "-c", "import small; print(small.NAME)"], capture_output=True, text=True, check=True)
    assert done.stdout == "small\n"


BACKEND = """
import zipfile
def build_wheel(folder, settings=None, metadata=None):
    name = "small-1-py3-none-any.whl"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.writestr("small.py", "NAME = 'small'")
        wheel.writestr("small-1.dist-info/METADATA", "Metadata-Version: 2.1\\nName: small\\nVersion: 1\\n")
        wheel.writestr("small-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr("small-1.dist-info/RECORD", "")
    return name
"""
