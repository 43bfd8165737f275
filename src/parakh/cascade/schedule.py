"""Recordings handed to workers: at most one to each at a time, within a limit of memory, and again when a worker dies."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from parakh.cascade.pipeline import OnStage, Visit
from parakh.errors import Fault, InputError, ParakhError
from parakh.types import Recording

_MOMENT_S = 0.5
"""Seconds between two looks at the memory of the workers."""


@dataclass(frozen=True)
class Ready:
    """A worker has loaded the program; the faults are what keeps its cascade from working, one line each."""

    worker: int
    faults: Sequence[str] = ()


@dataclass(frozen=True)
class Began:
    """A worker has begun a stage of its recording."""

    worker: int
    session_id: str
    kind: str


@dataclass(frozen=True)
class Answered:
    """A worker is done with its recording."""

    worker: int
    answer: Visit | ParakhError


@dataclass(frozen=True)
class Died:
    """A worker is no more."""

    worker: int
    reason: str


Event = Ready | Began | Answered | Died


class Pool(Protocol):
    """Workers of one kind."""

    def start(self) -> int:
        """Start one more, and give its number; ``Ready`` or ``Died`` tells how that went."""
        ...

    def give(self, worker: int, recording: Recording) -> None:
        """Hand a recording to a worker that has none; ``Answered`` or ``Died`` follows."""
        ...

    def wait(self, seconds: float) -> Sequence[Event]:
        """What happened; waits so long for something to happen."""
        ...

    def memory(self, worker: int) -> int:
        """Bytes that a worker holds; 0 where that is not known."""
        ...

    def kill(self, worker: int, reason: str) -> None:
        """End a worker; ``Died`` follows."""
        ...

    def close(self) -> None:
        """End all of them."""
        ...


@dataclass(frozen=True)
class Failed:
    """A recording without answers, and why."""

    recording: Recording
    error: InputError


@dataclass(frozen=True)
class Budget:
    """Memory of all workers together, in bytes.

    Args:
        limit: The most; None where there is no limit.
        idle: What a worker is thought to hold between two recordings, models included.
        need: What it is thought to hold at most during a recording.
    """

    limit: int | None = None
    idle: int = 0
    need: Callable[[Recording], int] = lambda recording: 0


@dataclass
class _Task:
    recording: Recording
    need: int
    tries: int = 0


@dataclass
class Schedule:
    """Who does what, and what is to do.

    Args:
        pool: The workers.
        recordings: What is to do, in this order.
        jobs: Workers at a time.
        retries: How often a recording whose worker died is given to another.
        budget: Their memory.
        on_stage: Told when each stage of a recording starts.
    """

    pool: Pool
    recordings: Sequence[Recording]
    jobs: int
    retries: int = 1
    budget: Budget = field(default_factory=Budget)
    on_stage: OnStage | None = None

    def __post_init__(self) -> None:
        self._waiting = deque(_Task(one, self.budget.need(one)) for one in self.recordings)
        self._starting: set[int] = set()
        self._idle: list[int] = []
        self._busy: dict[int, _Task] = {}
        self._lost_starts = 0

    def run(self) -> Iterator[Visit | Failed]:
        """The answers as they come; the workers are ended with it.

        Raises:
            ParakhError: The cascade cannot work here, or an error that every recording would meet.
        """
        try:
            while self._waiting or self._busy:
                self._start()
                yield from self._hand_out()
                if self._waiting or self._busy:
                    for event in self.pool.wait(_MOMENT_S):
                        yield from self._heard(event)
                    self._watch()
        finally:
            self.pool.close()

    def _start(self) -> None:
        """As many workers as there is work and memory for."""
        room = self.jobs
        if self.budget.limit is not None and self.budget.idle:
            room = min(room, max(1, self.budget.limit // self.budget.idle))
        while len(self._starting) + len(self._idle) + len(self._busy) < min(room, len(self._waiting) + len(self._busy)):
            self._starting.add(self.pool.start())

    def _hand_out(self) -> Iterator[Failed]:
        """A recording to each idle worker, as long as there is memory; one that would not fit alone is refused."""
        while self._idle and self._waiting:
            task = self._waiting[0]
            limit = self.budget.limit
            if limit is not None and task.need > limit:
                self._waiting.popleft()
                found = f"about {task.need / 1e6:.0f} MB that this recording needs"
                yield self._failed(task, "--max-memory", found, f"at most {limit / 1e6:.0f} MB", "Raise --max-memory, or cut it.")
            elif limit is not None and self._busy and self._reserved() + task.need > limit:
                return
            else:
                self._waiting.popleft()
                worker = self._idle.pop(0)
                self._busy[worker] = task
                self.pool.give(worker, task.recording)

    def _reserved(self) -> int:
        """Memory of the recordings under work, and of every other worker but the one to be given work."""
        others = len(self._starting) + len(self._idle) - 1
        return sum(task.need for task in self._busy.values()) + others * self.budget.idle

    def _heard(self, event: Event) -> Iterator[Visit | Failed]:
        if isinstance(event, Ready):
            if event.faults:
                raise ParakhError("\n".join(event.faults))
            self._starting.discard(event.worker)
            self._idle.append(event.worker)
        elif isinstance(event, Began):
            if self.on_stage:
                self.on_stage(event.session_id, event.kind)
        elif isinstance(event, Answered):
            yield self._answered(event)
        else:
            yield from self._died(event)

    def _answered(self, event: Answered) -> Visit | Failed:
        task = self._busy.pop(event.worker)
        self._idle.append(event.worker)
        if isinstance(event.answer, InputError):
            return Failed(task.recording, event.answer)
        if isinstance(event.answer, ParakhError):
            raise event.answer
        return event.answer

    def _died(self, event: Died) -> Iterator[Failed]:
        """Its recording is given to another; after so many deaths, it is taken to be the recording's doing."""
        self._idle = [worker for worker in self._idle if worker != event.worker]
        task = self._busy.pop(event.worker, None)
        if task is not None:
            task.tries += 1
            if task.tries <= self.retries:
                self._waiting.appendleft(task)
            else:
                found = f"that a worker ended {task.tries} times at it ({event.reason})"
                yield self._failed(task, "worker", found, "an answer", "Look for what ends it: memory, most often.")
        elif event.worker in self._starting:
            self._starting.discard(event.worker)
            self._lost_starts += 1
            if self._lost_starts > self.retries:
                raise ParakhError(f"a worker ended as it started ({event.reason}). Run with --jobs 0 to see why.")

    def _watch(self) -> None:
        """Over the limit, the largest worker ends; its recording is tried again when nothing else runs."""
        if self.budget.limit is None:
            return
        held = {worker: self.pool.memory(worker) for worker in (*self._busy, *self._idle, *self._starting)}
        if sum(held.values()) <= self.budget.limit or not self._busy:
            return
        worker = max(self._busy, key=lambda one: held[one])
        task = self._busy[worker]
        task.need = self.budget.limit
        if len(self._busy) == 1:
            task.tries = self.retries  # it was alone, and would be no smaller next time
        self.pool.kill(worker, f"it held {held[worker] / 1e6:.0f} MB, over --max-memory together with the others")

    @staticmethod
    def _failed(task: _Task, field: str, found: str, expected: str, action: str) -> Failed:
        path = task.recording.audio or task.recording.session_id
        return Failed(task.recording, InputError(Fault(path, field, found, expected, action)))
