"""A real PostgreSQL in a temporary folder."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

BINARIES = Path("/usr/lib/postgresql/15/bin")


class Cluster:
    """A server that listens on a socket in its own folder; it can be stopped and started.

    Args:
        folder: An empty folder with a short path.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._user = next((name for name in ("postgres", "nobody") if _is_user(name)), "") if os.geteuid() == 0 else ""
        folder.chmod(0o777)
        self._run("initdb", "-D", str(folder / "data"), "-A", "trust", "-U", "parakh", "--no-sync", "--no-locale", "-E", "UTF8")

    def start(self) -> None:
        """Start the server and wait until it answers."""
        options = f"-c listen_addresses='' -k {self.folder} -c max_connections=200 -c shared_buffers=32MB -c fsync=off"
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-o", options, "-l", str(self.folder / "log"), "start")

    def stop(self, mode: str = "fast") -> None:
        """Stop the server: "fast" ends sessions, "immediate" is as a crash."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-m", mode, "stop")

    def new_url(self) -> str:
        """The address of a new, empty database."""
        name = f"t{uuid.uuid4().hex[:12]}"
        self._run("createdb", "-h", str(self.folder), "-U", "parakh", name)
        return f"postgresql://parakh@/{name}?host={self.folder}"

    def _run(self, program: str, *arguments: str) -> None:
        command = [str(BINARIES / program), *arguments]
        done = subprocess.run(command, check=False, user=self._user or None, capture_output=True, text=True, cwd="/", timeout=60)
        assert done.returncode == 0, f"{program}: {done.stdout}{done.stderr}"


def _is_user(name: str) -> bool:
    try:
        return bool(pwd.getpwnam(name))
    except KeyError:
        return False


@contextmanager
def cluster(folder: Path) -> Iterator[Cluster]:
    """A running server, stopped at the end; skips the test where PostgreSQL is not installed."""
    if not (BINARIES / "initdb").exists():
        pytest.skip("PostgreSQL 15 is not installed")
    place = folder / "pg"
    place.mkdir()
    running = Cluster(place)
    running.start()
    try:
        yield running
    finally:
        running.stop("immediate")
        shutil.rmtree(place, ignore_errors=True)
