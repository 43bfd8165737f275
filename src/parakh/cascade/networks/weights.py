"""Published PyTorch weights as NumPy arrays, read without torch.

Both forms torch has written are read: the ZIP archive (since 1.6) and the older stream. Their pickles are
opened by an unpickler that knows tensors, storages and ordered dictionaries and nothing else: any other class
becomes an inert placeholder, so a file can never run code.
"""

from __future__ import annotations

import io
import pickle
import zipfile
from collections import OrderedDict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from parakh.errors import ModelError

Array = NDArray[Any]

_STORAGES = {
    "FloatStorage": "<f4",
    "DoubleStorage": "<f8",
    "HalfStorage": "<f2",
    "LongStorage": "<i8",
    "IntStorage": "<i4",
    "ByteStorage": "u1",
    "BoolStorage": "?",
}


def read_weights(path: Path, key: str | None = None) -> dict[str, Array]:
    """The tensors of a state dictionary by name.

    Args:
        path: A file written by ``torch.save``.
        key: Entry of the saved dictionary that holds the state dictionary; None when it is the dictionary itself.

    Returns:
        Arrays in the shape and type torch saved them.

    Raises:
        ModelError: The file is no such file, or lacks the key.

    Source: the format as written by torch 2.13 (``torch.serialization``).
    """
    try:
        saved = _read_archive(path) if zipfile.is_zipfile(path) else _read_stream(path)
        state = saved if key is None else saved[key]
        return {name: value for name, value in state.items() if isinstance(value, np.ndarray)}
    except Exception as error:  # a damaged pickle or archive gives errors of any kind
        raise ModelError(f"{path}: found no weights that can be read ({error!r}), expected a PyTorch state file.") from error


def _read_archive(path: Path) -> Mapping[str, Any]:
    with zipfile.ZipFile(path) as archive:
        pickled = next((name for name in archive.namelist() if name.endswith("data.pkl")), None)
        if pickled is None:
            raise pickle.UnpicklingError("an archive without data.pkl")
        folder = pickled.removesuffix("data.pkl")

        def storage(reference: tuple[Any, ...]) -> Array:
            return np.frombuffer(archive.read(f"{folder}data/{reference[2]}"), reference[1])

        found: Mapping[str, Any] = _Unpickler(io.BytesIO(archive.read(pickled)), storage).load()
        return found


def _read_stream(path: Path) -> Mapping[str, Any]:
    """Four pickles (magic number, version, machine, object), the storage keys, then each storage's bytes."""
    with path.open("rb") as stream:
        storages: dict[str, Array] = {}

        def storage(reference: tuple[Any, ...]) -> Array:
            return storages.setdefault(reference[2], np.zeros(reference[4], reference[1]))

        parts = [_Unpickler(stream, storage).load() for _ in range(5)]
        for key in parts[4]:
            count = int.from_bytes(stream.read(8), "little")
            storages[key][:] = np.frombuffer(stream.read(count * storages[key].itemsize), storages[key].dtype)
        found: Mapping[str, Any] = parts[3]
        return found


class _Placeholder:
    """Stands for an object of a class that is none of ours; takes any state and does nothing."""

    def __new__(cls, *args: object) -> _Placeholder:
        return super().__new__(cls)

    def __init__(self, *args: object) -> None:
        pass

    def __setstate__(self, state: object) -> None:
        pass


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: IO[bytes], storage: Callable[[tuple[Any, ...]], Array]) -> None:
        super().__init__(stream)
        self._storage = storage

    def find_class(self, module: str, name: str) -> Any:
        if module == "torch" and name in _STORAGES:
            return _STORAGES[name]
        known: dict[tuple[str, str], Any] = {
            ("torch._utils", "_rebuild_tensor_v2"): _rebuild,
            ("torch._utils", "_rebuild_parameter"): lambda tensor, *rest: tensor,
            ("collections", "OrderedDict"): OrderedDict,
        }
        return known.get((module, name), _Placeholder)

    def persistent_load(self, pid: tuple[Any, ...]) -> Array:
        return self._storage(pid)


def _rebuild(storage: Array, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], *rest: object) -> Array:
    steps = [stride * storage.itemsize for stride in strides]
    return np.ndarray(shape, storage.dtype, storage, offset * storage.itemsize, steps)  # checks the bounds
