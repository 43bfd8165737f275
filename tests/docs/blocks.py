"""The blocks of a Markdown page: what kind each is, where it stands, and what its author says of running it."""

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from markdown_it import MarkdownIt

ROOT = Path(__file__).parent.parent.parent
KINDS = frozenset({"console", "python", "toml", "json", "jsonl", "yaml", "text"})
"""What a fenced block may be; MyST's own directives stand in braces."""

_NOT_RUN = re.compile(r"<!-- not run: (.+?) -->", re.DOTALL)
_NEEDS = re.compile(r"<!-- needs: (\S+) -->")
_FILE = re.compile(r"<!-- file: (\S+) -->")
_SETUP = re.compile(r"<!-- setup: (.+?) -->", re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block; ``line`` is that of its first line, from 1."""

    kind: str
    text: str
    line: int
    not_run: str | None = None
    setup: tuple[str, ...] = ()
    """Commands that make what the block needs, which readers do not see."""
    file: str | None = None
    """The file that the block is written to, for what follows."""


@dataclass(frozen=True)
class Command:
    """A command of a console block with the output shown below it; ``line`` and ``end`` are of its output, ``end`` left out."""

    text: str
    shown: tuple[str, ...]
    line: int
    end: int


def pages() -> list[Path]:
    """Every page that people read."""
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page in order; a block that is only indented is of the kind ``indented``."""
    not_run: str | None = None
    file: str | None = None
    setup: tuple[str, ...] = ()
    for token in MarkdownIt().parse(page.read_text(encoding="utf-8")):
        at = token.map[0] + 1 if token.map else 0
        if token.type == "html_block":
            said = _NOT_RUN.search(token.content)
            not_run = " ".join(said[1].split()) if said else _lacking(token.content) or not_run
            setup += tuple(_SETUP.findall(token.content))
            names = _FILE.search(token.content)
            file = names[1] if names else file
            continue
        if token.type == "fence" and not token.info.startswith("{"):
            yield Block(token.info.strip(), token.content, at + 1, not_run, setup, file)
        elif token.type == "code_block":
            yield Block("indented", token.content, at)
        not_run, file, setup = None, None, ()


def _lacking(comment: str) -> str | None:
    """Why a block cannot run that needs a module: a tool which is compared with is not installed everywhere."""
    needs = _NEEDS.search(comment)
    if not needs:
        return None
    with contextlib.suppress(ModuleNotFoundError):  # of the package that it would lie in
        if find_spec(needs[1]):
            return None
    return f"{needs[1]} is not installed"


def commands(block: Block) -> Iterator[Command]:
    """The commands of a console block; a line that ends in a backslash goes on in the next."""
    lines = block.text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    for start, following in zip(starts, [*starts[1:], len(lines)], strict=True):
        last = start
        while lines[last].endswith("\\") and last + 1 < following:
            last += 1
        text = "\n".join(lines[start : last + 1]).removeprefix("$ ")
        yield Command(text, tuple(lines[last + 1 : following]), block.line + last + 1, block.line + following)
