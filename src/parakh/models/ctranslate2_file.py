"""The file ``model.bin`` of CTranslate2 as NumPy arrays, read and written without CTranslate2."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parakh.errors import ModelError

Array = NDArray[Any]

_TYPES: tuple[str, ...] = ("<f4", "i1", "<i2", "<i4", "<f2")
"""The types of a variable by their numbers; the next, bfloat16, NumPy does not know."""


class Specification(NamedTuple):
    """What a ``model.bin`` holds.

    Args:
        name: Of its architecture, as ``WhisperSpec``.
        variables: Arrays by name; those that are the same as another one are there under both names.
    """

    name: str
    variables: dict[str, Array]


def read_specification(path: Path) -> Specification:
    """The variables of a model that CTranslate2 runs; weights that are quantised to int8 come back as float32.

        w = q / scale, with one scale a row.

    Args:
        path: ``model.bin``.

    Raises:
        ModelError: It cannot be read, or holds types that are not known here.

    Source: the format as written by ctranslate2 4.8 (``specs/model_spec.py``), versions 3 to 6.
    """
    try:
        name, variables = _parse(memoryview(path.read_bytes()))
    except (OSError, ValueError, IndexError, struct.error, UnicodeDecodeError) as error:
        raise ModelError(f"{path}: found no model that can be read ({error}), expected one that CTranslate2 wrote.") from error
    return Specification(name, {key: _plain(key, variables) for key in variables if not key.endswith("_scale")})


def specification_bytes(name: str, variables: Mapping[str, Array]) -> bytes:
    """A model as CTranslate2 reads it; an array that stands under several names is written once.

    Args:
        name: Of its architecture, as ``WhisperSpec``.
        variables: Arrays by name, of the types of ``read_specification``.

    Source: the format of ``specs/model_spec.py`` of ctranslate2 4.8, version 6; revision 3 of ``WhisperSpec``.
    """
    first: dict[int, str] = {}
    for key, array in variables.items():
        first.setdefault(id(array), key)
    own = {key: array for key, array in variables.items() if first[id(array)] == key}
    parts = [struct.pack("<I", 6), _text(name), struct.pack("<II", 3, len(own))]
    for key, array in own.items():
        kind = _TYPES.index(array.dtype.str.lstrip("|"))
        parts += [_text(key), struct.pack(f"<B{array.ndim}IBI", array.ndim, *array.shape, kind, array.nbytes), array.tobytes()]
    aliases = [(key, first[id(array)]) for key, array in variables.items() if key not in own]
    return b"".join([*parts, struct.pack("<I", len(aliases)), *(_text(one) for pair in aliases for one in pair)])


def _text(text: str) -> bytes:
    data = text.encode() + b"\0"
    return struct.pack("<H", len(data)) + data


def _parse(data: memoryview) -> tuple[str, dict[str, Array]]:
    reader = _Reader(data)
    version = reader.number("<I")
    if not 3 <= version <= 6:
        raise ValueError(f"format version {version}")
    name = reader.text()
    reader.number("<I")
    variables = {}
    for _ in range(reader.number("<I")):
        key = reader.text()
        shape = tuple(reader.number("<I") for _ in range(reader.number("<B")))
        kind = reader.number("<B")
        size = reader.number("<I")
        if kind >= len(_TYPES):
            raise ValueError(f"{key} of type {kind}")
        variables[key] = np.frombuffer(reader.take(size), _TYPES[kind]).reshape(shape)
    for _ in range(reader.number("<I")):
        alias = reader.text()
        variables[alias] = variables[reader.text()]
    return name, variables


class _Reader:
    """Numbers and texts one after the other."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._place = 0

    def take(self, size: int) -> memoryview:
        piece = self._data[self._place : self._place + size]
        if len(piece) < size:
            raise ValueError("it is cut off")
        self._place += size
        return piece

    def number(self, form: str) -> int:
        return int(struct.unpack(form, self.take(struct.calcsize(form)))[0])

    def text(self) -> str:
        return bytes(self.take(self.number("<H"))[:-1]).decode()


def _plain(name: str, variables: dict[str, Array]) -> Array:
    scale = variables.get(f"{name}_scale")
    if scale is None:
        return variables[name]
    return variables[name].astype(np.float32) / scale.astype(np.float32)[:, None]
