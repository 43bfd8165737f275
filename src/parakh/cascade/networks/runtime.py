"""Running a built network: the ONNX file is made once and kept in the store beside the weights."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parakh.errors import MissingPackageError
from parakh.models import store

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
        try:
            import onnxruntime
        except ImportError as error:
            raise MissingPackageError("onnxruntime", "cascade", f"model {model}") from error
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.enable_cpu_mem_arena = False  # an arena keeps the peak of every input length
        self._session = onnxruntime.InferenceSession(_built(store.get(model), build), options, ["CPUExecutionProvider"])
        self._input = self._session.get_inputs()[0].name

    def __call__(self, values: NDArray[np.float32]) -> NDArray[np.float32]:
        result: NDArray[np.float32] = self._session.run(None, {self._input: values})[0]
        return result


@lru_cache(maxsize=8)
def network(model: str, build: Callable[[Path], bytes], threads: int) -> Network:
    """The network of a model, loaded once a process."""
    return Network(model, build, threads)


def _built(folder: Path, build: Callable[[Path], bytes]) -> bytes:
    kept = folder / f"graph-{GRAPH_VERSION}.onnx"
    if kept.is_file():
        return kept.read_bytes()
    try:
        data = build(folder)
    except ImportError as error:
        raise MissingPackageError("onnx", "cascade", f"building {kept.name} of model {folder.name}") from error
    if os.access(folder, os.W_OK):  # a shared store may be read-only: then it is built each time
        _write(kept, data)
    return data


def _write(path: Path, data: bytes) -> None:
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".building-") as scratch:
        made = Path(scratch) / path.name
        made.write_bytes(data)
        made.replace(path)
