"""Modified Kneser-Ney smoothing, interpolated.

    p(w | h) = max(a(h w) - D(a(h w)), 0) / sum_v a(h v) + gamma(h) p(w | h')
    gamma(h) = (D1 N1(h) + D2 N2(h) + D3 N3+(h)) / sum_v a(h v)

a is the count for the highest order and for what begins a sentence, else the number of different words before it; N_k(h) is how
many words follow h with a = k; p(w) without context is interpolated with 1 / (V - 1) for every word but ``<s>``, which is all
that ``<unk>`` gets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parakh.errors import Fault, InputError
from parakh.ngram.counts import Counts, Grams
from parakh.ngram.model import BEGIN, END, Floats, Ints, Level, Model

FALLBACK = (0.5, 1.0, 1.5)
"""Discounts of an order whose own cannot be told: too small or too regular a text."""


@dataclass(frozen=True)
class Estimate:
    """A model and what it was made with.

    Args:
        model: The model.
        discounts: (D1, D2, D3+) of each order.
        guessed: Orders that took ``FALLBACK``, as their counts of counts give none.
    """

    model: Model
    discounts: tuple[tuple[float, float, float], ...]
    guessed: tuple[int, ...]


def estimate(counts: Counts, prune: Sequence[int] = ()) -> Estimate:
    """The interpolated modified Kneser-Ney model of counts.

    Args:
        counts: Of at least one token.
        prune: For each order the count up to which its n-grams are left out, not falling; of orders beyond the list the last
            one counts. ``<unk>``, ``<s>`` and ``</s>`` stay.

    Returns:
        The model; with the discounts, and orders that had to take usual ones.

    Raises:
        InputError: No token, or thresholds that are negative or fall.

    Source: Chen and Goodman, "An Empirical Study of Smoothing Techniques for Language Modeling" (1998), section 4.1.6 and
        equation 26; Heafield et al. (2013) for pruning; equal to kenlm's lmplz.

    >>> from parakh.ngram import count
    >>> found = estimate(count(["दवा लो", "दवा ली"], order=2))
    >>> found.model.order, found.guessed, round(10 ** found.model.score(found.model.start(), "दवा")[0], 3)
    (2, (1, 2), 0.6)
    """
    order = len(counts.grams)
    thresholds = _thresholds(prune, order)
    if not counts.tokens:
        raise InputError(Fault("language model", "texts", "no words", "at least one sentence", "Give transcripts with text."))
    adjusted = [_adjusted(counts.grams, level) for level in range(order)]
    known = [_discounts(one) for one in adjusted]
    discounts = tuple(one or FALLBACK for one in known)
    kept = [_kept(grams, threshold, at == 0) for at, (grams, threshold) in enumerate(zip(counts.grams, thresholds, strict=True))]
    size = len(counts.vocabulary)
    below = np.full(1, 1.0 / (int(kept[0].sum()) - 1))
    probabilities, gammas = [], []
    for at, grams in enumerate(counts.grams):
        context = grams.keys // size
        total, gamma = _sums(adjusted[at], kept[at], context, discounts[at], len(below))
        direct = (adjusted[at] - _discounted(adjusted[at], discounts[at])) / total[context]
        below = direct + gamma[context] * below[grams.suffix]
        probabilities.append(below)
        gammas.append(gamma)
    probabilities[0][BEGIN] = 1.0  # it is never what comes next
    guessed = tuple(at for at, one in enumerate(known, 1) if one is None)
    return Estimate(_assembled(counts, kept, probabilities, gammas), discounts, guessed)


def _thresholds(prune: Sequence[int], order: int) -> list[int]:
    found = [*prune, *[prune[-1] if prune else 0] * order][:order]
    if len(prune) > order or any(one < 0 for one in prune) or sorted(found) != found:
        expected = f"up to {order} whole numbers of at least 0 that do not fall"
        raise InputError(Fault("language model", "prune", " ".join(map(str, prune)), expected))
    return found


def _adjusted(grams: Sequence[Grams], level: int) -> Floats:
    """The count of the highest order and of what begins a sentence; else the number of different words before it."""
    own = grams[level]
    if level == len(grams) - 1:
        found = own.counts.astype(float)
    else:
        before = np.bincount(grams[level + 1].suffix, minlength=len(own.keys))
        found = np.where(own.begins, own.counts, before).astype(float)
    if level == 0:
        found[BEGIN] = 0.0
    return found


def _discounts(adjusted: Floats) -> tuple[float, float, float] | None:
    """(D1, D2, D3+) from how many n-grams have a count of 1, 2, 3 and 4; None where they give none in range."""
    n = [int(np.count_nonzero(adjusted == count)) for count in range(5)]
    if not all(n[1:4]):
        return None
    share = n[1] / (n[1] + 2 * n[2])
    one, two, three = (count - (count + 1) * share * n[count + 1] / n[count] for count in (1, 2, 3))
    return (one, two, three) if all(0 <= d <= count for count, d in enumerate((one, two, three), 1)) else None


def _discounted(adjusted: Floats, discounts: tuple[float, float, float]) -> Floats:
    """What is taken from each count."""
    taken: Floats = np.array((0.0, *discounts))[np.minimum(adjusted, 3).astype(np.int64)]
    return taken


def _kept(grams: Grams, threshold: int, special: bool) -> NDArray[np.bool_]:
    kept = grams.counts > threshold
    if special:
        kept[: END + 1] = True
    return kept


def _sums(
    adjusted: Floats, kept: NDArray[np.bool_], context: Ints, discounts: tuple[float, float, float], contexts: int
) -> tuple[Floats, Floats]:
    """For each context the sum of its counts, and what is left of it for the order below; 1 and 1 where nothing follows."""
    total: Floats = np.bincount(context, adjusted, minlength=contexts).astype(np.float64)
    lost = np.where(kept, _discounted(adjusted, discounts), adjusted)
    left: Floats = np.bincount(context, lost, minlength=contexts).astype(np.float64)
    empty = total == 0
    total[empty] = 1.0
    return total, np.where(empty, 1.0, left / total)


def _assembled(
    counts: Counts, kept: Sequence[NDArray[np.bool_]], probabilities: Sequence[Floats], gammas: Sequence[Floats]
) -> Model:
    """The model of what is kept, renumbered."""
    size = len(counts.vocabulary)
    words = np.cumsum(kept[0]) - 1
    numbers = np.zeros(1, np.int64)
    levels = []
    for at, (grams, keep) in enumerate(zip(counts.grams, kept, strict=True)):
        keys = numbers[grams.keys[keep] // size] * int(kept[0].sum()) + words[grams.keys[keep] % size]
        backoff = gammas[at + 1][keep] if at + 1 < len(gammas) else np.ones(len(keys))
        levels.append(Level(keys, _log10(probabilities[at][keep]), _log10(backoff)))
        numbers = np.cumsum(keep) - 1
    vocabulary = tuple(word for word, keep in zip(counts.vocabulary, kept[0], strict=True) if keep)
    return Model(vocabulary, tuple(levels), counts.preparation)


def _log10(values: Floats) -> Floats:
    """The logarithm; a discount of exactly 0 leaves nothing to the order below, which a file writes as -99."""
    found: Floats = np.log10(np.maximum(values, 1e-99))
    return found
