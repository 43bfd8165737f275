"""Interpreters with the packages of one backend, for those that cannot stand beside others.

Each is a file ``NAME.txt`` here: pinned requirements, under a first line that says what it is for. ``parakh environment build``
makes it a virtual environment in ``$PARAKH_ENVIRONMENTS``, else beside the model store; a preset's ``python = "NAME"`` finds it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from parakh.errors import UnavailableError, UnknownNameError
from parakh.files import write_atomic
from parakh.models import store

FOLDER = Path(__file__).parent

_BUILT = "parakh-built"
"""Written last into an environment: the SHA-256 of the requirements it was built from."""
_LEAST = (3, 11)


@dataclass(frozen=True)
class Environment:
    """What is declared of an environment.

    Args:
        name: Its name.
        title: What it is for, in one line.
        requirements: The file with its requirements.
    """

    name: str
    title: str
    requirements: Path

    @property
    def digest(self) -> str:
        """SHA-256 of the requirements."""
        return hashlib.sha256(self.requirements.read_bytes()).hexdigest()


def names() -> list[str]:
    """Names of the declared environments, sorted.

    >>> "qwen3-asr" in names()
    True
    """
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def declared(name: str) -> Environment:
    """The environment ``name``.

    Raises:
        UnknownNameError: There is none of that name.

    >>> declared("qwen3-asr").title
    'The transcriber qwen3-asr, whose package pins its own transformers.'
    """
    if name not in names():
        raise UnknownNameError("environment", name, names())
    path = FOLDER / f"{name}.txt"
    return Environment(name, path.read_text("utf-8").partition("\n")[0].lstrip("# "), path)


def root() -> Path:
    """The folder of the environments; it need not exist yet."""
    if chosen := os.environ.get("PARAKH_ENVIRONMENTS"):
        return Path(chosen).expanduser()
    return store.root().parent / "environments"


def is_interpreter(python: str) -> bool:
    """Whether a preset may say it: the name of an environment, built or not, or the path of a file that can be run.

    >>> is_interpreter("qwen3-asr"), is_interpreter("qwen"), is_interpreter("./no/python")
    (True, False, False)
    """
    path = Path(python).expanduser()
    return python in names() or (os.sep in python and path.is_file() and os.access(path, os.X_OK))


def is_built(environment: Environment) -> bool:
    """Whether it is there, from the requirements as they are now."""
    told = root() / environment.name / _BUILT
    return told.is_file() and told.read_text("utf-8").strip() == environment.digest


def interpreter(python: str) -> Path:
    """The interpreter of an environment's name or of a path.

    Raises:
        UnavailableError: The environment is not built, or from other requirements.
    """
    if python not in names():
        return Path(python).expanduser()
    environment = declared(python)
    if not is_built(environment):
        found = "one built from other requirements" if (root() / python / _BUILT).is_file() else "none"
        action = f"Run: parakh environment build {python}"
        raise UnavailableError(f"environment {python}: found {found} in {root()}, expected it built. {action}")
    return _python(root() / python)


def build(name: str, progress: Callable[[str], None], base: Path | None = None) -> Path:
    """Make an environment anew and return its interpreter.

    Args:
        name: A declared environment.
        progress: Told of each step.
        base: The interpreter to make it from; None takes the running one.

    Raises:
        UnknownNameError: No such environment is declared.
        UnavailableError: It cannot be made; nothing is left that would be taken for it.
    """
    environment = declared(name)
    target = root() / name
    started = base or Path(sys.executable)
    _check_version(started)
    shutil.rmtree(target, ignore_errors=True)
    try:
        root().mkdir(parents=True, exist_ok=True)
    except OSError as error:
        action = "Set PARAKH_ENVIRONMENTS to another folder."
        raise UnavailableError(f"environment {name}: {root()} cannot be made ({error.strerror}). {action}") from error
    progress(f"{name}: making {target}")
    _run(name, [str(started), "-m", "venv", str(target)])
    progress(f"{name}: installing {environment.requirements.name}")
    pip = [str(_python(target)), "-m", "pip", "install", "--disable-pip-version-check"]
    _run(name, [*pip, "--requirement", str(environment.requirements)])
    write_atomic(target / _BUILT, environment.digest + "\n")
    return _python(target)


def _check_version(python: Path) -> None:
    code = "import sys; print(*sys.version_info[:2])"
    try:
        told = subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True).stdout.split()
    except (OSError, subprocess.CalledProcessError) as error:
        raise UnavailableError(f"{python}: found no interpreter that runs, expected one of Python 3.11 or later.") from error
    if tuple(map(int, told)) < _LEAST:
        raise UnavailableError(f"{python}: found Python {'.'.join(told)}, expected 3.11 or later.")


def _run(name: str, command: Sequence[str]) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    if done.returncode:
        lines = [line for line in done.stdout.splitlines() if line.startswith("ERROR:")] or done.stdout.splitlines()
        reason = lines[-1].removeprefix("ERROR: ") if lines else f"exit status {done.returncode}"
        raise UnavailableError(f"environment {name}: {' '.join(command[1:4])} failed ({reason}). Look at: {' '.join(command)}")


def _python(folder: Path) -> Path:
    return folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
