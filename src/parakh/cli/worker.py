"""``parakh worker``: score what is handed in, beside or instead of the worker of ``parakh serve``."""

from __future__ import annotations

import logging
import signal
from pathlib import Path
from threading import Event

import typer

from parakh.errors import Fault, InputError
from parakh.packages import imported


def run(data: str | None, config: str | None, database_url: str | None, jobs: int | None) -> None:
    """Work until SIGTERM or SIGINT; what is under way then is taken up by others."""
    for package in ("sqlalchemy", "alembic", "dbos"):
        imported(package, "server", "parakh worker")
    from parakh.leaderboard.database import Database
    from parakh.leaderboard.database.migrations import migrate
    from parakh.leaderboard.queue import run_worker
    from parakh.leaderboard.settings import Settings

    overrides = {"data": data, "database_url": database_url, "workers": jobs}
    settings = Settings.load(config, overrides)
    _needs_folder(settings.data)
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: stop.set())
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(message)s")
    database = Database(settings.database_url)
    try:
        migrate(database)
    finally:
        database.close()
    typer.echo(f"Scoring for {settings.data}, {settings.workers} at a time. Ctrl-C stops it.")
    run_worker(settings, stop)


def _needs_folder(data: Path) -> None:
    if not data.is_dir():
        action = "Give the data folder of the server; workers on other machines share it."
        raise InputError(Fault("--data", "", f"{data}, which is no folder", "the folder that keeps everything", action))
