"""``parakh admin``: the service without a browser."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from sqlalchemy import update

from parakh.cli import admin
from parakh.errors import InputError, ParakhError, UnavailableError
from parakh.leaderboard import accounts, audit
from parakh.leaderboard.challenge import Limits
from parakh.leaderboard.contests import phase_named
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Role, State, Submission
from parakh.leaderboard.quotas import quota
from parakh.leaderboard.refusals import Conflict, NotThere
from parakh.leaderboard.settings import Settings
from tests.service import backups
from tests.service.worlds import CHALLENGE, NAME, PASSWORD, World


@pytest.fixture
def password_file(tmp_path: Path) -> str:
    path = tmp_path / "password"
    path.write_text(f"{PASSWORD}\n", encoding="utf-8")
    return str(path)


def run(data: Path, *arguments: str) -> None:
    """Call the command."""
    admin.app([*arguments, "--data", str(data)], standalone_mode=False)


def printed(capsys: pytest.CaptureFixture[str], data: Path, *arguments: str) -> str:
    """What the command prints."""
    capsys.readouterr()
    run(data, *arguments)
    return capsys.readouterr().out


def test_a_service_from_nothing(tmp_path: Path, password_file: str) -> None:
    data = tmp_path / "board"
    command = [sys.executable, "-m", "parakh.cli.main", "admin"]
    for arguments, told in (
        (
            ["create", "Me@example.org", "--role", "admin", "--password-file", password_file],
            "made the account me@example.org, admin\n",
        ),
        (["load", str(CHALLENGE)], "loaded parakh-example: Parakh example challenge\n"),
    ):
        done = subprocess.run([*command, *arguments, "--data", str(data)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.endswith(told)
    wrong = subprocess.run(
        [*command, "create", "me", "--data", str(data), "--password-file", "-"],
        input="short\n",
        capture_output=True,
        text=True,
        check=False,
    )
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.splitlines() == [
        "account: email: found 'me', expected an e-mail address.",
        "account: password: found 5 characters, expected 10 to 200. Take a few words.",
    ]
    database = Database(Settings(data).database_url)
    assert accounts.log_in(database, "me@example.org", PASSWORD)
    assert accounts.viewer_named(database, "me@example.org").role == Role.ADMIN
    database.close()


def test_without_a_terminal_the_password_comes_from_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"--password-file: found nothing, expected a file, or -\. Nobody is here to be asked."):
        run(tmp_path / "board", "create", "me@example.org")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr(typer, "prompt", lambda *_, **__: PASSWORD)
    run(tmp_path / "board", "create", "me@example.org")
    with pytest.raises(Conflict):
        run(tmp_path / "board", "create", "me@example.org")


def test_a_folder_that_is_none_is_not_made_but_told(tmp_path: Path) -> None:
    for arguments in (["users"], ["teams", NAME], ["reveal", NAME, "eval"], ["audit"], ["tidy"]):
        with pytest.raises(InputError, match=r"--data: found .*nowhere, which is no folder"):
            run(tmp_path / "nowhere", *arguments)
    assert not (tmp_path / "nowhere").exists()


def test_accounts(world: World, password_file: str, capsys: pytest.CaptureFixture[str]) -> None:
    data = world.settings.data
    run(data, "role", "asha@example.org", "admin")
    run(data, "disable", "anil@example.org")
    run(data, "password", "binod@example.org", "--password-file", password_file)
    run(data, "unlock", "binod@example.org")
    found = {row["email"]: (row["role"], row["is_disabled"]) for row in json.loads(printed(capsys, data, "users", "--json"))}
    assert found == {
        "anil@example.org": ("member", "yes"),
        "asha@example.org": ("admin", "no"),
        "binod@example.org": ("member", "no"),
        "organiser@example.org": ("organiser", "no"),
    }
    assert "asha@example.org" in printed(capsys, data, "users")
    with pytest.raises(Conflict, match="the last admin"):
        run(data, "role", "asha@example.org", "member")
    with pytest.raises(NotThere):
        run(data, "role", "nobody@example.org", "admin")
    with pytest.raises(InputError, match="role: found 'king', expected member, organiser, admin"):
        run(data, "role", "asha@example.org", "king")
    run(data, "disable", "anil@example.org", "--undo")
    assert {event.actor for event in audit.read(world.database, audit.Filter(action="account"), limit=5)} == {"command line"}


def test_phases(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    data = world.settings.data
    run(data, "phase", NAME, "eval", "--opens", "2026-02-01T09:00", "--closes", "2126-03-01T23:59+01:00", "--shows", "nothing")
    run(data, "reveal", NAME, "eval", "--yes")
    row = next(row for row in json.loads(printed(capsys, data, "challenges", "--json")) if row["phase"] == "eval")
    assert (row["opens"], row["closes"], row["shows"]) == ("2026-02-01 09:00 IST", "2126-03-02 04:29 IST", "nothing")
    assert row["revealed"].endswith("IST")
    run(data, "reveal", NAME, "eval", "--undo")
    run(data, "phase", NAME, "eval", "--closes", "never")
    run(data, "publish", NAME, "--undo")
    row = next(row for row in json.loads(printed(capsys, data, "challenges", "--json")) if row["phase"] == "eval")
    assert (row["closes"], row["revealed"], row["public"]) == ("", "", "no")
    for wrong in (["--opens", "tomorrow"], ["--shows", "all"]):
        with pytest.raises(InputError, match=f"{wrong[0]}: found '{wrong[1]}'"):
            run(data, "phase", NAME, "eval", *wrong)
    with pytest.raises(NotThere, match="there is no phase 'nine'"):
        run(data, "reveal", NAME, "nine")


def test_a_reveal_is_asked_about(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def revealed() -> bool:
        with world.database.read() as session:
            return phase_named(session, NAME, "eval").revealed_at is not None

    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(InputError, match="--yes: found nothing, expected it, where nobody is here to be asked"):
        run(world.settings.data, "reveal", NAME, "eval")
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    for answer in (False, True):
        assert not revealed()
        monkeypatch.setattr(typer, "confirm", lambda *_, answer=answer: answer)
        run(world.settings.data, "reveal", NAME, "eval")
        assert revealed() is answer


def test_teams_and_quotas(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    data, team = world.settings.data, world.teams["Team A"]
    world.submit()
    rows = {row["name"]: row for row in json.loads(printed(capsys, data, "teams", NAME, "--json"))}
    assert rows["Team A"]["members"] == "asha@example.org* anil@example.org"
    assert [rows[name]["submissions"] for name in ("Team A", "Team B")] == [1, 0]
    quotas = json.loads(printed(capsys, data, "quota", NAME, "eval", "diarization", "--json"))
    assert quotas[0] == {"team": "Team A", "today": "1 of 3", "in_all": "1 of 20", "at_a_time": "1 of 1"}
    told = printed(capsys, data, "quota", NAME, "eval", "diarization", "--team", "Team A", "--day", "9")
    assert "1 of 9" in told
    assert "Team B" not in told
    assert quota(world.database, team.id, world.contest().id).limits == Limits(9, 20, 1)
    run(data, "quota", NAME, "eval", "diarization", "--team", team.id)
    assert quota(world.database, team.id, world.contest().id).limits == Limits(3, 20, 1)
    with pytest.raises(NotThere, match="there is no team 'X'"):
        run(data, "quota", NAME, "eval", "diarization", "--team", "X", "--day", "9")
    with pytest.raises(InputError, match="--team: found nothing"):
        run(data, "quota", NAME, "eval", "diarization", "--day", "9")


def test_the_log(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    data = world.settings.data
    world.submit()
    lines = printed(capsys, data, "audit", "--format", "jsonl", "--action", "submission", "--challenge", NAME).splitlines()
    assert [json.loads(line)["action"] for line in lines] == ["submission.made"]
    assert printed(capsys, data, "audit", "--format", "csv", "--until", "2000-01-01T00:00").count("\n") == 1
    assert "submission.made" in printed(capsys, data, "audit", "--limit", "3", "--actor", "asha@example.org")
    with pytest.raises(InputError, match="--format: found 'xml'"):
        run(data, "audit", "--format", "xml")


def test_backup_and_restore(world: World, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    world.submit()
    out = tmp_path / "backup.tar.gz"
    told = printed(capsys, world.settings.data, "backup", str(out))
    assert told.splitlines()[1].startswith("1 challenge, 2 teams, 1 submission, 0 scores; ")
    with pytest.raises(InputError, match="a file that is there already"):
        run(world.settings.data, "backup", str(out))
    run(world.settings.data, "backup", str(out), "--force")
    assert printed(capsys, tmp_path / "new", "restore", str(out)).startswith(f"restored {out} of 20")
    assert backups.rows(Settings(tmp_path / "new")) == backups.rows(world.settings)
    with pytest.raises(ParakhError, match="expected an empty place"):
        run(tmp_path / "new", "restore", str(out))
    assert printed(capsys, tmp_path / "new", "tidy") == "removed 0 files\n"


def test_a_database_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    (tmp_path / "text.sqlite").write_text("no database, but a text that is long enough to be none\n" * 100)
    away = "postgresql://me:hush@127.0.0.1:1/board"
    for url, told in (
        (f"sqlite:///{tmp_path}/text.sqlite", "file is not a database"),
        (away, "postgresql://me:\\*\\*\\*@127.0.0.1:1/board"),
    ):
        for arguments in (["users"], ["backup", str(tmp_path / "out.tar")]):
            with pytest.raises(UnavailableError, match=told):
                run(tmp_path, *arguments, "--database-url", url)


def test_jobs(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    data, submission = world.settings.data, world.submit()
    rows = json.loads(printed(capsys, data, "jobs", "--json"))
    assert [(row["submission"], row["state"], row["attempts"], row["host"]) for row in rows] == [
        (submission.id, "queued", 0, None)
    ]
    with pytest.raises(Conflict, match="only what failed or was refused is tried again"):
        run(data, "retry", submission.id)
    with world.database.write() as session:
        session.execute(update(Submission).values(state=State.FAILED.value, reason="no memory", attempts=4))
    assert json.loads(printed(capsys, data, "jobs", "--json")) == []
    run(data, "retry", submission.id)
    assert world.submission(submission.id).state == "queued"
    with pytest.raises(NotThere):
        run(data, "retry", "nothing")
