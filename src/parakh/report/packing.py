"""How many recordings a page holds: as they are while that is little, else packed, the first ones up to a size.

A packed recording is its HTML, compressed, in a data block that the page's script opens when it is asked for. What a
browser has not opened costs it no more than reading over the text.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from parakh.markup import Html, tag

INLINE = 1_200_000
"""Bytes of recordings that stand in the page as they are: readable, printed and found without a script."""
_MISSES = 3
"""Recordings that may turn out too large before no further one is tried."""


@dataclass(frozen=True)
class Recordings:
    """The recordings that a page holds.

    Args:
        blocks: By anchor, the article or the data block.
        packed: Whether they are data blocks.
    """

    blocks: dict[str, Html]
    packed: bool = False


def fit(wanted: Iterable[tuple[str, Callable[[], Html]]], budget: int, inline: int = INLINE) -> Recordings:
    """As many recordings as a page has room for.

    Args:
        wanted: Anchor of each recording and what renders it, the most wanted first.
        budget: Bytes that they may take in all.
        inline: Bytes up to which they stand there as they are; the budget where that is less.

    >>> fit([("r0", lambda: Html("<p>x</p>")), ("r1", lambda: Html("<p>y</p>"))], budget=99).blocks
    {'r0': '<p>x</p>', 'r1': '<p>y</p>'}
    >>> fit([("r0", lambda: Html("<p>" + "x" * 999 + "</p>"))], budget=500).packed
    True
    """
    queue = iter(wanted)
    plain: dict[str, Html] = {}
    size = 0
    for anchor, render in queue:
        plain[anchor] = render()
        size += _bytes(plain[anchor])
        if size > min(inline, budget):
            return _packed(plain, queue, budget)
    return Recordings(plain)


def _packed(plain: dict[str, Html], queue: Iterable[tuple[str, Callable[[], Html]]], budget: int) -> Recordings:
    blocks: dict[str, Html] = {}
    misses = 0

    def keep(anchor: str, article: Html) -> None:
        nonlocal budget, misses
        block = packed(anchor, article)
        if len(block) > budget:
            misses += 1
        else:
            blocks[anchor] = block
            budget -= len(block)

    for anchor, article in plain.items():
        keep(anchor, article)
    for anchor, render in queue:
        if misses >= _MISSES:
            break
        keep(anchor, render())
    return Recordings(blocks, packed=True)


def packed(anchor: str, article: Html) -> Html:
    """A data block that holds an article: its UTF-8 bytes as raw deflate in base64."""
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    data = squeeze.compress(article.encode()) + squeeze.flush()
    return tag("script", {"type": "text/plain", "class": "packed", "id": anchor}, Html(base64.b64encode(data).decode()))


def _bytes(text: str) -> int:
    return len(text.encode())
