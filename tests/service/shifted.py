"""``parakh`` in a process whose clock jumps by hours, to and fro: ``python -m tests.service.shifted VERB ...``."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

HOURS = (0.0, 5.0, -5.0, 0.0, -30.0, 30.0)
SECONDS = 1.5
"""After which it jumps again."""
_started = time.monotonic()
_real = time.time


def offset() -> float:
    """Seconds that the clock is wrong by at this moment."""
    return 3600 * HOURS[int((time.monotonic() - _started) / SECONDS) % len(HOURS)]


def shift() -> None:
    """Replace both clocks that the worker and its queue read, before anything reads them."""
    from parakh.leaderboard import clock

    time.time = lambda: _real() + offset()
    clock.now = lambda: datetime.now(UTC) + timedelta(seconds=offset())


if __name__ == "__main__":
    shift()
    from parakh.cli.main import main

    main()
