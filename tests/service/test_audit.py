"""The audit log: written with the change, read, narrowed and exported."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from parakh.leaderboard import audit
from parakh.leaderboard.clock import now
from parakh.leaderboard.database import Database
from parakh.leaderboard.database.tables import Event


def fill(database: Database) -> None:
    with database.write() as session:
        audit.record(session, "asha@example.org", "submission.made", "s1", "visits", {"bytes": 3})
        audit.record(session, "=cmd()", "submission.made", "नमस्ते", "other")
        audit.record(session, "system", "account.locked", 'x,"y"\n', None)
        audit.record(session, "system", "submissions", "z", "visits")


def test_a_change_that_fails_leaves_no_line(database: Database) -> None:
    def change() -> None:
        with database.write() as session:
            audit.record(session, "asha", "submission.made", "s1")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        change()
    with database.read() as session:
        assert session.scalar(select(func.count()).select_from(Event)) == 0


def test_lines_are_narrowed(database: Database) -> None:
    fill(database)

    def subjects(which: audit.Filter) -> list[str]:
        return [event.subject for event in audit.read(database, which, newest=False)]

    assert subjects(audit.EVERYTHING) == ["s1", "नमस्ते", 'x,"y"\n', "z"]
    assert subjects(audit.Filter(challenge="visits")) == ["s1", "z"]
    assert subjects(audit.Filter(action="submission")) == ["s1", "नमस्ते"]
    assert subjects(audit.Filter(action="sub%")) == []
    assert subjects(audit.Filter(actor="system", action="account.locked")) == ['x,"y"\n']
    assert subjects(audit.Filter(subject="z")) == ["z"]
    assert subjects(audit.Filter(since=now() - timedelta(minutes=1), until=now() + timedelta(minutes=1))) == subjects(
        audit.EVERYTHING
    )
    assert subjects(audit.Filter(since=now() + timedelta(minutes=1))) == []


def test_pages_go_either_way(database: Database) -> None:
    fill(database)
    first = audit.read(database, limit=3)
    assert [event.number for event in first] == [4, 3, 2]
    assert [event.number for event in audit.read(database, before=2)] == [1]
    assert [event.number for event in audit.read(database, after=2, newest=False)] == [3, 4]


def test_the_export_is_read_back(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "_PAGE", 3)
    fill(database)
    lines = [json.loads(line) for line in "".join(audit.export(database, "jsonl")).splitlines()]
    assert [line["subject"] for line in lines] == ["s1", "नमस्ते", 'x,"y"\n', "z"]
    assert lines[0]["detail"] == {"bytes": 3}
    assert lines[1]["actor"] == "=cmd()"
    rows = list(csv.DictReader(io.StringIO("".join(audit.export(database, "csv", audit.Filter(challenge="other"))))))
    assert [(row["actor"], row["subject"]) for row in rows] == [("'=cmd()", "नमस्ते")]
    assert len(list(csv.reader(io.StringIO("".join(audit.export(database, "csv")))))) == 5
