"""MIMO-WER equals meeteval 0.4.3 in errors and length, on generated sessions that it can compute."""

import random

import pytest

from parakh.metrics import mimower
from parakh.types import Segment
from tests.crosscheck.test_greedy_meeteval import published

meeteval = pytest.importorskip("meeteval")
SESSIONS = range(500)


def side(rng: random.Random, speakers: int, segments: int, words: int) -> list[Segment]:
    found = []
    for _ in range(segments):
        start = round(rng.uniform(0, 10), rng.choice([0, 1]))
        text = " ".join(f"w{rng.randrange(words)}" for _ in range(rng.choice([0, 1, 1, 2, 3, 4])))
        found.append(Segment("s", f"k{rng.randrange(speakers)}", start, start + rng.choice([0, 1, 2]), text))
    return found


def misheard(rng: random.Random, segments: list[Segment], words: int) -> list[Segment]:
    def text(one: Segment) -> str:
        kept = [word for word in one.words.split() if rng.random() < 0.9]
        return " ".join(word if rng.random() < 0.8 else f"w{rng.randrange(words)}" for word in kept)

    def speaker(one: Segment) -> str | None:
        return one.speaker if rng.random() < 0.7 else "z"

    return [Segment("s", speaker(one), one.start_time, one.end_time, text(one)) for one in segments]


def session(seed: int) -> tuple[list[Segment], list[Segment]]:
    """Up to 3 speakers and streams; few different words, so that many ways are about as good."""
    rng = random.Random(seed)
    words = rng.choice([2, 4, 8])
    reference = side(rng, rng.randint(1, 3), rng.randint(0, 7), words)
    if rng.random() < 0.5:
        return reference, side(rng, rng.randint(1, 3), rng.randint(1, 6), words)
    return reference, misheard(rng, reference, words)


def test_errors_and_length_equal_meeteval(caplog):
    different, compared = [], 0
    for seed in SESSIONS:
        reference, hypothesis = session(seed)
        if not reference or not hypothesis:
            continue  # meeteval fails with an IndexError
        compared += 1
        expected = meeteval.wer.wer.mimo.mimo_word_error_rate(published(reference), published(hypothesis))
        found = mimower.stats(reference, hypothesis)
        if (found["errors"], found["length"], found["gap"]) != (expected.errors, expected.length, 0):
            different.append((seed, found, expected))
    assert different == []
    assert compared > 400
