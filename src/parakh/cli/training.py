"""The verb about models: to train them further."""

from __future__ import annotations

from typing import Annotated

import typer

verbs = typer.Typer()


@verbs.command()
def finetune(
    track: Annotated[str, typer.Argument(help="asr or diarization.")],
    config: Annotated[str, typer.Argument(help="A TOML file: recipe, weights, data, train, dev, out, and options.")],
    settings: Annotated[list[str] | None, typer.Option("--set", help="Change one key, as epochs=5.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the last checkpoint in the folder.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what it would be trained on and take of memory and time.")
    ] = False,
    json_out: Annotated[str | None, typer.Option("--json", help="Write the run card as JSON; - for standard output.")] = None,
) -> None:
    """Train a model of the cascade further on a data set."""
    from parakh.cli import finetune as verb

    raise typer.Exit(verb.finetune(verb.Request(track, config, settings or [], resume, dry_run, json_out)))
