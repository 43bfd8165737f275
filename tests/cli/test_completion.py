"""Completion of the command line, at the keyboard of real shells."""

import os
import pty
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
import typer

from parakh.cli import values
from parakh.cli.completion import SHELLS, _parameters, _verbs, answers, script
from parakh.cli.main import GROUPS, app
from parakh.dataset.checking import Audio
from parakh.dataset.grouping import Unknown
from parakh.dataset.workflow import Status
from parakh.errors import InputError
from parakh.metrics.der import SCORE_REGIONS
from parakh.types import Severity

LOADING = {
    "bash": 'PS1=; source {script}; show() {{ printf %s "$READLINE_LINE" > {out}; }}; bind -x \'"\\C-t": show\'; touch {ready}\n',
    "zsh": 'PS1=; autoload -U compinit; compinit -D; source {script}; show() {{ printf %s "$BUFFER" > {out}; }}; zle -N show; '
    "bindkey '^T' show; touch {ready}\n",
}
SHELL = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the command on the path, and a few files."""
    folder = tmp_path_factory.mktemp("home")
    (folder / "bin").mkdir()
    command = folder / "bin" / "parakh"
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m parakh.cli.main "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    for shell in SHELLS:
        (folder / f"script.{shell}").write_text(script(shell), encoding="utf-8")
    (folder / "hindi visits.rttm").touch()
    return folder


def environment(home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "PATH": f"{home / 'bin'}:{os.environ['PATH']}",
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home),
        "TERM": "xterm",
    }


def waited(reached: Callable[[], bool], master: int) -> None:
    """Read what a shell prints until something is there."""
    end = time.monotonic() + 60
    while not reached():
        assert time.monotonic() < end, "the shell does not answer"
        if select.select([master], [], [], 0.05)[0]:
            os.read(master, 4096)


def typed(shell: str, home: Path, text: str) -> str:
    """The line at the prompt of a shell after ``text`` and the tab key."""
    out, ready = home / f"line.{shell}", home / f"ready.{shell}"
    for path in (out, ready):
        path.unlink(missing_ok=True)
    child, master = pty.fork()
    if child == 0:
        os.chdir(home)
        os.execvpe(SHELL[shell][0], SHELL[shell], environment(home))
    try:
        os.write(master, LOADING[shell].format(script=home / f"script.{shell}", out=out, ready=ready).encode())
        waited(ready.exists, master)
        os.write(master, f"{text}\t\x14".encode())
        waited(lambda: out.exists() and out.stat().st_size > 0, master)
        return out.read_text(encoding="utf-8")
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
        os.close(master)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("parakh expl", "parakh explain "),
        ("parakh dataset anch", "parakh dataset anchoring "),
        ("parakh check --fail", "parakh check --fail-on "),
        ("parakh score dia", "parakh score diarization "),
        ("parakh score asr --metric=tcpw", "parakh score asr --metric=tcpwer "),
        ("parakh score diarization -r hin", "parakh score diarization -r hindi\\ visits.rttm "),
        ("parakh score diarization --reference=hin", "parakh score diarization --reference=hindi\\ visits.rttm "),
    ],
)
@pytest.mark.parametrize("shell", SHELL)
def test_the_tab_key(shell: str, text: str, line: str, home: Path) -> None:
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    assert typed(shell, home, text) == line


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("parakh expl", "explain\tSay what a plug-in is, takes and follows."),
        ("parakh dataset anch", "anchoring\tSay how much of a machine's drafts each annotator left."),
        ("parakh score asr --metric=tcpw", "--metric=tcpwer\tTime-constrained minimum-permutation word error rate"),
        ("parakh score diarization -r hin", "hindi visits.rttm"),
        ("parakh score diarization --reference=hin", "--reference=hindi visits.rttm"),
        ("parakh score dia", "diarization\t"),
    ],
)
def test_fish(text: str, found: str, home: Path) -> None:
    if not shutil.which("fish"):
        pytest.skip("fish is not installed")
    command = ["fish", "--no-config", "-c", f"source {home}/script.fish; complete -C '{text}'"]
    done = subprocess.run(command, cwd=home, env=environment(home), capture_output=True, text=True, check=True)
    assert done.stdout.strip().startswith(found)
    assert len(done.stdout.splitlines()) == 1


def test_another_shell_is_refused() -> None:
    with pytest.raises(InputError, match="completion: found 'tcsh', expected bash, zsh or fish"):
        script("tcsh")


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["score", "asr", "--collar", ""], []),
        (["score", "asr", "--collar", "0.25", "--strip"], ["--strip-suffix"]),
        (["score", "asr", "--metric", "der", "--metric", "je"], ["jer"]),
        (["score", "asr", "--normalize", "none", "--normal"], []),
        (["check", "visits", "--json", "-", "--sa"], ["--sarif"]),
        (["dataset", "import", "--from", "ka"], ["kaldi"]),
        (["convert", "--from", "audiof"], []),
        (["diagnose", "d"], []),
        (["fuse", "asr", ""], [":files"]),
        (["score", "asr", "--metric", "=", "tcpw"], ["tcpwer"]),
        (["report", "asr.json", "--figure", "der"], ["der-parts"]),
        (["report", "asr.json", "--table", "sys"], ["systems"]),
        (["demo", "x", ""], []),
        (["nonsense", ""], []),
        (["--v"], ["--version"]),
        ([], [name for name, _ in _verbs(app)]),
    ],
)
def test_what_may_stand_there(words: list[str], found: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert [word for word, _ in answers(app, GROUPS, words)] == found


def known_parameters() -> set[str]:
    """Every parameter of every verb, as the table of values calls it."""
    found: set[str] = set()
    apps: list[tuple[str, typer.Typer]] = [("", app), *((f"{name} ", import_module(f"parakh.cli.{name}").app) for name in GROUPS)]
    for prefix, one in apps:
        for verb, _ in _verbs(one):
            for parameter in _parameters(one, verb):
                found |= {parameter.names[0], f"{prefix}{verb} {parameter.names[0]}"}
    return found


def test_every_row_of_the_table_is_of_a_parameter() -> None:
    assert set(values.KNOWN) <= known_parameters()


def test_words_of_the_table_are_those_of_the_code() -> None:
    table = {name: set(words.split()) for name, words in values.KNOWN.items()}
    assert table["check --audio"] == set(Audio)
    assert table["--fail-on"] == {*Severity, "never"}
    assert table["--score-regions"] == set(SCORE_REGIONS)
    assert table["dataset split --unknown-persons"] == set(Unknown)
    assert table["dataset advance --to"] == set(Status) - {Status.REVISE}


def test_plug_ins_are_listed_again_when_something_was_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    first = list(values.known("score", "--normalize"))
    file = tmp_path / "parakh" / "completion-profile.json"
    file.write_text(file.read_text(encoding="utf-8").replace("indic", "cached"), encoding="utf-8")
    assert "cached" in dict(values.known("score", "--normalize")), "kept"
    monkeypatch.syspath_prepend(str(tmp_path))
    assert list(values.known("score", "--normalize")) == first


def test_an_answer_that_is_kept_loads_no_more_than_the_command_line(tmp_path: Path) -> None:
    show = "import sys, atexit; atexit.register(lambda: print(*sys.modules, file=sys.stderr)); from parakh.cli.main import main; main()"
    command = [sys.executable, "-c", show, "completion", "answer", "--", "score", "asr", "--metric", "tcpw"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    first, second = (subprocess.run(command, env=environment, capture_output=True, text=True, check=True) for _ in range(2))
    assert first.stdout == second.stdout == "tcpwer\tTime-constrained minimum-permutation word error rate\n"
    loaded = set(second.stderr.split())
    assert not loaded & {"numpy", "regex", "rich", "rapidfuzz", "parakh.metrics", "parakh.formats", "parakh.registry"}
