"""The verbs about challenges: to check submissions and hand them in, to serve a leaderboard and score."""

from __future__ import annotations

from typing import Annotated

import typer

verbs = typer.Typer()


@verbs.command()
def validate(
    path: Annotated[str, typer.Argument(metavar="FILE", help="The submission: a zip, a tar.gz or a single file.")],
    kit: Annotated[str | None, typer.Option("--kit", help="The kit of the track, from the challenge's page.")] = None,
    challenge: Annotated[str | None, typer.Option("--challenge", help="A challenge.toml instead of a kit.")] = None,
    phase: Annotated[str | None, typer.Option("--phase", help="With --challenge: key of the phase.")] = None,
    track: Annotated[str | None, typer.Option("--track", help="With --challenge: key of the track.")] = None,
    json_out: Annotated[str | None, typer.Option("--json", help="Write the outcome as JSON; - for standard output.")] = None,
) -> None:
    """Check a submission as the leaderboard does, offline."""
    from parakh.cli import validate as verb

    raise typer.Exit(verb.run(path, kit, challenge, phase, track, json_out))
