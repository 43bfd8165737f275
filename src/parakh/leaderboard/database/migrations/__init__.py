"""The history of the tables: every database is brought to the newest form when a process starts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext, RevisionStep
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from parakh.errors import ParakhError
from parakh.leaderboard.database import Database

_LOCK = 0x7061726B  # a number of PostgreSQL's own locks, so that processes that start together go one by one


def migrate(database: Database, to: str = "head") -> None:
    """Bring a database to a form, from nothing or from any form before; several processes may do so at once.

    Args:
        database: Which.
        to: Id of a revision; "head" is the newest.

    Raises:
        ParakhError: It was made by a newer Parakh.
        UnavailableError: It cannot be reached.

    >>> database = Database("sqlite://")
    >>> migrate(database)
    >>> revision_of(database) == newest()
    True
    """
    script = _script()
    database.check()
    with _alone(database) as connection:
        present = MigrationContext.configure(connection).get_current_revision()
        known = {one.revision for one in script.walk_revisions()}
        if present is not None and present not in known:
            raise ParakhError(f"the database has the form {present} of a newer Parakh. Update Parakh, or restore a backup.")

        def steps(revision: object, context: MigrationContext) -> list[RevisionStep]:
            return script._upgrade_revs(to, present)  # type: ignore[arg-type, return-value, unused-ignore]

        with EnvironmentContext(Config(), script, fn=steps) as environment:
            environment.configure(connection=connection, transactional_ddl=True)
            environment.run_migrations()


def newest() -> str:
    """Id of the newest form."""
    return str(_script().get_current_head())


def revision_of(database: Database) -> str | None:
    """Id of the form that a database has; None for one that is empty."""
    with database.engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def _script() -> ScriptDirectory:
    config = Config()
    config.set_main_option("script_location", "parakh.leaderboard.database:migrations")
    return ScriptDirectory.from_config(config)


@contextmanager
def _alone(database: Database) -> Iterator[Connection]:
    """A transaction that no other process has at the same time; SQLite has one place for a writer anyhow."""
    with database.engine.execution_options(writes=True).connect() as connection, connection.begin():
        if not database.is_sqlite:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        yield connection
