"""Real processes of the command line, for tests: a server that is started, asked and stopped."""

from __future__ import annotations

import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx

SOURCE = Path(__file__).parents[2] / "src"
PATIENCE = 60.0
"""Seconds for anything on a busy machine."""


def parakh(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """A verb that runs and ends; ``more`` are variables of its environment."""
    command = [sys.executable, "-m", "parakh.cli.main", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment(**more), timeout=PATIENCE, check=False)


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(SOURCE), "COLUMNS": "300", **more}


class Served:
    """``parakh serve`` on a port of its own; leaving the block stops it by SIGTERM."""

    def __init__(self, data: Path, *arguments: str, port: int = 0) -> None:
        command = [sys.executable, "-m", "parakh.cli.main", "serve", "--data", str(data), "--port", str(port), *arguments]
        started = time.monotonic()
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment(), start_new_session=True
        )
        self._lines: queue.Queue[str | None] = queue.Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.said: list[str] = []
        self.wait_for("Ready")
        self.ready_after = time.monotonic() - started
        self.address = next(found[0] for line in self.said if (found := re.search(r"http://\S+", line)))

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def wait_for(self, beginning: str) -> None:
        while not self.said or not self.said[-1].startswith(beginning):
            line = self._lines.get(timeout=PATIENCE)
            if line is None:
                self.process.wait(PATIENCE)
                self._close()
                raise AssertionError("it ended: " + "\n".join(self.said))
            self.said.append(line)

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.address + path, timeout=PATIENCE)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """End it, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        code = self.process.wait(PATIENCE)
        self._close()
        return code

    def _close(self) -> None:
        """Take what it said to the last, and let go of it."""
        assert self.process.stdout is not None
        self._reader.join(PATIENCE)
        while not self._lines.empty() and (line := self._lines.get()) is not None:
            self.said.append(line)
        self.process.stdout.close()

    def __enter__(self) -> Served:
        return self

    def __exit__(self, *error: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._close()
