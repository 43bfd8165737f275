"""``parakh environment``: a real environment from a real wheel, without a network, and what cannot be built told in a line."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest
from typer.testing import CliRunner

from parakh.cascade import environments
from parakh.cli import environment
from parakh.errors import UnavailableError, UnknownNameError

RUN = CliRunner()


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Environments declared in a folder, of which one holds a package that lies beside it."""
    wheel = tmp_path / "echoing-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("echoing.py", "SAID = 'echo'\n")
        archive.writestr("echoing-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: echoing\nVersion: 1.0\n")
        archive.writestr("echoing-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr("echoing-1.0.dist-info/RECORD", "echoing.py,,\nechoing-1.0.dist-info/METADATA,,\n")
    (tmp_path / "small.txt").write_text(f"# One package.\n--no-index\n{wheel}\n")
    (tmp_path / "broken.txt").write_text("# Nothing that is there.\n--no-index\nno-such-package-of-ours==1.0\n")
    monkeypatch.setattr(environments, "FOLDER", tmp_path)
    monkeypatch.setenv("PARAKH_ENVIRONMENTS", str(tmp_path / "built"))
    return tmp_path


def test_an_environment_is_built_found_and_built_anew_when_it_changes(own: Path) -> None:
    assert "small" in RUN.invoke(environment.app, ["list"]).output
    done = RUN.invoke(environment.app, ["build", "small"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    python = environments.interpreter("small")
    assert str(python) in done.output
    told = subprocess.run([python, "-c", "import echoing; print(echoing.SAID)"], capture_output=True, text=True, check=True)
    assert told.stdout == "echo\n"
    assert environments.is_built(environments.declared("small"))
    rows = {line.split()[0]: line.split()[-1] for line in RUN.invoke(environment.app, ["list"]).output.splitlines() if line}
    assert (rows["small"], rows["broken"]) == ("yes", "no")
    with (own / "small.txt").open("a") as file:
        file.write("# changed\n")
    with pytest.raises(UnavailableError, match=r"found one built from other requirements .* Run: parakh environment build small"):
        environments.interpreter("small")


def test_what_cannot_be_built_is_told_in_a_line_and_not_taken_for_built(own: Path) -> None:
    with pytest.raises(
        UnavailableError, match=r"environment broken: -m pip install failed \(No matching distribution .*\)\. Look at:"
    ):
        environments.build("broken", lambda line: None)
    with pytest.raises(UnavailableError, match="found none"):
        environments.interpreter("broken")
    with pytest.raises(UnavailableError, match=r"found no interpreter that runs, expected one of Python 3\.11 or later"):
        environments.build("small", lambda line: None, own / "python")
    old = own / "python"
    old.write_text("#!/bin/sh\necho 3 9\n")
    old.chmod(0o755)
    with pytest.raises(UnavailableError, match=r"found Python 3\.9, expected 3\.11 or later"):
        environments.build("small", lambda line: None, old)
    with pytest.raises(UnknownNameError, match="did you mean 'small'"):
        environments.build("smal", lambda line: None)
