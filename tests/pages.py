"""What the tests of pages share: a parser that checks them, and a browser that visits them."""

import http.server
import json
import shutil
import subprocess
import threading
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from parakh.markup import VOID

BROWSER = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
needs_browser = pytest.mark.skipif(BROWSER is None, reason="no chromium here; install the package chromium to run this")
EVIL = "<img src=/stolen onerror=console.error(1)></script><script>console.error(2)</script>"
"""Text that a browser must show and never run."""


class Page(HTMLParser):
    """Checks that elements nest, and keeps ids, inner links, outer references, text, and data blocks."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: Counter[str] = Counter()
        self.links: set[str] = set()
        self.outer: list[str] = []
        self.text = ""
        self.blocks: dict[str, str] = {}
        self.block = ""
        self.scripts = 0
        self.feed(source)

    def handle_starttag(self, name: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.scripts += name == "script" and "type" not in given
        self.block = (given.get("id") or given.get("data-rec") or "") if name == "script" else ""
        for key, value in attrs:
            assert not key.startswith("on"), "an inline handler would escape the content security policy"
            if key == "id":
                self.ids[value or ""] += 1
            if key in {"href", "src", "srcset", "poster", "data", "action", "xlink:href"}:
                (self.links.add if (value or "").startswith("#") else self.outer.append)(value or "")
        if name not in VOID:
            self.open.append(name)

    def handle_endtag(self, name: str) -> None:
        assert self.open.pop() == name

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in {"script", "style"}:
            self.text += data
        elif self.block:
            self.blocks[self.block] = data

    def data(self, name: str) -> Any:
        return json.loads(self.blocks[name])


def visited(page: Path, fragment: str = "") -> tuple[str, str, list[str]]:
    """A page as the browser leaves it, what it logged, and every path it asked the server for."""
    asked: list[str] = []

    class Handler(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *args: object) -> None:
            super().__init__(*args, directory=str(page.parent))  # type: ignore[arg-type]

        def log_message(self, format: str, *args: object) -> None:
            asked.append(self.path)

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/{page.name}{fragment}"
        dom, log = dump(address, page.parent)
        server.shutdown()
    return dom, log, asked


def dump(address: str, profile: Path) -> tuple[str, str]:
    """A page as the browser leaves it, and what it logged."""
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", f"--user-data-dir={profile / 'profile'}"]
    flags += ["--disable-background-networking", "--no-first-run", "--virtual-time-budget=2000", "--dump-dom"]
    done = subprocess.run([str(BROWSER), *flags, address], capture_output=True, timeout=60, check=True)
    return done.stdout.decode(), done.stderr.decode()
