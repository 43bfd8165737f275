"""``python -m docs.generate.offline FOLDER``: whether the pages of a site load anything from elsewhere."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

_LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("object", "data")}
_AWAY = re.compile(r"(https?:)?//")
_OF_A_STYLE = re.compile(r"(?:url\(|@import\s+)[\"']?((?:https?:)?//[^\"')\s]+)")


class _Loaded(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [value for name, value in attrs if (tag, name) in _LOADED and value and _AWAY.match(value)]


def loaded(folder: Path) -> Iterator[str]:
    """Every address from elsewhere that opening a page or a style would ask for, after its file."""
    for path in sorted(folder.rglob("*.html")):
        parser = _Loaded()
        parser.feed(path.read_text(encoding="utf-8"))
        yield from (f"{path}: {address}" for address in parser.found)
    for path in sorted(folder.rglob("*.css")):
        yield from (f"{path}: {address}" for address in _OF_A_STYLE.findall(path.read_text(encoding="utf-8")))


if __name__ == "__main__":
    away = list(loaded(Path(sys.argv[1])))
    print("\n".join(away), file=sys.stderr)
    sys.exit(1 if away else 0)
