"""What the verbs of ``parakh admin`` share: the service they work on, and how they print."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from parakh.errors import Fault, InputError
from parakh.packages import imported

if TYPE_CHECKING:
    from parakh.leaderboard.database import Database
    from parakh.leaderboard.settings import Settings

Challenge = Annotated[str, typer.Argument(help="Name of the challenge.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print it as JSON.")]


@contextmanager
def service(
    data: str | None, config: str | None, database_url: str | None, *, is_new: bool = False
) -> Iterator[tuple[Settings, Database]]:
    """The settings and the database of a leaderboard, in its newest form.

    Args:
        data: The data folder.
        config: The settings' file.
        database_url: The database.
        is_new: Whether it may be made.

    Raises:
        InputError: There is none, and none may be made.
    """
    settings = settings_of(data, config, database_url)
    from parakh.leaderboard.database import Database
    from parakh.leaderboard.database.migrations import migrate

    if is_new:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
    elif not settings.data.is_dir():
        raise InputError(Fault("--data", "", f"{settings.data}, which is no folder", "the folder of a leaderboard", "Name it."))
    database = Database(settings.database_url)
    try:
        migrate(database)
        yield settings, database
    finally:
        database.close()


def settings_of(data: str | None, config: str | None, database_url: str | None) -> Settings:
    """The settings as the command line and the file give them.

    Raises:
        MissingPackageError: A package of the extra ``server`` is not there.
        InputError: The file is none.
    """
    for package in ("sqlalchemy", "alembic", "argon2"):
        imported(package, "server", "parakh admin", {"argon2": "argon2-cffi"}.get(package, ""))
    from parakh.leaderboard.settings import Settings

    return Settings.load(config, {"data": data, "database_url": database_url})


def show(headings: Sequence[str], rows: Iterable[Sequence[object]], *, as_json: bool) -> None:
    """Print rows as a table, or as a list of JSON objects."""
    if as_json:
        import json

        listed = [dict(zip(headings, row, strict=True)) for row in rows]
        typer.echo(json.dumps(listed, ensure_ascii=False, indent=1, default=str))
        return
    from rich.text import Text

    from parakh.cli.tables import bare_table, console
    from parakh.errors import printable

    table = bare_table()
    for heading in headings:
        table.add_column(heading.replace("_", " "))
    for row in rows:
        table.add_row(*(Text(printable("" if cell is None else str(cell))) for cell in row))
    console().print(table)


def minute(moment: datetime | None) -> str:
    """A moment as tables show it; "" for none.

    >>> from datetime import UTC
    >>> minute(datetime(2026, 3, 1, 9, 30, tzinfo=UTC))
    '2026-03-01 09:30 UTC'
    """
    return "" if moment is None else f"{moment:%Y-%m-%d %H:%M %Z}"
