"""What is known of the recording under work beside its sound: the metadata of its manifest, for backends that ask.

Whoever runs a recording says so with ``metadata_of``; a backend asks with ``metadata``. Most backends never do, so it is no
argument of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

_NOTHING: Mapping[str, str] = MappingProxyType({})
_METADATA: ContextVar[Mapping[str, str]] = ContextVar("metadata", default=_NOTHING)


@contextmanager
def metadata_of(known: Mapping[str, str]) -> Iterator[None]:
    """Within, ``metadata`` tells what is known of one recording.

    >>> with metadata_of({"place": "home"}):
    ...     metadata()["place"]
    'home'
    >>> len(metadata())
    0
    """
    token = _METADATA.set(known)
    try:
        yield
    finally:
        _METADATA.reset(token)


def metadata() -> Mapping[str, str]:
    """The metadata of the recording under work; empty where nothing is known."""
    return _METADATA.get()
