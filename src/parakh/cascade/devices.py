"""Where a torch model runs: the option ``device`` that every backend on torch takes."""

from __future__ import annotations

import re
from typing import Any

from parakh.errors import UnavailableError
from parakh.packages import imported

DEVICE = '"auto", "cpu", "cuda", "cuda:N" or "mps"'
"""What the option may be."""

_FORM = re.compile(r"auto|cpu|mps|cuda(:\d+)?")


def is_device(name: str) -> bool:
    """Whether a name has the form of a device.

    >>> is_device("cuda:1"), is_device("gpu")
    (True, False)
    """
    return _FORM.fullmatch(name) is not None


def import_torch(what: str) -> Any:
    """The package torch.

    Args:
        what: Who wants it, for the message.

    Raises:
        MissingPackageError: It is not installed.
    """
    return imported("torch", "torch", what)


def torch_device(name: str, what: str) -> Any:
    """The ``torch.device`` of an option; "auto" takes the first GPU there is, else the CPU.

    Raises:
        MissingPackageError: torch is not installed.
        UnavailableError: The device is not there.
    """
    torch = import_torch(what)
    if name == "auto":
        found = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
        return torch.device(found)
    device = torch.device(name)
    there = {"cpu": 1, "cuda": torch.cuda.device_count(), "mps": int(torch.backends.mps.is_available())}[device.type]
    if (device.index or 0) >= there:
        raise UnavailableError(f"{what}: found no device {name!r} here, expected one. Set device to 'auto'.")
    return device
