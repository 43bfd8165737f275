"""Scores of our models equal kenlm's of the same file, word by word."""

import random
from pathlib import Path

import pytest

from parakh.ngram import Preparation, count, estimate, mix, read_arpa, write_arpa

kenlm = pytest.importorskip("kenlm", reason="kenlm (LGPL-2.1, compared with and never shipped) is not installed")


def texts(seed: int, count: int = 200) -> list[str]:
    rng = random.Random(seed)
    words = [f"शब्द{at}" for at in range(seed, 80 + seed)]
    return [" ".join(rng.choices(words, [1 / (at + 1) for at in range(80)], k=rng.randint(1, 9))) for _ in range(count)]


def ours(order: int, prune: tuple[int, ...], mixed: bool):
    model = estimate(count(texts(1), order, Preparation("none")), prune).model
    if mixed:
        model = mix([model, estimate(count(texts(9), 2, Preparation("none"))).model], (0.6, 0.4))
    return model


@pytest.mark.parametrize("mixed", [False, True])
@pytest.mark.parametrize(("order", "prune"), [(2, ()), (3, ()), (3, (0, 1)), (4, (0, 0, 1))])
def test_every_word_scores_as_in_kenlm(order: int, prune: tuple[int, ...], mixed: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.arpa"
    write_arpa(ours(order, prune, mixed), path)
    model, theirs = read_arpa(path), kenlm.Model(str(path))
    for sentence in (*texts(1)[:50], *texts(2, 50), "कोई नहीं शब्द1 शब्द2"):
        state, found = model.start(), []
        for word in (*sentence.split(), "</s>"):
            logprob, state = model.score(state, word)
            found.append(logprob)
        assert found == pytest.approx([score for score, _, _ in theirs.full_scores(sentence)], abs=1e-5)
