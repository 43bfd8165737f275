"""Several models made one: linear interpolation, with weights that a held-out text tells.

    p(w | h) = sum_i weight_i p_i(w | h)    for every n-gram that one of the models lists; else backing off

The backoff weights are made anew, so that the probabilities after every context add up to 1. A word that a model does not know
has no probability in it: its ``<unk>`` stands for one word that nobody knows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from parakh.errors import Fault, InputError
from parakh.ngram.counts import flat
from parakh.ngram.model import BEGIN, END, UNKNOWN, Floats, Ints, Level, Model

_ROUNDS = 200
_STILL = 1e-6
_LEAST = 1e-12


def mixing_weights(models: Sequence[Model], texts: Iterable[str]) -> tuple[float, ...]:
    """The weights under which a mixture foretells a text best, by expectation maximisation.

    Args:
        models: Two or more, prepared alike.
        texts: Held out: of none of the models' own texts.

    Returns:
        One weight a model, in [0, 1]; they add up to 1. Equal ones for a text without words.

    Raises:
        InputError: The models are not prepared alike.

    Source: Jelinek and Mercer, "Interpolated estimation of Markov source parameters from sparse data" (1980).

    >>> from parakh.ngram import count, estimate
    >>> ours, theirs = (estimate(count([text], 2)).model for text in ("दवा लो", "पानी पियो"))
    >>> [round(one, 2) for one in mixing_weights([ours, theirs], ["दवा लो"])]
    [1.0, 0.0]
    """
    _check_alike(models)
    tokens = [found for text in texts if (found := models[0].preparation.tokens(text))]
    weights = np.full(len(models), 1.0 / len(models))
    if not tokens:
        return tuple(weights.tolist())
    vocabulary = _union(models)
    words, offsets = flat([BEGIN, *[vocabulary.get(token, UNKNOWN) for token in one], END] for one in tokens)
    probabilities = 10.0 ** np.stack([one.logprobs(_own(one, vocabulary)[words], offsets)[offsets > 0] for one in models])
    probabilities = probabilities[:, probabilities.sum(axis=0) > 0]
    for _ in range(_ROUNDS):
        shares = weights[:, None] * probabilities
        after = (shares / np.maximum(shares.sum(axis=0), _LEAST**2)).mean(axis=1)
        moved = float(np.abs(after - weights).max())
        weights = after
        if moved < _STILL:
            break
    return tuple((weights / weights.sum()).tolist())


def mix(models: Sequence[Model], weights: Sequence[float]) -> Model:
    """One model of several.

    Args:
        models: One or more, prepared alike.
        weights: One a model, >= 0, with the sum 1.

    Raises:
        InputError: The models are not prepared alike.

    Source: SRILM's ``ngram -mix-lm`` makes the same static mixture.

    >>> from parakh.ngram import count, estimate
    >>> ours, theirs = (estimate(count([text], 2)).model for text in ("दवा लो", "पानी पियो"))
    >>> both = mix([ours, theirs], [0.5, 0.5])
    >>> both.vocabulary[3:], round(sum(10 ** both.score((), word)[0] for word in both.vocabulary if word != "<s>"), 6)
    (('दवा', 'लो', 'पानी', 'पियो'), 1.0)
    """
    _check_alike(models)
    vocabulary = _union(models)
    owns = [_own(model, vocabulary) for model in models]
    mixed = Model(tuple(vocabulary), (), models[0].preparation)
    for order, (keys, rows) in enumerate(_listed(models, vocabulary), 1):
        words, offsets = rows.ravel(), np.tile(np.arange(order), len(rows))
        logprob = np.log10(np.maximum(_mixed(models, weights, owns, words, offsets)[order - 1 :: order], 10.0**-99))
        if order == 1:
            logprob[BEGIN] = 0.0
        else:
            mixed = _backed_off(mixed, keys, logprob, words, offsets)
        mixed = Model(mixed.vocabulary, (*mixed.levels, Level(keys, logprob, np.zeros(len(keys)))), mixed.preparation)
    return mixed


def _check_alike(models: Sequence[Model]) -> None:
    first = models[0].preparation
    for other in models[1:]:
        if other.preparation != first:
            found, expected = (f"{one.normalize}, unit {one.unit}" for one in (other.preparation, first))
            raise InputError(Fault("language model", "normalize", found, f"{expected}, as the first", "Build both alike."))


def _union(models: Sequence[Model]) -> dict[str, int]:
    """Every word with its number in the mixture."""
    found: dict[str, int] = {}
    for model in models:
        for word in model.vocabulary:
            found.setdefault(word, len(found))
    return found


def _own(model: Model, vocabulary: dict[str, int]) -> Ints:
    """For each word of the mixture its number in a model; -1 where that does not know it."""
    return np.array([model.numbers.get(word, -1) for word in vocabulary], np.int64)


def _mixed(models: Sequence[Model], weights: Sequence[float], owns: Sequence[Ints], words: Ints, offsets: Ints) -> Floats:
    parts = [
        weight * 10.0 ** model.logprobs(own[words], offsets) for model, weight, own in zip(models, weights, owns, strict=True)
    ]
    total: Floats = np.sum(parts, axis=0)
    return total


def _listed(models: Sequence[Model], vocabulary: dict[str, int]) -> Iterator[tuple[Ints, Ints]]:
    """The n-grams that any of the models lists, an order at a time: their keys, ascending, and the words of each."""
    size = len(vocabulary)
    words = [np.array([vocabulary[word] for word in model.vocabulary], np.int64) for model in models]
    numbers = [np.zeros(1, np.int64) for _ in models]
    rows = np.zeros((1, 0), np.int64)
    for order in range(max(model.order for model in models)):
        found = [np.zeros(0, np.int64)] * len(models)
        for at, model in enumerate(models):
            if order < model.order:
                context, word = np.divmod(model.levels[order].keys, len(model.vocabulary))
                found[at] = numbers[at][context] * size + words[at][word]
        keys = np.unique(np.concatenate(found))
        numbers = [np.searchsorted(keys, one) for one in found]
        context, word = np.divmod(keys, size)
        rows = np.concatenate([rows[context], word[:, None]], axis=1)
        yield keys, rows


def _backed_off(model: Model, keys: Ints, logprob: Floats, words: Ints, offsets: Ints) -> Model:
    """The model with the backoff weights of its highest order, given the n-grams of the order above."""
    order = model.order + 1
    contexts = keys // len(model.vocabulary)
    highest = model.levels[-1]
    shorter = 10.0 ** model.logprobs(words, np.maximum(offsets - 1, 0))[order - 1 :: order]
    listed = np.bincount(contexts, 10.0**logprob, minlength=len(highest.keys))
    below = np.bincount(contexts, shorter, minlength=len(highest.keys))
    backoff = np.maximum(1.0 - listed, _LEAST) / np.maximum(1.0 - below, _LEAST)
    backoff[np.bincount(contexts, minlength=len(highest.keys)) == 0] = 1.0
    return Model(
        model.vocabulary, (*model.levels[:-1], Level(highest.keys, highest.logprob, np.log10(backoff))), model.preparation
    )
