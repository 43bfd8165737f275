"""Running an ONNX model on the CPU: the one way in which every network here is opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from parakh.errors import ParakhError
from parakh.models import store
from parakh.packages import imported


def session(model: str, content: Callable[[Path], bytes], threads: int, *, arena: bool = False) -> Any:
    """An onnxruntime session on a model of the store, which is fetched if absent.

    Args:
        model: Its name in the store.
        content: Gives the ONNX model from the model's folder.
        threads: CPU threads of one call.
        arena: Keep the memory of a call for the next one: right where all inputs are of one length. Otherwise it keeps the peak
            of every length; without it, many equal calls may scatter the heap until it is gigabytes large.

    Raises:
        MissingPackageError: onnxruntime (extra ``cascade``) is not installed.
        ModelError: The model cannot be had, or its files cannot be loaded.
    """
    onnxruntime = imported("onnxruntime", "cascade", f"model {model}")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    options.enable_cpu_mem_arena = arena
    folder = store.get(model)
    try:
        return onnxruntime.InferenceSession(content(folder), options, ["CPUExecutionProvider"])
    except ParakhError:
        raise
    except Exception as error:  # damaged weights give errors of many kinds, down to bare ones
        raise store.unusable(model, error) from error
