"""Asking again what failed in passing: a server that is busy, gone for a moment, or sent half a reply."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from typing import TypeVar

from parakh.errors import UnavailableError, counted

Answer = TypeVar("Answer")

_FIRST, _LONGEST = 0.5, 60.0
"""Seconds before the first further try, and at most before any; each wait is twice the one before."""


class PassingError(Exception):
    """A try that failed and may not the next time.

    Args:
        message: What went wrong and what to do if it goes on.
        wait: Seconds that the server asks to wait; None leaves them to us.
    """

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


def retried(attempt: Callable[[], Answer], retries: int) -> Answer:
    """The answer of an attempt, made again while it fails in passing.

    Args:
        attempt: What to try.
        retries: Further tries after the first, >= 0.

    Raises:
        UnavailableError: The last try failed in passing too, or the server asks to wait for longer than a minute.

    >>> retried(lambda: "yes", 0)
    'yes'
    """
    for number in range(retries + 1):
        try:
            return attempt()
        except PassingError as error:
            wait = _FIRST * 2**number if error.wait is None else error.wait
            if error.wait is not None and wait > _LONGEST:
                raise UnavailableError(f"{error} The server asks to wait {wait:.0f} s.") from error
            if number == retries:
                tried = f" Tried {counted(number + 1, 'time')}." if number else ""
                raise UnavailableError(f"{error}{tried}") from error
        # Jobs that failed together shall not come back together.
        time.sleep(min(wait, _LONGEST) * (1 + random.random() / 2))  # noqa: S311
    raise AssertionError("unreachable: the last try returns or raises")


def seconds_to_wait(header: str | None, now: float) -> float | None:
    """What a Retry-After header asks for, in seconds >= 0; None where there is none that can be read.

    Args:
        header: Seconds, or a date as in HTTP.
        now: Seconds since 1970, for a date.

    >>> seconds_to_wait("7", 0.0), seconds_to_wait("Thu, 01 Jan 1970 00:01:00 GMT", 50.0), seconds_to_wait("soon", 0.0)
    (7.0, 10.0, None)
    """
    text = (header or "").strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    except (ValueError, OverflowError):
        return None
