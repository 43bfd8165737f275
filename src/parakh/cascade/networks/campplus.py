"""CAM++: a speaker embedding of 192 values from any length of speech.

A small 2-D convolutional front end, three blocks of densely connected dilated TDNN layers whose channels are
masked by their own context (the whole utterance and its one-second pieces), mean and deviation over time.

Source: Wang et al., "CAM++: A fast and efficient network for speaker verification using context-aware masking"
(Interspeech 2023), arXiv 2303.00332; weights of 3D-Speaker.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from parakh.cascade.networks.fbank import fbank
from parakh.cascade.networks.graph import Graph
from parakh.cascade.networks.runtime import network
from parakh.cascade.networks.weights import read_weights

MODEL = "campplus-zh-en"
BANDS = 80
SIZE = 192
SPREAD = 0.58
"""Average cosine distance from which clusters of 1.5 s pieces do not merge."""
SHIFT = 0.28
"""Distance of two clusters, freed of their own spread, from which they are two speakers."""

_BLOCKS = ((12, 1), (24, 2), (16, 2))
"""Layers and dilation of each dense block."""
_PIECE = 100
"""Frames of one piece of context."""
_ROUND = 10
_BATCH = 8


def features(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log mel energies every 10 ms, shape (frames, 80)."""
    return fbank(samples, BANDS)


def embed(pieces: Sequence[NDArray[np.float32]], threads: int) -> NDArray[np.float32]:
    """The embedding of each piece of ``features``, shape (pieces, 192).

    Pieces of equal length are computed together; so that lengths are equal more often, up to 9 frames (90 ms)
    at the end of a piece are left out.
    """
    lengths = np.array([max(len(piece) // _ROUND * _ROUND, min(len(piece), _ROUND)) for piece in pieces], np.int64)
    rows = np.zeros((len(pieces), SIZE), np.float32)
    run = network(MODEL, build, threads)
    for length in np.unique(lengths):
        same = np.flatnonzero(lengths == length)
        for part in np.array_split(same, -(-len(same) // _BATCH)):
            frames = np.stack([pieces[i][:length] for i in part])
            rows[part] = run(frames - frames.mean(axis=1, keepdims=True))
    return rows


def build(folder: Path) -> bytes:
    """The ONNX model from the published weights: features (batch, frames, 80) -> embeddings (batch, 192)."""
    graph = Graph(read_weights(folder / "campplus_cn_en_common.pt"))
    x = graph.node("Transpose", "features", perm=[0, 2, 1])
    x = _front_end(graph, x)
    x = graph.conv1d(x, "xvector.tdnn.linear", stride=2, pad=2)
    x = _norm_relu(graph, x, "xvector.tdnn.nonlinear")
    for block, (layers, dilation) in enumerate(_BLOCKS, 1):
        for layer in range(1, layers + 1):
            made = _dense_layer(graph, x, f"xvector.block{block}.tdnnd{layer}", dilation)
            x = graph.node("Concat", x, made, axis=1)
        x = _norm_relu(graph, x, f"xvector.transit{block}.nonlinear")
        x = graph.conv1d(x, f"xvector.transit{block}.linear")
    x = _statistics(graph, _norm_relu(graph, x, "xvector.out_nonlinear"))
    x = graph.batch_norm(graph.conv1d(x, "xvector.dense.linear"), "xvector.dense.nonlinear.batchnorm")
    x = graph.node("Reshape", x, graph.constant(np.array([0, SIZE], np.int64)))
    return graph.model({"features": ["batch", "frames", BANDS]}, x, ["batch", SIZE])


def _front_end(graph: Graph, x: str) -> str:
    """Residual 2-D convolutions that leave 10 of the 80 bands, with 32 channels each."""
    x = graph.node("Unsqueeze", x, graph.constant(np.array([1], np.int64)))
    x = graph.node("Relu", _conv2d(graph, x, "head.conv1", "head.bn1"))
    for layer in ("head.layer1", "head.layer2"):
        for number, stride in ((0, 2), (1, 1)):
            x = _residual(graph, x, f"{layer}.{number}", stride)
    x = graph.node("Relu", _conv2d(graph, x, "head.conv2", "head.bn2", stride=2))
    return graph.node("Reshape", x, graph.constant(np.array([0, 32 * BANDS // 8, -1], np.int64)))


def _residual(graph: Graph, x: str, layer: str, stride: int) -> str:
    main = graph.node("Relu", _conv2d(graph, x, f"{layer}.conv1", f"{layer}.bn1", stride))
    main = _conv2d(graph, main, f"{layer}.conv2", f"{layer}.bn2")
    if stride != 1:
        x = _conv2d(graph, x, f"{layer}.shortcut.0", f"{layer}.shortcut.1", stride, pad=0)
    return graph.node("Relu", graph.node("Add", main, x))


def _conv2d(graph: Graph, x: str, layer: str, norm: str, stride: int = 1, pad: int = 1) -> str:
    return graph.batch_norm(graph.conv(x, layer, [stride, 1], [pad, pad], [1, 1]), norm)


def _norm_relu(graph: Graph, x: str, layer: str) -> str:
    return graph.node("Relu", graph.batch_norm(x, f"{layer}.batchnorm"))


def _dense_layer(graph: Graph, x: str, layer: str, dilation: int) -> str:
    x = graph.conv1d(_norm_relu(graph, x, f"{layer}.nonlinear1"), f"{layer}.linear1")
    x = _norm_relu(graph, x, f"{layer}.nonlinear2")
    local = graph.conv1d(x, f"{layer}.cam_layer.linear_local", pad=dilation, dilation=dilation)
    context = graph.node("Add", graph.node("ReduceMean", x, axes=[-1], keepdims=1), _piece_means(graph, x))
    mask = graph.node("Relu", graph.conv1d(context, f"{layer}.cam_layer.linear1"))
    mask = graph.node("Sigmoid", graph.conv1d(mask, f"{layer}.cam_layer.linear2"))
    return graph.node("Mul", local, mask)


def _piece_means(graph: Graph, x: str) -> str:
    """The mean of each piece of 100 frames (the last may be shorter), repeated over its frames."""
    means = graph.node("AveragePool", x, kernel_shape=[_PIECE], strides=[_PIECE], ceil_mode=1)
    means = graph.node("Unsqueeze", means, graph.constant(np.array([3], np.int64)))
    spread = graph.node("Expand", means, graph.constant(np.array([1, 1, 1, _PIECE], np.int64)))
    flat = graph.node("Reshape", spread, graph.constant(np.array([0, 0, -1], np.int64)))
    axis, start = graph.constant(np.array([2], np.int64)), graph.constant(np.array([0], np.int64))
    length = graph.node("Slice", graph.node("Shape", x), axis, graph.constant(np.array([3], np.int64)))
    return graph.node("Slice", flat, start, length, axis)


def _statistics(graph: Graph, x: str) -> str:
    """Mean and sample deviation over time, shape (batch, channels, 1)."""
    mean = graph.node("ReduceMean", x, axes=[-1], keepdims=1)
    centred = graph.node("Sub", x, mean)
    squares = graph.node("ReduceSum", graph.node("Mul", centred, centred), graph.constant(np.array([-1], np.int64)), keepdims=1)
    length = graph.node("Cast", graph.node("Slice", graph.node("Shape", x), *_bounds(graph)), to=1)
    variance = graph.node("Div", squares, graph.node("Sub", length, graph.constant(np.ones(1, np.float32))))
    return graph.node("Concat", mean, graph.node("Sqrt", variance), axis=1)


def _bounds(graph: Graph) -> tuple[str, str]:
    return graph.constant(np.array([2], np.int64)), graph.constant(np.array([3], np.int64))
