"""The queue of jobs: who asks for one, and what is under way.

A submission's row says what is to be done; the queue (DBOS) only carries it to a worker. Whatever is lost on the way, a message,
a worker, the queue itself, is found again by comparing the two (``tending``).
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime
from threading import Event, Lock
from typing import TYPE_CHECKING, Any

from sqlalchemy import Select, select

from parakh.leaderboard import audit
from parakh.leaderboard.clock import now
from parakh.leaderboard.database import Database, said
from parakh.leaderboard.database.tables import UNDER_WAY, State, Submission, Worker, new_key
from parakh.leaderboard.refusals import Conflict, NotThere
from parakh.leaderboard.rights import needs_organiser
from parakh.leaderboard.visibility import Viewer
from parakh.packages import imported

if TYPE_CHECKING:
    from dbos import DBOSClient, WorkflowStatus

    from parakh.leaderboard.settings import Settings
    from parakh.leaderboard.webhooks import Call

APPLICATION = "parakh"
VERSION = "1"
"""Of what a job is called and takes: workers only take jobs of their version."""
SCORING, BOARDS, WEBHOOKS = "scoring", "boards", "webhooks"
"""Names of the queues."""
FIRST, LATER, LAST = 1, 10, 20
"""Priorities: submissions, what is scored again, and diagnoses."""
MOST_FAILURES = 4
"""Attempts after which a job that fails is left to the organiser."""
MOST_STARTS = 20
"""The same where it takes its worker with it each time."""
_LIVE = ("ENQUEUED", "DELAYED", "PENDING")
_ENDED = ("SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED")
_BATCH = 500
_log = logging.getLogger(__name__)


def key_of(submission_id: str, references: str, metric_set: str) -> str:
    """What one score is: a workflow has this name, with ``.`` and a few letters where it is not the first.

    >>> key_of("abc", "r1", "m1")
    'score-abc-r1-m1'
    """
    return f"score-{submission_id}-{references}-{metric_set}"


def key_of_diagnosis(submission_id: str) -> str:
    """With what the workflows of a diagnosis begin.

    >>> key_of_diagnosis("abc")
    'diagnosis-abc'
    """
    return f"diagnosis-{submission_id}"


def key_of_submission(submission: Submission) -> str:
    """The key of the score that is in force for a submission."""
    return key_of(submission.id, submission.contest.references, submission.contest.metric_set_id)


class Queue:
    """The queue as web processes and workers use it; it connects when it is first needed.

    Args:
        database: Where submissions are.
        settings: Of the service.
    """

    def __init__(self, database: Database, settings: Settings) -> None:
        self.database = database
        self.settings = settings
        self._client: DBOSClient | None = None
        self._lock = Lock()

    @property
    def client(self) -> DBOSClient:
        """The client of DBOS."""
        with self._lock:
            if self._client is None:
                self._client = self._connected()
            return self._client

    def _connected(self) -> DBOSClient:
        dbos = imported("dbos", "server", "the queue")
        logging.getLogger("dbos").setLevel(logging.ERROR)  # it recommends PostgreSQL otherwise, each time
        client: DBOSClient = dbos.DBOSClient(
            system_database_url=self.settings.queue_url,
            application_name=APPLICATION,
            lazy=True,
            retry_connection_errors=False,
        )
        return client

    def close(self) -> None:
        """Give back every connection."""
        if self._client is not None:
            self._client.destroy()
            self._client = None

    def live(self) -> list[WorkflowStatus]:
        """What waits or runs."""
        return self.client.list_workflows(status=list(_LIVE), load_input=False, load_output=False)

    def running(self, worker_id: str | None = None) -> list[WorkflowStatus]:
        """What runs, or did when its worker was last there; of one worker or of all."""
        return self.client.list_workflows(status="PENDING", executor_id=worker_id, load_input=False, load_output=False)

    def forget(self, before: datetime) -> None:
        """Take jobs away that ended before a moment: nothing asks for them any more."""
        while ended := self.client.list_workflows(
            status=list(_ENDED), completed_before=before.isoformat(), limit=_BATCH, load_input=False, load_output=False
        ):
            self.client.delete_workflows([one.workflow_id for one in ended])

    def score(self, submission_id: str, references: str, metric_set: str, *, again: bool = False, priority: int = FIRST) -> None:
        """Ask for a score; where it is asked for already, nothing is added.

        Args:
            submission_id: Of which submission.
            references: Digest of the references.
            metric_set: Digest of the metric set.
            again: Whether an earlier job of the same key may have ended without a score.
            priority: The lower the sooner.
        """
        given = submission_id, references, metric_set
        self._ask("score", SCORING, key_of(*given), *given, again=again, priority=priority)

    def diagnosis(self, submission_id: str, name: str) -> None:
        """Ask for the diagnosis of a submission, after everything else; where it is asked for already, nothing is added.

        Args:
            submission_id: Of which submission.
            name: Of its page.
        """
        self._ask("diagnose", SCORING, key_of_diagnosis(submission_id), submission_id, name, priority=LAST)

    def board(self, contest_id: int) -> None:
        """Ask for a board; where it is asked for already, nothing is added."""
        self._ask("board", BOARDS, f"board-{contest_id}", contest_id)

    def _ask(self, job: str, queue: str, key: str, *given: str | int, again: bool = True, priority: int = FIRST) -> None:
        """Ask for a job of a key; while one waits or runs nothing is added."""
        self.client.enqueue(
            {
                "workflow_name": job,
                "queue_name": queue,
                "workflow_id": f"{key}.{new_key()}" if again else key,
                "app_version": VERSION,
                "deduplication_id": key,
                "duplication_policy": "return-existing",
                "priority": priority,
            },
            *given,
        )

    def tell(self, call: Call) -> None:
        """Ask for a message to a webhook, after its pause; where it is asked for already, nothing is added."""
        self.client.enqueue(
            {
                "workflow_name": "tell",
                "queue_name": WEBHOOKS,
                "workflow_id": f"tell-{call.key}-{call.attempt}",
                "app_version": VERSION,
                "delay_seconds": call.pause,
            },
            call.webhook_id,
            call.submission_id,
            call.attempt,
        )


def submit(queue: Queue, submission: Submission) -> bool:
    """Ask for the score of a new submission.

    Returns:
        Whether the queue took it; where it did not, a worker finds the submission by itself.
    """
    try:
        queue.score(submission.id, submission.contest.references, submission.contest.metric_set_id)
    except Exception as error:  # whatever stops the queue, the submission is in the database
        _log.warning("the queue did not take submission %s: %s", submission.id, said(error))
        return False
    return True


def run_worker(settings: Settings, stop: Event) -> None:
    """Score what is in the queue until the event is set; one worker a process.

    Raises:
        MissingPackageError: A package of the extra ``server`` is not there.
    """
    imported("dbos", "server", "the queue")
    from parakh.leaderboard import worker  # web processes have no use for it

    worker.run(settings, stop)


@dataclass(frozen=True)
class RunningJob:
    """A submission that waits or is being scored.

    Args:
        submission_id: Which.
        state: "queued" or "scoring".
        attempts: How often it was begun.
        reason: Why the last attempt failed; None for the first.
        worker: Id of the worker that has it; None while it waits.
        host: Where that worker runs; None while it waits.
        is_gone: Whether that worker is gone, and the job waits for another.
        since: Since when it waits, or is being scored.
        seconds: How long that is.
    """

    submission_id: str
    state: str
    attempts: int
    reason: str | None
    worker: str | None
    host: str | None
    is_gone: bool
    since: datetime
    seconds: float


def jobs(queue: Queue) -> list[RunningJob]:
    """What waits and runs, in the order it came in, for the organiser's console."""
    try:
        at_work = {one.workflow_id.partition(".")[0]: one.executor_id for one in queue.running()}
    except Exception as error:  # the console works without the queue
        _log.warning("the queue cannot be read: %s", said(error))
        at_work = {}
    with queue.database.read() as session:
        workers = {one.id: one for one in session.scalars(select(Worker))}
        query = select(Submission).where(Submission.state.in_(UNDER_WAY)).order_by(Submission.number)
        waiting = session.scalars(query).all()
    return [_running_job(one, workers.get(at_work.get(key_of_submission(one)) or "")) for one in waiting]


def _running_job(submission: Submission, worker: Worker | None) -> RunningJob:
    since = (submission.started_at if submission.state == State.SCORING else None) or submission.made_at
    return RunningJob(
        submission_id=submission.id,
        state=submission.state,
        attempts=submission.attempts,
        reason=submission.reason,
        worker=worker.id if worker else None,
        host=worker.host if worker else None,
        is_gone=worker.is_gone if worker else False,
        since=since,
        seconds=max(0.0, (now() - since).total_seconds()),
    )


def retry(database: Database, viewer: Viewer, submission_id: str) -> None:
    """Have a submission tried again that failed or was refused; a worker takes it within seconds.

    Args:
        database: Where it is.
        viewer: Who asks for it.
        submission_id: Which.

    Raises:
        Refused: They do not organise.
        NotThere: There is no such submission.
        Conflict: It is under way or scored.
    """
    needs_organiser(viewer)
    with database.write() as session:
        submission = session.scalars(locked_submission(submission_id)).one_or_none()
        if submission is None:
            raise NotThere("submission", submission_id)
        if submission.state not in {State.FAILED, State.REFUSED}:
            raise Conflict(f"submission {submission_id} is {submission.state}: only what failed or was refused is tried again.")
        detail = {"was": submission.state, "reason": submission.reason}
        submission.state = State.QUEUED.value
        submission.attempts, submission.faults, submission.reason = 0, [], None
        submission.started_at = submission.ended_at = None
        audit.record(session, viewer.name, "submission.retried", submission.id, submission.contest.phase.challenge.name, detail)


def locked_submission(submission_id: str) -> Select[Any]:
    """The query of one submission that nobody else changes until the transaction ends."""
    return select(Submission).where(Submission.id == submission_id).with_for_update(of=Submission)
