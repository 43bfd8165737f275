"""What time it is: one place, so that everything agrees on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

_SET: ContextVar[datetime | None] = ContextVar("set", default=None)


def now() -> datetime:
    """The present moment in UTC.

    >>> now().utcoffset().total_seconds()
    0.0
    """
    return _SET.get() or datetime.now(UTC)


@contextmanager
def set_to(moment: datetime) -> Iterator[None]:
    """Let it be another moment within, for this thread alone: how the demo gets its past.

    >>> with set_to(datetime(2026, 3, 31, tzinfo=UTC)):
    ...     now().year
    2026
    """
    token = _SET.set(moment.astimezone(UTC))
    try:
        yield
    finally:
        _SET.reset(token)
