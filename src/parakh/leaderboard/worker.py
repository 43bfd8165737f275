"""A worker: takes jobs from the queue, and every second sees to what got lost (``tending``)."""

from __future__ import annotations

import logging
import sqlite3
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import TypeVar

from dbos import DBOS
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError

from parakh.leaderboard import boards, diagnoses, outcomes, processes, tending, webhooks
from parakh.leaderboard.clock import now
from parakh.leaderboard.database import Database, said
from parakh.leaderboard.database.tables import MetricSetRow, Submission
from parakh.leaderboard.queue import APPLICATION, BOARDS, SCORING, VERSION, WEBHOOKS, Queue
from parakh.leaderboard.scoring import Ending, Job, Outcome, run_job, scratch_prefix
from parakh.leaderboard.settings import Settings
from parakh.leaderboard.store import Store

T = TypeVar("T")
_PAUSES = (0.5, 10.0)
"""Seconds to wait for a database that is away: at first, at most."""
_CALLS = 4
"""Messages to webhooks that are sent at once."""
_LEAVE_SECONDS = 10.0
_log = logging.getLogger(__name__)


class Stopped(Exception):  # noqa: N818
    """The worker ends; what it was at is taken up by another."""


class Here:
    """The worker of this process.

    Args:
        settings: Of the service.
        stop: Ends it when it is set.
    """

    def __init__(self, settings: Settings, stop: Event) -> None:
        self.settings, self.stop = settings, stop
        self.database = Database(settings.database_url)
        self.store = Store(settings.store)
        self.queue = Queue(self.database, settings)
        self.worker_id = processes.new_id()
        self._at_work: set[str] = set()
        self._lock = threading.Lock()

    def at_work(self) -> frozenset[str]:
        """Ids of the workflows that run in this process."""
        with self._lock:
            return frozenset(self._at_work)

    @contextmanager
    def working(self) -> Iterator[None]:
        """While a workflow runs."""
        workflow_id = DBOS.workflow_id or ""
        with self._lock:
            self._at_work.add(workflow_id)
        try:
            yield
        except Stopped:
            _log.info("%s is left to another worker", workflow_id)
        finally:
            with self._lock:
                self._at_work.discard(workflow_id)

    def patiently(self, what: Callable[[], T]) -> T:
        """What a function returns, once the database is there for it.

        Raises:
            Stopped: The worker ends before.
        """
        pause, most = _PAUSES
        while True:
            try:
                return what()
            except DBAPIError as error:
                if not isinstance(error, OperationalError | InterfaceError) and not error.connection_invalidated:
                    raise
                _log.warning("the database is away: %s", said(error))
            if self.stop.wait(pause):
                raise Stopped
            pause = min(2 * pause, most)


_here: list[Here] = []
"""The one worker of this process, while there is one: the queue calls plain functions."""


def run(settings: Settings, stop: Event) -> None:
    """Work until the event is set."""
    here = Here(settings, stop)
    _here[:] = [here]
    try:
        here.patiently(lambda: tending.beat(here.database, here.worker_id))  # no job is ever with somebody unknown
        _launch(here)
        tending.tend(here.database, here.store, here.queue, here.worker_id, here.at_work, stop)
    except Stopped:
        pass
    finally:
        _leave(here)


def _launch(here: Here) -> None:
    url = here.settings.queue_url
    if url.startswith("sqlite:///"):
        with sqlite3.connect(url.removeprefix("sqlite:///"), timeout=30) as connection:
            connection.execute("PRAGMA journal_mode=WAL")  # kept in the file: readers and a writer do not wait for each other
        connection.close()
    DBOS(
        config={
            "name": APPLICATION,
            "system_database_url": url,
            "executor_id": here.worker_id,
            "application_version": VERSION,
            "use_listen_notify": False,
            "sys_db_pool_size": 5,
            "log_level": "ERROR",
        }
    )
    DBOS.launch()
    for name, at_once, seconds in ((SCORING, here.settings.workers, 0.2), (BOARDS, 1, 0.5), (WEBHOOKS, _CALLS, 1.0)):
        DBOS.register_queue(name, worker_concurrency=at_once, polling_interval_sec=seconds, on_conflict="always_update")


def _leave(here: Here) -> None:
    """End what runs, and hand it on."""
    here.stop.set()
    deadline = time.monotonic() + _LEAVE_SECONDS
    while here.at_work() and time.monotonic() < deadline:
        time.sleep(0.05)
    DBOS.destroy()
    with suppress(SQLAlchemyError):  # where the database is away, the others see that this process is gone
        tending.hand_on(here.database, here.queue, here.worker_id)
    _here.clear()
    here.queue.close()
    here.database.close()


@DBOS.workflow(name="score")
def score(submission_id: str, references: str, metric_set: str) -> None:
    """Score one submission by one metric set."""
    here = _here[0]
    with here.working():
        begun = here.patiently(lambda: outcomes.begin(here.database, submission_id, references, metric_set))
        if begun is not None:
            _score(here, *begun, references)


@DBOS.workflow(name="board")
def board(contest_id: int) -> None:
    """Make the board of a contest anew."""
    here = _here[0]
    with here.working():
        here.patiently(lambda: boards.refresh(here.database, here.store, contest_id))
        for call in here.patiently(lambda: webhooks.due(here.database, contest_id, now())):
            here.patiently(partial(here.queue.tell, call))


@DBOS.workflow(name="tell")
def tell(webhook_id: str, submission_id: str, attempt: int) -> None:
    """Tell one address of one new best."""
    here = _here[0]
    call = webhooks.Call(webhook_id, submission_id, attempt)
    private = here.settings.private_webhooks
    with here.working():
        later = here.patiently(lambda: webhooks.deliver(here.database, call, here.settings.address, allow_private=private))
        if later is not None:
            here.patiently(lambda: here.queue.tell(later))


@DBOS.workflow(name="diagnose")
def diagnose(submission_id: str, name: str) -> None:
    """Make the page of a submission's diagnosis."""
    here = _here[0]
    with here.working():
        submission = here.patiently(lambda: _found(here.database, submission_id))
        _diagnose(here, submission, diagnoses.Place.named(here.settings.data, name))


def _found(database: Database, submission_id: str) -> Submission | None:
    with database.read() as session:
        return session.scalars(select(Submission).where(Submission.id == submission_id)).one_or_none()


def _diagnose(here: Here, submission: Submission | None, place: diagnoses.Place) -> None:
    """Make a diagnosis and keep it, or say why there is none, so that whoever wants it may ask again."""
    if place.stage is diagnoses.Stage.READY:
        return
    try:
        if submission is None:
            raise LookupError("there is no such submission")
        with tempfile.TemporaryDirectory(prefix=scratch_prefix(here.worker_id), ignore_cleanup_errors=True) as scratch:
            job = outcomes.job_of(here.settings.data, here.store, submission, submission.contest.metric_set, place.references)
            outcome = _outcome(here, replace(job, diagnoses=True), submission.file, Path(scratch))
            if outcome.page is not None:
                place.keep(outcome.page.read_text(encoding="utf-8"))
            elif not here.stop.is_set():
                place.give_up("\n".join(outcome.faults) or outcome.reason)
    except Exception as error:
        place.give_up(str(error))


def _score(here: Here, submission: Submission, metric_set: MetricSetRow, references: str) -> None:
    def record(outcome: Outcome) -> None:
        here.patiently(lambda: outcomes.record(here.database, here.store, submission.id, metric_set.id, references, outcome))

    try:
        with tempfile.TemporaryDirectory(prefix=scratch_prefix(here.worker_id), ignore_cleanup_errors=True) as scratch:
            job = outcomes.job_of(here.settings.data, here.store, submission, metric_set, references)
            record(_outcome(here, job, submission.file, Path(scratch)))
    except Stopped:
        raise
    except OSError as error:  # no room for the scratch folder or in the store
        record(Outcome(Ending.HINDERED, reason=str(error)))
    except Exception:
        record(Outcome(Ending.FAILED, reason=traceback.format_exc()))


def _outcome(here: Here, job: Job, key: str, scratch: Path) -> Outcome:
    """Run the job; a second time where it exceeded a limit, as the machine may have been busy."""
    if not here.store.is_whole(key):
        return Outcome(Ending.FAILED, reason="its file is not in the store as it was uploaded")
    for attempt in ("first", "second"):
        (scratch / attempt).mkdir()
        outcome = run_job(job, here.settings.job, scratch / attempt, here.stop)
        if outcome.ending is not Ending.EXCEEDED:
            break
    return outcome
