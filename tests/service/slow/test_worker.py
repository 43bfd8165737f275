"""Real workers, and what happens to them: stops, a database that goes away, a full disk, a clock that jumps."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from parakh.leaderboard import queue
from parakh.leaderboard.database.tables import State, Submission, Worker
from parakh.leaderboard.queue import Queue
from tests.service import jobs, killing
from tests.service.clusters import Cluster

MOST_SECONDS = 240.0
"""Quiet machines take a tenth of it."""


def until(what: Callable[[], bool], seconds: float = MOST_SECONDS) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.1)


def states(small: jobs.Small) -> list[str]:
    with small.database.read() as session:
        return list(session.scalars(select(Submission.state).order_by(Submission.number)))


def has_some(small: jobs.Small, state: State, count: int = 1) -> Callable[[], bool]:
    return lambda: states(small).count(state) >= count


def assert_whole(small: jobs.Small, count: int, tmp: Path) -> None:
    outcome = killing.examine(small, killing.Outcome(), tmp)
    assert (outcome.submissions, outcome.lost, outcome.twice, outcome.wrong) == (count, [], [], [])


def test_a_worker_scores_refuses_and_makes_the_board(small: jobs.Small, tmp_path: Path) -> None:
    good, bad = small.hand_in(jobs.answer(1)), small.hand_in(b"nonsense\n")
    large = small.hand_in(b"".join(jobs.answer(1) for _ in range(2)))
    with killing.stopped(killing.worker(small)):
        until(lambda: not {State.QUEUED, State.SCORING} & set(states(small)))
        assert small.again(good.id).state == State.SCORED
        assert small.again(bad.id).faults == [
            "answer.rttm:1: type: found 'nonsense', expected SPEAKER or another RTTM type. Give an RTTM file."
        ]
        assert small.again(large.id).state in {State.SCORED, State.REFUSED}
        until(lambda: bool(killing.boards(small)))


def test_a_submission_that_is_too_much_is_refused_after_a_second_try(tmp_path: Path) -> None:
    small = jobs.small(tmp_path)
    config = tmp_path / "parakh.toml"
    config.write_text(f'data = "{small.settings.data}"\n[job]\nseconds = 0.05\n')
    submission = small.hand_in(jobs.answer(1))
    with killing.stopped(killing.run(small, "parakh.cli.main", "worker", "--config", str(config))):
        until(lambda: states(small) == [State.REFUSED])
    assert "more than 0.05 seconds" in small.again(submission.id).faults[0]
    small.database.close()


def test_a_worker_that_is_stopped_in_mid_job_leaves_its_jobs_to_the_next(small: jobs.Small, tmp_path: Path) -> None:
    for number in range(4):
        small.hand_in(jobs.answer(number))
    first = killing.worker(small)
    with killing.stopped(first):
        until(has_some(small, State.SCORING, 2))
        first.send_signal(signal.SIGTERM)
        assert first.wait(30) == 0
    assert State.SCORING not in states(small)
    with small.database.read() as session:
        assert session.scalars(select(Worker)).one().is_gone
    with killing.stopped(killing.worker(small)):
        until(killing.all_scored(small, 4))
    assert_whole(small, 4, tmp_path)
    assert killing.children(small) == []


def test_a_killed_worker_leaves_no_process_and_no_folder_behind(small: jobs.Small, tmp_path: Path) -> None:
    for number in range(4):
        small.hand_in(jobs.answer(number))
    first = killing.worker(small)
    with killing.stopped(first):
        until(lambda: len(killing.children(small)) > 0)
        first.kill()
        first.wait()
        until(lambda: killing.children(small) == [], 20)
    with small.database.read() as session:
        gone = session.scalars(select(Worker)).one()
    with killing.stopped(killing.worker(small)):
        until(killing.all_scored(small, 4))
    assert_whole(small, 4, tmp_path)
    assert killing.scratches(gone.id) == []


def test_the_database_is_stopped_and_started_in_mid_job(postgresql: Cluster, tmp_path: Path) -> None:
    small = jobs.small(tmp_path, postgresql.new_url())
    for number in range(6):
        small.hand_in(jobs.answer(number))
    process = killing.worker(small)
    with killing.stopped(process):
        for mode in ("immediate", "fast"):
            done = states(small).count(State.SCORED)
            until(has_some(small, State.SCORED, done + 1))
            postgresql.stop(mode)
            try:
                time.sleep(2.0)
                with pytest.raises(OperationalError):
                    states(small)
            finally:
                postgresql.start()
        until(killing.all_scored(small, 6))
        assert process.poll() is None
    assert_whole(small, 6, tmp_path)
    small.database.close()


@pytest.mark.parametrize("full", ["disk of the data", "disk of the scratch folders"])
def test_on_a_full_disk_jobs_wait_and_are_scored_later(small_disk: Path, tmp_path: Path, full: str) -> None:
    on_data = full == "disk of the data"
    small = jobs.small(small_disk if on_data else tmp_path)
    scratch, log = tmp_path if on_data else small_disk, tmp_path / "log"
    for number in range(4):
        small.hand_in(jobs.answer(number))
    with killing.stopped(killing.worker(small, environment={"TMPDIR": str(scratch)}, log=log)):
        until(has_some(small, State.SCORED))
        filler = small_disk / "filler"
        until(lambda: is_noticed(small, log, filler))
        killing.fill(filler)
        time.sleep(2.0)
        assert set(states(small)) <= {State.QUEUED, State.SCORING, State.SCORED}
        assert {State.QUEUED, State.SCORING} & set(states(small))
        filler.unlink()
        until(killing.all_scored(small, 4))
    assert_whole(small, 4, tmp_path)
    small.database.close()


def is_noticed(small: jobs.Small, log: Path, filler: Path) -> bool:
    """Whether the worker met the full disk, which is filled again: jobs that end make room."""
    killing.fill(filler)
    with small.database.read() as session:
        reasons = [one or "" for one in session.scalars(select(Submission.reason))]
    return any(words in text for words in ("No space left", "disk is full") for text in (*reasons, log.read_text()))


def test_a_clock_that_jumps_by_hours_loses_nothing(small: jobs.Small, tmp_path: Path) -> None:
    line = Queue(small.database, small.settings)
    arguments = ("worker", "--data", str(small.settings.data), "--jobs", "2")
    shifted = [killing.run(small, "tests.service.shifted", *arguments) for _ in range(2)]
    with killing.stopped(*shifted):
        for number in range(6):
            queue.submit(line, small.hand_in(jobs.answer(number)))
            time.sleep(0.3)
        shifted[0].kill()
        until(killing.all_scored(small, 6))
        until(lambda: killing.boards(small) == [6])
    assert_whole(small, 6, tmp_path)
    line.close()
