"""The help of the command line is what a person expects: it fits its line, and verbs stand as the work goes."""

import os
import subprocess
import sys

from parakh.cli import dataset
from parakh.cli.main import GROUPS


def test_the_help_of_every_verb_fits_on_its_line() -> None:
    for group in ((), *((name,) for name in GROUPS)):
        command = [sys.executable, "-m", "parakh.cli.main", *group, "--help"]
        text = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "80"}).stdout
        told = text.partition("Commands:\n")[2].partition("\nExamples:\n")[0].splitlines()
        assert told
        assert [line for line in told if line.endswith("...") or line.startswith("   ")] == []


def test_verbs_of_a_data_set_stand_as_the_work_goes() -> None:
    order = "init import export schema split stats status advance reject audit agreement anchoring release"
    assert " ".join(one.name or one.callback.__name__ for one in dataset.app.registered_commands) == order
