"""``parakh environment``: interpreters of their own for backends whose packages cannot stand beside others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Column, Table

from parakh.cascade import environments
from parakh.cli.tables import console

app = typer.Typer(
    help="List and build environments of backends.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.command("list")
def list_environments() -> None:
    """Show every environment, what it is for, and whether it is built."""
    table = Table(Column("environment", no_wrap=True), "what it is for", "built", box=None, pad_edge=False)
    for name in environments.names():
        one = environments.declared(name)
        table.add_row(name, one.title, "yes" if environments.is_built(one) else "no")
    screen = console()
    screen.print(table)
    screen.print(f"Folder: {environments.root()}", soft_wrap=True)


@app.command("build")
def build_environments(
    names: Annotated[list[str], typer.Argument(help="Environments to build; one that is there is made anew.")],
    python: Annotated[Path | None, typer.Option("--python", help="Interpreter to make them from; this one if none.")] = None,
) -> None:
    """Build environments from their pinned requirements."""
    for one in [environments.declared(name) for name in names]:
        interpreter = environments.build(one.name, lambda line: typer.echo(line, err=True), python)
        typer.echo(f"{one.name}: {interpreter}")
