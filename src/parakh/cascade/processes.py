"""Workers on this machine: this process itself, or processes of their own."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess

from parakh.cascade import machine
from parakh.cascade.pipeline import OnStage
from parakh.cascade.schedule import Answered, Began, Died, Event, Ready
from parakh.cascade.worker import Setup, Worker, use_folder
from parakh.errors import ParakhError
from parakh.types import Recording

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
_GRACE_S = 5.0


class Here:
    """One worker: this process. A death of it is the end of everything."""

    def __init__(self, setup: Setup, on_stage: OnStage | None = None) -> None:
        self._worker = Worker(setup)
        self._on_stage = on_stage
        self._events: list[Event] = []

    def start(self) -> int:
        self._events.append(Ready(0, self._worker.faults()))
        return 0

    def give(self, worker: int, recording: Recording) -> None:
        self._events.append(Answered(worker, self._worker.do(recording, self._on_stage)))

    def wait(self, seconds: float) -> Sequence[Event]:
        events, self._events = self._events, []
        return events

    def memory(self, worker: int) -> int:
        return 0

    def kill(self, worker: int, reason: str) -> None:
        raise NotImplementedError(reason)

    def close(self) -> None:
        """Nothing to end."""


class Processes:
    """Workers that are processes of their own; what happens to one does not touch the others, or this one."""

    def __init__(self, setup: Setup) -> None:
        self._context = multiprocessing.get_context("spawn")  # a process with threads, as of a progress bar, is not safely forked
        self._setup = _sendable(setup)
        self._threads = setup.threads
        self._next = 0
        self._workers: dict[int, tuple[SpawnProcess, Connection]] = {}
        self._reasons: dict[int, str] = {}

    def start(self) -> int:
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(theirs, self._setup), daemon=True)
        threads = {name: str(self._threads) for name in _THREADS if self._threads and name not in os.environ}
        with _environment(threads), _interrupts_held():
            process.start()
        theirs.close()
        self._next += 1
        self._workers[self._next] = (process, ours)
        return self._next

    def give(self, worker: int, recording: Recording) -> None:
        try:
            self._workers[worker][1].send(recording)
        except OSError:
            return  # it has died, which ``wait`` tells

    def wait(self, seconds: float) -> Sequence[Event]:
        by_pipe = {ours: worker for worker, (_, ours) in self._workers.items()}
        events: list[Event] = []
        for pipe in wait(list(by_pipe), seconds):
            assert isinstance(pipe, Connection)
            events += self._received(by_pipe[pipe], pipe)
        return events

    def memory(self, worker: int) -> int:
        return machine.memory(self._workers[worker][0].pid) or 0

    def kill(self, worker: int, reason: str) -> None:
        self._reasons[worker] = reason
        self._workers[worker][0].kill()

    def close(self) -> None:
        for process, pipe in self._workers.values():
            pipe.close()
            process.terminate()
        for process, _ in self._workers.values():
            process.join(_GRACE_S)
            if process.is_alive():
                process.kill()
                process.join()
        self._workers.clear()

    def _received(self, worker: int, pipe: Connection) -> Iterator[Event]:
        try:
            yield _event(worker, pipe.recv())
        except (EOFError, OSError):
            process, _ = self._workers.pop(worker)
            pipe.close()
            process.join()
            yield Died(worker, self._reasons.pop(worker, "") or _ended(process.exitcode))


def _event(worker: int, message: object) -> Event:
    """What a worker told: what is wrong with it, which stage of which recording began, or an answer."""
    if isinstance(message, list):
        return Ready(worker, message)
    if isinstance(message, tuple):
        return Began(worker, *message)
    return Answered(worker, message)  # type: ignore[arg-type]


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """An interrupt within comes after it; a process that is started within is not interrupted before it says so.

    A process inherits what its thread blocks; but the interrupt may go to another thread of this process, and would then stop
    the main thread half-way through starting it.
    """
    came: list[int] = []
    before = signal.getsignal(signal.SIGINT) if threading.current_thread() is threading.main_thread() else None
    if before is not None:
        signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    _mask_interrupts(held=True)
    try:
        yield
    finally:
        _mask_interrupts(held=False)
        if before is not None:
            signal.signal(signal.SIGINT, before)
        if came:
            signal.raise_signal(signal.SIGINT)


def _mask_interrupts(*, held: bool) -> None:
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_BLOCK if held else signal.SIG_UNBLOCK, {signal.SIGINT})


def _serve(pipe: Connection, setup: bytes) -> None:
    """The life of a worker: recordings come, events go, until whoever started it closes the pipe, or is no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for whoever started it
    _mask_interrupts(held=False)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    told: Setup = pickle.loads(setup)  # noqa: S301  # our own process made it
    use_folder(told.out)
    worker = Worker(told)
    pipe.send(worker.faults())
    while True:
        try:
            recording = pipe.recv()
        except (EOFError, OSError):
            return
        pipe.send(worker.do(recording, lambda session_id, kind: pipe.send((session_id, kind))))


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _sendable(setup: Setup) -> bytes:
    try:
        return pickle.dumps(setup)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ParakhError(f"a backend that cannot be handed to another process ({error}). Run with --jobs 0.") from error


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Within, processes are started with these variables."""
    os.environ.update(values)
    try:
        yield
    finally:
        for name in values:
            del os.environ[name]


def _ended(code: int | None) -> str:
    """How a process ended, in words.

    >>> _ended(-9), _ended(1)
    ('ended by SIGKILL, as the system does when memory runs out', 'ended with exit code 1')
    """
    if code is not None and code < 0:
        name = signal.Signals(-code).name
        return f"ended by {name}" + (", as the system does when memory runs out" if name == "SIGKILL" else "")
    return f"ended with exit code {code}"
