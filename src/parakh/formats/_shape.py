"""What a JSON text is made of, as far as its beginning tells: which keys stand where."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_TOKEN = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)(?:("\s*:)|"|\\?\Z)|[{}\[\]]', re.DOTALL)
_DEEPEST = 16


class Shape(NamedTuple):
    """The keys of a JSON text, each as the path to it: ``segments[].words[].start``.

    Args:
        keys: All that were met before the text ends or nests too deeply.
        texts: Those whose value is a text.
        whole: Whether everything that was opened is closed.
    """

    keys: frozenset[str]
    texts: frozenset[str]
    whole: bool = True

    def has(self, *keys: str) -> bool:
        """Whether all these keys were met."""
        return self.keys.issuperset(keys)


_NONE = Shape(frozenset(), frozenset())


def shape(head: str) -> Shape:
    """The shape of the head of a file; an empty one where it does not begin like JSON.

    >>> sorted(shape('{"results": [{"id": "a", "words": [1, ').keys)
    ['results', 'results[].id', 'results[].words']
    """
    return _shape(head) if head.lstrip()[:1] in ("{", "[") else _NONE


@lru_cache(maxsize=2)
def _shape(head: str) -> Shape:
    keys: set[str] = set()
    texts: set[str] = set()
    containers: list[str] = []
    at = ""
    for token in _TOKEN.finditer(head):
        sign = token[0][0]
        if sign == '"' and token[2]:
            at = f"{containers[-1]}.{token[1]}" if containers and containers[-1] else token[1]
            keys.add(at)
        elif sign == '"':
            texts.add(at)
        elif sign in "{[":
            at = at if sign == "{" else f"{at}[]"
            containers.append(at)
        elif containers:
            containers.pop()
            at = containers[-1] if containers else ""
        if len(containers) > _DEEPEST or len(at) > 1000:
            break
    return Shape(frozenset(keys), frozenset(texts), not containers)
