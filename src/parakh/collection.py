"""Python's collector of cycles, held off where millions of records are made that all stay and hold no cycles."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Work without collecting; afterwards the collector is as it was. What is counted by reference goes as ever.

    >>> with uncollected():
    ...     gc.isenabled()
    False
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()
