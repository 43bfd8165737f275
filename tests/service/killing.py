"""Real processes that are killed at random while submissions come in and are scored, and what has to be true afterwards."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy import create_engine, func, select, text

from parakh.errors import ParakhError
from parakh.leaderboard.client import Client
from parakh.leaderboard.database.tables import BoardRow, Event, ScoreRow, State, Submission
from parakh.leaderboard.scoring import scratch_prefix
from tests.service import jobs

ROOT = Path(__file__).parents[2]


def run(
    world: jobs.Small, *module: str, environment: Mapping[str, str] | None = None, log: Path | None = None
) -> subprocess.Popen[str]:
    """A Python process with a module of this tree; what it says on standard error goes to the log."""
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    with log.open("ab") if log else contextlib.nullcontext() as said:
        return subprocess.Popen(
            [sys.executable, "-m", *module],
            cwd=world.settings.data,
            env={**os.environ, **(environment or {}), "PYTHONPATH": path},
            text=True,
            stdout=subprocess.DEVNULL,
            stderr=said,
        )


def worker(
    world: jobs.Small, limit: int = 2, environment: Mapping[str, str] | None = None, log: Path | None = None
) -> subprocess.Popen[str]:
    """``parakh worker``."""
    return run(
        world,
        *("parakh.cli.main", "worker", "--data", str(world.settings.data)),
        *("--database-url", world.settings.database_url, "--jobs", str(limit)),
        environment=environment,
        log=log,
    )


@dataclass
class Outcome:
    """What was found after a run."""

    submissions: int = 0
    kills: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)
    """Submissions without a score."""
    twice: list[str] = field(default_factory=list)
    """Submissions that were moved to scored more than once, or have more than one score."""
    wrong: list[str] = field(default_factory=list)
    """Submissions whose score is not the one worked out here."""
    starts: int = 0
    """How often a job was begun: the number of submissions, and those that were begun again."""
    seconds: float = 0.0
    left: int = 0
    """Scoring processes that are still there."""
    boards: int = 0
    """How often a board was made."""


@dataclass
class Killing:
    """Processes by name, each started again after it is killed.

    Args:
        world: What they work on.
        starters: How to start each of them.
        moments: How many submissions are scored at each kill.
        seed: Of the random choices.
    """

    world: jobs.Small
    starters: dict[str, Callable[[], subprocess.Popen[str]]]
    moments: Sequence[int]
    seed: int = 1

    def run(self, is_done: Callable[[], bool], most_seconds: float) -> Outcome:
        """Kill and start again, then wait until all is done, and look at what there is."""
        chance, outcome, started = random.Random(self.seed), Outcome(), time.monotonic()
        running = {name: start() for name, start in self.starters.items()}
        try:
            for moment in self.moments:
                while scored(self.world) < moment and time.monotonic() - started < most_seconds:
                    time.sleep(0.1)
                time.sleep(chance.uniform(0.0, 0.5))
                name = chance.choice(sorted(running))
                running[name].kill()
                running[name].wait()
                outcome.kills[name] += 1
                time.sleep(chance.uniform(0.0, 0.5))
                running[name] = self.starters[name]()
            while not is_done() and time.monotonic() - started < most_seconds:
                time.sleep(0.5)
        finally:
            stop(running.values())
        outcome.seconds = time.monotonic() - started
        return outcome


def scored(world: jobs.Small) -> int:
    """How many submissions are scored."""
    with world.database.read() as session:
        query = select(func.count()).select_from(Submission).where(Submission.state == State.SCORED)
        return session.scalar(query) or 0


def stop(processes: object) -> None:
    """End processes gently, and those that do not go by force."""
    alive: list[subprocess.Popen[str]] = list(processes)  # type: ignore[call-overload]
    for one in alive:
        one.send_signal(signal.SIGTERM)
    for one in alive:
        try:
            one.wait(20)
        except subprocess.TimeoutExpired:
            one.kill()
            one.wait()


def examine(world: jobs.Small, outcome: Outcome, tmp: Path) -> Outcome:
    """Compare what is in the database with what is worked out here."""
    with world.database.read() as session:
        rows = list(session.scalars(select(Submission).order_by(Submission.number)))
        scores = list(session.scalars(select(ScoreRow)))
        ends = Counter(session.scalars(select(Event.subject).where(Event.action == "submission.scored")))
    values = {one.submission_id: one.value for one in scores}
    count = Counter(one.submission_id for one in scores)
    outcome.submissions, outcome.starts = len(rows), sum(one.attempts for one in rows)
    for one in rows:
        if one.state != State.SCORED or one.id not in values:
            outcome.lost.append(f"{one.id} {one.state} {one.reason}")
        elif values[one.id] != world.expected(world.store.path(one.file).read_bytes(), tmp):
            outcome.wrong.append(one.id)
        if count[one.id] > 1 or ends[one.id] > 1:
            outcome.twice.append(one.id)
    outcome.wrong += [one.submission_id for one in scores if not _is_kept(world, one)]
    return outcome


def _is_kept(world: jobs.Small, score: ScoreRow) -> bool:
    return world.store.is_whole(score.results) and score.detail is not None and world.store.is_whole(score.detail)


def all_scored(world: jobs.Small, wanted: int) -> Callable[[], bool]:
    """Whether so many submissions are there and none waits."""

    def look() -> bool:
        with world.database.read() as session:
            states = Counter(session.scalars(select(Submission.state)))
        return sum(states.values()) >= wanted and not states[State.QUEUED] and not states[State.SCORING]

    return look


@contextlib.contextmanager
def stopped(*processes: subprocess.Popen[str]) -> Iterator[None]:
    """Ends processes whatever happens."""
    try:
        yield
    finally:
        stop(processes)


def server(world: jobs.Small, port: int) -> subprocess.Popen[str]:
    """``parakh serve`` without a worker."""
    return run(
        world,
        *("parakh.cli.main", "serve", "--no-worker", "--port", str(port), "--data", str(world.settings.data)),
        *("--database-url", world.settings.database_url),
    )


class Uploads(threading.Thread):
    """Hands in one submission after another over HTTP; each again until the server takes it.

    Args:
        world: Where to.
        port: Of the server.
        count: How many.
        tmp: A folder for the files.
    """

    def __init__(self, world: jobs.Small, port: int, count: int, tmp: Path) -> None:
        super().__init__(daemon=True)
        tokens = [jobs.token_of_member(world, number) for number in range(1 + count // 100)]  # each may send 120 an hour
        self.clients = [Client(f"http://127.0.0.1:{port}", one) for one in tokens]
        self.count, self.path = count, tmp / "answer.rttm"
        self.taken: list[str] = []
        """Ids of what the server said it took."""
        self.refused = 0
        """How often it was not there, or said no."""
        self.stop = threading.Event()

    def run(self) -> None:
        """Until all are taken."""
        while len(self.taken) < self.count and not self.stop.is_set():
            self.path.write_bytes(jobs.answer(len(self.taken)))
            try:
                client = self.clients[len(self.taken) % len(self.clients)]
                self.taken.append(client.submit(self.path, jobs.NAME, jobs.PHASE, jobs.TRACK)["id"])
            except ParakhError:
                self.refused += 1
                time.sleep(0.1)


def killed_at_random(tmp: Path, database_url: str, submissions: int, kills: int, most_seconds: float, seed: int = 1) -> Outcome:
    """Two workers and the server, killed and started again at random while submissions come in and are scored."""
    world = jobs.small(tmp, database_url)
    port = free_port()
    uploads = Uploads(world, port, submissions, tmp)
    starters = {"worker 1": lambda: worker(world), "worker 2": lambda: worker(world), "server": lambda: server(world, port)}
    uploads.start()
    is_done = all_scored(world, submissions)
    moments = sorted(random.Random(seed).sample(range(submissions - submissions // 10), kills))
    outcome = Killing(world, starters, moments, seed).run(lambda: len(uploads.taken) >= submissions and is_done(), most_seconds)
    uploads.stop.set()
    uploads.join()
    examine(world, outcome, tmp)
    with world.database.read() as session:
        there = set(session.scalars(select(Submission.id)))
    outcome.lost += [f"{one}, which was taken" for one in uploads.taken if one not in there]
    outcome.left = len(children(world))
    outcome.boards = made_boards(world)
    world.database.close()
    return outcome


def made_boards(world: jobs.Small) -> int:
    """How often a board was asked for."""
    engine = create_engine(world.settings.queue_url.replace("postgresql://", "postgresql+psycopg://"))
    table = "workflow_status" if world.database.is_sqlite else "dbos.workflow_status"
    with engine.connect() as connection:
        found = connection.execute(text(f"SELECT count(*) FROM {table} WHERE name = 'board'")).scalar_one()
    engine.dispose()
    return int(found)


def free_port() -> int:
    """A port that nobody has at the moment."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def children(world: jobs.Small) -> list[int]:
    """The scoring processes of the workers of a world."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                job = Path(os.fsdecode(words[3])) / "job.json" if b"parakh.leaderboard.scoring_child" in words else None
                if job and str(world.settings.data) in job.read_text():
                    found.append(int(entry.name))
    return found


def scratches(worker_id: str) -> list[Path]:
    """What is left of a worker's scratch folders."""
    return list(Path(tempfile.gettempdir()).glob(f"{scratch_prefix(worker_id)}*"))


def boards(world: jobs.Small) -> list[int]:
    """The versions of the boards that are made."""
    with world.database.read() as session:
        return list(session.scalars(select(BoardRow.version)))


def fill(path: Path) -> None:
    """Fill a disk to its last byte."""
    with path.open("ab", buffering=0) as file, contextlib.suppress(OSError):
        for size in (1 << 16, 1 << 10, 1):
            with contextlib.suppress(OSError):
                while file.write(b"\0" * size):
                    pass
