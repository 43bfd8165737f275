"""A small pen for drawing ONNX graphs from arrays of weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

OPSET = 17
IR_VERSION = 8


class Graph:
    """An ONNX graph under construction; every layer method takes and returns names of values.

    Args:
        weights: The network's state dictionary; layer methods name their weights by its prefixes.
    """

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self._weights = weights
        self._nodes: list[Any] = []
        self._constants: dict[str, Any] = {}

    def node(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """Add one operator with ONNX's own attributes and return the name of its (first) output."""
        from onnx import helper

        output = f"v{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def constant(self, value: Array) -> str:
        """Add a constant and return its name."""
        from onnx import numpy_helper

        name = f"c{len(self._constants)}"
        self._constants[name] = numpy_helper.from_array(np.asarray(value, order="C"), name)
        return name

    def weight(self, name: str) -> str:
        """A tensor of the state dictionary, as float32."""
        if name not in self._constants:
            from onnx import numpy_helper

            self._constants[name] = numpy_helper.from_array(np.asarray(self._weights[name], np.float32, order="C"), name)
        return name

    def conv(self, x: str, layer: str, strides: Sequence[int], pads: Sequence[int], dilations: Sequence[int]) -> str:
        """Convolution over one or two axes; ``pads`` holds one symmetric padding an axis."""
        bias = [self.weight(f"{layer}.bias")] if f"{layer}.bias" in self._weights else []
        kernel = self.weight(f"{layer}.weight")
        return self.node("Conv", x, kernel, *bias, strides=strides, pads=[*pads, *pads], dilations=dilations)

    def conv1d(self, x: str, layer: str, stride: int = 1, pad: int = 0, dilation: int = 1) -> str:
        """Convolution over time."""
        return self.conv(x, layer, [stride], [pad], [dilation])

    def batch_norm(self, x: str, layer: str) -> str:
        """Batch normalisation with stored mean and variance; affine where the layer has weights."""
        mean, variance = self.weight(f"{layer}.running_mean"), self.weight(f"{layer}.running_var")
        affine = f"{layer}.weight" in self._weights
        size = self._weights[f"{layer}.running_mean"].shape
        scale = self.weight(f"{layer}.weight") if affine else self.constant(np.ones(size, np.float32))
        shift = self.weight(f"{layer}.bias") if affine else self.constant(np.zeros(size, np.float32))
        return self.node("BatchNormalization", x, scale, shift, mean, variance, epsilon=1e-5)

    def instance_norm(self, x: str, layer: str) -> str:
        """Normalisation of each channel over time."""
        return self.node("InstanceNormalization", x, self.weight(f"{layer}.weight"), self.weight(f"{layer}.bias"), epsilon=1e-5)

    def linear(self, x: str, layer: str) -> str:
        """``x @ weight.T + bias`` over the last axis."""
        product = self.node("MatMul", x, self.constant(np.asarray(self._weights[f"{layer}.weight"].T, np.float32)))
        return self.node("Add", product, self.weight(f"{layer}.bias"))

    def lstm(self, x: str, layer: str, number: int, bidirectional: bool) -> str:
        """One LSTM layer over ``x`` of shape (time, batch, features) -> (time, batch, directions * hidden)."""
        ways = ["", "_reverse"] if bidirectional else [""]
        gates = [np.stack([self._gates(f"{layer}.{kind}_l{number}{way}") for way in ways]) for kind in ("weight_ih", "weight_hh")]
        biases = [np.concatenate([self._gates(f"{layer}.bias_{kind}_l{number}{way}") for kind in ("ih", "hh")]) for way in ways]
        hidden = gates[1].shape[2]
        inputs = [self.constant(value) for value in (*gates, np.stack(biases))]
        y = self.node("LSTM", x, *inputs, hidden_size=hidden, direction="bidirectional" if bidirectional else "forward")
        moved = self.node("Transpose", y, perm=[0, 2, 1, 3])  # (time, directions, batch, hidden) comes out
        return self.node("Reshape", moved, self.constant(np.array([0, 0, -1], np.int64)))

    def model(self, inputs: Mapping[str, Sequence[str | int]], output: str, shape: Sequence[str | int]) -> bytes:
        """The finished model, checked and serialised; inputs map to shapes, with names for free axes."""
        from onnx import TensorProto, checker, helper

        self._nodes.append(helper.make_node("Identity", [output], ["output"]))
        taken = [helper.make_tensor_value_info(name, TensorProto.FLOAT, axes) for name, axes in inputs.items()]
        given = [helper.make_tensor_value_info("output", TensorProto.FLOAT, shape)]
        graph = helper.make_graph(self._nodes, "parakh", taken, given, list(self._constants.values()))
        made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR_VERSION)
        checker.check_model(made)
        data: bytes = made.SerializeToString()
        return data

    def _gates(self, name: str) -> Array:
        """Torch keeps the gates as input, forget, cell, output; ONNX wants input, output, forget, cell."""
        i, f, c, o = np.split(np.asarray(self._weights[name], np.float32), 4)
        return np.concatenate([i, o, f, c])
