"""The options by which a preset leads a recogniser, the same for every backend that can be led."""

from __future__ import annotations

import math
from functools import lru_cache

from parakh.cascade.biasing.fusion import Fusion
from parakh.cascade.biasing.hot_words import read_hot_words
from parakh.ngram import read_arpa

WEIGHT = "a number from 0 to 10"
BOOST = "a number from 0 to 100"


def bias_rules(lm_weight: float, hot_word_boost: float) -> dict[str, tuple[bool, str]]:
    """The rules of the options, for ``options.require``."""
    return {
        "lm_weight": (math.isfinite(lm_weight) and 0 <= lm_weight <= 10, WEIGHT),
        "hot_word_boost": (math.isfinite(hot_word_boost) and 0 <= hot_word_boost <= 100, BOOST),
    }


@lru_cache(maxsize=4)
def load_fusion(lm: str | None, lm_weight: float, hot_words: str | None, hot_word_boost: float) -> Fusion | None:
    """What the options name; None where they name nothing. Files are read once a process.

    Args:
        lm: Path of an ARPA file, as ``parakh lm build`` writes it.
        lm_weight: Of its natural logarithms.
        hot_words: Path of a list of words to be expected.
        hot_word_boost: What a hot word is worth, in nats.

    Raises:
        InputError: A file cannot be read; one line a fault.

    >>> load_fusion(None, 0.5, None, 2.0) is None
    True
    """
    if not lm and not hot_words:
        return None
    return Fusion(
        model=read_arpa(lm) if lm else None,
        lm_weight=lm_weight,
        hot_words=read_hot_words(hot_words) if hot_words else (),
        boost=hot_word_boost,
    )
