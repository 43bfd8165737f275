"""A backup of the service while it runs: one tar archive with all rows and files, from which either database is filled again.

    parakh-backup.json      form of the tables, when it was made, how many rows each table has
    rows/TABLE.jsonl        a line for each row
    challenges/...          the files of every challenge
    store/...               the files that rows name

Rows come from one state of the database, files after it: a file is there before its row, and is never changed. The queue is
not in it: workers find by the rows what is to be done.
"""

from __future__ import annotations

import json
import shutil
import tarfile
import tempfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from sqlalchemy import Connection, DateTime, MetaData, Table, func, select, text
from sqlalchemy.exc import SQLAlchemyError

import parakh
from parakh.errors import Fault, InputError, ParakhError
from parakh.files import replacing
from parakh.leaderboard.clock import now
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.migrations import migrate, newest, revision_of
from parakh.leaderboard.database.tables import FILE_COLUMNS
from parakh.leaderboard.settings import Settings
from parakh.leaderboard.store import Store

_ABOUT = "parakh-backup.json"
_VERSIONS = "alembic_version"
_AT_ONCE = 500
"""Rows that are read or written at a time."""
_FILES = ("store/", "challenges/")
_NONSENSE = (ValueError, KeyError, TypeError, AttributeError)
"""What documents raise that are not what they say."""


@dataclass(frozen=True)
class Report:
    """What a backup holds.

    Args:
        made_at: When it was made.
        rows: Rows of each table.
        files: Number of files.
        size: Bytes of those files.
    """

    made_at: datetime
    rows: dict[str, int]
    files: int
    size: int


def backup(settings: Settings, out: str | Path) -> Report:
    """Write a backup; whoever works with the service meanwhile is not held up.

    Args:
        settings: Of the service.
        out: The archive; packed with gzip where its name ends so. It holds hashes of passwords: only its owner may read it.

    Raises:
        ParakhError: There is no database, or a file that a row names is not there.
        OSError: It cannot be written.
    """
    database = Database(settings.database_url)
    target = Path(out)
    try:
        if not _is_there(settings, database):
            raise ParakhError(f"there is no database at {database.place} to back up.")
        is_packed = target.suffix in {".gz", ".tgz"}
        with replacing(target, is_private=True) as file, _archive(file, is_packed) as archive:
            return _write(settings, database, archive)
    finally:
        database.close()


def restore(settings: Settings, path: str | Path) -> Report:
    """Fill an empty place with a backup, in whichever database; nothing is left of a backup that is damaged.

    Args:
        settings: Of the service to be; its data folder and its database are empty or not there.
        path: The archive.

    Raises:
        InputError: It is no backup, is damaged, or was made by a newer Parakh; or the place is not empty.
    """
    source = Path(path)
    _check_empty(settings)
    database = Database(settings.database_url)
    data = settings.data
    new = [place for place in (data, *data.parents) if not place.exists()]
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    is_done = False
    try:
        with tempfile.TemporaryDirectory(prefix=".restore-", dir=data) as scratch:
            report, revision = _unpack(source, Path(scratch))
            _fill(database, source, Path(scratch), report.rows, revision)
            for name in ("store", "challenges"):
                if (Path(scratch) / name).is_dir():
                    (Path(scratch) / name).rename(data / name)
        is_done = True
        return report
    finally:
        if not is_done:
            _undo(settings, database)
            with suppress(OSError):  # somebody else put something there
                for place in new:
                    place.rmdir()
        database.close()


def _is_there(settings: Settings, database: Database) -> bool:
    if database.is_sqlite and not _sqlite_file(settings).is_file():
        return False  # to look into it would make it
    database.check()
    return revision_of(database) is not None


def _undo(settings: Settings, database: Database) -> None:
    """Take away what a restore made that did not come to its end; the place was empty before."""
    for name in ("store", "challenges"):
        shutil.rmtree(settings.data / name, ignore_errors=True)
    if database.is_sqlite:
        database.close()
        for suffix in ("", "-wal", "-shm"):
            Path(f"{_sqlite_file(settings)}{suffix}").unlink(missing_ok=True)
    else:
        with database.engine.begin() as connection:
            known = MetaData()
            known.reflect(connection)
            known.drop_all(connection)


def _write(settings: Settings, database: Database, archive: tarfile.TarFile) -> Report:
    made_at, rows = now(), {}
    store = Store(settings.store)
    with tempfile.TemporaryDirectory(prefix="parakh-backup-") as scratch, database.read() as session:
        connection = session.connection()
        tables, keys = _tables(connection), set[str]()
        for table in tables:
            lines = Path(scratch) / table.name
            rows[table.name] = _dump(connection, table, lines, keys)
        revision = str(connection.execute(text(f"SELECT version_num FROM {_VERSIONS}")).scalar_one())  # noqa: S608
        session.rollback()  # the state is written down: nothing holds the database any more
        missing = sorted(key for key in keys if not store.path(key).is_file())
        if missing:
            raise ParakhError(
                f"{store.path(missing[0])}: a row names this file, and it is not there ({len(missing)} such files)."
            )
        files = [*(store.path(key) for key in sorted(keys)), *_challenge_files(settings.data)]
        size = sum(path.stat().st_size for path in files)
        about = {"parakh": parakh.__version__, "revision": revision, "made_at": made_at.isoformat()}
        document = json.dumps({**about, "rows": rows, "files": len(files), "size": size}, indent=1)
        (Path(scratch) / _ABOUT).write_text(document, encoding="utf-8")
        archive.add(Path(scratch) / _ABOUT, _ABOUT)
        for table in tables:
            archive.add(Path(scratch) / table.name, f"rows/{table.name}.jsonl")
        for path in files:
            archive.add(path, path.relative_to(settings.data).as_posix(), recursive=False)
    return Report(made_at, rows, len(files), size)


def _archive(file: BinaryIO, is_packed: bool) -> tarfile.TarFile:
    if is_packed:
        return tarfile.open(fileobj=file, mode="w:gz", compresslevel=3)
    return tarfile.open(fileobj=file, mode="w")


def _tables(connection: Connection) -> list[Table]:
    """The tables as they are in this database, each after those that it refers to."""
    known = MetaData()
    known.reflect(connection)
    return [table for table in known.sorted_tables if table.name != _VERSIONS and "." not in table.name]


def _dump(connection: Connection, table: Table, path: Path, keys: set[str]) -> int:
    """Write the rows of a table as lines, and note the files that they name; how many rows."""
    count = 0
    named = [column.key for column in FILE_COLUMNS if column.class_.__tablename__ == table.name]
    with path.open("w", encoding="utf-8") as file:
        order = list(table.primary_key.columns)
        for row in connection.execute(select(table).order_by(*order).execution_options(yield_per=_AT_ONCE)).mappings():
            values = {key: _plain(value) for key, value in row.items()}
            keys.update(values[key] for key in named if values[key])
            file.write(json.dumps(values, ensure_ascii=False) + "\n")
            count += 1
    return count


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return (value if value.tzinfo else value.replace(tzinfo=UTC)).astimezone(UTC).isoformat()
    return value


def _challenge_files(data: Path) -> list[Path]:
    """The files of every state that was loaded; folders that are being made have a point before their name."""
    files = (path for path in (data / "challenges").rglob("*") if path.is_file())
    return sorted(path for path in files if not any(part.startswith(".") for part in path.relative_to(data).parts[:-1]))


def _check_empty(settings: Settings) -> None:
    found = ""
    if settings.data.is_dir() and any(settings.data.iterdir()):
        found = f"{settings.data}, which is not empty"
    elif settings.data.exists() and not settings.data.is_dir():
        found = f"{settings.data}, which is no folder"
    elif not settings.database_url.startswith("sqlite") or _sqlite_file(settings).exists():
        database = Database(settings.database_url)
        try:
            database.check()
            with database.engine.connect() as connection:
                found = f"a database with tables at {database.place}" if _tables(connection) else ""
        finally:
            database.close()
    if found:
        raise InputError(Fault("restore", "", found, "an empty place", "Name another data folder or database."))


def _unpack(source: Path, into: Path) -> tuple[Report, str]:
    """Unpack an archive, whose names lead nowhere else; what it holds, and the form of its tables."""
    files = 0
    try:
        with tarfile.open(source, "r:*") as archive:
            for member in archive:
                name = member.name
                if not _belongs(member):
                    raise InputError(Fault(str(source), name, "a member that no backup has", "a backup of the service"))
                archive.extract(member, into, filter="data")
                files += name.startswith(_FILES)
                _check_content(source, into, name)
        about = json.loads((into / _ABOUT).read_text(encoding="utf-8"))
        report = Report(datetime.fromisoformat(about["made_at"]), about["rows"], about["files"], about["size"])
        revision = str(about["revision"])
    except (tarfile.TarError, EOFError, OSError, zlib.error, *_NONSENSE) as error:
        raise _none(source, error) from error
    if files != report.files:
        raise InputError(Fault(str(source), "", f"{files} files", f"{report.files} files", "Copy it again."))
    if revision > newest():
        raise InputError(Fault(str(source), "revision", revision, f"at most {newest()}", "Update Parakh: a newer one made it."))
    return report, revision


def _belongs(member: tarfile.TarInfo) -> bool:
    """Whether a backup has such a member: a file, or one more name of a file of a challenge."""
    names = [member.name, member.linkname] if member.islnk() else [member.name]
    return (member.isfile() or member.islnk()) and all(
        (name == _ABOUT or name.startswith(("rows/", *_FILES))) and ".." not in Path(name).parts for name in names
    )


def _none(source: Path, error: Exception) -> InputError:
    found = str(error).partition("\n")[0] or type(error).__name__
    return InputError(Fault(str(source), "", f"no whole backup ({found})", "a backup of the service", "Copy it again."))


def _check_content(source: Path, into: Path, name: str) -> None:
    key = Path(name).name
    if name.startswith("store/") and not Store(into / "store").is_whole(key):
        raise InputError(Fault(str(source), name, "other content than its name says", "the file as it was", "Copy it again."))


def _fill(database: Database, source: Path, scratch: Path, expected: Mapping[str, int], revision: str) -> None:
    """Make the tables as they were, put the rows in, and bring them to the newest form."""
    migrate(database, revision)
    try:
        with database.engine.execution_options(writes=True).begin() as connection:
            counts = {
                table.name: _put(connection, table, scratch / "rows" / f"{table.name}.jsonl") for table in _tables(connection)
            }
    except (OSError, SQLAlchemyError, *_NONSENSE) as error:
        raise _none(source, error) from error
    faults = [
        Fault(str(source), name, f"{counts.get(name, 0)} rows", f"{expected.get(name, 0)} rows", "Copy it again.")
        for name in sorted(counts.keys() | expected.keys())
        if counts.get(name) != expected.get(name)
    ]
    if faults:
        raise InputError(faults)
    migrate(database)


def _put(connection: Connection, table: Table, path: Path) -> int:
    """Put rows into a table; how many."""
    count = 0
    with path.open("rb") as lines:
        for rows in _batches(lines, table):
            connection.execute(table.insert(), rows)
            count += len(rows)
    if connection.dialect.name == "postgresql":
        _continue_numbers(connection, table)
    return count


def _batches(lines: BinaryIO, table: Table) -> Iterator[list[dict[str, Any]]]:
    moments = [column.name for column in table.columns if isinstance(column.type, DateTime)]
    rows: list[dict[str, Any]] = []
    for line in lines:
        row = json.loads(line)
        for name in moments:
            row[name] = row[name] and datetime.fromisoformat(row[name])
        rows.append(row)
        if len(rows) == _AT_ONCE:
            yield rows
            rows = []
    if rows:
        yield rows


def _continue_numbers(connection: Connection, table: Table) -> None:
    """Let PostgreSQL count on from the highest number."""
    column = table.autoincrement_column
    if column is not None:
        highest = connection.execute(select(func.max(column))).scalar()
        sequence = func.pg_get_serial_sequence(f'"{table.name}"', column.name)
        connection.execute(select(func.setval(sequence, highest or 1, highest is not None)))


def _sqlite_file(settings: Settings) -> Path:
    return Path(settings.database_url.removeprefix("sqlite:///"))
