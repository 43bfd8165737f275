"""The history of the tables."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text

from parakh.errors import ParakhError
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.migrations import migrate, newest, revision_of
from parakh.leaderboard.database.tables import Base


def differences(database: Database) -> list[object]:
    """Between the tables of a database and ``tables.py``: what the next revision has to change."""
    with database.engine.connect() as connection:
        return list(compare_metadata(MigrationContext.configure(connection), Base.metadata))


def test_the_revisions_lead_to_the_tables(database: Database) -> None:
    assert differences(database) == []
    assert revision_of(database) == newest()


def test_a_second_time_changes_nothing(database: Database) -> None:
    migrate(database)
    assert differences(database) == []


def test_several_start_at_once(tmp_path: Path) -> None:
    databases = [Database(f"sqlite:///{tmp_path / 'one.sqlite'}") for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(migrate, databases))
    assert differences(databases[0]) == []
    for database in databases:
        database.close()


def test_a_database_of_a_newer_version_is_refused(database: Database) -> None:
    with database.engine.execution_options(writes=True).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(ParakhError, match="the database has the form 9999 of a newer Parakh"):
        migrate(database)


def test_an_error_half_way_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from alembic import op

    made: list[str] = []
    create = op.create_table

    def broken(name: str, *columns: object) -> object:
        made.append(name)
        if len(made) == 5:
            raise OSError("no room")
        return create(name, *columns)  # type: ignore[arg-type]

    database = Database(f"sqlite:///{tmp_path / 'one.sqlite'}")
    monkeypatch.setattr(op, "create_table", broken)
    with pytest.raises(OSError, match="no room"):
        migrate(database)
    monkeypatch.undo()
    with database.engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM sqlite_master")).scalar() == 0
    migrate(database)
    assert differences(database) == []
    database.close()
