"""The states of a submission while it is scored, and its score, written down once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from sqlalchemy import select

from parakh.leaderboard import audit, queue
from parakh.leaderboard.database.tables import Contest, Role, ScoreRow, State, Submission
from parakh.leaderboard.outcomes import begin, record
from parakh.leaderboard.queue import MOST_FAILURES, MOST_STARTS
from parakh.leaderboard.refusals import Conflict, NotThere, Refused
from parakh.leaderboard.rights import COMMAND_LINE
from parakh.leaderboard.scoring import Ending, Outcome
from parakh.leaderboard.visibility import Viewer
from tests.service import jobs


def start(small: jobs.Small, submission: Submission) -> bool:
    contest = small.contest
    return begin(small.database, submission.id, contest.references, contest.metric_set_id) is not None


def end(small: jobs.Small, submission: Submission, outcome: Outcome) -> Submission:
    contest = small.contest
    record(small.database, small.store, submission.id, contest.metric_set_id, contest.references, outcome)
    return small.again(submission.id)


def scores(small: jobs.Small) -> list[ScoreRow]:
    with small.database.read() as session:
        return list(session.scalars(select(ScoreRow)))


def version(small: jobs.Small) -> int:
    with small.database.read() as session:
        return session.get_one(Contest, small.contest.id).version


def test_a_score_is_written_down_once(small: jobs.Small, tmp_path: Path) -> None:
    submission = small.hand_in(jobs.answer(1))
    assert start(small, submission)
    under_way = small.again(submission.id)
    assert (under_way.state, under_way.attempts) == (State.SCORING, 1)
    assert under_way.started_at is not None
    for _ in range(3):
        done = end(small, submission, jobs.scored(tmp_path, 0.25))
    assert (done.state, done.reason, done.faults) == (State.SCORED, None, [])
    assert done.ended_at is not None
    assert [one.value for one in scores(small)] == [0.25]
    assert version(small) == 1
    assert [one.action for one in audit.read(small.database, audit.Filter(subject=submission.id))] == ["submission.scored"]
    assert not start(small, submission)


def test_two_workers_at_once_make_one_score(small: jobs.Small, tmp_path: Path) -> None:
    submission = small.hand_in(jobs.answer(1))
    outcome = jobs.scored(tmp_path, 0.5)
    together = threading.Barrier(4)

    def work() -> None:
        together.wait(10)
        start(small, submission)
        end(small, submission, outcome)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(30)
    assert len(scores(small)) == 1
    assert (small.again(submission.id).state, version(small)) == (State.SCORED, 1)


def test_faults_are_for_its_makers(small: jobs.Small) -> None:
    submission = small.hand_in(b"x")
    start(small, submission)
    done = end(small, submission, Outcome(Ending.REFUSED, ("a.rttm:1: found x, expected y.",)))
    assert (done.state, done.faults) == (State.REFUSED, ["a.rttm:1: found x, expected y."])
    assert (scores(small), version(small)) == ([], 0)
    assert not start(small, submission)


def test_what_exceeds_the_limits_is_refused(small: jobs.Small) -> None:
    submission = small.hand_in(b"x")
    start(small, submission)
    done = end(small, submission, Outcome(Ending.EXCEEDED, ("too long.",), "too long."))
    assert (done.state, done.faults) == (State.REFUSED, ["too long."])


def test_a_failure_is_tried_again_and_in_the_end_left_to_the_organiser(small: jobs.Small) -> None:
    submission = small.hand_in(jobs.answer(1))
    states = []
    for _ in range(MOST_FAILURES):
        assert start(small, submission)
        states.append(end(small, submission, Outcome(Ending.FAILED, reason="it crashed")).state)
    assert states == [State.QUEUED] * (MOST_FAILURES - 1) + [State.FAILED]
    done = small.again(submission.id)
    assert (done.reason, done.faults) == ("it crashed", [])


def test_a_hindrance_costs_no_attempt(small: jobs.Small, tmp_path: Path) -> None:
    submission = small.hand_in(jobs.answer(1))
    for _ in range(3 * MOST_FAILURES):
        assert start(small, submission)
        waiting = end(small, submission, Outcome(Ending.HINDERED, reason="no space left"))
        assert (waiting.state, waiting.attempts) == (State.QUEUED, 0)
    assert start(small, submission)
    assert end(small, submission, jobs.scored(tmp_path, 0.5)).reason is None


def test_a_job_that_takes_its_worker_along_is_not_tried_for_ever(small: jobs.Small) -> None:
    submission = small.hand_in(jobs.answer(1))
    for _ in range(MOST_STARTS):
        assert start(small, submission)
    assert not start(small, submission)
    done = small.again(submission.id)
    assert done.state == State.FAILED
    assert done.reason is not None
    assert "was lost" in done.reason


def test_results_that_cannot_be_kept_leave_the_submission_as_it_was(small: jobs.Small, tmp_path: Path) -> None:
    submission = small.hand_in(jobs.answer(1))
    start(small, submission)
    gone = jobs.scored(tmp_path, 0.5)
    assert gone.detail is not None
    gone.detail.unlink()
    with pytest.raises(FileNotFoundError):
        end(small, submission, gone)
    assert (small.again(submission.id).state, scores(small)) == (State.SCORING, [])


def test_the_organiser_has_it_tried_again(small: jobs.Small) -> None:
    submission = small.hand_in(jobs.answer(1))
    with pytest.raises(Conflict, match="is queued"):
        queue.retry(small.database, COMMAND_LINE, submission.id)
    with pytest.raises(NotThere):
        queue.retry(small.database, COMMAND_LINE, "nothing")
    start(small, submission)
    end(small, submission, Outcome(Ending.REFUSED, ("a fault",)))
    with pytest.raises(Refused):
        queue.retry(small.database, Viewer(5, "me@example.org", Role.MEMBER), submission.id)
    queue.retry(small.database, COMMAND_LINE, submission.id)
    again = small.again(submission.id)
    assert (again.state, again.attempts, again.faults, again.ended_at) == (State.QUEUED, 0, [], None)
    assert start(small, submission)


def test_under_rules_that_are_not_in_force_nothing_is_begun_that_nobody_asked_for(small: jobs.Small) -> None:
    submission = small.hand_in(jobs.answer(1))
    assert begin(small.database, submission.id, "other", small.contest.metric_set_id) is None
    assert begin(small.database, "gone", small.contest.references, small.contest.metric_set_id) is None
    assert small.again(submission.id).state == State.QUEUED
