"""What formats of tiers share: a tier is one speaker's, and holds no overlap."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from parakh.formats._text import Writer
from parakh.types import Segment


def check_overlap(writer: Writer, tier: Sequence[tuple[int, Segment]], place: Callable[[float], float] = float) -> None:
    """Note a fault for each segment of a tier that starts before an earlier one ends.

    Args:
        writer: Gets the faults.
        tier: Entry number and segment, in order of their starts.
        place: Where the format puts a time, which may be rounded.
    """
    latest: tuple[int, float] = (0, 0.0)
    for entry, item in tier:
        if item.start_time is None or item.end_time is None:
            continue
        if place(item.start_time) < place(latest[1]):
            expected = f"seconds >= {latest[1]}, where entry {latest[0]} of the same speaker ends"
            action = "A tier holds no overlap: mend or join the turns, or write another format."
            writer.fault(entry, "start_time", repr(item.start_time), expected, action)
        latest = max(latest, (entry, item.end_time), key=lambda one: one[1])
