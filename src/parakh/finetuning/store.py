"""What is computed once a recording and read again in every pass: arrays on disk, memory-mapped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.errors import Fault, InputError
from parakh.files import replacing

Array = NDArray[Any]


class ArrayStore:
    """Arrays by name, each made when it is first asked for.

    Args:
        folder: Where they are kept; None keeps them in memory and writes nothing.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._held: dict[str, Array] = {}

    def get(self, name: str, make: Callable[[], Array]) -> Array:
        """The array of a name; on disk it is whole or not there, so that a stopped run goes on where it was.

        Args:
            name: A file name without its ending.
            make: Makes it.

        Raises:
            InputError: The folder cannot be written to.

        >>> ArrayStore(None).get("v1", lambda: np.zeros(3)).shape
        (3,)
        """
        if name not in self._held:
            self._held[name] = make() if self._folder is None else self._on_disk(self._folder / f"{name}.npy", make)
        return self._held[name]

    def _on_disk(self, path: Path, make: Callable[[], Array]) -> Array:
        if not path.exists():
            made = make()
            try:
                with replacing(path) as file:
                    np.save(file, made)
            except OSError as error:
                found = error.strerror or str(error)
                raise InputError(Fault(str(path), "", found, "room for features", "Choose another out.")) from error
        array: Array = np.load(path, mmap_mode="r")
        return array
