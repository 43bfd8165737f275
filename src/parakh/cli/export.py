"""``parakh export``: a challenge for another platform."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="Write a challenge for another platform.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


@app.callback()
def common() -> None:
    """Write a challenge for another platform."""


@app.command()
def codabench(
    challenge: Annotated[str, typer.Argument(metavar="CHALLENGE.toml", help="The challenge.")],
    track: Annotated[str, typer.Option("--track", help="Key of the track: a bundle is of one.")],
    out: Annotated[str, typer.Option("--out", help="The bundle to write, a zip.")],
    image: Annotated[str, typer.Option("--image", help="Docker image with Python and Parakh, to score in.")],
    phase: Annotated[list[str] | None, typer.Option("--phase", help="Only this phase; repeat for several.")] = None,
) -> None:
    """Write a bundle of Codabench whose scoring program calls Parakh."""
    from parakh.cli.settings import check_output
    from parakh.leaderboard import codabench as bundle
    from parakh.leaderboard.challenge_file import load_challenge

    check_output("--out", out, [challenge])
    rules = load_challenge(challenge)
    folder = Path(challenge).parent
    made = bundle.export(rules, folder, Path(out), track, image, phase or (), lambda line: typer.echo(f"note: {line}", err=True))
    typer.echo(
        f"{made}: upload it to Codabench under Benchmarks, Management, Upload. It holds the references: publish it nowhere."
    )
