"""Write docs/reference.md from the declarations and docstrings; ``--check`` only says whether it is up to date."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from parakh.cli import main
from parakh.cli.plugins import description, entries
from parakh.models import store
from parakh.text.normalize import PROFILES

TARGET = Path(__file__).parent / "reference.md"
SHOWN = (
    "metric",
    "format",
    "importer",
    "exporter",
    "check",
    "track",
    "fusion",
    "diarizer",
    "transcriber",
    "translator",
    "topics",
    "summary",
    "llm",
    "recipe",
    "figure",
)


def page() -> str:
    """The whole reference page."""
    parts = ["# Reference", "Made by `make docs` from the declarations in the code.", *_commands()]
    for kind in SHOWN:
        parts.append(f"## Every {kind}")
        for name, sentence in entries(kind):
            parts.append(f"### {name}\n\n```text\n{description(kind, name) or sentence}\n```")
    parts.append("## Normalisation profiles")
    parts.append("\n".join(f"- `{profile.name}` (v{profile.version}): {profile.title}" for profile in PROFILES.values()))
    parts.append("## Models")
    parts += _models()
    return "\n\n".join(parts) + "\n"


def _verbs() -> Iterator[str]:
    """Every verb, and those below it."""
    for command in main.app.registered_commands:
        verb = command.name or getattr(command.callback, "__name__", "")
        yield verb
        groups = {name: import_module(f"parakh.cli.{name}").app for name in main.GROUPS}
        below = groups.get(verb)
        for one in below.registered_commands if below else ():
            yield f"{verb} {one.name or getattr(one.callback, '__name__', '').replace('_', '-')}"


def _commands() -> Iterator[str]:
    yield "## Commands"
    for verb in _verbs():
        command = [sys.executable, "-m", "parakh.cli.main", *verb.split(), "--help"]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "COLUMNS": "100"})
        yield f"### parakh {verb}\n\n```text\n{done.stdout.strip()}\n```"


def _models() -> Iterator[str]:
    yield "| model | what it is | licence | MB |\n|---|---|---|---|\n" + "\n".join(
        f"| `{name}` | {model.title} | {model.licence} | {model.size / 1e6:.1f} |"
        for name in store.names()
        for model in [store.declaration(name)]
    )


def build() -> int:
    """Write the page, or compare it."""
    text = page()
    if "--check" not in sys.argv[1:]:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    if TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text:
        return 0
    print("docs/reference.md is not what the code says: run make docs", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(build())
