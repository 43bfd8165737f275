"""The verbs about challenges: to check submissions and hand them in, to serve a leaderboard and score."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

verbs = typer.Typer()

Data = Annotated[str | None, typer.Option("--data", help="Folder that keeps everything; parakh-data unless configured.")]
Config = Annotated[str | None, typer.Option("--config", help="Settings of the service, in TOML.")]
DatabaseUrl = Annotated[str | None, typer.Option("--database-url", help="postgresql://USER@HOST/NAME instead of SQLite.")]


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


@verbs.command()
def submit(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="The submission: a zip, a tar.gz or a single file.")],
    server: Annotated[str, typer.Option("--server", help="Address of the leaderboard, as https://board.example.org.")],
    challenge: Annotated[str, typer.Option("--challenge", help="Name of the challenge.")],
    phase: Annotated[str, typer.Option("--phase", help="Key of the phase.")],
    track: Annotated[str, typer.Option("--track", help="Key of the track.")],
    system: Annotated[str, typer.Option("--system", help="What the board calls the system.")] = "",
    description: Annotated[str, typer.Option("--description", help="What the system is.")] = "",
    tags: Annotated[list[str] | None, typer.Option("--tag", help="A word to find it by; may be given several times.")] = None,
    paper: Annotated[str, typer.Option("--paper", help="Address of a paper.")] = "",
    token_file: Annotated[
        Path | None, typer.Option("--token-file", help="File with the token, instead of PARAKH_TOKEN or ~/.config/parakh/token.")
    ] = None,
    no_check: Annotated[bool, typer.Option("--no-check", help="Send it without checking it here first.")] = False,
    wait: Annotated[bool, typer.Option("--wait", help="Wait until it is scored, and print the scores.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the submission as JSON.")] = False,
) -> None:
    """Hand a submission in to a leaderboard."""
    from parakh.cli import submit as verb

    request = verb.Request(
        path=path,
        server=server,
        challenge=challenge,
        phase=phase,
        track=track,
        system=system,
        description=description,
        tags=tags or [],
        paper=paper,
        token_file=token_file,
        check=not no_check,
        wait=wait,
        as_json=as_json,
    )
    raise typer.Exit(verb.run(request))


@verbs.command()
def serve(
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
    host: Annotated[str, typer.Option("--host", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", help="Port; 0 takes any that is free.")] = 8000,
    address: Annotated[str | None, typer.Option("--address", help="How browsers reach it, as https://board.example.org.")] = None,
    no_worker: Annotated[bool, typer.Option("--no-worker", help="Leave scoring to `parakh worker`.")] = False,
    demo: Annotated[bool, typer.Option("--demo", help="With an example challenge, teams and submissions.")] = False,
) -> None:
    """Run the leaderboard: pages, API and scoring."""
    from parakh.cli import serve as verb

    verb.run(data, config, address, database_url, host=host, port=port, work=not no_worker, demo=demo)


@verbs.command()
def worker(
    data: Data = None,
    config: Config = None,
    database_url: DatabaseUrl = None,
    jobs: Annotated[int | None, typer.Option("--jobs", help="Submissions at a time, the same for every worker.")] = None,
) -> None:
    """Score what is handed in to a leaderboard."""
    from parakh.cli import worker as verb

    verb.run(data, config, database_url, jobs)
