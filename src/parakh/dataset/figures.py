"""Figures of a set of recordings, from the sums of what was measured: slices add up to the whole, in any order."""

from __future__ import annotations

import itertools
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from parakh.dataset.measuring import UNKNOWN, Measured, Who
from parakh.results import Stats, ratio, total

TURN_EDGES = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Seconds at which lengths of turns are cut."""
SILENCE_EDGES = (0.1, 0.2, 0.3, 0.5, 1.0, 2.0)
"""Seconds at which pauses and gaps are cut."""
OVERLAP_EDGES = (0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
"""Shares of the speech at which the overlap of recordings is cut."""
_RANGE = re.compile(r"(\d{1,3})(?:\s*[-\u2013]\s*(\d{1,3}))?", re.ASCII)


@dataclass(frozen=True)
class Figures:
    """What a set of recordings comes to.

    Args:
        measured: The recordings.
    """

    measured: tuple[Measured, ...]

    @cached_property
    def sums(self) -> Stats:
        """All statistics, added."""
        return total([one.sums for one in self.measured])

    def sum(self, name: str) -> float:
        """One statistic; 0 where no recording has it."""
        return self.sums.get(name, 0)

    def per(self, name: str, other: str) -> float | None:
        """One statistic over another; None where there is nothing to divide by."""
        return ratio(self.sum(name), self.sum(other))

    @cached_property
    def people(self) -> Mapping[str, Who]:
        """Everybody who speaks, each once; what one recording does not know of somebody, another may."""
        found: dict[str, Who] = {}
        for one in self.measured:
            for key, who in one.people.items():
                found[key] = _joined(found[key], who) if key in found else who
        return found

    @property
    def persons(self) -> int | None:
        """How many persons are known; None where none is."""
        return len(set().union(*(one.persons for one in self.measured))) or None

    @property
    def vocabulary(self) -> int | None:
        """How many different words; None without transcripts."""
        return len(set().union(*(one.vocabulary for one in self.measured))) if self.sum("with_words") else None

    @property
    def turns(self) -> int:
        """How many turns."""
        return sum(len(one.turn_s) for one in self.measured)

    @property
    def turns_per_hour(self) -> float | None:
        """Turns of the recordings with a duration, over their hours."""
        turns = sum(len(one.turn_s) for one in self.measured if one.sums.get("timed_seconds"))
        hours = self.sum("timed_seconds") / 3600
        return turns / hours if hours else None

    def rates(self) -> dict[str, Stats]:
        """Words and seconds by role, sorted by role."""
        roles = sorted({role for one in self.measured for role in one.by_role})
        return {role: total([one.by_role[role] for one in self.measured if role in one.by_role]) for role in roles}

    @property
    def words_per_minute(self) -> float | None:
        """Words over the minutes of the segments that have words."""
        spoken = total(list(self.rates().values()))
        return per_minute(spoken)

    def quantiles(self, of: Callable[[Measured], Sequence[float]]) -> tuple[float, float, float] | None:
        """First decile, median and ninth decile of single values; None where there are none.

        Args:
            of: The values of a recording.
        """
        values = [value for one in self.measured for value in of(one)]
        if not values:
            return None
        if len(values) == 1:
            return values[0], values[0], values[0]
        tenths = statistics.quantiles(values, n=10, method="inclusive")
        return tenths[0], tenths[4], tenths[8]

    def histogram(self, of: Callable[[Measured], Iterable[float]], edges: Sequence[float]) -> list[int]:
        """How many single values lie below the first edge, between each two, and from the last on."""
        counts = [0] * (len(edges) + 1)
        for one in self.measured:
            for value in of(one):
                counts[sum(value >= edge for edge in edges)] += 1
        return counts

    def topics(self) -> Counter[str]:
        """In how many recordings each health problem was raised; written apart by capitals is the same."""
        return _counted([one.topics or () for one in self.measured])

    def tags(self) -> Counter[str]:
        """In how many recordings each topical tag stands."""
        return _counted([one.tags for one in self.measured])

    @property
    def with_topics(self) -> int:
        """How many recordings have their health problems annotated."""
        return sum(one.topics is not None for one in self.measured)


def per_minute(spoken: Stats) -> float | None:
    """Words a minute."""
    rate = ratio(spoken.get("words", 0), spoken.get("seconds", 0))
    return None if rate is None else 60 * rate


def overlaps(one: Measured) -> list[float]:
    """The overlap of a recording as its only value."""
    return [] if one.overlap is None else [one.overlap]


def bins(edges: Sequence[float], scale: float = 1) -> list[str]:
    """Names of what lies between edges.

    >>> bins((0.5, 1.0))
    ['< 0.5', '0.5 – 1', '≥ 1']
    """
    between = [f"{scale * low:g} – {scale * high:g}" for low, high in itertools.pairwise(edges)]
    return [f"< {scale * edges[0]:g}", *between, f"≥ {scale * edges[-1]:g}"]


def age_group(age: str) -> str:
    """The decade that an age lies in; a range that spans several as it is written.

    >>> age_group("34"), age_group("40-49"), age_group("18–45"), age_group("7"), age_group("adult")
    ('30–39', '40–49', '18–45', '0–9', 'adult')
    """
    found = _RANGE.fullmatch(age.strip())
    if not found:
        return age
    low, high = int(found[1]), int(found[2] or found[1])
    decade = low // 10 * 10
    return f"{decade}–{decade + 9}" if high // 10 == low // 10 else f"{low}–{high}"


def age_order(group: str) -> tuple[bool, int, str]:
    """Sorts age groups from the youngest; what is no number comes last."""
    start = group.partition("–")[0]
    return not start.isdigit(), int(start) if start.isdigit() else 0, group


def _joined(one: Who, other: Who) -> Who:
    """What is known of somebody from two recordings; the earlier one counts, and two roles are both told."""
    roles = sorted({*one.role.split("+"), *other.role.split("+")} - {UNKNOWN})
    return Who(
        one.age if one.age != UNKNOWN else other.age,
        one.sex if one.sex != UNKNOWN else other.sex,
        "+".join(roles) or UNKNOWN,
    )


def _counted(lists: Iterable[Sequence[str]]) -> Counter[str]:
    """How many of the lists hold each text, the most frequent first, under its first writing."""
    written: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for texts in lists:
        for text in {written.setdefault(text.casefold(), text) for text in sorted(set(texts))}:
            counts[text] += 1
    return Counter(dict(sorted(counts.items(), key=lambda one: (-one[1], one[0]))))
