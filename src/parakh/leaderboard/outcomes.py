"""What becomes of a submission while it is scored: its states, and its score, written down once.

Everything here may be done twice, by two workers at once or again after a crash, and comes to the same. Rows are locked in one
order: the contest, then the submission.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

import parakh
from parakh.leaderboard import audit
from parakh.leaderboard.challenges import material
from parakh.leaderboard.clock import now
from parakh.leaderboard.contests import contest_held
from parakh.leaderboard.database.tables import UNDER_WAY, MetricSetRow, Rescoring, ScoreRow, State, Submission
from parakh.leaderboard.queue import MOST_FAILURES, MOST_STARTS, locked_submission
from parakh.leaderboard.scoring import Ending, Job, Outcome

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy.orm import Session

    from parakh.leaderboard.database import Database
    from parakh.leaderboard.store import Store


def begin(database: Database, submission_id: str, references: str, metric_set: str) -> tuple[Submission, MetricSetRow] | None:
    """Say that a submission is being scored.

    Args:
        database: Where it is.
        submission_id: Which.
        references: Digest of the references.
        metric_set: Digest of the metric set.

    Returns:
        The submission and the metric set; None where there is nothing to do: it is scored already, or nobody wants to know.
    """
    with database.write() as session:
        submission = _locked(session, submission_id)
        if submission is None:
            return None
        wanted = _is_in_force(submission, references, metric_set)
        if session.get(ScoreRow, (submission_id, metric_set, references)):
            if wanted and submission.state in UNDER_WAY:
                _end(session, submission, State.SCORED)
            return None
        if not wanted:
            needed = _tries(session, submission, references, metric_set)
        elif submission.state not in UNDER_WAY:
            return None
        elif submission.attempts >= MOST_STARTS:
            _end(session, submission, State.FAILED, reason=f"its worker was lost {MOST_STARTS} times while it was scored")
            return None
        else:
            needed = True
            submission.state, submission.started_at, submission.ended_at = State.SCORING.value, now(), None
            submission.attempts += 1
        return (submission, session.get_one(MetricSetRow, metric_set)) if needed else None


def job_of(data: Path, store: Store, submission: Submission, metric_set: MetricSetRow, references: str) -> Job:
    """What has to be done to score a submission.

    Args:
        data: The data folder.
        store: Where its file is.
        submission: Which.
        metric_set: What to score it by.
        references: Digest of what to score it against.

    Raises:
        ParakhError: These references are not in the data folder.
    """
    contest = submission.contest
    phase = contest.phase
    rules, folder = material(data, phase.challenge, phase.key, contest.track, references)
    return Job(
        submission=submission.id,
        file=str(store.path(submission.file)),
        file_name=submission.file_name,
        system=submission.system or submission.team.name,
        challenge=rules,
        folder=str(folder),
        phase=phase.key,
        track=contest.track,
        references=references,
        metric_set=metric_set.rules,
    )


def record(database: Database, store: Store, submission_id: str, metric_set: str, references: str, outcome: Outcome) -> None:
    """Write down what a job came to: the score once, and the submission's state with it.

    Args:
        database: Where the submission is.
        store: Where the Results are kept.
        submission_id: Which submission.
        metric_set: Digest of the metric set it was scored by.
        references: Digest of the references it was scored against.
        outcome: What the job came to.

    Raises:
        OSError: The store has no room; nothing is written.
    """
    score = _score(store, submission_id, metric_set, references, outcome)
    with database.write() as session:
        submission = _locked(session, submission_id)
        if submission is None:
            return
        known = session.get(ScoreRow, (submission_id, metric_set, references)) is not None
        if score is not None and not known:
            session.add(score)
        if not _is_in_force(submission, references, metric_set):
            if score is None and not known:
                _note_failure(session, submission, references, metric_set, outcome)
        elif submission.state in UNDER_WAY:
            _settle(session, submission, Ending.SCORED if known else outcome.ending, outcome)


def _score(store: Store, submission_id: str, metric_set: str, references: str, outcome: Outcome) -> ScoreRow | None:
    """The row of a score, whose files are kept."""
    if outcome.results is None or outcome.detail is None:
        return None
    return ScoreRow(
        submission_id=submission_id,
        metric_set_id=metric_set,
        references=references,
        results=store.adopt(outcome.results),
        detail=store.adopt(outcome.detail),
        value=outcome.value,
        parakh=parakh.__version__,
    )


def _locked(session: Session, submission_id: str) -> Submission | None:
    contest_id = session.scalar(select(Submission.contest_id).where(Submission.id == submission_id))
    if contest_id is None:
        return None
    contest_held(session, contest_id)
    return session.scalars(locked_submission(submission_id)).one_or_none()


def _is_in_force(submission: Submission, references: str, metric_set: str) -> bool:
    return (submission.contest.references, submission.contest.metric_set_id) == (references, metric_set)


def _settle(session: Session, submission: Submission, ending: Ending, outcome: Outcome) -> None:
    """Move a submission to the state that an outcome leads to."""
    if ending is Ending.SCORED:
        _end(session, submission, State.SCORED)
    elif ending in {Ending.REFUSED, Ending.EXCEEDED}:
        _end(session, submission, State.REFUSED, list(outcome.faults), outcome.reason)
    elif ending is Ending.FAILED and submission.attempts >= MOST_FAILURES:
        _end(session, submission, State.FAILED, reason=outcome.reason)
    else:  # a worker takes it again after a pause
        submission.state, submission.ended_at, submission.reason = State.QUEUED.value, now(), outcome.reason
        submission.attempts -= ending is Ending.HINDERED


def _end(session: Session, submission: Submission, state: State, faults: list[str] | None = None, reason: str = "") -> None:
    submission.state, submission.ended_at = state.value, now()
    submission.faults, submission.reason = faults or [], reason or None
    if state is State.SCORED:
        submission.contest.version += 1
    detail = {"attempts": submission.attempts} | ({"reason": reason} if reason else {})
    audit.record(session, audit.SYSTEM, f"submission.{state}", submission.id, submission.contest.phase.challenge.name, detail)


def _tries(session: Session, submission: Submission, references: str, metric_set: str) -> bool:
    """Whether a re-scoring waits for this score."""
    return any(submission.id in one.submissions for one in _running(session, submission.contest_id, references, metric_set))


def _running(session: Session, contest_id: int, references: str, metric_set: str) -> list[Rescoring]:
    query = select(Rescoring).where(Rescoring.contest_id == contest_id, Rescoring.state == "running")
    return list(session.scalars(query.where(Rescoring.references == references, Rescoring.metric_set_id == metric_set)))


def _note_failure(session: Session, submission: Submission, references: str, metric_set: str, outcome: Outcome) -> None:
    """Tell each re-scoring that waits for a score that there was none this time, or that there is none."""
    if outcome.ending is Ending.HINDERED:
        return
    for one in _running(session, submission.contest_id, references, metric_set):
        attempts = {**one.difference.get("attempts", {})}
        attempts[submission.id] = attempts.get(submission.id, 0) + 1
        failures = {**one.difference.get("failures", {})}
        if outcome.ending is not Ending.FAILED or attempts[submission.id] >= MOST_FAILURES:
            failures[submission.id] = outcome.reason or "\n".join(outcome.faults)
        one.difference = {**one.difference, "attempts": attempts, "failures": failures}
