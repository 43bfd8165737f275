"""The two forms of a transcript do not say the same.

What it does:
    Pairs the segments of the transcript with those of its native form, by their ids or, without ids, by speaker and times. It
    reports segments that only one form has, times or speakers that differ, and segments whose words differ: both are aligned by
    the spelling rules of the language, with numbers read as values ("140", "एक सौ चालीस") and words of two scripts compared by
    their sounds ("BP", "बीपी"); what is left over counts.

Why it matters:
    The forms are two ways to write one thing. If they say different things, one of them is wrong, and a scorer that takes the
    better of the two accepts the error as right.

How to mend:
    Listen to the segment and correct the form that is wrong. Make the native form of the corrected transcript again where a tool
    made it.

Limits:
    `forms-differ` (0.34): share of a segment's words that may be left over.
    `forms-time` (0.05): seconds by which times may differ.

Example:
    "BP 140 है" and "बीपी एक सौ बीस है".
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from parakh.qc._check import Check
from parakh.qc._digits import is_personal, runs
from parakh.qc._material import Material
from parakh.qc._settings import Settings
from parakh.qc._texts import at_time, quoted, without_tags
from parakh.text.masking import masked
from parakh.text.sounds import sound_alike
from parakh.text.tokens import Kind
from parakh.types import Finding, Segment, Severity

if TYPE_CHECKING:
    from parakh.diagnostics import Pair, Unit

_PRIVATE = 6
"""Digits read out from which no word of the segment is shown."""
_LEAST = 2
"""Words that have to be left over, unless a number is."""


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a segment and difference."""
    first, second = material.transcript, material.native
    if first is None or second is None:
        return
    pairs, rest = _paired(first.items, second.items, settings.limit("forms-time", 0.05))
    for source, other, indices in ((first, "native", rest[0]), (second, "normalised", rest[1])):
        for index in indices:
            message = f"the {other} form lacks this segment{at_time(source.items[index])}"
            yield CHECK.at(material, message, source, index)
    for one, two in pairs:
        for message in _differences(first.items[one], second.items[two], material.language, settings):
            yield CHECK.at(material, f"{message}{at_time(first.items[one])}", second, two)


def _paired(
    first: Sequence[Segment], second: Sequence[Segment], slack: float
) -> tuple[list[tuple[int, int]], tuple[list[int], list[int]]]:
    """Indices of segments that belong together, and those of either side that are left."""
    ids = [{one.segment_id: index for index, one in enumerate(side) if one.segment_id} for side in (first, second)]
    if ids[0] and ids[1] and set(ids[0]) & set(ids[1]):
        pairs = [(index, ids[1][name]) for name, index in ids[0].items() if name in ids[1]]
    elif len(first) == len(second) and all(one.start_time is None for one in (*first, *second)):
        pairs = [(index, index) for index in range(len(first))]
    else:
        pairs = _by_time(first, second, slack)
    used = [{pair[side] for pair in pairs} for side in (0, 1)]
    left = [[index for index in range(len(side)) if index not in used[place]] for place, side in enumerate((first, second))]
    return pairs, (left[0], left[1])


def _by_time(first: Sequence[Segment], second: Sequence[Segment], slack: float) -> list[tuple[int, int]]:
    """Segments of one speaker that begin at the same time, else the one that overlaps most."""
    free = set(range(len(second)))
    pairs: list[tuple[int, int]] = []
    for index, one in enumerate(first):
        near = [other for other in free if second[other].speaker == one.speaker]
        best = max(near, key=lambda other: (_overlap(one, second[other]), -other), default=None)
        if best is not None and _overlap(one, second[best]) > min(slack, one.duration / 2):
            free.discard(best)
            pairs.append((index, best))
    return pairs


def _overlap(one: Segment, other: Segment) -> float:
    if one.start_time is None or one.end_time is None or other.start_time is None or other.end_time is None:
        return 0.0
    return min(one.end_time, other.end_time) - max(one.start_time, other.start_time)


def _differences(one: Segment, other: Segment, language: str | None, settings: Settings) -> Iterator[str]:
    if one.speaker != other.speaker:
        yield "the forms have different speakers for this segment"
    times = [(one.start_time, other.start_time), (one.end_time, other.end_time)]
    apart = [abs(first - second) for first, second in times if first is not None and second is not None]
    if max(apart, default=0.0) > settings.limit("forms-time", 0.05):
        yield f"the times of the forms differ by {max(apart):.3f} s"
    if one.words.split() == other.words.split():
        return
    tag = one.language or other.language or language
    left, total, numbers = unlike(one.words, other.words, tag)
    private = any(is_personal(run, _PRIVATE) for run in runs([(0, one), (1, other)], tag, 0.0))
    if numbers:
        yield "the forms say different numbers" + ("" if private else f": {quoted(numbers)}")
    elif len(left) >= _LEAST and len(left) > settings.limit("forms-differ", 0.34) * total:
        yield f"{len(left)} of {total} words are not the same in both forms" + ("" if private else f": {quoted(left)}")


def unlike(said: str, written: str, language: str | None) -> tuple[list[str], int, list[str]]:
    """The words of two forms of a text that do not say the same.

    Args:
        said: The one form; tags are left out.
        written: The other.
        language: BCP-47 primary tag; None if unknown.

    Returns:
        (what differs, words of the longer form, what differs and is a number); personal numbers are masked.

    >>> unlike("BP 140 है", "बीपी एक सौ चालीस है", "hi")
    ([], 5, [])
    >>> unlike("BP 140 है", "बीपी एक सौ बीस है", "hi")[2]
    ['140 / एक सौ बीस']
    """
    from parakh.diagnostics.alignment import align_texts
    from parakh.diagnostics.setup import Setup

    left: list[str] = []
    numbers: list[str] = []
    shown = masked(said), masked(written)
    said, written = without_tags(said), without_tags(written)
    for pair in align_texts(said, written, Setup(language)):
        difference = _difference(pair, shown)
        if difference:
            left.append(difference)
            if any(unit.kind is Kind.NUMERAL for unit in (*pair.reference, *pair.hypothesis)):
                numbers.append(difference)
    return left, max(len(said.split()), len(written.split())), numbers


def _difference(pair: Pair, shown: tuple[str, str]) -> str:
    """What a step of the alignment holds against two forms being the same, as it may be shown; "" for nothing."""
    if not any(charge.category != Kind.PUNCT for charge in pair.errors):
        return ""
    sides = [[unit for unit in side if unit.kind is not Kind.PUNCT] for side in (pair.reference, pair.hypothesis)]
    one, other = (" ".join(unit.text for unit in side) for side in sides)
    if one and other and sound_alike(one, other):
        return ""
    return " / ".join(_text(side, text) or "nothing" for side, text in zip(sides, shown, strict=True))


def _text(units: Sequence[Unit], text: str) -> str:
    """Some units as they stand in the text that may be shown."""
    return " ".join(text[unit.start : unit.end] for unit in units)


CHECK = Check("QC221", "forms-disagree", "The two forms of a transcript differ", Severity.WARNING, recording)
