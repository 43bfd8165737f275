"""The documentation is what the code says: every verb, plug-in and README command."""

import os
import re
import subprocess
import sys
from pathlib import Path

from parakh.cli import dataset
from parakh.cli.main import GROUPS, app

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def test_the_reference_page_is_up_to_date() -> None:
    done = subprocess.run([sys.executable, "docs/build.py", "--check"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_verb_has_its_help_in_the_reference() -> None:
    text = (ROOT / "docs" / "reference.md").read_text(encoding="utf-8")
    verbs = [command.name or command.callback.__name__ for command in app.registered_commands if command.callback]
    assert len(verbs) >= 7
    assert [verb for verb in verbs if f"### parakh {verb}\n" not in text] == []


def test_links_between_pages_lead_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\((?!http)([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


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
