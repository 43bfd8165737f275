"""Rate limits: a window that all processes share."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from parakh.leaderboard import clock, limits
from parakh.leaderboard.database import Database
from parakh.leaderboard.refusals import TooMany


def test_a_window_takes_so_many_and_then_begins_anew(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [limits.wait(database, "a", 2, 60) == 0 for _ in range(3)] == [True, True, False]
    assert limits.wait(database, "b", 2, 60) == 0
    with pytest.raises(TooMany, match="try again in 60 seconds") as error:
        limits.demand(database, "a", 2, 60)
    assert 59 < error.value.seconds <= 60
    moment = clock.now() + timedelta(seconds=61)
    monkeypatch.setattr(limits, "now", lambda: moment)
    assert limits.wait(database, "a", 2, 60) == 0


def test_a_clock_that_is_set_back_shuts_nobody_out(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    limits.wait(database, "a", 1, 60)
    moment = clock.now() - timedelta(days=3)
    monkeypatch.setattr(limits, "now", lambda: moment)
    assert limits.wait(database, "a", 1, 60) == 0


def test_many_at_once_are_counted_each(database: Database) -> None:
    with ThreadPoolExecutor(8) as pool:
        allowed = list(pool.map(lambda _: limits.wait(database, "a", 10, 60) == 0, range(40)))
    assert sum(allowed) == 10


def test_old_counts_are_forgotten_and_locks_later(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    for key in ("log-in:198.51.100.7", f"{limits.LOCKS}1"):
        limits.wait(database, key, 1, 60)
    moment = clock.now()
    for days, gone in ((0, 0), (2, 1), (29, 0), (31, 1)):
        monkeypatch.setattr(limits, "now", lambda days=days: moment + timedelta(days=days))
        assert limits.sweep(database) == gone
