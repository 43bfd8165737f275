"""``parakh serve`` as a real process: ready soon, stopped at any time, and refused where it cannot do right."""

import signal
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from sqlalchemy import select

from parakh import tracks
from parakh.bundled import examples_path
from parakh.evaluate import evaluate
from parakh.leaderboard import accounts, challenges, rights, submissions, teams
from parakh.leaderboard.challenge import Limits
from parakh.leaderboard.contests import contest_named
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.migrations import migrate
from parakh.leaderboard.database.tables import ScoreRow, State, Submission
from parakh.leaderboard.demo_systems import Made, delay, references
from parakh.leaderboard.settings import Settings
from parakh.leaderboard.store import Store
from tests.service.processes import PATIENCE, Served, parakh

EMAIL = "member@example.org"

READY_S = 15.0
"""Three seconds on a quiet machine, which ``docs/leaderboard.md`` promises; the tests' machine may be busy."""


def test_it_is_ready_soon_answers_and_ends_well(tmp_path: Path) -> None:
    with Served(tmp_path / "data") as server:
        assert server.ready_after < READY_S
        assert server.get("/health").status_code == 200
        assert server.get("/log-in").status_code == 200
        assert any("parakh admin create" in line for line in server.said)
        assert (tmp_path / "data").stat().st_mode & 0o077 == 0  # references and hashes of passwords are nobody else's
        assert server.stop() == 0
    assert not [line for line in server.said if "Traceback" in line]


def test_ctrl_c_ends_it_well(tmp_path: Path) -> None:
    with Served(tmp_path / "data") as server:
        assert server.stop(signal.SIGINT) == 0


def test_a_port_in_use_is_told_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = parakh("serve", "--data", str(tmp_path / "data"), "--port", str(port))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert f"--port: found 127.0.0.1:{port}, which cannot be listened on" in done.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("place", ["/proc/parakh", "a-file"])
def test_a_data_folder_that_cannot_be_written_is_told(tmp_path: Path, place: str) -> None:
    (tmp_path / "a-file").write_text("in the way")
    done = parakh("serve", "--data", str(tmp_path / place), "--port", "0")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--data: found" in done.stderr
    assert "cannot be written" in done.stderr


def test_a_second_server_on_the_same_folder_is_refused_until_the_first_is_killed(tmp_path: Path) -> None:
    with Served(tmp_path / "data") as server:
        done = parakh("serve", "--data", str(tmp_path / "data"), "--port", "0")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert f"another server runs (process {server.process.pid})" in done.stderr
        assert server.get("/health").status_code == 200
        server.process.kill()
        server.process.wait()
    with Served(tmp_path / "data") as again:  # the lock of a server that is gone holds nobody up
        assert again.get("/health").status_code == 200


def test_stopped_in_the_middle_of_jobs_it_goes_on_where_it_was(tmp_path: Path) -> None:
    data = tmp_path / "data"
    ids = [handed_in(data, Made("diarization", "reference", f"late {k}", delay(k / 10)), tmp_path) for k in range(1, 5)]
    with Served(data) as server:
        wait_for(data, lambda states: State.SCORING in states.values() or State.SCORED in states.values())
        assert server.stop() == 0
    assert set(states_of(data).values()) != {State.SCORED}
    with Served(data):
        wait_for(data, lambda states: set(states.values()) == {State.SCORED})
    with opened(data) as (_, database), database.read() as session:
        values = {one.submission_id: one.value for one in session.scalars(select(ScoreRow))}
    wanted = [
        evaluate(tracks.get("diarization"), references("diarization"), delay(k / 10)(references("diarization")))
        for k in range(1, 5)
    ]
    assert [values[one] for one in ids] == [pytest.approx(one.metrics["der"].value, abs=1e-4) for one in wanted]
    assert len(values) == 4  # each once


@contextmanager
def opened(data: Path) -> Iterator[tuple[Settings, Database]]:
    """The database behind a server, loaded with the example challenge and one team."""
    settings = Settings(data)
    is_new = not data.exists()
    data.mkdir(exist_ok=True)
    database = Database(settings.database_url)
    migrate(database)
    if is_new:
        accounts.sign_up(database, EMAIL, "Member", "a long enough password")
        row = challenges.load(database, data, examples_path() / "challenge" / "challenge.toml", "test")
        viewer = accounts.viewer_named(database, EMAIL)
        teams.accept_terms(database, viewer, row.name, row.terms_version or "")
        team = teams.make_team(database, viewer, row.name, "Team")
        contest = contest_of(database)
        challenges.set_override(database, rights.COMMAND_LINE, team.id, contest, Limits(concurrent=100))
    yield settings, database
    database.close()


def contest_of(database: Database) -> int:
    with database.read() as session:
        return contest_named(session, "parakh-example", "dev", "diarization").id


def handed_in(data: Path, made: Made, folder: Path) -> str:
    with opened(data) as (settings, database):
        viewer = accounts.viewer_named(database, EMAIL)
        (team,) = viewer.teams
        stream = [made.write(folder).read_bytes()]
        return submissions.make(database, Store(settings.store), viewer, contest_of(database), team, stream, "a.rttm").id


def states_of(data: Path) -> dict[str, str]:
    with opened(data) as (_, database), database.read() as session:
        return {one.id: one.state for one in session.scalars(select(Submission))}


def wait_for(data: Path, what: Callable[[dict[str, str]], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not what(states_of(data)):
        assert time.monotonic() < end, states_of(data)
        time.sleep(0.1)


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    with opened(tmp_path / "data"):
        pass
    with sqlite3.connect(tmp_path / "data" / "parakh.sqlite") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    done = parakh("serve", "--data", str(tmp_path / "data"), "--port", "0")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "newer Parakh" in done.stderr
