"""What a worker sees to: jobs, workers and boards that got lost. The queue is real; who works on it is made up."""

from __future__ import annotations

import os
import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from parakh.errors import Fault, InputError
from parakh.leaderboard import outcomes, processes, queue, tending
from parakh.leaderboard.clock import now
from parakh.leaderboard.database.tables import Contest, Rescoring, State, Worker
from parakh.leaderboard.outcomes import begin
from parakh.leaderboard.queue import BOARDS, SCORING, Queue
from parakh.leaderboard.scoring import Ending, Outcome
from parakh.leaderboard.tending import SILENT_TICKS, Tender
from tests.service import jobs


def worker(small: jobs.Small, worker_id: str | None = None, host: str | None = None, age: float = 0.0) -> str:
    """The row of a worker; by default this process."""
    row = Worker(
        id=worker_id or processes.new_id(), host=host or processes.host(), pid=1, started_at=now() - timedelta(seconds=age)
    )
    with small.database.write() as session:
        session.add(row)
    return row.id


def tender(small: jobs.Small, line: Queue, worker_id: str, at_work: frozenset[str] = frozenset()) -> Tender:
    return Tender(small.database, small.store, line, worker_id, lambda: at_work)


def taken(small: jobs.Small, workflow_id: str, worker_id: str) -> None:
    """As if a worker had taken a job from the queue."""
    with sqlite3.connect(small.settings.queue_url.removeprefix("sqlite:///")) as connection:
        found = connection.execute(
            "UPDATE workflow_status SET status = 'PENDING', executor_id = ? WHERE workflow_uuid = ?", (worker_id, workflow_id)
        )
        assert found.rowcount == 1
    connection.close()


def waiting(line: Queue, name: str) -> list[str]:
    return sorted(one.workflow_id for one in line.live() if one.queue_name == name and one.status == "ENQUEUED")


def key(small: jobs.Small, submission_id: str) -> str:
    return queue.key_of(submission_id, small.contest.references, small.contest.metric_set_id)


def test_a_submission_is_asked_for_once(small: jobs.Small, line: Queue) -> None:
    submission = small.hand_in(jobs.answer(1))
    assert queue.submit(line, submission)
    assert queue.submit(line, submission)
    assert waiting(line, SCORING) == [key(small, submission.id)]


def test_a_submission_that_the_queue_never_heard_of_is_asked_for(small: jobs.Small, line: Queue) -> None:
    told, untold = small.hand_in(jobs.answer(1)), small.hand_in(jobs.answer(2))
    queue.submit(line, told)
    looking = tender(small, line, worker(small))
    for _ in range(3):
        looking.tick()
    found = waiting(line, SCORING)
    assert len(found) == 2
    assert {one.partition(".")[0] for one in found} == {key(small, told.id), key(small, untold.id)}
    assert not queue.submit(line, untold) or len(waiting(line, SCORING)) == 2


def test_without_a_queue_handing_in_still_works(tmp_path: Path) -> None:
    small = jobs.small(tmp_path)
    line = Queue(small.database, small.settings)
    submission = small.hand_in(jobs.answer(1))
    assert not queue.submit(line, submission)
    assert [(one.submission_id, one.state, one.worker) for one in queue.jobs(line)] == [(submission.id, "queued", None)]
    line.close()
    small.database.close()


def test_the_jobs_of_a_process_that_is_gone_are_handed_on_at_once(small: jobs.Small, line: Queue) -> None:
    submission = small.hand_in(jobs.answer(1))
    queue.submit(line, submission)
    begin(small.database, submission.id, small.contest.references, small.contest.metric_set_id)
    dead = worker(small, "999999999-0-dead", age=60)
    taken(small, key(small, submission.id), dead)
    assert [(one.state, one.worker, one.is_gone) for one in queue.jobs(line)] == [("scoring", dead, False)]
    tender(small, line, worker(small)).tick()
    assert waiting(line, SCORING) == [key(small, submission.id)]
    assert line.running() == []
    with small.database.read() as session:
        assert session.get_one(Worker, dead).is_gone


def test_the_jobs_of_a_worker_that_nobody_knows_are_handed_on(small: jobs.Small, line: Queue) -> None:
    submission = small.hand_in(jobs.answer(1))
    queue.submit(line, submission)
    taken(small, key(small, submission.id), "somebody")
    tender(small, line, worker(small)).tick()
    assert waiting(line, SCORING) == [key(small, submission.id)]


@pytest.mark.parametrize("hours", [-30, 0, 30])
def test_a_worker_elsewhere_is_gone_when_it_is_silent_whatever_its_clock_says(small: jobs.Small, line: Queue, hours: int) -> None:
    submission = small.hand_in(jobs.answer(1))
    queue.submit(line, submission)
    far = worker(small, "1-1-far", host="elsewhere/1", age=-3600)
    taken(small, key(small, submission.id), far)
    looking = tender(small, line, worker(small))
    for beat in range(2 * SILENT_TICKS):
        if beat % 5 == 0:
            heard = now() + timedelta(hours=hours, seconds=beat)
            with small.database.write() as session:
                session.execute(update(Worker).where(Worker.id == far).values(heard_at=heard))
        looking.tick()
    assert len(line.running(far)) == 1
    for _ in range(SILENT_TICKS + 6):
        looking.tick()
    assert line.running() == []


def test_only_the_eldest_worker_looks_after_others(small: jobs.Small, line: Queue) -> None:
    small.hand_in(jobs.answer(1))
    eldest, youngest = worker(small, age=60), worker(small)
    tender(small, line, youngest).tick()
    assert waiting(line, SCORING) == []
    tender(small, line, eldest).tick()
    assert len(waiting(line, SCORING)) == 1


def test_a_worker_that_was_thought_gone_is_there_again_when_it_is_heard(small: jobs.Small, line: Queue) -> None:
    here = worker(small)
    tending.hand_on(small.database, line, here)
    tender(small, line, here).tick()
    with small.database.read() as session:
        assert not session.get_one(Worker, here).is_gone


def test_a_job_that_should_run_here_and_does_not_is_handed_on(small: jobs.Small, line: Queue) -> None:
    lost, kept = small.hand_in(jobs.answer(1)), small.hand_in(jobs.answer(2))
    here = worker(small)
    for one in (lost, kept):
        queue.submit(line, one)
        taken(small, key(small, one.id), here)
    looking = tender(small, line, here, frozenset({key(small, kept.id)}))
    looking.tick()
    assert waiting(line, SCORING) == []
    looking.tick()
    assert waiting(line, SCORING) == [key(small, lost.id)]


def test_a_job_that_ended_without_a_score_is_asked_for_again(small: jobs.Small, line: Queue) -> None:
    submission = small.hand_in(jobs.answer(1))
    queue.submit(line, submission)
    line.client.cancel_workflow(key(small, submission.id))
    looking = tender(small, line, worker(small))
    looking.tick()
    looking.tick()
    (found,) = waiting(line, SCORING)
    assert found.startswith(key(small, submission.id) + ".")


@pytest.mark.parametrize(("hours", "due"), [(0, False), (5, True), (-5, True)])
def test_after_a_failure_there_is_a_pause_that_no_clock_makes_endless(
    small: jobs.Small, line: Queue, hours: int, due: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission = small.hand_in(jobs.answer(1))
    which = (submission.id, small.contest.references, small.contest.metric_set_id)
    begin(small.database, *which)
    outcomes.record(small.database, small.store, which[0], which[2], which[1], Outcome(Ending.FAILED, reason="crash"))
    assert small.again(submission.id).state == State.QUEUED
    monkeypatch.setattr(tending, "now", lambda: now() + timedelta(hours=hours))
    tender(small, line, worker(small)).tick()
    assert bool(waiting(line, SCORING)) == due


def test_a_hundred_scores_ask_for_few_boards(small: jobs.Small, line: Queue) -> None:
    looking = tender(small, line, worker(small))
    for _ in range(100):
        with small.database.write() as session:
            session.execute(update(Contest).values(version=Contest.version + 1))
        looking.tick()
    assert len(waiting(line, BOARDS)) == 1
    with sqlite3.connect(small.settings.queue_url.removeprefix("sqlite:///")) as connection:
        (made,) = connection.execute("SELECT count(*) FROM workflow_status WHERE name = 'board'").fetchone()
    connection.close()
    assert made == 1
    with small.database.read() as session:
        assert session.scalars(select(Contest)).one().version == 100


def test_files_that_no_row_names_go_once_in_a_while(small: jobs.Small, line: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    orphan, kept = small.store.put([b"orphan"]), small.hand_in(jobs.answer(1)).file
    for key_of_file in (orphan, kept):
        os.utime(small.store.path(key_of_file), (0, 0))
    here = worker(small)
    tender(small, line, here).tick()
    assert small.store.is_whole(orphan)
    monkeypatch.setattr(tending, "_TIDY_SECONDS", 0.0)
    tender(small, line, here).tick()
    assert not small.store.path(orphan).exists()
    assert small.store.is_whole(kept)


def test_the_queue_forgets_what_ended_long_ago(small: jobs.Small, line: Queue) -> None:
    old, waits = small.hand_in(jobs.answer(1)), small.hand_in(jobs.answer(2))
    for one in (old, waits):
        queue.submit(line, one)
    line.client.cancel_workflow(key(small, old.id))
    line.forget(now() - timedelta(days=1))
    assert rows(small) == {key(small, old.id), key(small, waits.id)}
    line.forget(now() + timedelta(days=1))
    assert rows(small) == {key(small, waits.id)}


def rows(small: jobs.Small) -> set[str]:
    """The ids of all jobs that the queue knows."""
    with sqlite3.connect(small.settings.queue_url.removeprefix("sqlite:///")) as connection:
        found = {one for (one,) in connection.execute("SELECT workflow_uuid FROM workflow_status")}
    connection.close()
    return found


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (InputError(Fault("results", "", "nothing", "Results")), "found nothing, expected Results"),
        (TimeoutError(), "TimeoutError"),  # one without words
    ],
)
def test_what_goes_wrong_with_a_rescoring_keeps_no_board_from_being_made(
    small: jobs.Small,
    line: Queue,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    told: str,
) -> None:
    def finish(*_: object) -> None:
        raise error

    monkeypatch.setattr(tending.rescoring, "finish", finish)
    with small.database.write() as session:
        tried = Rescoring(
            contest_id=small.contest.id, metric_set_id=small.contest.metric_set_id, references="none", submissions=[]
        )
        session.add(tried)
        session.flush()
        session.execute(update(Contest).values(version=1))
    looking = tender(small, line, worker(small))
    for _ in range(3):
        looking.tick()
    assert len(waiting(line, BOARDS)) == 1
    assert sum(told in one.message for one in caplog.records) == 1


def test_a_worker_that_cannot_reach_the_queue_falls_silent(tmp_path: Path) -> None:
    small = jobs.small(tmp_path)
    line = Queue(small.database, small.settings)
    here = worker(small)
    with small.database.write() as session:
        session.execute(update(Worker).values(is_gone=True))
    tender(small, line, here).tick()
    with small.database.read() as session:
        assert session.get_one(Worker, here).is_gone
    line.close()
    small.database.close()
