"""Removing files that no row names: uploads that were refused at the last moment, and what a kill left behind.

An upload may bring back a file just when it is to go. So a file is first set aside, and looked at again there: whoever
brings it meanwhile makes it anew in its place, and one that was brought just before is young, and goes back.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import select

from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import FILE_COLUMNS
from parakh.leaderboard.store import Store

DAY = 24 * 3600.0


def sweep(database: Database, store: Store, older_than: float = DAY) -> int:
    """Remove files that no row names.

    Args:
        database: Whose rows.
        store: Whose files.
        older_than: Seconds that a file is left alone; a backup that began within them finds all it wants.

    Returns:
        How many were removed.
    """
    limit = time.time() - older_than
    old = [path for path in _files(store) if _time_of(path) < limit]
    named = names(database)  # after the look at the files: one that a row gets later is young
    return sum(_removed(path, limit) for path in old if path.name not in named)


def names(database: Database) -> set[str]:
    """The keys of all files that rows name."""
    with database.read() as session:
        return {key for column in FILE_COLUMNS for key in session.scalars(select(column)) if key}


def _files(store: Store) -> Iterator[Path]:
    for folder in store.folder.iterdir() if store.folder.is_dir() else ():
        if folder.is_dir() and (len(folder.name) == 2 or folder.name in {"incoming", "leaving"}):
            yield from (path for path in folder.iterdir() if path.is_file())


def _time_of(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return time.time()


def _removed(path: Path, limit: float) -> bool:
    aside = path.parent.parent / "leaving" / f"{path.name}.{os.urandom(4).hex()}"
    aside.parent.mkdir(exist_ok=True)
    try:
        path.rename(aside)
    except FileNotFoundError:
        return False
    if _time_of(aside) >= limit:
        aside.rename(path)
        return False
    aside.unlink(missing_ok=True)
    return True
