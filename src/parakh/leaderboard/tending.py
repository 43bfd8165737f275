"""What a worker sees to every second, so that nothing is lost whatever ends at whatever moment.

| what is lost | what follows |
|---|---|
| a worker | its jobs are handed on: at once where its process is gone from this machine, else when it was silent |
| a job that the queue never heard of, or that ended without a score | its submission is asked for again |
| a job of this process that no longer runs in it | it is handed on |
| a board older than its contest | it is asked for, at most one at a time |
| a diagnosis that somebody wants and nobody is after | it is asked for |
| a re-scoring whose scores are all there | it is made ready |

Only the eldest worker there is looks after others. No clocks are compared: silent is a worker whose row did not change while this
process looked at it so many times.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from threading import Event

from sqlalchemy import and_, delete, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from parakh.leaderboard import accounts, diagnoses, limits, processes, rescoring, store_housekeeping
from parakh.leaderboard.clock import now
from parakh.leaderboard.database import Database, said
from parakh.leaderboard.database.tables import UNDER_WAY, BoardRow, Contest, Rescoring, Submission, Worker
from parakh.leaderboard.queue import LATER, Queue, key_of, key_of_diagnosis
from parakh.leaderboard.scoring import scratch_prefix
from parakh.leaderboard.store import Store

TICK = 1.0
"""Seconds between two looks."""
BEAT_TICKS = 5
SILENT_TICKS = 30
"""Looks at an unchanged row after which its worker is silent."""
_PAUSE, _LONGEST_PAUSE = 5.0, 300.0
"""Seconds after a first failure; three times as long after each further one, at most."""
_BOARD_PAUSE, _LONGEST_BOARD_PAUSE = 2.0, 120.0
_TIDY_SECONDS = 3600.0
_ENDED_DAYS = 7
"""After which jobs that ended and workers that are gone are forgotten."""
_WAITING = (
    select(Submission.id, Contest.references, Contest.metric_set_id, Submission.attempts, Submission.ended_at)
    .join(Contest, Contest.id == Submission.contest_id)
    .where(Submission.state.in_(UNDER_WAY))
    .order_by(Submission.number)
)
_log = logging.getLogger(__name__)


def tend(
    database: Database, store: Store, queue: Queue, worker_id: str, at_work: Callable[[], frozenset[str]], stop: Event
) -> None:
    """Look after everything until the event is set, whatever is away meanwhile.

    Args:
        database: Where submissions and workers are.
        store: Where the Results are.
        queue: The queue.
        worker_id: Of this process.
        at_work: Gives the ids of the workflows that run in this process.
        stop: Ends it.
    """
    tender = Tender(database, store, queue, worker_id, at_work)
    while not stop.wait(TICK):
        tender.tick()


def beat(database: Database, worker_id: str) -> None:
    """Be heard; who was thought gone and is not is there again."""
    pid = int(worker_id.partition("-")[0])
    with database.write() as session:
        session.merge(Worker(id=worker_id, host=processes.host(), pid=pid, heard_at=now(), is_gone=False))


def hand_on(database: Database, queue: Queue, worker_id: str) -> None:
    """Give the jobs of a worker back to the queue, and note that it is gone."""
    running = queue.running(worker_id)
    for name in {one.queue_name for one in running}:
        queue.client.resume_workflows([one.workflow_id for one in running if one.queue_name == name], queue_name=name)
    if running:
        _log.warning("worker %s is gone; handed on: %s", worker_id, ", ".join(one.workflow_id for one in running))
    with database.write() as session:
        session.execute(update(Worker).where(Worker.id == worker_id).values(is_gone=True))


class Tender:
    """One worker's care for what is lost; the arguments are those of ``tend``."""

    def __init__(
        self, database: Database, store: Store, queue: Queue, worker_id: str, at_work: Callable[[], frozenset[str]]
    ) -> None:
        self.database, self.store, self.queue, self.worker_id, self.at_work = database, store, queue, worker_id, at_work
        self._ticks = 0
        self._seen: dict[str, tuple[datetime, int]] = {}
        """By worker: when it was last heard, and at how many looks that was so."""
        self._idle: frozenset[str] = frozenset()
        """Workflows that should run here and did not at the last look."""
        self._asked: dict[int, tuple[int, int, float]] = {}
        """By contest: the version a board was asked for, how often, and until when not to ask again."""
        self._is_eldest = False
        self._told: dict[str, str] = {}
        """By part: what went wrong with it last, which is told once."""
        self._tidies_at = time.monotonic() + _TIDY_SECONDS

    def tick(self) -> None:
        """One look at everything; what goes wrong with one part keeps no other from being looked after."""
        if not self._do(self._recover_own):
            return  # without the queue it is of no use to others, who go by its silence
        if self._ticks % BEAT_TICKS == 0:
            self._do(self._beat)
        self._ticks += 1
        self._do(self._look_at_workers)
        if self._is_eldest:
            for part in (self._ask_for_scores, self._ask_for_trials, self._ask_for_boards, self._ask_for_diagnoses, self._tidy):
                self._do(part)

    def _beat(self) -> None:
        beat(self.database, self.worker_id)

    def _do(self, part: Callable[[], None]) -> bool:
        """Whether a part could be done: a database may be away, a disk full; the next look finds the same."""
        try:
            part()
        except Exception as error:
            if self._told.get(part.__name__) != said(error):
                _log.warning("not all is looked after: %s", said(error), exc_info=not isinstance(error, SQLAlchemyError))
            self._told[part.__name__] = said(error)
            return False
        return True

    def _recover_own(self) -> None:
        """Hand on what the queue thinks runs here and does not, where that is so at two looks."""
        running = {one.workflow_id: one.queue_name for one in self.queue.running(self.worker_id)}
        idle = frozenset(running) - self.at_work()
        for workflow_id in idle & self._idle:
            self.queue.client.resume_workflow(workflow_id, queue_name=running[workflow_id])
            _log.warning("%s did not run here; handed on", workflow_id)
        self._idle = idle

    def _is_gone(self, worker: Worker) -> bool:
        heard, looks = self._seen.get(worker.id, (None, 0))
        self._seen[worker.id] = (worker.heard_at, looks + 1 if heard == worker.heard_at else 0)
        here = worker.host == processes.host()
        silent = self._seen[worker.id][1] > SILENT_TICKS and worker.id != self.worker_id
        return worker.is_gone or silent or (here and not processes.is_there(worker.id))

    def _look_at_workers(self) -> None:
        """Who is the eldest; if it is this one, hand on the jobs of workers that are gone, and of some that nobody knows."""
        with self.database.read() as session:
            workers = list(session.scalars(select(Worker).order_by(Worker.started_at, Worker.id)))
        there = [one.id for one in workers if not self._is_gone(one)]
        self._is_eldest = there[:1] == [self.worker_id]
        if not self._is_eldest:
            return
        busy = {one.executor_id for one in self.queue.running() if one.executor_id} - set(there)
        for worker_id in busy | {one.id for one in workers if not one.is_gone and one.id not in there}:
            hand_on(self.database, self.queue, worker_id)
            for scratch in Path(tempfile.gettempdir()).glob(f"{scratch_prefix(worker_id)}*"):
                shutil.rmtree(scratch, ignore_errors=True)

    def _ask_for_scores(self) -> None:
        """Ask for every score in force that nobody is after."""
        live = self._live()
        with self.database.read() as session:
            waiting = session.execute(_WAITING).all()
        for submission_id, references, metric_set, attempts, ended_at in waiting:
            if key_of(submission_id, references, metric_set) not in live and _is_due(attempts, ended_at):
                self.queue.score(submission_id, references, metric_set, again=True)

    def _ask_for_trials(self) -> None:
        """Ask for every score that a re-scoring waits for and nobody is after; make it ready where it waits for none."""
        with self.database.read() as session:
            running = list(session.scalars(select(Rescoring).where(Rescoring.state == "running")))
        live = self._live() if running else frozenset()
        for one in running:
            outstanding = rescoring.outstanding(self.database, one.id)
            if not outstanding:
                rescoring.finish(self.database, self.store, one.id)
            for submission_id in outstanding:
                if key_of(submission_id, one.references, one.metric_set_id) not in live:
                    self.queue.score(submission_id, one.references, one.metric_set_id, again=True, priority=LATER)

    def _live(self) -> frozenset[str]:
        """The keys of what waits or runs; read before what it is compared with: whatever ends meanwhile has its score by then."""
        return frozenset(one.workflow_id.partition(".")[0] for one in self.queue.live())

    def _ask_for_boards(self) -> None:
        """Ask for every board that is older than its contest; for one that fails more and more seldom."""
        made = BoardRow.contest_id == Contest.id, BoardRow.is_frozen.is_(False)
        query = select(Contest.id, Contest.version).outerjoin(BoardRow, and_(*made))
        with self.database.read() as session:
            old = session.execute(query.where(func.coalesce(BoardRow.version, 0) < Contest.version)).all()
        for contest_id, version in old:
            asked, times, until = self._asked.get(contest_id, (-1, 0, 0.0))
            if time.monotonic() >= until:
                times = times + 1 if asked == version else 0
                pause = min(_BOARD_PAUSE * 2**times, _LONGEST_BOARD_PAUSE)
                self._asked[contest_id] = (version, times, time.monotonic() + pause)
                self.queue.board(contest_id)

    def _ask_for_diagnoses(self) -> None:
        """Ask for every diagnosis that somebody wants and nobody is after."""
        wanted = diagnoses.wanted(self.queue.settings.data)
        live = self._live() if wanted else frozenset()
        for submission_id, place in wanted:
            if key_of_diagnosis(submission_id) not in live:
                self.queue.diagnosis(submission_id, place.page.name)

    def _tidy(self) -> None:
        """Once in a while, take away what nothing refers to any more."""
        if time.monotonic() >= self._tidies_at:
            self._tidies_at = time.monotonic() + _TIDY_SECONDS
            store_housekeeping.sweep(self.database, self.store)
            limits.sweep(self.database)
            accounts.sweep(self.database)
            long_ago = now() - timedelta(days=_ENDED_DAYS)
            self.queue.forget(long_ago)
            with self.database.write() as session:
                session.execute(delete(Worker).where(Worker.is_gone, Worker.heard_at < long_ago))


def _is_due(attempts: int, ended_at: datetime | None) -> bool:
    """Whether the pause after the last failure is over; a clock that was set back ends it."""
    if ended_at is None:
        return True
    passed = (now() - ended_at).total_seconds()
    return not 0 <= passed < min(_PAUSE * 3 ** max(attempts - 1, 0), _LONGEST_PAUSE)
