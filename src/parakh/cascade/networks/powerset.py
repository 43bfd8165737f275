"""Speakers of a short window as classes of a powerset: nobody, one of them, or several together."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]


def mapping(speakers: int, together: int) -> Flags:
    """Which speakers each class means, shape (classes, speakers); smaller sets first, each size in order.

    Args:
        speakers: Most speakers of a window.
        together: Most that speak at once.

    Source: Plaquet and Bredin, "Powerset multi-class cross entropy loss for neural speaker diarization" (Interspeech
    2023); the order of pyannote.audio 3.1.

    >>> mapping(3, 2).astype(int).tolist()
    [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]]
    """
    sets = [chosen for size in range(together + 1) for chosen in combinations(range(speakers), size)]
    return np.array([[speaker in chosen for speaker in range(speakers)] for chosen in sets])


def classes_of(active: Flags, table: Flags) -> Ints:
    """The class of each frame; where more speak than any class holds, the first class that misses fewest of them.

    Args:
        active: Activity, shape (..., speakers).
        table: What ``mapping`` gives.

    >>> classes_of(np.array([[0, 0, 0], [0, 1, 1], [1, 1, 1]], bool), mapping(3, 2)).tolist()
    [0, 6, 4]
    """
    agreement = active.astype(np.int64) @ table.T.astype(np.int64)
    wrong = ~active @ table.T  # a class with somebody who is silent is no candidate
    found: Ints = np.where(wrong, -1, agreement).argmax(axis=-1)
    return found


def reorderings(speakers: int, together: int) -> Ints:
    """The class that each class becomes when the speakers change places, a row a permutation of them.

    ``reorderings(s, t)[p, c]`` is the class of the speakers of class c after the p-th permutation, in the order of
    ``itertools.permutations``.

    >>> reorderings(2, 2).tolist()
    [[0, 1, 2, 3], [0, 2, 1, 3]]
    """
    table = mapping(speakers, together)
    return np.array([classes_of(table[:, list(order)], table) for order in permutations(range(speakers))])
