"""The same function over many items, in several processes, with the same outcome as in one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from parakh.errors import Fault, InputError, ParakhError

Outcome = TypeVar("Outcome")

_CHUNKS_A_JOB = 8
"""Small enough that no process waits long for the last one, large enough that handing out costs nothing."""


def in_parallel(work: Callable[[int], Outcome], count: int, jobs: int) -> list[Outcome]:
    """``[work(0), ..., work(count - 1)]``, computed by so many processes.

    The processes are forked, so ``work`` and what it holds need not be sent to them; outcomes must pickle. Where the
    platform cannot fork (Windows), one process does it all.

    Args:
        work: Called with each index; must not depend on the order of the calls.
        count: How many indices there are.
        jobs: Processes, >= 1.

    Raises:
        InputError: Fewer than one job.
        ParakhError: That of the first index whose work raises one, however many processes there are.

    >>> in_parallel(lambda k: k * k, 4, jobs=2)
    [0, 1, 4, 9]
    """
    if jobs < 1:
        raise InputError(Fault("--jobs", "", str(jobs), "a number of processes >= 1"))
    jobs = min(jobs, count)
    if jobs <= 1:
        return [work(k) for k in range(count)]
    import multiprocessing  # one process needs none of it

    if "fork" not in multiprocessing.get_all_start_methods():
        return [work(k) for k in range(count)]
    with multiprocessing.get_context("fork").Pool(jobs, initializer=_keep, initargs=(work,)) as pool:
        outcomes = pool.map(_run, range(count), chunksize=max(1, count // (jobs * _CHUNKS_A_JOB)))
    for outcome in outcomes:
        if isinstance(outcome, ParakhError):
            raise outcome
    return outcomes


_work: list[Callable[[int], Any]] = []
"""In a forked process: what it was forked to do."""


def _keep(work: Callable[[int], Any]) -> None:
    _work[:] = [work]


def _run(index: int) -> Any:
    try:
        return _work[0](index)
    except ParakhError as error:
        return error
