"""How well a model foretells a text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from parakh.ngram.counts import flat
from parakh.ngram.model import BEGIN, END, UNKNOWN, Model
from parakh.results import ratio


@dataclass(frozen=True)
class Perplexity:
    """What a text costs a model.

    Args:
        sentences: Texts that hold a token.
        tokens: Tokens, without the ends of sentences.
        unknown: Of these, those that the model does not know (OOV).
        oov_rate: unknown / tokens in [0, 1]; None without tokens.
        perplexity: 10 ** (-sum log10 p / (tokens + sentences)), unknown tokens at what ``<unk>`` costs; None without sentences.
        known_perplexity: The same over known tokens and ends of sentences.
    """

    sentences: int
    tokens: int
    unknown: int
    oov_rate: float | None
    perplexity: float | None
    known_perplexity: float | None


def perplexity(model: Model, texts: Iterable[str]) -> Perplexity:
    """The perplexity of a model on texts, each a sentence of its own.

    Source: kenlm's ``query`` has both perplexities.

    >>> from parakh.ngram import count, estimate
    >>> found = perplexity(estimate(count(["दवा लो", "दवा ली"], 2)).model, ["दवा लो", "पानी"])
    >>> found.tokens, found.unknown, found.oov_rate
    (3, 1, 0.3333333333333333)
    """
    tokens = [found for text in texts if (found := model.preparation.tokens(text))]
    words, offsets = flat([BEGIN, *model.encode(one), END] for one in tokens)
    counted = offsets > 0
    logprob = model.logprobs(words, offsets)[counted]
    known = words[counted] != UNKNOWN
    total, unknown = len(logprob) - len(tokens), int(np.count_nonzero(~known))
    return Perplexity(len(tokens), total, unknown, ratio(unknown, total), _of(logprob), _of(logprob[known]))


def _of(logprob: np.typing.NDArray[np.float64]) -> float | None:
    return float(10 ** -logprob.mean()) if len(logprob) else None
