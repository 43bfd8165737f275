"""WER and CER equal jiwer 4.0.0 in hits, substitutions, deletions and insertions."""

import random

import pytest

from parakh.metrics import cer, wer
from parakh.types import Segment

jiwer = pytest.importorskip("jiwer")
WORDS = ["a", "b", "कब", "से", "बुखार", "ನೋವು", "x1", "😀y", "i", "दवा"]


def pair(seed: int) -> tuple[str, str]:
    rng = random.Random(seed)
    vocabulary = WORDS[: rng.randint(2, 10)]
    reference = rng.choices(vocabulary, k=rng.choice([0, 1, 5, 30, 200, 900]))
    noise = rng.choice([0.05, 0.3, 0.9])
    hypothesis = [rng.choice(vocabulary) if rng.random() < noise / 2 else word for word in reference if rng.random() > noise / 2]
    return " ".join(reference), " ".join(hypothesis + rng.choices(vocabulary, k=rng.choice([0, 0, 3])))


def counts(output: object) -> dict[str, int]:
    return {key: getattr(output, key) for key in ("hits", "substitutions", "deletions", "insertions")}


@pytest.mark.parametrize(
    ("metric", "published", "sessions"), [(wer, jiwer.process_words, 1000), (cer, jiwer.process_characters, 300)]
)
def test_counts_equal_jiwer(metric, published, sessions):
    for seed in range(sessions):
        reference, hypothesis = pair(seed)
        ours = metric.stats([Segment("s", words=reference)], [Segment("s", words=hypothesis)])
        theirs = counts(published(reference, hypothesis))
        assert {key: ours[key] for key in theirs} == theirs, seed


def test_counts_equal_jiwer_where_rapidfuzz_divides_the_table():
    rng = random.Random(1)
    reference = " ".join(rng.choices("abc", k=4000))
    hypothesis = " ".join(rng.choice("abc") if rng.random() < 0.3 else word for word in reference.split())
    ours = wer.stats([Segment("s", words=reference)], [Segment("s", words=hypothesis)])
    theirs = counts(jiwer.process_words(reference, hypothesis))
    assert {key: ours[key] for key in theirs} == theirs
