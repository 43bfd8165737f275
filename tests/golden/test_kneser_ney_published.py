"""The estimate equals kenlm's lmplz (kenlm 0.3.0, `lmplz -o 3` and `lmplz -o 3 --prune 0 0 1`) on the text made here."""

import random

import pytest

from parakh.ngram import Preparation, count, estimate

LMPLZ = {
    (): (
        (236, 1115, 1386),
        {
            "<unk>": (-2.912936, 0.0),
            "</s>": (-1.0293381, 0.0),
            "w0": (-1.1595645, -0.3321112),
            "w7": (-1.8113284, -0.25652608),
            "w7 </s>": (-0.6042885, 0.0),
            "<s> w0": (-0.6914734, -0.24706732),
            "w0 w1": (-1.2009934, -0.22509773),
            "w2 w0 </s>": (-0.72742, 0.0),
            "<s> w0 w0": (-0.7851395, 0.0),
            "w0 w0 w0": (-1.0881542, 0.0),
            "w0 w1 w0": (-1.0080348, 0.0),
        },
    ),
    (0, 0, 1): (
        (236, 1115, 60),
        {
            "w0": (-1.1595645, -0.3321112),
            "<s> w0": (-0.6914734, -0.22918795),
            "w0 w1": (-1.2009934, -0.21232066),
            "w2 w0 </s>": (-0.71586365, 0.0),
            "<s> w0 w0": (-0.7768537, 0.0),
            "w0 w1 w0": (-1.0009652, 0.0),
        },
    ),
}


def text() -> list[str]:
    rng = random.Random(7)
    words = [f"w{at}" for at in range(300)]
    weights = [1 / (at + 1) for at in range(300)]
    return [" ".join(rng.choices(words, weights, k=rng.randint(1, 9))) for _ in range(300)]


@pytest.mark.parametrize("prune", LMPLZ)
def test_probabilities_and_backoff_weights(prune: tuple[int, ...]) -> None:
    found = estimate(count(text(), 3, Preparation("none")), prune)
    sizes, published = LMPLZ[prune]
    assert found.guessed == ()
    assert tuple(len(level.keys) for level in found.model.levels) == sizes
    size = len(found.model.vocabulary)
    for words, (logprob, backoff) in published.items():
        node = 0
        for level, word in zip(found.model.levels, words.split(), strict=False):
            node = int(level.keys.searchsorted(node * size + found.model.numbers[word]))
        level = found.model.levels[len(words.split()) - 1]
        assert level.logprob[node] == pytest.approx(logprob, abs=1e-6)
        assert level.backoff[node] == pytest.approx(backoff, abs=1e-6)
