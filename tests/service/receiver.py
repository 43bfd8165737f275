"""A program that receives webhooks: it writes each request down as a line, and answers as it is told.

    python receiver.py FOLDER STATUS [STATUS ...]

The statuses are given in turn, the last one for ever; "drip" answers a letter a second. The port is written to FOLDER/port.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class Handler(BaseHTTPRequestHandler):
    folder: Path
    statuses: list[str]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        told = {"path": self.path, "headers": {name.lower(): value for name, value in self.headers.items()}, "body": body}
        with (self.folder / "requests").open("a") as file:
            file.write(json.dumps(told) + "\n")
        status = self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0]
        if status == "drip":
            for letter in "HTTP/1.1 200 OK and so on for a long time":
                self.wfile.write(letter.encode())
                time.sleep(1.0)
            return
        self.send_response(int(status))
        if status.startswith("3"):
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Nothing on the terminal."""


class Receiver:
    """The program from outside."""

    def __init__(self, folder: Path, process: subprocess.Popen[bytes]) -> None:
        self.folder, self.process = folder, process

    def address(self, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{(self.folder / 'port').read_text()}/hook?a=1"

    def requests(self) -> list[dict[str, Any]]:
        path = self.folder / "requests"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def wait_for(self, count: int, seconds: float = 30.0) -> list[dict[str, Any]]:
        deadline = time.monotonic() + seconds
        while len(self.requests()) < count and time.monotonic() < deadline:
            time.sleep(0.05)
        return self.requests()


@contextmanager
def receiver(folder: Path, *statuses: str) -> Iterator[Receiver]:
    """The program, running."""
    folder.mkdir(parents=True, exist_ok=True)
    process = subprocess.Popen([sys.executable, __file__, str(folder), *(statuses or ("204",))])
    try:
        deadline = time.monotonic() + 30
        while not (folder / "port").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        yield Receiver(folder, process)
    finally:
        process.terminate()
        process.wait(10)


def main() -> None:
    Handler.folder, Handler.statuses = Path(sys.argv[1]), sys.argv[2:]
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    new = Handler.folder / f"port.{os.getpid()}"
    new.write_text(str(server.server_address[1]))
    new.rename(Handler.folder / "port")
    server.serve_forever()


if __name__ == "__main__":
    main()
