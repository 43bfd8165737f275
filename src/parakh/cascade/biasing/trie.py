"""Hot words as a trie over bytes, so that they are met in whatever tokens a text comes.

What a text gets is the sum of the boosts of all hot words in it, each from the start of a word to the end of one. A hot word
that has begun is promised its share of the boost with every byte, so that a search does not lose it half-way; what does not come
true is taken back. So the sum is the same for every way of cutting the text.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from parakh.cascade.biasing.hot_words import HotWord

Active = tuple[int, ...]
"""The nodes that are being followed, one for each word of the text at which one of the hot words may have begun."""

STARTS = frozenset(b" .,;:?!\"'()[]-/")
"""Bytes after which a word begins, and at which one ends."""
_ENDS = (*(bytes([byte]) for byte in STARTS), "।".encode())


class HotTrie:
    """Hot words, with what each is worth.

    Args:
        words: The hot words; of one that comes twice the greater weight counts.
        boost: What a weight of 1 is worth, in nats.

    >>> trie = HotTrie([HotWord("बुखार"), HotWord("बुखार की दवा", 2.0)], boost=3.0)
    >>> trie.worth("तेज़ बुखार है, बुखार की दवा लो"), trie.worth("बुखारों में")
    (12.0, 0.0)
    """

    def __init__(self, words: Iterable[HotWord], boost: float) -> None:
        self._children: list[dict[int, int]] = [{}]
        self._value = [0.0]
        self._earned = [0.0]
        self._end = [0.0]
        for word in words:
            for text in _spellings(word.text):
                self._add(text.encode(), boost * word.weight, word.stem)

    def start(self) -> Active:
        """The nodes at the start of a text."""
        return (0,)

    def advance(self, active: Active, piece: bytes) -> tuple[float, Active]:
        """What further bytes of a text gain, and the nodes after them."""
        gain = 0.0
        for byte in piece:
            following = []
            for node in active:
                gain -= self._value[node]
                if (child := self._children[node].get(byte)) is not None:
                    gain += self._value[child] + self._earned[child]
                    if self._children[child] or self._end[child]:
                        following.append(child)
            if byte in STARTS:
                following.append(0)
            active = tuple(following)
        return gain, active

    def finish(self, active: Active) -> float:
        """What the end of a text gains: words that end with it are earned, the others' promises taken back."""
        return sum(self._end[node] - self._value[node] for node in active)

    def worth(self, text: str) -> float:
        """What a whole text gets."""
        gain, active = self.advance(self.start(), text.encode())
        return gain + self.finish(active)

    def alive(self, active: Active, byte: int) -> bool:
        """Whether a byte follows any of the nodes."""
        return any(byte in self._children[node] for node in active)

    def _add(self, text: bytes, worth: float, stem: bool) -> None:
        node = 0
        for length, byte in enumerate(text, 1):
            node = self._child(node, byte)
            if length < len(text) or not stem:
                self._value[node] = max(self._value[node], worth * length / len(text))
        if stem:
            self._earned[node] = max(self._earned[node], worth)
            return
        self._end[node] = max(self._end[node], worth)
        for mark in _ENDS:
            after = node
            for byte in mark[:-1]:
                after = self._child(after, byte)
                self._value[after] = max(self._value[after], worth)
            after = self._child(after, mark[-1])
            self._earned[after] = max(self._earned[after], worth)

    def _child(self, node: int, byte: int) -> int:
        if byte not in self._children[node]:
            self._children[node][byte] = len(self._children)
            self._children.append({})
            for values in (self._value, self._earned, self._end):
                values.append(0.0)
        return self._children[node][byte]


def _spellings(text: str) -> set[str]:
    """The ways in which a text may be written that look alike: composed and decomposed letters, and case."""
    composed = unicodedata.normalize("NFC", text)
    forms = {text, composed, *(composed.replace(apart, one) for apart, one in _NUKTA.items())}
    return {cased for form in forms for cased in (form, form.lower(), form[:1].upper() + form[1:])}


_NUKTA = {"\u0921\u093c": "\u095c", "\u0922\u093c": "\u095d", "\u091c\u093c": "\u095b", "\u092b\u093c": "\u095e"}
"""Letters with a dot below as NFC writes them, in two code points, and in one."""
