"""Which process a worker is, so that others on the same machine see at once that it is gone."""

from __future__ import annotations

import hashlib
import os
import socket
from functools import cache
from pathlib import Path

from parakh.leaderboard.database.tables import new_key


@cache
def host() -> str:
    """This machine since it was started: two containers with one name, or a name that moved on, are not the same.

    >>> host() == host()
    True
    """
    return f"{socket.gethostname()}/{hashlib.sha256((_boot() + _namespace()).encode()).hexdigest()[:8]}"


def new_id() -> str:
    """An id that no other process has, nor this one when it starts again.

    >>> new_id() != new_id()
    True
    """
    return f"{os.getpid()}-{started(os.getpid())}-{new_key()}"


def is_there(worker_id: str) -> bool:
    """Whether the process of an id runs on this machine.

    >>> is_there(new_id()), is_there("1-0-abc")
    (True, False)
    """
    pid, start, _ = worker_id.split("-", 2)
    return started(int(pid)) == start


def started(pid: int) -> str:
    """When a process started, in the kernel's count; "" where there is no such process, "0" where the system does not tell."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        state, *fields = text.rpartition(")")[2].split()
        return "" if state in {"Z", "X"} else fields[18]
    except OSError:
        return "" if Path("/proc/self/stat").exists() else _asked(pid)


def _asked(pid: int) -> str:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return ""
    except OSError:
        return "0"
    return "0"


def _boot() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii")
    except OSError:
        return ""


def _namespace() -> str:
    try:
        return str(os.stat("/proc/self/ns/pid").st_ino)
    except OSError:
        return ""
