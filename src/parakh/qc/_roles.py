"""Which roles the speakers of a transcript have."""

from __future__ import annotations

from collections import Counter

from parakh.qc._material import Source
from parakh.types import Segment


def roles(source: Source[Segment]) -> dict[str, Counter[str]]:
    """How many segments of each speaker have which role.

    >>> roles(Source("v1.txt", (Segment("v1", "spk0", role="health_worker"),)))
    {'spk0': Counter({'health_worker': 1})}
    """
    found: dict[str, Counter[str]] = {}
    for (speaker, role), count in Counter([(one.speaker, one.role) for one in source.items]).items():
        if speaker is not None and role is not None:
            found.setdefault(speaker, Counter())[role] = count
    return found


def main_role(counts: Counter[str]) -> str | None:
    """The role that most segments have; the first in order of letters of several.

    >>> main_role(Counter({"other": 1, "health_worker": 3}))
    'health_worker'
    """
    return min(counts, key=lambda role: (-counts[role], role)) if counts else None
