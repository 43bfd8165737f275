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
from functools import lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING

from parakh.languages.number_tables import grammar
from parakh.languages.number_words import read
from parakh.qc._check import Check
from parakh.qc._digits import is_personal, may_begin, runs
from parakh.qc._material import Material
from parakh.qc._settings import Settings
from parakh.qc._texts import at_time, quoted, without_tags
from parakh.text.masking import masked
from parakh.text.sounds import sound_alike
from parakh.text.tokens import Kind, Token, tokenize
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
    pairs, rest = _paired(first.items, second.items, settings.limit("forms-time"))
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
    if max(apart, default=0.0) > settings.limit("forms-time"):
        yield f"the times of the forms differ by {max(apart):.3f} s"
    if one.words == other.words or one.words.split() == other.words.split():
        return
    tag = one.language or other.language or language
    if _agree(one.words, other.words, tag):
        return
    left, total, numbers = unlike(one.words, other.words, tag)
    if numbers:
        yield "the forms say different numbers" + _quoted(numbers, one, other, tag)
    elif len(left) >= _LEAST and len(left) > settings.limit("forms-differ") * total:
        yield f"{len(left)} of {total} words are not the same in both forms" + _quoted(left, one, other, tag)


def _quoted(items: Sequence[str], one: Segment, other: Segment, tag: str | None) -> str:
    """What differs, for the end of a message; nothing where somebody reads out a number."""
    private = any(is_personal(run, _PRIVATE) for run in runs([(0, one), (1, other)], tag, 0.0))
    return "" if private else f": {quoted(items)}"


def _agree(said: str, written: str, tag: str | None) -> bool:
    """Whether two forms are plainly the same, word for word, as most are: only others have to be aligned."""
    words, others = without_tags(said).split(), without_tags(written).split()
    at = 0
    for word in words:
        if at < len(others) and (word == others[at] or _are_alike(word, others[at])):
            at += 1
            continue
        count = _number_words(word, others, at, tag)
        if not count:
            return False
        at += count
    return at == len(others)


@lru_cache(maxsize=1 << 16)
def _are_alike(word: str, other: str) -> bool:
    """Whether two words are the same but for the marks about them, or sound the same."""
    one, two = _bare(word), _bare(other)
    if [token.text for token in one] == [token.text for token in two]:
        return True
    return all(len(side) == 1 and side[0].kind is Kind.LEXICAL for side in (one, two)) and sound_alike(one[0].text, two[0].text)


def _number_words(word: str, others: Sequence[str], at: int, tag: str | None) -> int:
    """How many words at a place say a number in digits; 0 where none do, and for any other word."""
    number = _bare(word)
    if len(number) != 1 or not number[0].text.isdecimal():
        return 0
    together = tuple(takewhile(lambda other: _is_number(other, tag), others[at:]))
    return next((count for count in range(1, len(together) + 1) if _says(together[:count], number[0].text, tag)), 0)


@lru_cache(maxsize=1 << 14)
def _says(words: tuple[str, ...], number: str, tag: str | None) -> bool:
    return int(number) in read(" ".join(token.text for word in words for token in _bare(word)), grammar(tag))


@lru_cache(maxsize=1 << 16)
def _is_number(word: str, tag: str | None) -> bool:
    return any(token.kind is Kind.NUMERAL or may_begin(token.text, tag) for token in _bare(word))


@lru_cache(maxsize=1 << 16)
def _bare(word: str) -> tuple[Token, ...]:
    """A word without the marks about it."""
    return tuple(token for token in tokenize(word) if token.kind is not Kind.PUNCT)


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

    pairs = [pair for pair in align_texts(without_tags(said), without_tags(written), Setup(language)) if _differs(pair)]
    shown = (masked(said), masked(written)) if pairs else ("", "")
    left = [" / ".join(_text(side, text) or "nothing" for side, text in zip(_words(pair), shown, strict=True)) for pair in pairs]
    numbers = [difference for difference, pair in zip(left, pairs, strict=True) if _has_number(pair)]
    return left, max(len(without_tags(said).split()), len(without_tags(written).split())), numbers


def _differs(pair: Pair) -> bool:
    """Whether a step of the alignment holds anything against two forms being the same."""
    if not any(charge.category != Kind.PUNCT for charge in pair.errors):
        return False
    one, other = (" ".join(unit.text for unit in side) for side in _words(pair))
    return not (one and other and sound_alike(one, other))


def _words(pair: Pair) -> tuple[list[Unit], list[Unit]]:
    """The units of both sides but for marks."""
    one, other = ([unit for unit in side if unit.kind is not Kind.PUNCT] for side in (pair.reference, pair.hypothesis))
    return one, other


def _has_number(pair: Pair) -> bool:
    return any(unit.kind is Kind.NUMERAL for unit in (*pair.reference, *pair.hypothesis))


def _text(units: Sequence[Unit], text: str) -> str:
    """Some units as they stand in the text that may be shown."""
    return " ".join(text[unit.start : unit.end] for unit in units)


CHECK = Check(
    "QC221",
    "forms-disagree",
    "The two forms of a transcript differ",
    Severity.WARNING,
    recording,
    limits={"forms-time": 0.05, "forms-differ": 0.34},
)
