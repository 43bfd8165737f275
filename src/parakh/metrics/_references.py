"""Several accepted references of one recording: the one that speaks best for the hypothesis counts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from parakh.errors import Fault, InputError
from parakh.results import Stats

Reference = TypeVar("Reference")
Texts = str | Sequence[str]
"""One reference text, or several accepted ones."""


def texts(reference: Texts) -> Sequence[str]:
    """The accepted references, one or several, as a sequence.

    >>> texts("one"), texts(["one", "other"])
    (['one'], ['one', 'other'])
    """
    return [reference] if isinstance(reference, str) else reference


def best(references: Sequence[Reference], stats: Callable[[Reference], Stats], value: Callable[[Stats], float]) -> Stats:
    """The statistics of the reference with the greatest value; the first of equals.

    Raises:
        InputError: There is no reference at all.

    >>> best(["ab", "abc"], lambda text: Stats(length=len(text)), lambda found: found["length"])
    Stats(length=3)
    """
    if not references:
        raise InputError(Fault("reference", "", "no reference", "at least one accepted reference of each recording"))
    return max(map(stats, references), key=value)
