"""The examples in the help of every verb: they are there, they parse, and what can run here runs."""

import os
import shlex
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

from parakh.cli import main
from parakh.cli.completion import _verbs
from parakh.cli.helping import Example, examples

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = examples()
RUN = [
    (verb, [one for name, told in EXAMPLES.items() if name.split()[0] == verb for one in told if not one.needs])
    for verb in EXAMPLES
]
"""What can be run, by verb, with the verbs below it: some of them take what others made."""


def verbs() -> list[str]:
    """The command, its verbs, and those below them."""
    below = [f"{name} {verb}" for name in main.GROUPS for verb, _ in _verbs(import_module(f"parakh.cli.{name}").app)]
    return ["parakh", *(verb for verb, _ in _verbs(main.app)), *below]


def words(example: Example) -> list[str]:
    """The arguments of the command; what a shell does with its output is left out."""
    command = example.command.removeprefix('eval "$(').removesuffix(')"').partition(" | ")[0]
    first, *others = shlex.split(command)
    assert first == "parakh"
    return others


def test_every_verb_has_examples_and_nothing_else_has() -> None:
    assert set(EXAMPLES) == set(verbs()), "write them into src/parakh/cli/examples.toml"
    assert {verb: len(told) for verb, told in EXAMPLES.items() if not 1 <= len(told) <= 4} == {}


@pytest.mark.parametrize(("verb", "example"), [(verb, one) for verb, told in EXAMPLES.items() for one in told], ids=str)
def test_an_example_is_of_its_verb_and_parses(verb: str, example: Example) -> None:
    arguments = words(example)
    assert verb == "parakh" or arguments[: verb.count(" ") + 1] == verb.split()
    assert not example.does.endswith(".")
    app, name = main.app, "parakh"
    if arguments[0] in main.GROUPS:
        app, name = import_module(f"parakh.cli.{arguments[0]}").app, f"parakh {arguments[0]}"
        arguments = arguments[1:]
    command: Any = typer.main.get_command(app)
    with command.make_context(name, list(arguments[:1])) as context:
        below = command.get_command(context, arguments[0])
        assert below is not None
        if "--help" not in arguments:
            below.make_context(arguments[0], arguments[1:], parent=context)


@pytest.mark.parametrize("verb", verbs())
def test_help_ends_with_the_examples(verb: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    path = [] if verb == "parakh" else verb.split()
    monkeypatch.setattr(sys, "argv", ["parakh", *path, "--help"])
    with pytest.raises(SystemExit) as stop:
        main.main()
    assert stop.value.code == 0
    shown = capsys.readouterr().out.partition("\nExamples:\n")[2]
    told = [line.strip() for line in shown.splitlines() if line.startswith("    ")]
    assert told == [one.command for one in EXAMPLES[verb]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the examples are written for: the bundled conversations, a system's answers and results, known findings, a submission, a password."""
    here = tmp_path_factory.mktemp("examples")
    shutil.copytree(ROOT / "examples", here / "examples")
    answers = here / "demo-out"
    shutil.copytree(ROOT / "examples" / "challenge" / "systems" / "embedded", answers)
    for track, reference, hypothesis, out in (
        ("asr", "examples/transcripts", "seglst", "demo-out/results/asr.json"),
        ("diarization", "examples/rttm", "rttm", "demo-out/results/diarization.json"),
        ("asr", "examples/transcripts", "seglst", "ours.json"),
        ("asr", "examples/transcripts", "seglst", "theirs.json"),
        ("asr", "examples/transcripts", "seglst", "asr.json"),
    ):
        arguments = [
            "score",
            track,
            "-r",
            reference,
            "-h",
            f"demo-out/{hypothesis}",
            "--detail",
            "--json",
            out,
            "--system",
            Path(out).stem,
        ]
        called(here, arguments)
    called(here, ["check", "examples", "--audio", "none", "--write-baseline", "known.json"])
    shutil.make_archive(str(here / "answers"), "zip", answers / "seglst")
    (here / "password.txt").write_text("correct horse battery\n", encoding="utf-8")
    return here


def called(folder: Path, arguments: list[str]) -> None:
    """Run the command as a user does, but in this process: its modules are loaded once."""
    old, argv, code = Path.cwd(), sys.argv, None
    os.chdir(folder)
    sys.argv = ["parakh", *arguments]
    try:
        main.main()
    except SystemExit as stop:
        code = stop.code
    finally:
        os.chdir(old)
        sys.argv = argv
    assert code in {0, 1, None}, arguments


@pytest.mark.parametrize("told", [pytest.param(told, id=verb) for verb, told in RUN if told])
def test_examples_run_where_they_are_written_for(told: list[Example], folder: Path, tmp_path: Path) -> None:
    here = shutil.copytree(folder, tmp_path / "here", copy_function=os.link)
    for one in told:
        called(here, words(one))


def test_what_others_see_is_what_is_tested() -> None:
    done = subprocess.run([sys.executable, "-m", "parakh.cli.main", "lm", "--help"], capture_output=True, text=True, check=True)
    assert f"\nExamples:\n  {EXAMPLES['lm'][0].does}\n    {EXAMPLES['lm'][0].command}\n" in done.stdout
