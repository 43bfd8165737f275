"""Speaker labels: where they come first, and which ones are one name in several ways of writing."""

from __future__ import annotations

import re
from functools import lru_cache

from parakh.qc._material import Source
from parakh.types import Segment

_JOINS = re.compile(r"[\s_.\-]+")
_ZEROS = re.compile(r"(?<!\d)0+(?=\d)")


@lru_cache(maxsize=4096)
def folded(label: str) -> str:
    """A label without upper case, blanks, hyphens, low lines, dots and leading zeros.

    >>> folded("SPK 01"), folded("spk-1"), folded("spk10")
    ('spk1', 'spk1', 'spk10')
    """
    return _ZEROS.sub("", _JOINS.sub("", label.casefold()))


def first_places(source: Source[Segment]) -> dict[str, tuple[int, int]]:
    """Each label of a source with the index of its first segment and the number of its segments."""
    labels = [one.speaker for one in source.items]
    return {label: (labels.index(label), labels.count(label)) for label in dict.fromkeys(labels) if label is not None}
