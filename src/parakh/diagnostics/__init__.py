"""One file a diagnosis: what kind of error each one is, whose, and what mending it would buy.

Every diagnosis reads the same thing: the pairs of a boundary-tolerant alignment (``alignment``). A pair is a step of that
alignment. It holds the units of either side that meet, the errors charged for it, and the events that made a difference in
writing no error.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from parakh.text.tokens import Kind
from parakh.types import Op


class Unit(NamedTuple):
    """What is aligned: a token, or a term of several words that counts as one.

    Args:
        text: As written; the words of a term with single spaces between them.
        kind: Word, numeral or mark.
        category: What an error on it is charged to: the name of its kind or of a user's category.
        views: Further categories it belongs to, which are counted beside and never charged.
        glued: Whether no white space stands between it and the unit before it.
        segment: Index of its segment in the sequence given.
        speaker: Who said it, as that side names its speakers; None without speakers.
        time: (start, end) in seconds of its share of the segment; None without times.
        language: BCP-47 primary tag of its segment; None if unknown.
        start: Offset of its first code point in the segment's words.
        end: Offset after its last code point.
    """

    text: str
    kind: Kind
    category: str
    views: frozenset[str] = frozenset()
    glued: bool = False
    segment: int = 0
    speaker: str | None = None
    time: tuple[float, float] | None = None
    language: str | None = None
    start: int = 0
    end: int = 0

    @property
    def words(self) -> tuple[str, ...]:
        """The words of it: several for a term of several words."""
        return tuple(self.text.split())


class EventKind(StrEnum):
    """What made a difference in writing no error."""

    BOUNDARY = "boundary"
    """Words written together on one side and apart on the other."""
    ORTHOGRAPHIC = "orthographic"
    """The same word in another spelling or encoding."""
    FORMAT = "format"
    """The same number, date, time, unit or amount in another notation."""
    ENCODING = "encoding"
    """Canonically equal code points (Unicode NFC): the same letters, so that no scorer should see a difference."""


class Event(NamedTuple):
    """One difference in writing that is no error.

    Args:
        kind: Which of the three.
        rule: Name of the tier, sandhi rule, variant list or number rule that licensed it.
        before: What the reference has.
        after: What the hypothesis has.
    """

    kind: EventKind
    rule: str
    before: str
    after: str


class Charge(NamedTuple):
    """One error, charged once.

    Args:
        op: SUBSTITUTION, DELETION or INSERTION.
        category: The category of the reference unit; of the hypothesis unit for an insertion.
        reference: The reference unit; None for an insertion.
        hypothesis: The hypothesis unit; None for a deletion.
    """

    op: Op
    category: str
    reference: Unit | None
    hypothesis: Unit | None


class Pair(NamedTuple):
    """One step of the alignment: units that meet; either side may be empty, or hold several that meet as a whole.

    Without errors and events both sides are the same. A pair of several units may hold errors beside its event, as the comma
    that is lost where two words are written together.

    Args:
        reference: Units of the reference, in order.
        hypothesis: Units of the hypothesis, in order.
        errors: What is charged.
        events: Differences in writing.
    """

    reference: tuple[Unit, ...]
    hypothesis: tuple[Unit, ...]
    errors: tuple[Charge, ...] = ()
    events: tuple[Event, ...] = ()
