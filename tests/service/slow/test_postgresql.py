"""What the people's part of the service does on PostgreSQL: the same as on SQLite."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import func, select

from parakh.errors import InputError
from parakh.leaderboard import accounts, audit, challenges, limits, teams
from parakh.leaderboard.backup import backup, restore
from parakh.leaderboard.challenge import Limits
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.migrations import migrate
from parakh.leaderboard.database.tables import Submission
from parakh.leaderboard.refusals import Conflict, NotThere, Refused
from parakh.leaderboard.settings import Settings
from tests.service import backups, worlds
from tests.service.clusters import Cluster
from tests.service.quota_race import hand_in_at_once
from tests.service.test_migrations import differences
from tests.service.worlds import NAME, PASSWORD, World


def test_several_migrate_at_once(postgresql: Cluster) -> None:
    url = postgresql.new_url()
    databases = [Database(url) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(migrate, databases))
    assert differences(databases[0]) == []
    for database in databases:
        database.close()


def test_two_at_the_same_moment_never_both_take_the_last_place(postgresql_world: World) -> None:
    team, contest = postgresql_world.teams["Team A"], postgresql_world.contest()
    challenges.set_override(
        postgresql_world.database, postgresql_world.organiser, team.id, contest.id, Limits(total=3, concurrent=99)
    )
    assert hand_in_at_once(postgresql_world, 12) == (3, 9)
    with postgresql_world.database.read() as session:
        assert session.scalar(select(func.count()).select_from(Submission)) == 3


def test_many_at_once_are_counted_each(postgresql_world: World) -> None:
    with ThreadPoolExecutor(8) as pool:
        allowed = list(pool.map(lambda _: limits.wait(postgresql_world.database, "a", 10, 60) == 0, range(40)))
    assert sum(allowed) == 10


def test_ten_wrong_passwords_at_once_are_ten(postgresql_world: World) -> None:
    def wrong(_: int) -> str:
        with pytest.raises((Refused, Exception)) as error:
            accounts.log_in(postgresql_world.database, "asha@example.org", "wrong password")
        return type(error.value).__name__

    with ThreadPoolExecutor(8) as pool:
        outcomes = list(pool.map(wrong, range(16)))
    assert (outcomes.count("Refused"), outcomes.count("TooMany")) == (10, 6)


def test_two_teams_of_one_name_at_once_are_one(postgresql_world: World) -> None:
    viewers = []
    for number in range(6):
        accounts.sign_up(postgresql_world.database, f"m{number}@example.org", "M", PASSWORD)
        viewers.append(accounts.viewer_named(postgresql_world.database, f"m{number}@example.org"))
        teams.accept_terms(postgresql_world.database, viewers[-1], NAME, "1")

    def found(number: int) -> bool:
        try:
            teams.make_team(postgresql_world.database, viewers[number], NAME, "team x" if number % 2 else "Team X")
        except Conflict:
            return False
        return True

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(found, range(6))) == 1


def test_signs_that_postgresql_cannot_hold_are_refused_before(postgresql_world: World) -> None:
    with pytest.raises(Refused):
        accounts.log_in(postgresql_world.database, "a\0@example.org", PASSWORD)
    with pytest.raises(NotThere):
        teams.join(postgresql_world.database, postgresql_world.members["asha"], "a\0b")
    with pytest.raises(InputError):
        teams.make_team(postgresql_world.database, postgresql_world.members["asha"], NAME, "a\0b")


def test_the_log_is_exported(postgresql_world: World) -> None:
    lines = "".join(audit.export(postgresql_world.database, "jsonl", audit.Filter(action="team"))).splitlines()
    assert len(lines) == 3


def test_a_backup_while_submissions_come_in_goes_into_either_database(
    postgresql_world: World, postgresql: Cluster, tmp_path: Path
) -> None:
    report, before, after = backups.backed_up_while_submissions_come_in(postgresql_world, tmp_path / "backup.tar")
    assert report.rows["submissions"] >= 5
    places = [Settings(tmp_path / "lite"), Settings(tmp_path / "postgres", postgresql.new_url())]
    for settings in places:
        restore(settings, tmp_path / "backup.tar")
        assert before <= backups.submissions(settings) <= after
        backups.check_whole(settings)
    assert backups.rows(places[0]) == backups.rows(places[1])
    with pytest.raises(InputError, match="a database with tables at postgresql://"):
        restore(Settings(tmp_path / "again", places[1].database_url), tmp_path / "backup.tar")
    database = Database(places[1].database_url)
    user = accounts.sign_up(database, "new@example.org", "New", PASSWORD)
    assert user.id > max(viewer.user_id or 0 for viewer in postgresql_world.members.values())
    database.close()


def test_a_backup_of_sqlite_moves_to_postgresql(world: World, postgresql: Cluster, tmp_path: Path) -> None:
    world.submit()
    backup(world.settings, tmp_path / "backup.tar.gz")
    settings = Settings(tmp_path / "postgres", postgresql.new_url())
    restore(settings, tmp_path / "backup.tar.gz")
    assert backups.rows(settings) == backups.rows(world.settings)
    moved = worlds.World(settings, Database(settings.database_url), world.challenge, world.organiser, world.members, world.teams)
    assert moved.submit("binod").number == 2
    moved.database.close()


def test_a_damaged_backup_leaves_postgresql_empty(world: World, postgresql: Cluster, tmp_path: Path) -> None:
    from tests.service.test_backup import damaged

    settings = Settings(tmp_path / "postgres", postgresql.new_url())
    for wrong, path in damaged(world, tmp_path).items():
        with pytest.raises(InputError):
            restore(settings, path)
        assert backups.rows(settings) == {}, wrong
    restore(settings, tmp_path / "backup.tar")
