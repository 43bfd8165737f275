"""Stretches of units that may meet as a whole.

Stretches of both sides with the same key may meet. Each row of a side is start, stop, key, cost, as the kernel takes it, and its
rule names what licensed it. Keys are numbers; a key is given only to what occurs on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

Row = tuple[int, int, int, int]


@dataclass
class Spans:
    """Rows of both sides, and what licensed each.

    Args:
        reference: Rows start, stop, key, cost.
        hypothesis: The same of the hypothesis.
        reference_rules: Kind and rule of each row.
        hypothesis_rules: The same of the hypothesis.
    """

    reference: list[Row] = field(default_factory=list)
    hypothesis: list[Row] = field(default_factory=list)
    reference_rules: list[tuple[str, str]] = field(default_factory=list)
    hypothesis_rules: list[tuple[str, str]] = field(default_factory=list)
    keys: int = 0

    def new_key(self) -> int:
        """A key that no row has."""
        self.keys += 1
        return self.keys

    def add(self, key: int, reference: Sequence[Stretch], hypothesis: Sequence[Stretch], kind: str) -> None:
        """Let stretches of either side meet."""
        for one in reference:
            self.reference.append((one.start, one.stop, key, one.cost))
            self.reference_rules.append((kind, one.rule))
        for one in hypothesis:
            self.hypothesis.append((one.start, one.stop, key, one.cost))
            self.hypothesis_rules.append((kind, one.rule))


class Stretch(NamedTuple):
    """Units that may meet others: where they are, what that costs, and by which rule."""

    start: int
    stop: int
    cost: int
    rule: str
