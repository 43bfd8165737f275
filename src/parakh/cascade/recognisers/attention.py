"""When each token was spoken, from what the decoder looked at: dynamic time warping over its cross attention."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32] | NDArray[np.float64]

_WIDTH = 7
"""Frames of the median filter over time."""


def aligned(attention: Floats, rows: slice) -> list[tuple[int, int]]:
    """The path of tokens over frames that a decoder's heads follow.

    Each head's weights are made a distribution over the frames, standardised over the tokens and smoothed over time by a median
    of 7 frames; their mean is what the path maximises.

    Args:
        attention: Weights, shape (heads, tokens, frames), of all tokens that were read.
        rows: Those of them that are put to frames.

    Returns:
        (token, frame) pairs in order of time, the first of ``rows`` being 0; every one of them and every frame is in a pair.

    Source: openai-whisper 20250625, ``timing.py``.
    """
    weights = attention / np.maximum(attention.sum(axis=-1, keepdims=True), 1e-12)
    spread = np.maximum(weights.std(axis=1, keepdims=True), 1e-12)
    smooth = _median((weights - weights.mean(axis=1, keepdims=True)) / spread)
    return warped(-smooth.mean(axis=0)[rows])


def warped(cost: Floats) -> list[tuple[int, int]]:
    """The cheapest monotonic path through a matrix from its first to its last corner.

    Args:
        cost: Shape (rows, columns); a step goes one row, one column, or both ahead.

    Returns:
        (row, column) pairs; where steps cost alike, one that goes one column ahead is taken before one that goes a row ahead.

    >>> warped(np.array([[0.0, 1.0, 1.0], [1.0, 0.0, 0.0]]))
    [(0, 0), (1, 1), (1, 2)]
    """
    rows, columns = cost.shape
    total = np.full((rows + 1, columns + 1), np.inf)
    total[0, 0] = 0.0
    step = np.zeros((rows + 1, columns + 1), np.int8)
    for diagonal in range(2, rows + columns + 1):  # all cells of one depend on the two before it alone
        i = np.arange(max(1, diagonal - columns), min(rows, diagonal - 1) + 1)
        j = diagonal - i
        before = np.stack([total[i, j - 1], total[i - 1, j], total[i - 1, j - 1]])
        step[i, j] = before.argmin(axis=0)
        total[i, j] = cost[i - 1, j - 1] + before.min(axis=0)
    return _traced(step)


def _traced(step: NDArray[np.int8]) -> list[tuple[int, int]]:
    i, j = step.shape[0] - 1, step.shape[1] - 1
    path = []
    while i and j:
        path.append((int(i) - 1, int(j) - 1))
        back = step[i, j]
        i, j = i - (back != 0), j - (back != 1)
    return path[::-1]


def _median(weights: Floats) -> Floats:
    half = _WIDTH // 2
    if weights.shape[-1] <= half:
        return weights
    padded = np.pad(weights, ((0, 0), (0, 0), (half, half)), mode="reflect")
    smooth: Floats = np.median(np.lib.stride_tricks.sliding_window_view(padded, _WIDTH, axis=-1), axis=-1)
    return smooth
