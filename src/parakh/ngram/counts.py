"""N-grams of texts, counted with sorted keys: an n-gram's key is the number of what it begins with, and its last word."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

import numpy as np

from parakh.ngram.model import BEGIN, END, UNKNOWN, Ints
from parakh.ngram.preparation import RESERVED, Preparation


@dataclass(frozen=True)
class Grams:
    """The distinct n-grams of one order, ascending by key.

    Args:
        keys: (number of the n-gram without its last word) * V + last word, shape (n,).
        counts: How often each occurs, shape (n,).
        suffix: Number of the n-gram without its first word, in the order below, shape (n,); zeros for order 1.
        begins: Whether each begins a sentence, shape (n,).
    """

    keys: Ints
    counts: Ints
    suffix: Ints
    begins: np.typing.NDArray[np.bool_]


@dataclass(frozen=True)
class Counts:
    """The n-grams of a text up to an order.

    Args:
        vocabulary: ``<unk>``, ``<s>``, ``</s>``, then the words in the order in which they first occur.
        grams: By order, from 1.
        preparation: How the texts were made into tokens.
        sentences: Texts that hold a token.
        tokens: Tokens, without the marks of begin and end.
    """

    vocabulary: tuple[str, ...]
    grams: tuple[Grams, ...]
    preparation: Preparation
    sentences: int
    tokens: int


def count(texts: Iterable[str], order: int = 3, preparation: Preparation | None = None) -> Counts:
    """Count the n-grams of texts.

    Args:
        texts: One sentence or turn each; those without a token count nothing.
        order: Most words of an n-gram, at least 1.
        preparation: How they become tokens.

    >>> counts = count(["दवा लो", "दवा ली", ""], order=2)
    >>> counts.vocabulary[3:], counts.sentences, counts.grams[0].counts.tolist()
    (('दवा', 'लो', 'ली'), 2, [0, 2, 2, 2, 1, 1])
    """
    preparation = preparation or Preparation()
    numbers = {word: number for number, word in enumerate(RESERVED)}
    sentences = [
        [BEGIN, *[numbers.setdefault(token, len(numbers)) for token in tokens], END]
        for text in texts
        if (tokens := preparation.tokens(text))
    ]
    words, offsets = flat(sentences)
    vocabulary = tuple(numbers)
    return Counts(vocabulary, _grams(words, offsets, len(vocabulary), order), preparation, len(sentences), _inner(sentences))


def flat(sentences: Iterable[list[int]]) -> tuple[Ints, Ints]:
    """Sentences as one array of words, with how many words stand before each in its own."""
    kept = list(sentences)
    lengths = np.array([len(one) for one in kept], np.int64)
    words = np.fromiter(chain.from_iterable(kept), np.int64, int(lengths.sum()))
    starts = np.repeat(np.cumsum(lengths) - lengths, lengths)
    return words, np.arange(len(words), dtype=np.int64) - starts


def _inner(sentences: list[list[int]]) -> int:
    return sum(len(one) - 2 for one in sentences)


def _grams(words: Ints, offsets: Ints, size: int, order: int) -> tuple[Grams, ...]:
    seen = np.bincount(words, minlength=size)
    begins = np.arange(size) == BEGIN
    levels = [Grams(np.arange(size), seen, np.zeros(size, np.int64), begins)]
    ends, nodes = np.arange(len(words)), words  # where the n-grams of the order below end, and their numbers
    for length in range(2, order + 1):
        longer = offsets[ends] >= length - 1
        # Those that end one word earlier are what these begin with: both lists are in the order of the text.
        shorter = np.full(len(words), -1, np.int64)
        shorter[ends] = nodes
        ends = ends[longer]
        keys = shorter[ends - 1] * size + words[ends]
        distinct, first, numbers, counts = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        begins = offsets[ends[first]] == length - 1
        levels.append(Grams(distinct, counts, shorter[ends[first]], begins))
        nodes = numbers.astype(np.int64)
    return tuple(levels)


assert tuple(range(len(RESERVED))) == (UNKNOWN, BEGIN, END)
