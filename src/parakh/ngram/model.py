"""An n-gram model with backoff: sorted arrays an order, looked up by what an n-gram begins with and its last word.

    log p(w | h) = log p(h w)                              if the model lists h w
                 = log backoff(h) + log p(w | h')          else, with h' the words of h without the first

Every n-gram has a number within its order, and its key is (number of the n-gram without its last word) * V + last word. So a
state is the numbers of the n-grams that the text so far ends in, and the next word needs one look-up an order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from parakh.ngram.preparation import Preparation

UNKNOWN, BEGIN, END = 0, 1, 2
"""Numbers of ``<unk>``, ``<s>`` and ``</s>`` in every vocabulary."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
State = tuple[int, ...]
"""Numbers of the n-grams that the text so far ends in: of one word, of two ... as far as the model lists them."""


@dataclass(frozen=True)
class Level:
    """The n-grams of one order.

    Args:
        keys: (number of the n-gram without its last word) * V + last word, ascending, shape (n,).
        logprob: log10 p of each, shape (n,).
        backoff: log10 of the backoff weight of each as a context, shape (n,); 0 where it is none.
    """

    keys: Ints
    logprob: Floats
    backoff: Floats

    def find(self, keys: Ints) -> Ints:
        """The number of each key; -1 where it is not listed."""
        if not len(self.keys):
            return np.full(len(keys), -1, np.int64)
        at = np.searchsorted(self.keys, keys)
        at[at == len(self.keys)] = 0
        return np.where(self.keys[at] == keys, at, -1)


@dataclass(frozen=True)
class Model:
    """A backoff model.

    Args:
        vocabulary: The words; the first three are ``<unk>``, ``<s>`` and ``</s>``.
        levels: By order, from 1; of the first the keys are 0 to V - 1. What a listed n-gram begins with and ends with is listed.
        preparation: How texts become its tokens.
    """

    vocabulary: tuple[str, ...]
    levels: tuple[Level, ...]
    preparation: Preparation = field(default_factory=Preparation)

    @property
    def order(self) -> int:
        """Most words of an n-gram."""
        return len(self.levels)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(self.vocabulary)}

    @cached_property
    def _views(self) -> list[tuple[memoryview, memoryview, memoryview]]:
        """The arrays as Python's own numbers: a single look-up is several times quicker so."""
        return [(one.keys.data, one.logprob.data, one.backoff.data) for one in self.levels]

    def start(self) -> State:
        """The state at the beginning of a sentence."""
        return (BEGIN,) if self.order > 1 else ()

    def score(self, state: State, token: str) -> tuple[float, State]:
        """log10 p of a token after a state, and the state after it.

        Args:
            state: From ``start`` or an earlier ``score``.
            token: As ``preparation.tokens`` gives it, or ``"</s>"``; one that the model lacks counts as ``<unk>``.

        >>> from parakh.ngram import count, estimate
        >>> model = estimate(count(["दवा लो", "दवा ली"], order=2)).model
        >>> after = model.score(model.start(), "दवा")[1]
        >>> model.score(after, "लो")[0] > model.score(after, "दवा")[0]
        True
        """
        word = self.numbers.get(token, UNKNOWN)
        size = len(self.vocabulary)
        found, logprob = [word], self._views[0][1][word]
        for level, context in enumerate(state, 1):
            keys, logprobs, _ = self._views[level]
            key = context * size + word
            at = bisect_left(keys, key)
            if at == len(keys) or keys[at] != key:
                break
            found.append(at)
            logprob = logprobs[at]
        unused = range(len(found) - 1, len(state))  # the contexts too long for what is listed
        backoff = sum(self._views[level][2][state[level]] for level in unused)
        return logprob + backoff, tuple(found[: self.order - 1])

    def sentence(self, tokens: Iterable[str], end: bool = True) -> float:
        """log10 p of a whole sentence, with its end unless told otherwise."""
        state, total = self.start(), 0.0
        for token in (*tokens, *(("</s>",) if end else ())):
            logprob, state = self.score(state, token)
            total += logprob
        return total

    def encode(self, tokens: Sequence[str]) -> list[int]:
        """The numbers of tokens; ``<unk>``'s for those that the model lacks."""
        return [self.numbers.get(token, UNKNOWN) for token in tokens]

    def logprobs(self, words: Ints, offsets: Ints) -> Floats:
        """log10 p of each word after those before it in its sentence.

        Args:
            words: Sentences one after the other, as numbers, shape (n,); -1 for a word that no n-gram has.
            offsets: How many words stand before each in its own sentence, shape (n,).

        Returns:
            Shape (n,); of -1 minus infinity, of an ``<s>`` that begins a sentence what the file says.
        """
        nodes = self.nodes(words, offsets)
        found = np.zeros(len(words), np.int64)  # words of the longest n-gram that is listed
        logprob = np.full(len(words), -np.inf)
        for order, level in enumerate(self.levels, 1):
            listed = nodes[order - 1] >= 0
            found[listed] = order
            logprob[listed] = level.logprob[nodes[order - 1][listed]]
        for order, level in enumerate(self.levels[:-1], 1):
            context = _before(nodes[order - 1])
            paid = (context >= 0) & (order >= found) & (offsets >= order)
            logprob[paid] += level.backoff[context[paid]]
        return logprob

    def nodes(self, words: Ints, offsets: Ints) -> list[Ints]:
        """For each order the number of the n-gram that ends at each word; -1 where none is listed."""
        size = len(self.vocabulary)
        nodes = [np.where((words >= 0) & (words < size), words, -1)]
        for order, level in enumerate(self.levels[1:], 2):
            context = _before(nodes[-1])
            whole = (context >= 0) & (nodes[0] >= 0) & (offsets >= order - 1)
            found = np.full(len(words), -1, np.int64)
            found[whole] = level.find(context[whole] * size + words[whole])
            nodes.append(found)
        return nodes


def _before(numbers: Ints) -> Ints:
    """Each number moved one place on; the first has none before it."""
    moved = np.full(len(numbers), -1, np.int64)
    moved[1:] = numbers[:-1]
    return moved
