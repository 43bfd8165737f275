"""``parakh serve --demo`` as a visitor meets it."""

import time
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from sqlalchemy import func, select

from parakh.leaderboard.client import Client
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import BoardRow, Contest, State, Submission
from parakh.leaderboard.demo_history import TEAMS
from tests.service.processes import Served

PATIENCE_S = 300.0
"""Half a minute on a quiet machine."""


def states(data: Path) -> dict[str, int]:
    database = Database(f"sqlite:///{data / 'parakh.sqlite'}")
    with database.read() as session:
        found = {state.value: session.scalar(select(func.count()).where(Submission.state == state.value)) or 0 for state in State}
        stale = (
            select(Contest.id).outerjoin(BoardRow).where(BoardRow.version.is_distinct_from(Contest.version), Contest.version > 0)
        )
        found["stale"] = len(session.scalars(stale).all())
    database.close()
    return {state: count for state, count in found.items() if count}


def test_a_living_board_that_is_the_same_at_the_next_start(tmp_path: Path) -> None:
    data = tmp_path / "demo"
    with Served(data, "--demo") as server:
        client = Client(server.address)
        assert [one["name"] for one in client.challenges()] == ["parakh-example"]  # before anything is scored
        end = time.monotonic() + PATIENCE_S
        while set(found := states(data)) != {"scored", "refused"}:
            assert time.monotonic() < end, found
            time.sleep(1)
        assert found["refused"] == 1
        board = client.board("parakh-example", "dev", "diarization")
        assert {row["team"] for row in board["rows"]} == {"Organisers", *TEAMS} - {"Short answers"}
        assert [row["rank"] for row in board["rows"] if row["kind"] == "baseline"] == [None]
        assert sorted(row["rank"] for row in board["rows"] if row["kind"] == "submission") == [1, 2, 3, 4]
        public = client.board("parakh-example", "eval", "diarization")
        assert public["freezes"] is not None
        assert "Late turns" not in {row["team"] for row in public["rows"]}  # it came after the freeze
        accounts = [line for line in server.said if "@example.org" in line]
        assert len(accounts) == 2
        server.wait_for("43 submissions wait to be scored; boards fill meanwhile.")
        assert server.stop() == 0
    with Served(data, "--demo") as again:
        assert [line for line in again.said if "@example.org" in line] == accounts
        assert states(data) == found


def test_a_folder_in_use_is_not_made_a_demo(tmp_path: Path) -> None:
    from parakh.leaderboard import accounts
    from parakh.leaderboard.database.migrations import migrate
    from tests.service.processes import parakh

    database = Database(f"sqlite:///{tmp_path / 'parakh.sqlite'}")
    migrate(database)
    accounts.sign_up(database, "me@example.org", "Me", "a long enough password")
    database.close()
    done = parakh("serve", "--demo", "--data", str(tmp_path), "--port", "0")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "which has accounts already" in done.stderr
