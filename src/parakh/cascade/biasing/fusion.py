"""Shallow fusion: what a language model and hot words say of a text, as it grows.

    bias(text) = sum over words (lm_weight * ln p(word | words before) + word_bonus) + boosts of the hot words in it

The language model speaks at the end of every word, hot words at every byte.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from parakh.cascade.biasing.hot_words import HotWord
from parakh.cascade.biasing.trie import Active, HotTrie
from parakh.ngram import Model, State

_LN10 = math.log(10.0)


class Position(NamedTuple):
    """Where a text has got to.

    Args:
        words: The language model's state after its whole words.
        begun: The bytes of the word that has begun.
        hot: The hot words that have begun.
    """

    words: State
    begun: bytes
    hot: Active


class Fusion:
    """What leads a recogniser.

    Args:
        model: Language model; None without.
        lm_weight: Of its natural logarithms, >= 0.
        word_bonus: Added for each word, in nats, against the language model's liking for few words.
        hot_words: Words to be expected.
        boost: What a hot word of weight 1 is worth, in nats, >= 0.

    >>> fusion = Fusion(hot_words=[HotWord("बुखार")], boost=2.0)
    >>> fusion.bias("मुझे बुखार है"), fusion.bias("मुझे बुखारी है")
    (2.0, 0.0)
    """

    def __init__(
        self,
        model: Model | None = None,
        lm_weight: float = 0.5,
        word_bonus: float = 0.0,
        hot_words: Sequence[HotWord] = (),
        boost: float = 2.0,
    ) -> None:
        self.model, self.lm_weight, self.boost = model, lm_weight, boost
        self.hot_words = tuple(hot_words)
        self._word_bonus = word_bonus if model else 0.0
        self.trie = HotTrie(hot_words, boost)
        self.word = lru_cache(maxsize=1 << 16)(self._word)

    def start(self) -> Position:
        """The position before a text."""
        return Position(self.model.start() if self.model else (), b"", self.trie.start())

    def advance(self, position: Position, piece: bytes) -> tuple[float, Position]:
        """What further bytes of a text gain, in nats, and the position after them; a space ends a word."""
        gain, hot = self.trie.advance(position.hot, piece)
        words, begun = position.words, position.begun
        *ended, rest = piece.split(b" ")
        for part in ended:
            more, words = self.word(words, begun + part)
            gain += more
            begun = b""
        return gain, Position(words, begun + rest, hot)

    def finish(self, position: Position) -> float:
        """What the end of the text gains; the model is not asked for the end of a sentence, as a window may end anywhere."""
        return self.word(position.words, position.begun)[0] + self.trie.finish(position.hot)

    def bias(self, text: str) -> float:
        """What a whole text gets, in nats."""
        gain, position = self.advance(self.start(), text.encode())
        return gain + self.finish(position)

    def best(self, texts: Sequence[str], logprobs: Sequence[float]) -> int:
        """Which of the best texts of a recogniser is best with the bias; of equal ones the first.

        Args:
            texts: At least one.
            logprobs: Natural logarithm of each text's probability, not normalised by its length.

        >>> Fusion(hot_words=[HotWord("बुखार")], boost=2.0).best(["मुझे बुकार है", "मुझे बुखार है"], [-3.0, -4.0])
        1
        """
        totals = [logprob + self.bias(text) for text, logprob in zip(texts, logprobs, strict=True)]
        return totals.index(max(totals))

    def _word(self, state: State, word: bytes) -> tuple[float, State]:
        """What a whole word gains, and the language model's state after it; nothing where it is only marks."""
        tokens = self.model.preparation.tokens(word.decode(errors="ignore")) if self.model and word else []
        if not tokens or not self.model:
            return 0.0, state
        total = 0.0
        for token in tokens:
            logprob, state = self.model.score(state, token)
            total += logprob
        return self.lm_weight * _LN10 * total + self._word_bonus, state
