"""What the tests of backups do to a service: hand in while a backup is written, and compare what comes back."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread
from typing import Any

from sqlalchemy import MetaData, select

from parakh.leaderboard import challenges
from parakh.leaderboard.backup import Report, backup
from parakh.leaderboard.challenge import Limits
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Submission
from parakh.leaderboard.settings import Settings
from parakh.leaderboard.store import Store
from tests.service.worlds import World


def rows(settings: Settings) -> dict[str, list[Any]]:
    """Every row of every table, by the table's name."""
    database, known = Database(settings.database_url), MetaData()
    known.reflect(database.engine)
    with database.engine.connect() as connection:
        found = {
            table.name: [tuple(map(_same, row)) for row in connection.execute(select(table).order_by(*table.primary_key.columns))]
            for table in known.sorted_tables
        }
    database.close()
    return found


def _same(value: Any) -> str:
    """A value as either database would give it."""
    return str(value.replace(tzinfo=UTC) if isinstance(value, datetime) and value.tzinfo is None else value)


def backed_up_while_submissions_come_in(world: World, out: Path) -> tuple[Report, set[str], set[str]]:
    """A backup in the middle of uploads; what it holds, and the submissions that were made before and after it."""
    for name, team in world.teams.items():
        assert name
        challenges.set_override(world.database, world.organiser, team.id, world.contest().id, Limits(100_000, 100_000, 100_000))
    ended, begun = Event(), Event()

    def hand_in(who: str) -> None:
        number = 0
        while not ended.is_set():
            number += 1
            world.submit(who, content=f"{who} {number}".encode() * 50)
            if number == 5:
                begun.set()

    threads = [Thread(target=hand_in, args=(who,)) for who in ("asha", "binod")]
    for thread in threads:
        thread.start()
    try:
        assert begun.wait(30)
        before = submissions(world.settings)
        report = backup(world.settings, out)
        after = submissions(world.settings)
    finally:
        ended.set()
        for thread in threads:
            thread.join(30)
    return report, before, after


def submissions(settings: Settings) -> set[str]:
    """Ids of all submissions."""
    with contextlib.closing(Database(settings.database_url)) as database, database.read() as session:
        return set(session.scalars(select(Submission.id)))


def check_whole(settings: Settings) -> None:
    """Every file that a row names is there, with its content, and every submission has its line in the log."""
    store = Store(settings.store)
    with contextlib.closing(Database(settings.database_url)) as database, database.read() as session:
        keys = set(session.scalars(select(Submission.file)))
    assert keys
    assert all(store.is_whole(key) for key in keys)
    lines = [row for row in rows(settings)["events"] if "submission.made" in row]
    assert len(lines) == len(submissions(settings))
