"""How far a long piece of work is, where a person sees it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


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
