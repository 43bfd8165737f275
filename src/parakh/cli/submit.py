"""``parakh submit``: check a file with the server's own kit, hand it in, and wait for its score where asked to."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from parakh.errors import Fault, InputError, ParakhError, counted, printable
from parakh.leaderboard.client import Client
from parakh.report.summary import shown

_UNKNOWN = 3
TOKEN_FILE = Path("~/.config/parakh/token")
"""Where the token is looked for when the environment has none."""


@dataclass(frozen=True)
class Request:
    """What the command line asks for."""

    path: Path
    server: str
    challenge: str
    phase: str
    track: str
    system: str = ""
    description: str = ""
    tags: Sequence[str] = ()
    paper: str = ""
    token_file: Path | None = None
    check: bool = True
    wait: bool = False
    as_json: bool = False


def run(request: Request) -> int:
    """Do it, and return the exit code.

    Returns:
        0, 1 where the submission has faults or could not be scored, 3 where it was taken and its outcome could not be learned.

    Raises:
        ParakhError: The server does not take it, or cannot be reached; the token or the file is not there.
    """
    client = Client(request.server, read_token(request.token_file))
    if request.check and (faults := _faults(client, request)):
        _tell({"state": "not sent", "faults": faults}, request.as_json)
        return 1
    made = client.submit(
        request.path,
        request.challenge,
        request.phase,
        request.track,
        system=request.system,
        description=request.description,
        tags=request.tags,
        paper=request.paper,
    )
    made["address"] = f"{client.address}/s/{made['id']}"
    code = 0
    if request.wait:
        made, code = _waited(client, made)
    _tell(made, request.as_json)
    return code or int(made["state"] in {"refused", "failed"})


def _waited(client: Client, made: dict[str, Any]) -> tuple[dict[str, Any], int]:
    """A submission with its outcome; as it was, and 3, where that cannot be learned: 2 would have scripts send it again."""
    typer.echo(f"submission {made['id']} was taken; waiting for its score", err=True)
    try:
        return {**made, **client.wait(made["id"])}, 0
    except ParakhError as error:
        typer.echo(printable(str(error)), err=True)
        typer.echo(f"The submission was taken all the same: do not send it again. Look at {made['address']}", err=True)
        return made, _UNKNOWN


def read_token(path: Path | None) -> str:
    """The token, from PARAKH_TOKEN or a file that nobody else can read.

    Args:
        path: The file; None for the usual place.

    Raises:
        InputError: There is none, or others can read the file.
    """
    if path is None and (token := os.environ.get("PARAKH_TOKEN", "").strip()):
        return token
    place = (path or TOKEN_FILE).expanduser()
    action = f"Make one on your account's page, and put it into {place} or PARAKH_TOKEN."
    try:
        mode = place.stat().st_mode
        token = place.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(Fault(str(place), "", "no token", "a token of the server", action)) from error
    if os.name == "posix" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise InputError(Fault(str(place), "", "a file that others may read", "mode 0600", f"Run: chmod 600 {place}"))
    return token


def _faults(client: Client, request: Request) -> list[str]:
    from parakh.leaderboard.validation import check

    checked = check(request.path, client.kit(request.challenge, request.phase, request.track))
    return [str(fault) for fault in checked.faults]


def _tell(made: dict[str, Any], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(made, ensure_ascii=False, indent=2))
        return
    for line in made.get("faults", ()):
        typer.echo(printable(line))
    if made.get("faults"):
        typer.echo(f"{made['state']}: {counted(len(made['faults']), 'fault')}")
        return
    typer.echo(f"{made['state']}: {made['address']}")
    for name, score in made.get("scores", {}).items():
        typer.echo(f"{name} {shown(name, score['value'])}{_interval(name, score)}")


def _interval(metric: str, score: dict[str, Any]) -> str:
    low, high = score.get("low"), score.get("high")
    return f" ({shown(metric, low)} to {shown(metric, high)})" if low is not None and high is not None else ""
