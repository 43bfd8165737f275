"""How far a long piece of work is, where a person sees it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import TYPE_CHECKING

from parakh.errors import clock

if TYPE_CHECKING:
    from rich.console import Console


@contextmanager
def bar(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on standard error, moved on by what it gives: how many recordings are done, of how many; None where nobody looks.

    Args:
        what: What is being done.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from parakh.cli.tables import console

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    # Refreshed by hand: a process with a second thread is not safely forked.
    with Progress(*columns, console=console(stderr=True), transient=True, auto_refresh=False) as shown:
        task = shown.add_task(what, total=None)

        def progress(done: int, count: int) -> None:
            shown.update(task, completed=done, total=count, refresh=done % max(1, count // 100) == 0 or done == count)

        yield progress


class Watch:
    """How far a run is: a bar where a person looks on, a line a recording where nobody does.

    Both tell how many recordings are done, how long the rest will take if it goes on like this, and the real-time factor so
    far (seconds by the clock a second of audio).

    Args:
        count: Recordings of the run.
        err: Where to.
    """

    def __init__(self, count: int, err: Console) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self._count, self._err = count, err
        self._done, self._audio = 0, 0.0
        self._started = time.monotonic()
        self._bar: Progress | None = None
        if err.is_terminal:
            self._bar = Progress(BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}", markup=False), console=err)
            self._task = self._bar.add_task("starting", total=count)

    def __enter__(self) -> Watch:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._bar:
            self._bar.stop()

    def stage(self, session_id: str, kind: str) -> None:
        """A stage of a recording began."""
        if self._bar:
            self._bar.update(self._task, description=f"{self._so_far()}  {session_id}: {kind}")

    def done(self, session_id: str, duration: float, seconds: float) -> None:
        """A recording is done: its length and the seconds it took."""
        self._audio += duration
        self._more(f"{session_id}: {clock(duration)} of audio in {clock(seconds)}")

    def failed(self, session_id: str) -> None:
        """A recording has no answers."""
        self._more(f"{session_id}: failed")

    def _more(self, what: str) -> None:
        self._done += 1
        if self._bar:
            self._bar.update(self._task, completed=self._done, description=self._so_far())
        else:
            from rich.text import Text

            self._err.print(Text(f"{self._done}/{self._count} {what}; {self._so_far()}"), soft_wrap=True)

    def _so_far(self) -> str:
        if not self._done:
            return ""
        seconds = time.monotonic() - self._started
        left = seconds / self._done * (self._count - self._done)
        factor = f"real-time factor {seconds / self._audio:.2f}, " if self._audio else ""
        return f"{factor}{clock(left)} left"
