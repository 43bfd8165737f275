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
    reference: Turns, hypothesis: Turns, regions: Sequence[tuple[float, float]], collar: float, fewest: int, most: int
) -> dict[str, float]: ...
def stretches(
    reference: Turns, hypothesis: Turns, regions: Sequence[tuple[float, float]], collar: float, fewest: int, most: int
) -> list[tuple[float, float, int, int]]: ...
def pairs(
    reference: Turns, hypothesis: Turns, regions: Sequence[tuple[float, float]]
) -> list[tuple[str, str, float, float, float]]: ...
def jer(reference: Turns, hypothesis: Turns, regions: Sequence[tuple[float, float]], step: float) -> dict[str, float]: ...

# clustering.cpp

def clustering(reference: Turns, hypothesis: Turns, regions: Sequence[tuple[float, float]], step: float) -> dict[str, float]: ...
def purity(reference: Turns, hypothesis: Turns, regions: Sequence[tuple[float, float]]) -> dict[str, float]: ...
def speakers(side: Turns, regions: Sequence[tuple[float, float]]) -> int: ...

# words.cpp

def count_words(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    collar: float | None,
    reference_timing: str,
    hypothesis_timing: str,
    characters: bool,
) -> dict[str, float]: ...
def take_forms(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    collar: float | None,
    reference_timing: str,
    hypothesis_timing: str,
    characters: bool,
) -> list[tuple[int, int]]: ...
def assigned_speakers(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    collar: float | None,
    reference_timing: str,
    hypothesis_timing: str,
    characters: bool,
) -> list[tuple[str, str]]: ...
def align_words(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    collar: float | None,
    reference_timing: str,
    hypothesis_timing: str,
    characters: bool,
) -> list[NDArray[np.int32]]: ...
def align_stream(
    reference: Sequence[Segment],
    hypothesis: Sequence[Segment],
    collar: float | None,
    reference_timing: str,
    hypothesis_timing: str,
) -> tuple[NDArray[np.int32], list[tuple[int, int]]]: ...
def choose_forms(segments: Sequence[Sequence[Sequence[int]]], hypothesis: Sequence[int]) -> list[int]: ...

# greedy.cpp

def greedy_counts(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None, invariant: bool
) -> tuple[int, int, int, int]: ...
def greedy_words(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None, invariant: bool
) -> tuple[list[str | None], list[NDArray[np.int32]]]: ...

# mimo.cpp

def mimo_counts(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None
) -> tuple[int, int, int, int, int]: ...
def mimo_words(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None
) -> tuple[list[tuple[int, str | None]], list[NDArray[np.int32]]]: ...

# rouge.cpp

def shared_ngrams(reference: Sequence[int], hypothesis: Sequence[int], size: int) -> int: ...
def shared_runs(reference: Sequence[int], hypothesis: Sequence[int], longest: int) -> list[int]: ...
def lcs_length(reference: Sequence[int], hypothesis: Sequence[int]) -> int: ...
def lcs_union(reference: Sequence[Sequence[int]], hypothesis: Sequence[Sequence[int]]) -> list[list[int]]: ...

# sequence.cpp

def count_edits(reference: Sequence[str], hypothesis: Sequence[str], by_character: bool) -> tuple[int, int, int, int]: ...
def edit_steps(reference: Sequence[str], hypothesis: Sequence[str], by_character: bool) -> NDArray[np.int32]: ...

# lines.cpp

def read_lines(
    text: str, segment: type[Segment], columns: Sequence[str], least: int, tabs: bool, comments: str, odd: str
) -> list[Segment | tuple[int, str, bool]]: ...

# entries.cpp

def read_entries(entries: list[object], segment: type[Segment]) -> list[Segment | None]: ...

# orc.cpp

def count_combination(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None
) -> tuple[int, int, int, int]: ...
def align_combination(
    reference: Sequence[Segment], hypothesis: Sequence[Segment], collar: float | None
) -> list[tuple[str | None, list[int], NDArray[np.int32]]]: ...

# units.cpp

def align_units(
    reference: NDArray[np.int32],
    hypothesis: NDArray[np.int32],
    reference_classes: NDArray[np.int8],
    hypothesis_classes: NDArray[np.int8],
    reference_times: NDArray[np.float64] | None,
    hypothesis_times: NDArray[np.float64] | None,
    reference_spans: NDArray[np.int32],
    hypothesis_spans: NDArray[np.int32],
    blocks: NDArray[np.int32],
    most_cells: int = 2097152,
) -> NDArray[np.int32]: ...
