"""Commands and Python as the pages show them, run in a folder with what every page may count on."""

import contextlib
import doctest
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path

from parakh.cli.main import main
from tests.docs.blocks import ROOT, Block

_OF_THE_SHELL = re.compile(r"[|<>&;*?$`(){}~\n]|^\w+=")
_WIDTH = "100"
_TRACKS = {
    "diarization": ("rttm", "rttm"),
    "asr": ("transcripts", "seglst"),
    "topics": ("topics.csv", "topics"),
    "summarization": ("summaries.csv", "summaries"),
}


def prepare(folder: Path) -> None:
    """Put ``examples/`` and ``demo-out/`` there: answers of the embedded cascade, scored as ``parakh demo`` does it."""
    shutil.copytree(ROOT / "examples", folder / "examples")
    shutil.copytree(ROOT / "examples" / "challenge" / "systems" / "embedded", folder / "demo-out")
    _must(folder, "parakh convert demo-out/seglst demo-out/transcripts --to challenge-tsv")
    (folder / "demo-out" / "results").mkdir()
    for track, (reference, answers) in _TRACKS.items():
        facts = "--transcript examples/transcripts" if track == "summarization" else ""
        _must(
            folder,
            f"parakh score {track} -r examples/{reference} -h demo-out/{answers} --system embedded --metadata examples "
            f"--slice language --detail {facts} --json demo-out/results/{track}.json",
        )


def _must(folder: Path, command: str) -> None:
    code, printed = run(folder, command)
    assert code == 0, f"{command}\n{printed}"


def run(folder: Path, command: str) -> tuple[int, str]:
    """(exit code, what a terminal would show) of a command; ``parakh`` alone runs in this process.

    A package of the page's own, which only a new process finds, is taken as installed.
    """
    installed = any(folder.glob("*.dist-info"))
    if not installed and command.startswith("parakh ") and not _OF_THE_SHELL.search(command.partition(" #")[0]):
        return _run_here(folder, shlex.split(command, comments=True))
    shell = [
        "bash",
        "-c",
        f'parakh() {{ "{sys.executable}" -m parakh.cli.main "$@"; }}\npython() {{ "{sys.executable}" "$@"; }}\n{command}',
    ]
    environment = {**os.environ, **_environment(), "PYTHONPATH": f"{ROOT / 'src'}:{folder}", "PYTHONWARNINGS": "error"}
    done = subprocess.run(
        shell, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120, check=False
    )
    return done.returncode, done.stdout


def _environment() -> dict[str, str]:
    return {"COLUMNS": _WIDTH, "NO_COLOR": "1", "TERM": "dumb"}


def _run_here(folder: Path, words: list[str]) -> tuple[int, str]:
    """The verb in this process, with one stream for both outputs."""
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    code: int | str | None = 0
    with _at(folder), _arguments(words), contextlib.redirect_stdout(stream), contextlib.redirect_stderr(stream):
        try:
            main()
        except SystemExit as stop:
            code = stop.code
    raw = stream.detach()
    return code if isinstance(code, int) else 0 if code is None else 1, raw.getvalue().decode("utf-8")


@contextlib.contextmanager
def _at(folder: Path) -> Iterator[None]:
    before, kept = Path.cwd(), {name: os.environ.get(name) for name in _environment()}
    os.chdir(folder)
    os.environ.update(_environment())
    try:
        yield
    finally:
        os.chdir(before)
        for name, value in kept.items():
            os.environ.pop(name) if value is None else os.environ.update({name: value})


@contextlib.contextmanager
def _arguments(words: list[str]) -> Iterator[None]:
    before = sys.argv
    sys.argv = words
    try:
        yield
    finally:
        sys.argv = before


def put(folder: Path, block: Block) -> None:
    """Run what a block wants to be there, and write the file that it is."""
    for command in block.setup:
        _must(folder, command)
    if block.file:
        (folder / block.file).parent.mkdir(parents=True, exist_ok=True)
        (folder / block.file).write_text(block.text, encoding="utf-8")


def run_python(folder: Path, block: Block, page: Path, names: dict[str, object]) -> str:
    """Run a Python block among the names of its page; "" or what went wrong, with the page's own line numbers."""
    with _at(folder), warnings.catch_warnings():
        warnings.simplefilter("error")
        if ">>>" in block.text:
            return _run_prompts(block, page, names)
        code = compile("\n" * (block.line - 1) + block.text, str(page), "exec")
        with contextlib.redirect_stdout(io.StringIO()):
            exec(code, names)
    return ""


def _run_prompts(block: Block, page: Path, names: dict[str, object]) -> str:
    examples = doctest.DocTestParser().get_examples(block.text, str(page))
    test = doctest.DocTest(examples, names, page.name, str(page), block.line - 1, block.text)
    told = io.StringIO()
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE).run(
        test, out=told.write, clear_globs=False
    )
    names.update(test.globs)  # a test has a copy of its own
    return told.getvalue()
