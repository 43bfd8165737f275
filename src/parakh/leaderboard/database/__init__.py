"""The database: SQLite in a file, or PostgreSQL, by the same code. Tables are in ``tables``, their history in ``migrations``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from parakh.errors import UnavailableError


class Database:
    """Short transactions on one database; safe to share between threads.

    Args:
        url: "sqlite:///path" or "postgresql://user@host/name".
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.is_sqlite = url.startswith("sqlite")
        self.engine = _sqlite(url) if self.is_sqlite else _postgresql(url)

    @contextmanager
    def read(self) -> Iterator[Session]:
        """A session that changes nothing; it sees one state of the database."""
        level = {} if self.is_sqlite else {"isolation_level": "REPEATABLE READ"}
        with Session(self.engine.execution_options(**level), expire_on_commit=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """A session whose changes are all made at the end, or none after an error.

        On SQLite it holds the one place of a writer from its first statement, so that what it read still holds when it writes; on
        PostgreSQL rows that a decision rests on are locked by the query (``with_for_update``).
        """
        with Session(self.engine.execution_options(writes=True), expire_on_commit=False) as session, session.begin():
            yield session

    @property
    def place(self) -> str:
        """Its address, for messages: without a password."""
        return self.engine.url.set(drivername=self.engine.dialect.name).render_as_string(hide_password=True)

    def check(self) -> None:
        """See that it can be reached, before anything rests on it.

        Raises:
            UnavailableError: It cannot.

        >>> Database("sqlite:////nowhere/at/all").check()
        Traceback (most recent call last):
        parakh.errors.UnavailableError: the database sqlite:////nowhere/at/all cannot be used: unable to open database file
        """
        try:
            with self.engine.connect():
                return
        except DBAPIError as error:
            raise UnavailableError(f"the database {self.place} cannot be used: {said(error)}") from error

    def close(self) -> None:
        """Give back every connection."""
        self.engine.dispose()


def said(error: Exception) -> str:
    r"""What went wrong in one line; errors of a database tell the whole statement otherwise.

    >>> said(TimeoutError("too late\nfor this")), said(TimeoutError())
    ('too late', 'TimeoutError')
    """
    return str(getattr(error, "orig", None) or error).strip().partition("\n")[0] or type(error).__name__


def _sqlite(url: str) -> Engine:
    engine = create_engine(url, connect_args={"timeout": 30, "check_same_thread": False})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, record: object) -> None:
        connection.isolation_level = None  # sqlite3 would begin transactions by itself, and too late
        for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {setting}")

    @event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgresql(url: str) -> Engine:
    driver = url.replace("postgresql://", "postgresql+psycopg://", 1).replace("postgres://", "postgresql+psycopg://", 1)
    return create_engine(driver, pool_pre_ping=True, pool_size=10, max_overflow=20)
