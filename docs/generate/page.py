"""What the generator makes: pages with a place, put together from parts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from docs.generate.docstrings import cell

_ORPHAN = "---\norphan: true\n---"
"""Out of the navigation, which would list hundreds of pages on each of them; the overview of a kind links to its pages."""
_BACK = "[All of this kind](index.md)"


@dataclass(frozen=True)
class Page:
    """A page of the reference.

    Args:
        kind: The folder it lies in ("metric").
        name: The name of its thing, and of its file.
        sentence: One line about it, for the list of its kind.
        parts: Its paragraphs, tables and sections below the title.
        group: The heading under which the list of its kind has it.
    """

    kind: str
    name: str
    sentence: str
    parts: Sequence[str]
    group: str = ""

    @property
    def text(self) -> str:
        """The page in Markdown."""
        return "\n\n".join([_ORPHAN, f"# {self.name}", *(part for part in self.parts if part), _BACK]) + "\n"

    def write(self, folder: Path) -> None:
        """Write it where its kind lies."""
        place = folder / self.kind / f"{self.file}.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(self.text, encoding="utf-8")

    @property
    def file(self) -> str:
        """The name of its file, without an ending."""
        return self.name.replace(" ", "-")


def section(title: str, *parts: str) -> str:
    """A heading with what stands below it; "" where that is nothing."""
    kept = [part for part in parts if part]
    return "\n\n".join([f"## {title}", *kept]) if kept else ""


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; "" without rows."""
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}", *lines]) if lines else ""


def overview(title: str, about: str, pages: Sequence[Page]) -> str:
    """The page that lists a kind."""
    parts = [f"# {title}", about]
    for group in dict.fromkeys(page.group for page in pages):
        rows = [(f"[{page.name}]({page.file}.md)", cell(page.sentence)) for page in pages if page.group == group]
        parts += [f"## {group}"] if group else []
        parts.append(table(("name", "what it is"), rows))
    return "\n\n".join(part for part in parts if part) + "\n"
