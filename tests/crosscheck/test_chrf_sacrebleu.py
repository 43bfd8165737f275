"""chrF and chrF++ equal sacrebleu 2.6.0, sentence by sentence and over a corpus, in every script."""

import random

import pytest

from parakh.metrics import get
from parakh.results import total

chrf = pytest.importorskip("sacrebleu.metrics.chrf")
PIECES = [
    "fever",
    "Fever.",
    "(three)",
    "days",
    "BP",
    "140/90",
    "don't",
    "बुखार",
    "है।",
    "तीन दिन",
    "ಜ್ವರ",
    "ಇದೆ.",
    "\n",
    "  ",
    "a",
    "no",
]
PIECES += [",", "é", "ा", "e\u0301", "\u200d", "...", "#1", "𑀓"]
METRICS = pytest.mark.parametrize(("name", "word_order"), [("chrf", 0), ("chrfpp", 2)])


def text(rng: random.Random) -> str:
    return " ".join(rng.choice(PIECES) for _ in range(rng.choice([0, 0, 1, 2, 5, 40])))


def changed(rng: random.Random, words: str) -> str:
    return " ".join(rng.choice(PIECES) if rng.random() < 0.2 else word for word in words.split(" "))


@METRICS
def test_sentences_equal_sacrebleu(name, word_order):
    theirs, ours, rng = chrf.CHRF(word_order=word_order), get(name), random.Random(5)
    for _ in range(300):
        references = [text(rng) for _ in range(rng.choice([1, 1, 3]))]
        hypothesis = rng.choice([text(rng), changed(rng, references[0])])
        expected = theirs.sentence_score(hypothesis, references).score / 100
        assert ours.score(ours.stats(references, hypothesis)) == pytest.approx(expected, abs=1e-9), (references, hypothesis)


@METRICS
def test_the_corpus_score_equals_sacrebleu(name, word_order):
    ours, rng = get(name), random.Random(6)
    first, second = [text(rng) for _ in range(100)], [text(rng) for _ in range(100)]
    hypotheses = [changed(rng, one) for one in first]
    expected = chrf.CHRF(word_order=word_order).corpus_score(hypotheses, [first, second]).score / 100
    stats = [ours.stats(pair, heard) for *pair, heard in zip(first, second, hypotheses, strict=True)]
    assert ours.score(total(stats)) == pytest.approx(expected, abs=1e-9)


def counted(sequence, longest):
    return [[tuple(sequence[k : k + n]) for k in range(len(sequence) - n + 1)] for n in range(1, longest + 1)]


def test_shared_runs_equal_their_slow_twin():
    from collections import Counter

    from parakh import _native

    rng = random.Random(8)
    for _ in range(200):
        one, other = ([rng.randrange(4) for _ in range(rng.choice([0, 1, 3, 30]))] for _ in range(2))
        expected = [sum((Counter(a) & Counter(b)).values()) for a, b in zip(counted(one, 6), counted(other, 6), strict=True)]
        assert _native.shared_runs(one, other, 6) == expected
