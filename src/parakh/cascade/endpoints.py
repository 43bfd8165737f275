"""Addresses that conversations are sent to: which are any, which lie on this machine, and how they and their words are shown."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit, urlunsplit

from parakh.text.masking import masked

LARGEST = 16 * 2**20
"""Bytes of an answer; none is as long."""

PASSING = (408, 409, 425, 429)
"""Statuses below 500 of an answer that may be another the next time."""

_TOLD = 300


def is_address(url: str) -> bool:
    """Whether a text is an address of http or https.

    >>> is_address("http://localhost:8000/v1"), is_address("ftp://host"), is_address("localhost")
    (True, False, False)
    """
    try:
        parts = urlsplit(url)
        port = parts.port  # raises where it is no port
    except ValueError:
        return False
    named = parts.scheme in ("http", "https") and bool(parts.hostname) and port != 0
    return named and url.isprintable() and " " not in url


def is_here(url: str) -> bool:
    """Whether an address is one of this machine.

    >>> is_here("http://127.0.0.1:8000"), is_here("https://example.org")
    (True, False)
    """
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def bare_address(url: str) -> str:
    """An address without a user's name, password and query.

    >>> bare_address("https://me:secret@host/v1?key=k")
    'https://host/v1'
    """
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))


def told_by(text: object) -> str:
    """What a server says: on one line, at most 300 characters, personal numbers masked."""
    line = " ".join(masked(str(text)).split())
    return line if len(line) <= _TOLD else f"{line[:_TOLD]}..."
