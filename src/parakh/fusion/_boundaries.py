"""Words that systems write together or apart made one unit, so that a boundary splits no vote."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from parakh.diagnostics.boundaries import MOST_WORDS, solid
from parakh.fusion._network import Word
from parakh.text.sandhi import PLAIN, SandhiRule, joined_forms

Borders = Mapping[str, set[tuple[int, ...]]]
"""The ways in which some letters are cut into words."""


def in_units(systems: Sequence[Sequence[Word]], rules: tuple[SandhiRule, ...]) -> list[list[Word]]:
    """The words of all systems, with those made one unit that another system writes with other boundaries.

    One to four words are a unit if they have the letters of one to four words of another system, or become its single word by a
    sandhi rule of the language, and no boundary is common to both; its key is the letters, its text the words as written.

    Args:
        systems: The words of each, of one stretch of the recording.
        rules: Of the language.

    Returns:
        For each system its words and units; of units that overlap the first and longest is taken.

    >>> words = [[Word(text, text) for text in said.split()] for said in ("भाई साहब आइए", "भाईसाहब आइए")]
    >>> [[(word.text, word.key) for word in own] for own in in_units(words, ())]
    [[('भाई साहब', 'भाईसाहब'), ('आइए', 'आइए')], [('भाईसाहब', 'भाईसाहब'), ('आइए', 'आइए')]]
    """
    borders: dict[str, set[tuple[int, ...]]] = {}
    singles = {solid(word.key) for words in systems for word in words}
    for words in systems:
        for start in range(len(words)):
            for stop in range(start + 1, min(start + MOST_WORDS, len(words)) + 1):
                for form, own in _forms(words[start:stop], singles, rules):
                    borders.setdefault(form, set()).add(own)
    several = {form: own for form, own in borders.items() if len(own) > 1}
    return [list(_units(words, several, singles, rules)) for words in systems]


def _forms(words: Sequence[Word], singles: set[str], rules: tuple[SandhiRule, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The letters of neighbouring words with the places of their borders, and the words that sandhi makes of them."""
    parts = tuple(solid(word.key) for word in words)
    if not all(parts):
        return
    yield "".join(parts), tuple(accumulate(map(len, parts[:-1])))
    for form, used in joined_forms(parts, rules)[1:] if rules and len(parts) > 1 else ():
        if form in singles and any(rule != PLAIN for rule in used):
            yield form, (-1,)


def _units(words: Sequence[Word], several: Borders, singles: set[str], rules: tuple[SandhiRule, ...]) -> Iterator[Word]:
    start = 0
    while start < len(words):
        stop, form = _longest(words, start, several, singles, rules)
        yield words[start] if form is None else _unit(words[start:stop], form)
        start = stop


def _longest(
    words: Sequence[Word],
    start: int,
    several: Borders,
    singles: set[str],
    rules: tuple[SandhiRule, ...],
) -> tuple[int, str | None]:
    """The end and the letters of the longest unit at a word; None where there is none."""
    for stop in range(min(start + MOST_WORDS, len(words)), start, -1):
        for form, own in _forms(words[start:stop], singles, rules):
            if any(own != other and not set(own) & set(other) for other in several.get(form, ())):
                return stop, form
    return start + 1, None


def _unit(words: Sequence[Word], form: str) -> Word:
    known = [word.confidence for word in words if word.confidence is not None]
    confidence = sum(known) / len(known) if len(known) == len(words) else None
    return replace(words[0], text=" ".join(word.text for word in words), key=form, end=words[-1].end, confidence=confidence)
