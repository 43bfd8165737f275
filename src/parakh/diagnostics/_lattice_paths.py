"""The cheapest way through a graph of words: links one after the other, each with several wordings, or open to any words.

One row of costs for each boundary of links and each number of hypothesis tokens, after R. A. Wagner and M. J. Fischer, JACM
21(1), 1974; the row after a link is the least over its wordings. A cost is errors * (tokens + 1) - matches, so that among
equally few errors most matches win. Rows are kept slanted, less one insertion for each hypothesis token: an insertion is then a
running minimum. Some rows are kept and the others made again on the way back, so that memory grows with the root of the length.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt

import numpy as np
from numpy.typing import NDArray

Token = tuple[str, bool]
"""What it is compared by, and whether it is a mark; a mark stands only for a mark."""
Link = tuple[tuple[Token, ...], ...]
"""Its wordings; none for any words."""
_Row = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Path:
    """A cheapest way: its errors, and for each link the wording (-1 for any words) and the hypothesis tokens [start, stop)."""

    substitutions: int
    deletions: int
    insertions: int
    choices: tuple[tuple[int, int, int], ...]


def cheapest(links: Sequence[Link], hypothesis: Sequence[Token]) -> Path:
    """The way with the fewest errors, then most matches, then the first wordings.

    >>> a, b, c = (("a", False), ("b", False), ("c", False))
    >>> cheapest([((a,), (b, c))], [b, c])
    Path(substitutions=0, deletions=0, insertions=0, choices=((1, 0, 2),))
    """
    return _Costs(hypothesis).path(links)


class _Costs:
    def __init__(self, hypothesis: Sequence[Token]) -> None:
        self.hypothesis = hypothesis
        self.error = len(hypothesis) + 1
        self.slant = self.error * np.arange(len(hypothesis) + 1, dtype=np.int64)
        places: dict[Token, list[int]] = defaultdict(list)
        for place, token in enumerate(hypothesis):
            places[token].append(place)
        self.places = {token: np.array(found) for token, found in places.items()}
        marks = np.array([mark for _, mark in hypothesis], bool)
        # What it costs more that a word or a mark stands for each token: an error where the other is of another sort.
        self.apart = {mark: self.error * (marks != mark) if (marks != mark).any() else None for mark in (False, True)}

    def path(self, links: Sequence[Link]) -> Path:
        stride = isqrt(len(links)) + 1
        kept = [np.zeros_like(self.slant)]
        for first in range(0, len(links), stride):
            kept.append(self.rows(kept[-1], links[first : first + stride])[-1])
        at = len(self.hypothesis)
        counts = [0, 0, 0]
        choices: list[tuple[int, int, int]] = []
        for first in reversed(range(0, len(links), stride)):
            block = links[first : first + stride]
            rows = self.rows(kept[first // stride], block)
            for link, before, after in zip(reversed(block), rows[-2::-1], rows[:0:-1], strict=True):
                stop = at
                wording, at = self.back(link, before, after, at, counts)
                choices.append((wording, at, stop))
        return Path(counts[0], counts[1], counts[2] + at, tuple(reversed(choices)))

    def rows(self, row: _Row, links: Sequence[Link]) -> list[_Row]:
        """The row given and that after each link."""
        found = [row]
        for link in links:
            found.append(self.through(found[-1], link))
        return found

    def through(self, row: _Row, link: Link) -> _Row:
        if not link:
            return np.minimum.accumulate(row + self.slant) - self.slant
        ends = [self.after(row, wording)[-1] for wording in link]
        return ends[0] if len(ends) == 1 else np.minimum.reduce(ends)

    def after(self, row: _Row, wording: Sequence[Token]) -> list[_Row]:
        """The row given and that after each token."""
        rows = [row]
        for token in wording:
            rows.append(self.step(rows[-1], token))
        return rows

    def step(self, row: _Row, token: Token) -> _Row:
        new: _Row = row + self.error  # deletion
        apart = self.apart[token[1]]
        np.minimum(new[1:], row[:-1] if apart is None else row[:-1] + apart, out=new[1:])  # substitution
        places = self.places.get(token)
        if places is not None:
            new[places + 1] = np.minimum(new[places + 1], row[places] - self.error - 1)  # match
        return np.minimum.accumulate(new, out=new)  # insertion

    def back(self, link: Link, before: _Row, after: _Row, at: int, counts: list[int]) -> tuple[int, int]:
        """The wording by which a cell of the row after a link was reached, and the cell of the row before."""
        if not link:
            costs = (before + self.slant)[: at + 1]
            return -1, int(np.flatnonzero(costs == after[at] + self.slant[at])[-1])
        ways = ([before, after] if len(link) == len(wording) == 1 else self.after(before, wording) for wording in link)
        number, rows = next((number, rows) for number, rows in enumerate(ways) if rows[-1][at] == after[at])
        for token, one, other in zip(reversed(link[number]), rows[-2::-1], rows[:0:-1], strict=True):
            at = self.back_token(token, one, other, at, counts)
        return number, at

    def back_token(self, token: Token, before: _Row, after: _Row, at: int, counts: list[int]) -> int:
        while True:
            if at:
                heard = self.hypothesis[at - 1]
                if heard == token and after[at] == before[at - 1] - self.error - 1:
                    return at - 1
                if heard != token and heard[1] == token[1] and after[at] == before[at - 1]:
                    counts[0] += 1
                    return at - 1
            if after[at] == before[at] + self.error:
                counts[1] += 1
                return at
            counts[2] += 1
            at -= 1
