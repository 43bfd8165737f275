"""Where recordings stand on a report's page, and links to them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

from parakh.markup import Html, tag
from parakh.report.summary import SystemSummary


@dataclass(frozen=True)
class Places:
    """The recordings of a page.

    Args:
        ids: Names of all recordings that have a row, in order.
        left_out: Anchors of those whose timelines and texts are not on the page, as it would have become too large.
    """

    ids: tuple[str, ...]
    left_out: frozenset[str] = frozenset()

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.ids)}

    def anchor(self, system: SystemSummary, recording: str) -> str | None:
        """The id of a system's recording in the page; None where the system has no such recording.

        >>> Places(("v1",)).anchor(SystemSummary("ours", "s0", ()), "v2")
        """
        held = recording in self._numbers and any(task.holds(recording) for task in system.tasks)
        return f"{system.anchor}-r{self._numbers[recording]}" if held else None

    def link(self, system: SystemSummary, recording: str, text: str, *, track: str = "", time: float | None = None) -> Html:
        """A link to a system's recording; the plain text where it is not on the page.

        Args:
            system: The system.
            recording: Name of the recording.
            text: What the link says; markup stands as it is, a text keeps its own direction.
            track: The track whose block it leads to; "" leads to the recording's head.
            time: Seconds from the start, which the script marks and plays from.

        >>> Places(()).link(SystemSummary("ours", "s0", ()), "v1", "v1")
        '<bdi>v1</bdi>'
        """
        anchor = self.anchor(system, recording)
        said = text if isinstance(text, Html) else tag("bdi", {}, text)
        if anchor is None or anchor in self.left_out:
            return said
        place = f"#{task_anchor(anchor, track)}" if track else f"#{anchor}"
        return tag("a", {"href": place, "data-t": None if time is None else f"{time:.1f}"}, said)


def task_anchor(recording: str, track: str) -> str:
    """The id in the page of what a task has of a recording: without what an address would read as something else.

    >>> task_anchor("s0-r1", "asr"), task_anchor("s0-r1", "my track?")
    ('s0-r1-asr', 's0-r1-my_track_')
    """
    return f"{recording}-{identifier(track)}"


def identifier(name: str) -> str:
    """A name as part of an id: letters, digits, - and _ as they are, _ for all others."""
    return re.sub(r"[^\w-]", "_", name)


def recordings(systems: Sequence[SystemSummary]) -> tuple[str, ...]:
    """All recordings that some system has, by name."""
    return tuple(sorted({name for one in systems for task in one.tasks for name in (*task.by_id, *task.reasons)}))


def worst_first(systems: Sequence[SystemSummary], ids: Sequence[str]) -> list[str]:
    """Recordings by what is right of them in the system that did worst on each, the least first; without a value the last.

    >>> worst_first([], ["b", "a"])
    ['b', 'a']
    """
    held = {name: [right for one in systems if (right := right_of(one, name)) is not None] for name in ids}
    return sorted(ids, key=lambda name: min(held[name], default=inf))


def right_of(system: SystemSummary, recording: str) -> float | None:
    """How much of a system's recording is right, 0 to 1: the mean over the tasks that say; None where none does."""
    values = [right for task in system.tasks if (right := task.right_in(recording)) is not None]
    return sum(values) / len(values) if values else None
