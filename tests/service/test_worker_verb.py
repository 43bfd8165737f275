"""``parakh worker`` at the door."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def worker(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "parakh.cli.main", "worker", *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)


def test_without_a_data_folder_it_says_which_one_it_wants(tmp_path: Path) -> None:
    done = worker("--data", str(tmp_path / "nowhere"))
    assert done.returncode == 2
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith(
        f"--data: found {tmp_path / 'nowhere'}, which is no folder, expected the folder that keeps everything."
    )


def test_a_number_of_jobs_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    done = worker("--data", str(tmp_path), "--jobs", "0")
    assert done.returncode == 2
    assert "workers: found 0, expected a whole number from 1 to 256." in done.stderr
