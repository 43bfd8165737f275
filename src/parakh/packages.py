"""Packages that not everybody has: imported where they are needed, and missed with the command that brings them."""

from __future__ import annotations

import importlib
from typing import Any

from parakh.errors import MissingPackageError


def imported(module: str, extra: str, wanted_by: str, package: str = "") -> Any:
    """A module of a package that an extra brings.

    Args:
        module: Its name, as in an import statement.
        extra: The extra.
        wanted_by: Who wants it, for the message.
        package: The package as pip knows it; "" is the first part of the module's name.

    Raises:
        MissingPackageError: It is not installed.

    >>> imported("json", "none", "this example").loads("[1]")
    [1]
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingPackageError(package or module.partition(".")[0], extra, wanted_by) from error
