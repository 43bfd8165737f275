"""What a stage used beyond time: requests, tokens and their price, as endpoints and models report them.

A backend calls ``add`` wherever it learns something; whoever runs the stage collects with ``measured``. Nothing is passed along
in between, so that a backend inside another (topics inside a chat model) needs no plumbing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from threading import Lock


@dataclass
class Usage:
    """Sums over the calls of a stage; what nobody reported is None.

    Args:
        requests: Calls of an endpoint, retries included.
        tokens_in: Tokens read.
        tokens_out: Tokens written.
        price: In the currency the preset names; None where no price is known.
    """

    requests: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    price: float | None = None


_METER: ContextVar[Usage | None] = ContextVar("meter", default=None)
_LOCK = Lock()
"""Requests that are made at once add to one usage."""


@contextmanager
def measured() -> Iterator[Usage]:
    """Collect what is added within.

    >>> with measured() as usage:
    ...     add(requests=1, tokens_in=700)
    ...     add(requests=1, tokens_in=20, tokens_out=5)
    >>> usage
    Usage(requests=2, tokens_in=720, tokens_out=5, price=None)
    """
    usage = Usage()
    token = _METER.set(usage)
    try:
        yield usage
    finally:
        _METER.reset(token)


def add(*, requests: int = 0, tokens_in: int | None = None, tokens_out: int | None = None, price: float | None = None) -> None:
    """Add to what the running stage used; nothing happens where nobody collects."""
    usage = _METER.get()
    if usage is None:
        return
    with _LOCK:
        usage.requests += requests
        if tokens_in is not None:
            usage.tokens_in = (usage.tokens_in or 0) + tokens_in
        if tokens_out is not None:
            usage.tokens_out = (usage.tokens_out or 0) + tokens_out
        if price is not None:
            usage.price = (usage.price or 0.0) + price


def add_tokens(read: int | None, written: int | None, price_in: float | None, price_out: float | None) -> None:
    """Add tokens and what they cost, as far as both are known.

    Args:
        read: Tokens read.
        written: Tokens written.
        price_in: Price of a million tokens read.
        price_out: Price of a million tokens written.

    >>> with measured() as usage:
    ...     add_tokens(1000, 500, 2.0, None)
    >>> usage.tokens_out, usage.price
    (500, 0.002)
    """
    priced = [(n, p) for n, p in ((read, price_in), (written, price_out)) if n is not None and p is not None]
    add(tokens_in=read, tokens_out=written, price=sum(n * p for n, p in priced) / 1e6 if priced else None)


def count_of(value: object) -> int | None:
    """A number of tokens as an answer tells it; None where it tells none.

    >>> count_of(12), count_of(-1), count_of(True), count_of("12")
    (12, None, None, None)
    """
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
