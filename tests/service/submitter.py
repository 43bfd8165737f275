"""Hands in submissions one after another until there are enough: ``python -m tests.service.submitter DATA DATABASE_URL COUNT``."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from sqlalchemy import func, select

from parakh.leaderboard.contests import contest_named
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Submission, Team
from parakh.leaderboard.queue import Queue, submit
from parakh.leaderboard.settings import Settings
from parakh.leaderboard.store import Store
from tests.service import jobs


def main(data: Path, database_url: str, count: int) -> None:
    settings = Settings(data, database_url=database_url)
    database = Database(settings.database_url)
    queue = Queue(database, settings)
    with database.write() as session:
        contest = contest_named(session, jobs.NAME, jobs.PHASE, jobs.TRACK)
        team = session.scalars(select(Team)).one()
    world = jobs.Small(settings, database, Store(settings.store), contest, team.id)
    while True:
        with database.read() as session:
            there = session.scalar(select(func.count()).select_from(Submission)) or 0
        if there < count:
            submit(queue, world.hand_in(jobs.answer(there)))
        else:
            time.sleep(0.2)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
