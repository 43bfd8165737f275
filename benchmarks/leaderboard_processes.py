"""Real processes of the leaderboard, and somebody who fills in its forms."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import httpx


def run(*arguments: str) -> str:
    """A verb of the command line that has to go well."""
    done = subprocess.run([sys.executable, "-m", "parakh.cli.main", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"parakh {' '.join(arguments)}: {done.stdout}{done.stderr}")
    return done.stdout


@contextmanager
def process(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A verb that runs until it is ended."""
    command = [sys.executable, "-m", "parakh.cli.main", *arguments]
    output = subprocess.PIPE if arguments[0] == "serve" else subprocess.DEVNULL
    running = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL, text=True)
    try:
        yield running
    finally:
        running.terminate()
        running.wait(60)


def until_ready(server: subprocess.Popen[str]) -> str:
    """Wait until a server is ready, and return its address; what it says later is thrown away."""
    assert server.stdout is not None
    address = ""
    lines = iter(server.stdout.readline, "")
    for line in lines:
        address = address or next(iter(re.findall(r"http://\S+", line)), "")
        if line.startswith("Ready"):
            break
    threading.Thread(target=lambda: list(lines), daemon=True).start()
    return address


class Browser:
    """Somebody who fills in forms."""

    def __init__(self, address: str) -> None:
        self.http = httpx.Client(base_url=address, follow_redirects=True, timeout=60)

    def fill(self, page: str, action: str, **fields: str | list[str]) -> str:
        """Load a page with a form, send the form, and return the page that follows."""
        token = re.findall(r'name="csrf" value="([^"]+)"', self.http.get(page).text)[-1]
        answer = self.http.post(action, data={"csrf": token, **fields})
        if answer.status_code != httpx.codes.OK:
            sys.exit(f"{action}: {answer.status_code} {answer.text[:2000]}")
        return answer.text
