"""A speller's language model with a bias: the words of a list are known and likelier, and an n-gram model has its say.

    P(w | v) = (1 - weight) P_own(w | v) + weight P_user(w | v);    cost(w | v) = -ln P(w | v) - boost of w

A speller decides word by word what was meant, so hot words take effect here that no recogniser's text contained.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import lru_cache
from typing import Protocol

from parakh.cascade.biasing.fusion import Fusion

_RARE = 1e-5
"""Least probability of a hot word: once in 100,000 words."""


class WordModel(Protocol):
    """What a speller asks."""

    @property
    def words(self) -> Mapping[str, float]:
        """Every known word with its probability."""
        ...

    def cost(self, word: str, previous: str | None = None) -> float:
        """-ln P(word | previous)."""
        ...


class BiasedWords:
    """A word model, led.

    Args:
        own: The speller's own model.
        fusion: What leads: a language model of words, whose weight is its share of the mixture (cut at 0.9), and hot words, whose
            phrases are taken word by word.
    """

    def __init__(self, own: WordModel, fusion: Fusion) -> None:
        self._own, self._model = own, fusion.model
        self._weight = min(fusion.lm_weight, 0.9) if self._model and self._model.preparation.unit == "word" else 0.0
        self._boosts: dict[str, float] = {}
        for hot in fusion.hot_words:
            parts = hot.text.split()
            for word in parts:
                self._boosts[word] = max(self._boosts.get(word, 0.0), fusion.boost * hot.weight / len(parts))
        self._words = {**own.words, **{word: max(own.words.get(word, 0.0), _RARE) for word in self._boosts}}
        self.cost = lru_cache(maxsize=1 << 16)(self._cost)

    @property
    def words(self) -> Mapping[str, float]:
        """Every known word with its probability, hot words among them."""
        return self._words

    def _cost(self, word: str, previous: str | None = None) -> float:
        own = self._own.cost(word, previous)
        if word in self._boosts and word not in self._own.words:
            own = -math.log(_RARE)
        if self._weight and self._model:
            state = self._model.start() if previous == "" else ()
            if previous:
                state = self._model.score((), previous)[1]
            theirs = 10 ** self._model.score(state, word)[0] if word in self._model.numbers else 0.0
            own = -math.log((1 - self._weight) * math.exp(-own) + self._weight * theirs)
        return own - self._boosts.get(word, 0.0)
