"""Stretches of units that may meet as a whole.

Stretches of both sides with the same key may meet. Each row of a side is start, stop, key, cost, as the kernel takes it, and its
rule names what licensed it. Keys are numbers; a key is given only to what occurs on both sides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from parakh.diagnostics import Unit
from parakh.languages import Language
from parakh.languages.values import ValueSpan, value_spans
from parakh.text.tokens import Token

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


def add_values(spans: Spans, reference: Sequence[Unit], hypothesis: Sequence[Unit], language: Language) -> None:
    """Add the same values in other notations, and let a number phrase stand for another number as one substitution."""
    said = value_spans(_tokens(reference), language.tag)
    heard = value_spans(_tokens(hypothesis), language.tag) if said else []
    keys: dict[str, tuple[list[Stretch], list[Stretch]]] = {}
    for place, side in enumerate((said, heard)):
        for span in side:
            for key in span.alike:
                keys.setdefault(key, ([], []))[place].append(Stretch(span.start, span.stop, 0, span.kind))
    for key in sorted(keys):
        if all(keys[key]):
            spans.add(spans.new_key(), *keys[key], "format")
    _add_changed_numbers(spans, said, heard)


def _add_changed_numbers(spans: Spans, said: Sequence[ValueSpan], heard: Sequence[ValueSpan]) -> None:
    """A number of k units and a longer phrase of another value: k errors, and the phrase counts as one word."""
    sides = [[span for span in side if span.kind in _COUNTED] for side in (said, heard)]
    for count in sorted({span.stop - span.start for span in sides[0]}):
        same = [Stretch(span.start, span.stop, count, "") for span in sides[0] if span.stop - span.start == count]
        longer = [Stretch(span.start, span.stop, 0, "") for span in sides[1] if span.stop - span.start > count]
        if longer:
            spans.add(spans.new_key(), same, longer, "number")


_COUNTED = frozenset({"number", "date", "time", "ratio", "currency", "ordinal", "digits", "range"})


def _tokens(units: Sequence[Unit]) -> list[Token]:
    return [Token(unit.text, unit.kind, unit.start, unit.end) for unit in units]
