"""Real processes of the leaderboard, and somebody who fills in its forms."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.service.processes import environment, parakh


def run(*arguments: str) -> None:
    """A verb of the command line that has to go well."""
    done = parakh(*arguments)
    if done.returncode:
        sys.exit(f"parakh {' '.join(arguments)}: {done.stdout}{done.stderr}")


@contextmanager
def worker(data: str) -> Iterator[None]:
    """``parakh worker``, until the block is left."""
    command = [sys.executable, "-m", "parakh.cli.main", "worker", "--data", data]
    running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
    try:
        yield
    finally:
        running.terminate()
        running.wait(60)


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
