"""What every verb's help ends with: examples, which are read only where help is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

TITLE = "Examples"


@dataclass(frozen=True)
class Example:
    """One command to learn from.

    Args:
        does: What it does, in a few words.
        command: The command, as it is typed where ``examples/`` and ``demo-out/`` lie.
        needs: Why it cannot be run there as it stands; "" where it can.
    """

    does: str
    command: str
    needs: str = ""


def examples() -> dict[str, list[Example]]:
    """Every verb as it is called, "parakh" for the command itself, with its examples."""
    import tomllib
    from pathlib import Path

    declared = tomllib.loads(Path(__file__).with_name("examples.toml").read_text(encoding="utf-8"))
    return {verb: [Example(**one) for one in told] for verb, told in declared.items()}


class _Verb(TyperCommand):
    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        _write(ctx.command_path, formatter)


class _Group(TyperGroup):
    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        _write(ctx.command_path, formatter)


def with_examples(app: typer.Typer) -> typer.Typer:
    """The same command; the help of each of its verbs ends with examples."""
    app.info.cls = _Group
    for verb in app.registered_commands:
        verb.cls = _Verb
    return app


def _write(path: str, formatter: Any) -> None:
    """Each example as a sentence and a command, which is never broken: it is there to be copied."""
    told = examples().get(path.removeprefix("parakh ") if path != "parakh" else path, [])
    if not told:
        return
    with formatter.section(TITLE):
        for one in told:
            formatter.write_text(one.does)
            formatter.write(f"{' ' * (formatter.current_indent + 2)}{one.command}\n")
