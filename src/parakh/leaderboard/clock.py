"""What time it is: one place, so that everything agrees on it."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> datetime:
    """The present moment in UTC.

    >>> now().utcoffset().total_seconds()
    0.0
    """
    return datetime.now(UTC)
