"""CPU time of a call, the way every benchmark here measures it."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable

Work = Callable[[], object]


def cpu_milliseconds(work: Work, repeat: int) -> float:
    """Least CPU time of one call over some rounds, child processes included; short calls are timed many at a time."""
    work()
    calls = max(1, round(50 / max(_timed(work, 1), 0.05)))
    return min(_timed(work, calls) for _ in range(repeat))


def _timed(work: Work, calls: int) -> float:
    before = _spent()
    for _ in range(calls):
        work()
    return 1000 * (_spent() - before) / calls


def _spent() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
