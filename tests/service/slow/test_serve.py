"""``parakh serve`` as a real process: ready soon, stopped at any time, and refused where it cannot do right."""

import signal
import socket
import sqlite3
from pathlib import Path

import pytest

from tests.service.processes import Served, parakh

pytest.importorskip("fastapi")

READY_S = 15.0
"""Three seconds on a quiet machine, which ``docs/leaderboard.md`` promises; the tests' machine may be busy."""


def test_it_is_ready_soon_answers_and_ends_well(tmp_path: Path) -> None:
    with Served(tmp_path / "data") as server:
        assert server.ready_after < READY_S
        assert server.get("/health").status_code == 200
        assert server.get("/log-in").status_code == 200
        assert any("parakh admin create" in line for line in server.said)
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


def test_a_second_server_on_the_same_folder_is_refused(tmp_path: Path) -> None:
    with Served(tmp_path / "data") as server:
        done = parakh("serve", "--data", str(tmp_path / "data"), "--port", "0")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert f"another server runs (process {server.process.pid})" in done.stderr
        assert server.get("/health").status_code == 200
    with Served(tmp_path / "data") as again:  # the lock of a server that is gone holds nobody up
        assert again.get("/health").status_code == 200


def test_a_killed_server_leaves_nothing_that_keeps_the_next_from_starting(tmp_path: Path) -> None:
    with Served(tmp_path / "data") as server:
        server.process.kill()
        server.process.wait()
    with Served(tmp_path / "data") as again:
        assert again.get("/health").status_code == 200


def test_a_database_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    with Served(tmp_path / "data"):
        pass
    with sqlite3.connect(tmp_path / "data" / "parakh.sqlite") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    done = parakh("serve", "--data", str(tmp_path / "data"), "--port", "0")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "newer Parakh" in done.stderr
