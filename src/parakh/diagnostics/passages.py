"""Where an error stands: its recording, speaker and time, and the words around it on both sides.

A corpus is a sequence of (session_id, Pair) in which the pairs of a recording follow one another. Passages are made only for
the few pairs that a table shows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from parakh.diagnostics import Charge, Pair, Unit

Corpus = Sequence[tuple[str, Pair]]
"""(session_id, pair) of every recording, the pairs of one recording next to one another and in order."""

REACH = 4
"""Pairs of context on either side."""
SAME_WORDS = 5.0
"""Seconds within which words lost by one speaker and written under another are the same words."""


@dataclass(frozen=True, slots=True)
class Context:
    """Words as written and what comes before and after them; the three one after the other are the text."""

    before: str
    here: str
    after: str

    def __str__(self) -> str:
        return self.before + self.here + self.after


@dataclass(frozen=True, slots=True)
class Example:
    """One place of a corpus.

    Args:
        session_id: The recording.
        speaker: Who speaks, as the reference names its speakers; as the hypothesis does where the reference has no words.
        time: (start, end) in seconds of the words in question; None without times.
        reference: What was said there.
        hypothesis: What the system wrote there.
    """

    session_id: str
    speaker: str | None
    time: tuple[float, float] | None
    reference: Context
    hypothesis: Context


def joined(units: Iterable[Unit]) -> str:
    """The text of several units: a space before each that had white space there, none before one that was glued; | between turns.

    >>> from parakh.text.tokens import Kind
    >>> joined([Unit("500", Kind.NUMERAL, "NUMERAL"), Unit("mg", Kind.LEXICAL, "LEXICAL", glued=True)])
    '500mg'
    """
    return _spaced(units).lstrip()


def _spaced(units: Iterable[Unit]) -> str:
    texts, before = [], None
    for unit in units:
        turn = before is not None and unit.segment != before.segment
        texts.append(f"{' |' if turn else ''}{'' if unit.glued and not turn else ' '}{unit.text}")
        before = unit
    return "".join(texts)


def _context(before: Iterable[Unit], here: Iterable[Unit], after: Iterable[Unit]) -> Context:
    left, middle, right = _spaced(before).lstrip(), _spaced(here), _spaced(after)
    if left and middle.startswith(" "):
        left += " "
    return Context(left, middle.lstrip(), right if left or middle else right.lstrip())


def sides(pair: Pair, charge: Charge) -> tuple[str, str]:
    """What stands for a charge on either side, "" where nothing does.

    A substitution is shown with all units of its pair that nothing else is charged for: a number in words is one mistake.
    """
    said, heard = charge.reference, charge.hypothesis
    if said is None or heard is None:
        return said.text if said is not None else "", heard.text if heard is not None else ""
    alone = not pair.events and all(other is charge or other.hypothesis is None for other in pair.errors)
    return (
        joined(pair.reference) if len(pair.errors) == 1 and not pair.events else said.text,
        joined(pair.hypothesis) if alone else heard.text,
    )


def example_at(corpus: Corpus, start: int, end: int | None = None) -> Example:
    """The passage of the pairs from ``start`` to ``end`` (one pair without ``end``)."""
    end = start + 1 if end is None else end
    session = corpus[start][0]
    low, high = start, end
    while low > 0 and start - low < REACH and corpus[low - 1][0] == session:
        low -= 1
    while high < len(corpus) and high - end < REACH and corpus[high][0] == session:
        high += 1
    cuts = [[pair for _, pair in corpus[a:b]] for a, b in ((low, start), (start, end), (end, high))]
    spoken = [unit for pair in cuts[1] for unit in pair.reference] or [unit for pair in cuts[1] for unit in pair.hypothesis]
    return Example(
        session,
        spoken[0].speaker if spoken else None,
        _span(spoken),
        _context(*([unit for pair in cut for unit in pair.reference] for cut in cuts)),
        _context(*([unit for pair in cut for unit in pair.hypothesis] for cut in cuts)),
    )


def _span(units: Sequence[Unit]) -> tuple[float, float] | None:
    times = [unit.time for unit in units if unit.time is not None]
    return (min(start for start, _ in times), max(end for _, end in times)) if times else None
