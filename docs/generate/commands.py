"""A page for every verb of the command line: its help."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import typer

from docs.generate.docstrings import fence, markdown
from docs.generate.page import Page, section
from parakh.cli import helping
from parakh.cli.main import GROUPS, app

_WIDTH = 88


def pages() -> Iterator[Page]:
    """Verbs in the order of the help."""
    for path, command in verbs():
        context = command.make_context(
            f"parakh {path}", [], resilient_parsing=True, max_content_width=_WIDTH, terminal_width=_WIDTH
        )
        sentence = (command.help or "").strip().split("\n")[0]
        told = command.get_help(context).partition(f"\n\n{helping.TITLE}:")[0]
        yield Page("command", path, sentence, [sentence, fence("text", told), section(helping.TITLE, *_examples(path))])


def _examples(path: str) -> Iterator[str]:
    for one in helping.examples().get(path, []):
        needs = f" It needs {one.needs}." if one.needs else ""
        yield f"{markdown(one.does)}:{needs}\n\n{fence('console', f'$ {one.command}')}"


def verbs() -> Iterator[tuple[str, Any]]:
    """Every verb, those below a verb too, with its command."""
    for name, command in _below(app):
        if name not in GROUPS:
            yield name, command
        else:
            for below, inner in _below(importlib.import_module(f"parakh.cli.{name}").app):
                yield f"{name} {below}", inner


def _below(one: typer.Typer) -> Iterator[tuple[str, Any]]:
    command: Any = typer.main.get_command(one)
    if hasattr(command, "commands"):
        yield from command.commands.items()
    else:  # typer makes of a single verb a command without a group
        first = one.registered_commands[0]
        yield first.name or getattr(first.callback, "__name__", "").replace("_", "-"), command
