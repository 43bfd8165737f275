"""CPU and wall time of whole commands, interpreter start included: what a user waits for.

PARAKH_PYTHON names an interpreter in whose environment Parakh is installed as users have it (``pip install .``): the import
hook of an editable install takes some 40 ms of every start, which the other tools, installed plainly, do not pay.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass


def script(module: str, function: str, python: str = sys.executable) -> list[str]:
    """A command, started as its installed script starts it."""
    return [python, "-c", f"from {module} import {function} as main; main()"]


PARAKH = script("parakh.cli.main", "main", os.environ.get("PARAKH_PYTHON", sys.executable))


@dataclass(frozen=True)
class Took:
    """Milliseconds of one run, or the least of several."""

    cpu: float
    wall: float

    def least(self, other: Took) -> Took:
        return Took(min(self.cpu, other.cpu), min(self.wall, other.wall))


def fastest(commands: Sequence[Sequence[str]], rounds: int) -> list[Took]:
    """The least time of each command; they take turns, so that a busy moment of the machine meets them all."""
    best: list[Took] = [once(command) for command in commands]
    for _ in range(rounds - 1):
        best = [found.least(once(command)) for found, command in zip(best, commands, strict=True)]
    return best


def once(command: Sequence[str]) -> Took:
    """Run a command, its output thrown away; it has to succeed."""
    before, start = _children(), time.perf_counter()
    run = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
    took = Took(1000 * (_children() - before), 1000 * (time.perf_counter() - start))
    if run.returncode:
        raise SystemExit(f"{' '.join(command)}\n{run.stderr.decode()}")
    return took


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
