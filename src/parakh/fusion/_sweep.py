"""All systems' turns of one recording on one time line, cut wherever anybody starts or stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parakh import timeline
from parakh.types import Segment

_Turn = tuple[str, float | None, float | None]
_TICKS = 1_000_000
"""To a second: overlaps are added in whole microseconds, so that their order never changes a digit."""


@dataclass(frozen=True)
class Sweep:
    """Who speaks in each stretch between two neighbouring boundaries.

    Args:
        times: Every boundary of every system, sorted, in seconds.
        speakers: The speakers of each system, in order of their first turn.
        heard: For each system, (stretch, speaker): whether the speaker speaks in it.
    """

    times: NDArray[np.float64]
    speakers: tuple[tuple[str, ...], ...]
    heard: tuple[NDArray[np.bool_], ...]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Length of each stretch in microseconds."""
        ticks = np.rint(self.times * _TICKS).astype(np.int64)
        return ticks[1:] - ticks[:-1]

    def shared(self, one: NDArray[np.bool_], other: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Microseconds in which a speaker of the one and a speaker of the other speak, (speaker, speaker)."""
        return (one * self.lengths[:, None]).T @ other.astype(np.int64)


def sweep(systems: Sequence[Sequence[Segment]]) -> Sweep:
    """Lay the turns of all systems on one time line.

    Args:
        systems: The turns of each, any order; those without duration are no speech.

    Raises:
        InputError: A turn has no speaker, or times that make no sense.

    >>> found = sweep([[Segment("v", "a", 0.0, 2.0)], [Segment("v", "x", 1.0, 3.0), Segment("v", "y", 1.0, 2.0)]])
    >>> found.times.tolist(), found.shared(found.heard[0], found.heard[1]).tolist()
    ([0.0, 1.0, 2.0, 3.0], [[1000000, 1000000]])
    """
    for system in systems:
        timeline.turns(system)  # refuses what is no turn
    timed = [[(turn.speaker or "", turn.start_time, turn.end_time) for turn in system if turn.duration > 0] for system in systems]
    times = np.unique(np.array([time for turns in timed for _, *span in turns for time in span], dtype=np.float64))
    speakers = tuple(_in_order(turns) for turns in timed)
    heard = [_heard(turns, names, times) for turns, names in zip(timed, speakers, strict=True)]
    if not len(times):
        return Sweep(times, speakers, tuple(heard))
    # Where the turns of a speaker only touch or overlap, nobody starts or stops.
    changes = np.any([(own[1:] != own[:-1]).any(axis=1) for own in heard], axis=0)
    starts = np.concatenate(([0], np.flatnonzero(changes) + 1))
    return Sweep(times[[*starts, -1]], speakers, tuple(own[starts] for own in heard))


def _in_order(turns: Sequence[_Turn]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(speaker for speaker, *_ in sorted(turns, key=lambda turn: (turn[1], turn[2], turn[0]))))


def _heard(turns: Sequence[_Turn], speakers: Sequence[str], times: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Whether each speaker speaks in each stretch, by counting starts and ends."""
    change = np.zeros((len(times), len(speakers)), dtype=np.int32)
    column = {name: k for k, name in enumerate(speakers)}
    columns = np.array([column[speaker] for speaker, _, _ in turns], dtype=np.int64)
    for sign, place in ((1, 1), (-1, 2)):
        at = np.searchsorted(times, np.array([turn[place] for turn in turns], dtype=np.float64))
        np.add.at(change, (at, columns), sign)
    return np.cumsum(change, axis=0)[:-1] > 0
