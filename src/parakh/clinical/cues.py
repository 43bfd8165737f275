"""Phrases that say whether, whose, when and how a thing was mentioned, and where they stand in a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from parakh.clinical.folding import Word, tight
from parakh.clinical.lexicon import read_table


@dataclass(frozen=True, slots=True)
class Phrases:
    """A set of phrases, found in a row of words by their first word; "x*" stands for any ending, ".." for up to 3 words."""

    exact: dict[str, tuple[tuple[str, ...], ...]]
    prefixed: tuple[tuple[str, ...], ...]
    heads: tuple[str, ...]  # how the words begin that a row of ``prefixed`` can begin with

    @classmethod
    def parse(cls, text: str) -> Phrases:
        """Phrases from their list, separated by semicolons."""
        rows = [tuple(tight(word) for word in phrase.split()) for phrase in text.split(";") if phrase.strip()]
        exact: dict[str, list[tuple[str, ...]]] = {}
        for row in rows:
            if not row[0].endswith("*"):
                exact.setdefault(row[0], []).append(row)
        longest = {head: tuple(sorted(tails, key=len, reverse=True)) for head, tails in exact.items()}
        prefixed = tuple(row for row in rows if row[0].endswith("*"))
        return cls(longest, prefixed, tuple(row[0][:-1] for row in prefixed))

    def find(self, words: Sequence[Word], start: int, end: int) -> Iterator[tuple[int, int]]:
        """Every place (first word, word after the last) within ``words[start:end]`` where a phrase stands."""
        exact, heads = self.exact, self.heads
        for first in range(start, end):
            word = words[first].tight
            stop = self.at(words, first, end) if word in exact or word.startswith(heads) else None
            if stop is not None:
                yield first, stop

    def at(self, words: Sequence[Word], first: int, end: int) -> int | None:
        """The end of the longest phrase that begins at ``first``; None if none does."""
        rows = self.exact.get(words[first].tight, ())
        if words[first].tight.startswith(self.heads):
            rows = (*rows, *(row for row in self.prefixed if _same(row[0], words[first].tight)))
        if not rows:
            return None
        stops = [_match(row, words, first, end) for row in rows]
        return max((stop for stop in stops if stop is not None), default=None)

    def within(self, words: Sequence[Word], start: int, end: int) -> bool:
        """Whether any phrase stands within ``words[start:end]``."""
        return next(self.find(words, start, end), None) is not None


def _match(row: tuple[str, ...], words: Sequence[Word], first: int, end: int) -> int | None:
    position, slack = first, 0
    for piece in row:
        if piece == "..":
            slack = 3
            continue
        reach = range(position, min(position + slack + 1, end))
        hit = next((at for at in reach if _same(piece, words[at].tight)), None)
        if hit is None:
            return None
        position, slack = hit + 1, 0
    return position


def _same(piece: str, word: str) -> bool:
    return word.startswith(piece[:-1]) if piece.endswith("*") else word == piece


@cache
def phrases(table: str, name: str) -> Phrases:
    """The phrases ``name`` of a table of ``data/cues.toml``, as in ``phrases("deny", "after")``."""
    return Phrases.parse(read_table("cues.toml")[table][name])


@cache
def endings(table: str, name: str) -> tuple[str, ...]:
    """Word endings of a table of ``data/cues.toml``."""
    return tuple(ending.strip() for ending in read_table("cues.toml")[table][name].split(";"))
