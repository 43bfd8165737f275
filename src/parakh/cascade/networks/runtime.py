"""Running a built network: the ONNX file is made once and kept in the store beside the weights."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parakh.errors import MissingPackageError
from parakh.models import derived
from parakh.models.sessions import session

GRAPH_VERSION = 1
"""Raised whenever a ``build`` function draws another graph, so that kept files of older ones are not used."""


class Network:
    """One network, ready to run: call it with one float32 array, get one back.

    Args:
        model: Name of the model in the store; fetched if absent.
        build: Makes the ONNX model from the model's folder.
        threads: CPU threads of one call.
    """

    def __init__(self, model: str, build: Callable[[Path], bytes], threads: int) -> None:
        self._session = session(model, lambda folder: _built(folder, build), threads)
        self._input = self._session.get_inputs()[0].name

    def __call__(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        result: NDArray[np.float32] = self._session.run(None, {self._input: values})[0]
        return result


@lru_cache(maxsize=8)
def network(model: str, build: Callable[[Path], bytes], threads: int) -> Network:
    """The network of a model, loaded once a process."""
    return Network(model, build, threads)


def _built(folder: Path, build: Callable[[Path], bytes]) -> bytes:
    stem = f"graph-{GRAPH_VERSION}"
    kept = derived.read(folder, stem, ".onnx")
    if kept is not None:
        return kept
    try:
        data = build(folder)
    except ImportError as error:
        raise MissingPackageError("onnx", "cascade", f"building the graph of model {folder.name}") from error
    derived.write(folder, stem, ".onnx", data)
    return data
