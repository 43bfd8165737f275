"""The same function over many items, in several processes, with the same outcome as in one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

from parakh.errors import Fault, InputError, ParakhError

if TYPE_CHECKING:
    from multiprocessing.pool import Pool

Outcome = TypeVar("Outcome")
Own = TypeVar("Own")

_CHUNKS_A_JOB = 8
"""Small enough that no process waits long for the last one, large enough that handing out costs nothing."""


def in_parallel(
    work: Callable[[int], Outcome], count: int, jobs: int, progress: Callable[[int], None] | None = None
) -> list[Outcome]:
    """``[work(0), ..., work(count - 1)]``, computed by so many processes.

    The processes are forked, so ``work`` and what it holds need not be sent to them; outcomes must pickle. Where the
    platform cannot fork (Windows), one process does it all.

    Args:
        work: Called with each index; must not depend on the order of the calls.
        count: How many indices there are.
        jobs: Processes, >= 1.
        progress: Told how many are done, in this process, as they are; None for nobody.

    Raises:
        InputError: Fewer than one job.
        ParakhError: That of the first index whose work raises one, however many processes there are.

    >>> in_parallel(lambda k: k * k, 4, jobs=2)
    [0, 1, 4, 9]
    """
    jobs = min(_checked(jobs), count)
    if jobs <= 1 or not _can_fork():
        return _told((work(k) for k in range(count)), progress)
    with _pool(work, jobs) as pool:
        return _outcomes(_told(pool.imap(_run, range(count), _chunk(count, jobs)), progress))


def in_parallel_beside(
    work: Callable[[int], Outcome], count: int, jobs: int, own: Callable[[], Own]
) -> tuple[list[Outcome], Own]:
    """As ``in_parallel`` in all processes but this one, which does work of its own meanwhile.

    This is for work of which some has large outcomes, that would take longer to send than to compute.

    Args:
        work: Called with each index; must not depend on the order of the calls.
        count: How many indices there are.
        jobs: Processes, this one among them, >= 1.
        own: What this process does.

    Raises:
        InputError: Fewer than one job.
        ParakhError: That of the first index whose work raises one, else that of ``own``.

    >>> in_parallel_beside(lambda k: k * k, 3, 2, lambda: "own")
    ([0, 1, 4], 'own')
    """
    jobs = min(_checked(jobs) - 1, count)
    if jobs < 1 or not _can_fork():
        return [work(k) for k in range(count)], own()
    with _pool(work, jobs) as pool:
        sent = pool.map_async(_run, range(count), _chunk(count, jobs))
        try:
            found = own()
        except ParakhError:
            _outcomes(sent.get())
            raise
        return _outcomes(sent.get()), found


def _checked(jobs: int) -> int:
    if jobs < 1:
        raise InputError(Fault("--jobs", "", str(jobs), "a number of processes >= 1"))
    return jobs


def _can_fork() -> bool:
    import multiprocessing  # one process needs none of it

    return "fork" in multiprocessing.get_all_start_methods()


def _pool(work: Callable[[int], Any], jobs: int) -> Pool:
    import multiprocessing

    return multiprocessing.get_context("fork").Pool(jobs, initializer=_keep, initargs=(work,))


def _chunk(count: int, jobs: int) -> int:
    return max(1, count // (jobs * _CHUNKS_A_JOB))


def _told(outcomes: Iterable[Outcome], progress: Callable[[int], None] | None) -> list[Outcome]:
    found = []
    for done, outcome in enumerate(outcomes, 1):
        found.append(outcome)
        if progress is not None:
            progress(done)
    return found


def _outcomes(outcomes: list[Any]) -> list[Any]:
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
