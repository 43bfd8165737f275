"""How likely a Hindi word is, alone and after another: word frequencies, and sentences written for this project."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import pairwise

from parakh.cascade.whisper.lexicon import WORD


class LanguageModel:
    """Interpolated bigram model.

    P(h | g) = (1 - context) P(h) + context c(g, h) / c(g), with P(h) = (1 - domain) P_general(h) + domain c(h) / c().

    Args:
        general: Cost of each word in centibels (-100 log10 P).
        sentences: Text of the domain.
        domain: Weight of the domain's word counts.
        context: Weight of the domain's word pairs.
    """

    def __init__(self, general: Mapping[str, float], sentences: Iterable[str], domain: float = 0.3, context: float = 0.5) -> None:
        texts = [["", *WORD.findall(sentence)] for sentence in sentences]
        self._domain = Counter(word for text in texts for word in text[1:])
        self._pairs = Counter(pair for text in texts for pair in pairwise(text))
        self._before = Counter(word for text in texts for word in text[:-1])
        self._context = context
        total = self._domain.total() or 1
        words = dict.fromkeys([*general, *self._domain])
        self._unigram = {
            word: (1 - domain) * 10 ** (-general[word] / 100 if word in general else -8.0) + domain * self._domain[word] / total
            for word in words
        }

    @property
    def words(self) -> Mapping[str, float]:
        """Every known word with its probability."""
        return self._unigram

    def cost(self, word: str, previous: str | None = None) -> float:
        """``-ln P(word | previous)``; without ``previous`` the word's alone. An unknown word costs 18."""
        probability = self._unigram.get(word, 1.5e-8)
        if previous is not None and (seen := self._before[previous]):
            probability = (1 - self._context) * probability + self._context * self._pairs[previous, word] / seen
        return -math.log(probability)
