"""Kernels of Parakh: plain arrays in, plain numbers out, the GIL released in between."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from parakh.types import Segment

# assignment.cpp

def assignment(cost: NDArray[np.float64]) -> tuple[list[int], list[int]]: ...

# intervals.cpp

class Turns:
    def __init__(self, segments: Sequence[Segment]) -> None: ...
    @property
    def self_overlaps(self) -> int: ...
    @property
    def extent(self) -> list[tuple[float, float]]: ...

def der(
    reference: Turns, hypothesis: Turns, regions: Sequence[tuple[float, float]], collar: float, skip_overlap: bool
) -> dict[str, float]: ...
def stretches(
    reference: Turns, hypothesis: Turns, regions: Sequence[tuple[float, float]], collar: float, skip_overlap: bool
) -> list[tuple[float, float, int, int]]: ...
def mapping(reference: Turns, hypothesis: Turns, regions: Sequence[tuple[float, float]]) -> list[tuple[str, str]]: ...
def jer(reference: Turns, hypothesis: Turns, regions: Sequence[tuple[float, float]], step: float) -> tuple[float, int]: ...
def speech(turns: Turns, regions: Sequence[tuple[float, float]]) -> tuple[float, float, float]: ...
