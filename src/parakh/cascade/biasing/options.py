"""The options by which a preset leads a recogniser, the same for every backend that can be led."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from parakh.cascade.biasing.fusion import Fusion
from parakh.cascade.biasing.hot_words import read_hot_words
from parakh.ngram import read_arpa


@dataclass(frozen=True)
class BiasOptions:
    """What a backend that can be led is told.

    Args:
        lm: ARPA file of a language model, as ``parakh lm build`` writes it.
        lm_weight: Weight of its natural logarithms, 0 to 10.
        hot_words: List of words to be expected, one a line, with a weight after a tab where one is wanted.
        hot_word_boost: What a hot word of weight 1 is worth, in nats, 0 to 100.
    """

    lm: str | None = None
    lm_weight: float = 0.3
    hot_words: str | None = None
    hot_word_boost: float = 2.0

    def bias_rules(self) -> dict[str, tuple[bool, str]]:
        """The rules of these options, for ``options.require``."""
        return {
            "lm": (self.lm is None or Path(self.lm).is_file(), "an ARPA file, as `parakh lm build` writes it"),
            "lm_weight": (math.isfinite(self.lm_weight) and 0 <= self.lm_weight <= 10, "a number from 0 to 10"),
            "hot_words": (self.hot_words is None or Path(self.hot_words).is_file(), "a file with one word or phrase a line"),
            "hot_word_boost": (math.isfinite(self.hot_word_boost) and 0 <= self.hot_word_boost <= 100, "a number from 0 to 100"),
        }

    def fusion(self) -> Fusion | None:
        """What leads the recogniser; None where nothing does. Files are read once a process.

        Raises:
            InputError: A file is wrong; one line a fault.
        """
        return _loaded(self.lm, self.lm_weight, self.hot_words, self.hot_word_boost) if self.lm or self.hot_words else None


@lru_cache(maxsize=4)
def _loaded(lm: str | None, lm_weight: float, hot_words: str | None, boost: float) -> Fusion:
    model = read_arpa(lm) if lm else None
    return Fusion(model, lm_weight, hot_words=read_hot_words(hot_words) if hot_words else (), boost=boost)
