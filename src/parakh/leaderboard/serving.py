"""A whole leaderboard in one process: pages, API and a scoring worker."""

from __future__ import annotations

import errno
import fcntl
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from parakh.errors import Fault, InputError, MissingPackageError, counted

if TYPE_CHECKING:
    from parakh.leaderboard.settings import Settings

_GRACE = 5
"""Seconds that requests which are under way have when the server stops."""
_WORKER_GRACE = 10.0
"""Seconds that the worker has to let go of its jobs; they are taken up again at the next start."""
_LAST_PORT = 65535
ANYWHERE = {"0.0.0.0", "::", ""}  # noqa: S104
"""Hosts that stand for every address of this machine."""


def listen(host: str, port: int) -> socket.socket:
    """Take a port, so that whoever cannot have it is told before anything starts.

    Args:
        host: Address or name to listen on.
        port: 0 takes any that is free.

    Raises:
        InputError: It is taken, not allowed or no port, or the host is no address of this machine.

    >>> with listen("127.0.0.1", 0) as listener:
    ...     listener.getsockname()[0]
    '127.0.0.1'
    """
    if not 0 <= port <= _LAST_PORT:
        raise InputError(Fault("--port", "", str(port), f"a number from 0 to {_LAST_PORT}; 0 takes any that is free"))
    try:
        listener = socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=2048)
    except (OSError, UnicodeError) as error:
        raise InputError(_not_listening(host, port, error)) from error
    # Connections inherit it; without it the end of every short answer waits 40 ms for the browser to confirm the beginning.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


def _not_listening(host: str, port: int, error: OSError | UnicodeError) -> Fault:
    """Why a port cannot be had: it is the host's fault, or the port's."""
    number, told = getattr(error, "errno", None), getattr(error, "strerror", None)
    why = str(told or error).partition(" (while")[0]
    if number not in (errno.EADDRINUSE, errno.EACCES):
        return Fault("--host", "", f"{host!r} ({why})", "an address or name of this machine", "127.0.0.1 is this machine alone.")
    asked = "Is a server running already? " if number == errno.EADDRINUSE else ""
    found = f"{host}:{port}, which cannot be listened on ({why})"
    action = f"{asked}Choose another with --port; 0 takes any that is free."
    return Fault("--port", "", found, "a free port of this machine", action)


def address_of(host: str, listener: socket.socket) -> str:
    """Where a browser on this machine finds a server."""
    name = "localhost" if host in ANYWHERE else f"[{host}]" if ":" in host else host
    return f"http://{name}:{listener.getsockname()[1]}"


def serve(settings: Settings, listener: socket.socket, *, work: bool, demo: bool, say: Callable[[str], None]) -> None:
    """Serve until SIGTERM or SIGINT ends the process with exit code 0, after requests and worker had their time.

    Args:
        settings: Of the service.
        listener: A socket that listens.
        work: Whether this process scores as well; otherwise some ``parakh worker`` has to.
        demo: Whether the demo's challenge, teams and submissions are made, unless they are there.
        say: Takes lines for whoever started it.

    Raises:
        InputError: The data folder cannot be written, another server has it, or its database is of a newer version.
        MissingPackageError: The packages of the extra ``server`` are not installed.
    """
    for package in ("fastapi", "uvicorn", "sqlalchemy", "dbos"):
        if find_spec(package) is None:  # not imported, as the queue's takes its time and is wanted later
            raise MissingPackageError(package, "server", "parakh serve")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: sys.exit(0))
    if demo:  # six weeks' submissions wait
        settings = replace(settings, workers=max(settings.workers, os.cpu_count() or 1))
    with ExitStack() as stack:
        stack.enter_context(owned(settings))
        lines, waiting = _prepared(settings, demo=demo)
        worker = _Worker(settings)
        server = _server(settings, lambda: _ready(lines, waiting, worker if work else None, say), worker)
        stack.callback(worker.stop)
        server.run(sockets=[listener])
        if worker.error is not None:
            raise worker.error


@contextmanager
def owned(settings: Settings) -> Iterator[None]:
    """The data folder, for one server alone where the database is a file in it.

    Two servers on one SQLite file would get in each other's way without being of use; with PostgreSQL several machines share it.

    Raises:
        InputError: It cannot be written, or another server has it.
    """
    lock = settings.data / "serve.lock"
    try:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        file = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        found = f"{settings.data}, which cannot be written ({error.strerror})"
        raise InputError(Fault("--data", "", found, "a folder of yours to keep everything in")) from error
    try:
        if settings.database_url.startswith("sqlite"):
            _lock(file, settings.data)
        yield
    finally:
        os.close(file)


def _lock(file: int, data: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        other = os.pread(file, 20, 0).decode(errors="replace").strip()
        action = "Stop it, or start `parakh worker` for more workers; several servers need --database-url postgresql://..."
        found = f"{data}, on which another server runs (process {other})"
        raise InputError(Fault("--data", "", found, "a folder without a server", action)) from error
    os.ftruncate(file, 0)
    os.pwrite(file, f"{os.getpid()}\n".encode(), 0)


def _prepared(settings: Settings, *, demo: bool) -> tuple[list[str], int]:
    """Bring the database up to date; what whoever started it should know, and how many submissions wait to be scored."""
    from parakh.leaderboard.database import Database
    from parakh.leaderboard.database.migrations import migrate

    database = Database(settings.database_url)
    try:
        migrate(database)
        if demo:
            from parakh.leaderboard import demo as of_demo

            lines = [f"Parakh's leaderboard, with a demo: {settings.address}", *of_demo.prepare(settings, database)]
            return lines, _waiting(database)
        lines = [f"Parakh's leaderboard: {settings.address}"]
        if not _has_organiser(database):
            command = f"parakh admin create EMAIL --role admin --data {settings.data}"
            lines.append(f"Nobody organises yet. Make the first account: {command}")
        return lines, _waiting(database)
    finally:
        database.close()


def _has_organiser(database: Any) -> bool:
    from sqlalchemy import select

    from parakh.leaderboard.database.tables import Role, User

    with database.read() as session:
        return session.scalar(select(User.id).where(User.role != Role.MEMBER.value).limit(1)) is not None


def _waiting(database: Any) -> int:
    from sqlalchemy import func, select

    from parakh.leaderboard.database.tables import UNDER_WAY, Submission

    with database.read() as session:
        query = select(func.count()).select_from(Submission).where(Submission.state.in_(UNDER_WAY))
        return session.scalar(query) or 0


def _ready(lines: list[str], waiting: int, worker: _Worker | None, say: Callable[[str], None]) -> None:
    for line in lines:
        say(line)
    say("Ready. Ctrl-C stops it." if worker else "Ready, without a worker: `parakh worker` scores. Ctrl-C stops it.")
    if waiting:
        say(f"{counted(waiting, 'submission')} {'waits' if waiting == 1 else 'wait'} to be scored; boards fill meanwhile.")
    if worker:
        worker.start()


def server_config(settings: Settings) -> Any:
    """How uvicorn runs the pages and the API."""
    import uvicorn

    from parakh.leaderboard.web.app import make_app

    return uvicorn.Config(
        make_app(settings),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=_GRACE,
    )


def _server(settings: Settings, ready: Callable[[], None], worker: _Worker) -> Any:
    import uvicorn

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready()

    server = Server(server_config(settings))
    worker.on_error = lambda: setattr(server, "should_exit", True)
    return server


class _Worker:
    """A worker in a thread of this process: its jobs are processes of their own."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.error: Exception | None = None
        self.on_error: Callable[[], None] = lambda: None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="worker", daemon=True)

    def start(self) -> None:
        """Begin to score."""
        self._thread.start()

    def stop(self) -> None:
        """Let go of the jobs, and wait for that."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(_WORKER_GRACE)

    def _run(self) -> None:
        from parakh.leaderboard.queue import run_worker

        try:
            run_worker(self.settings, self._stop)
        except Exception as error:  # a board that takes submissions and never scores them helps nobody: the server ends
            self.error = error
            self.on_error()
