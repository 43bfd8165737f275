"""WER, CER, MER, WIL and WIP equal jiwer 4.0.0; every step of every alignment equals rapidfuzz 3.14.6, on which jiwer stands."""

import random
from itertools import chain

import pytest

from parakh import _native
from parakh.metrics import cer, get, wer
from parakh.results import total
from parakh.types import Segment

jiwer = pytest.importorskip("jiwer")
distance = pytest.importorskip("rapidfuzz.distance")
WORDS = ["a", "b", "कब", "से", "बुखार", "ನೋವು", "x1", "😀y", "i", "दवा", "𝒜", "é", "तेज़"]


def pair(seed: int) -> tuple[str, str]:
    rng = random.Random(seed)
    vocabulary = rng.sample(WORDS, rng.randint(2, len(WORDS)))
    reference = rng.choices(vocabulary, k=rng.choice([0, 1, 5, 12, 30, 200]))
    noise = rng.choice([0.05, 0.3, 0.9])
    hypothesis = [rng.choice(vocabulary) if rng.random() < noise / 2 else word for word in reference if rng.random() > noise / 2]
    return " ".join(reference), " ".join(hypothesis + rng.choices(vocabulary, k=rng.choice([0, 0, 3])))


def counts(output: object) -> dict[str, int]:
    return {key: getattr(output, key) for key in ("hits", "substitutions", "deletions", "insertions")}


def stats(metric, reference: str, hypothesis: str):
    return metric.stats([Segment("s", words=reference)], [Segment("s", words=hypothesis)])


@pytest.mark.parametrize(("metric", "published"), [(wer, jiwer.process_words), (cer, jiwer.process_characters)])
def test_counts_equal_jiwer(metric, published):
    for seed in range(1000):
        ours, theirs = stats(metric, *pair(seed)), counts(published(*pair(seed)))
        assert {key: ours[key] for key in theirs} == theirs, seed


@pytest.mark.parametrize("name", ["wer", "mer", "wil", "wip"])
def test_values_equal_jiwer_where_both_sides_have_words(name):
    metric = get(name)
    pairs = [pair(seed) for seed in range(300)]
    full = [one for one in pairs if all(one)]
    assert len(full) > 200
    for one in full:
        assert metric.score(stats(wer, *one)) == pytest.approx(getattr(jiwer.process_words(*one), name), abs=1e-12)
    corpus = jiwer.process_words(*map(list, zip(*full, strict=True)))
    assert metric.score(total([stats(wer, *one) for one in full])) == pytest.approx(getattr(corpus, name), abs=1e-12)


# jiwer 4.0.0: rates of an empty side; None is ours where we differ on purpose.
@pytest.mark.parametrize(
    ("name", "missing", "inserted", "nothing"), [("mer", 1, 1, None), ("wil", 1, None, None), ("wip", 0, None, None)]
)
def test_empty_sides(name, missing, inserted, nothing):
    sides = [("दवा ली", ""), ("", "दवा ली"), ("", "")]
    published = [getattr(jiwer.process_words(*one), name) for one in sides]
    assert published == {"mer": [1, 1, 0], "wil": [1, 1, 0], "wip": [0, 0, 1]}[name]
    assert [get(name).score(stats(wer, *one)) for one in sides] == [missing, inserted, nothing]


def misheard(rng: random.Random, said: list[str], known: list[str], weights: list[float] | None) -> list[str]:
    """What is left after errors of every kind, and now and then a long gap or a long stretch that nobody said."""
    noise = rng.choice([0.02, 0.2, 0.5, 0.9])
    heard = []
    for word in said:
        chance = rng.random() / noise
        if chance >= 0.25:
            heard.append(rng.choices(known, weights)[0] if chance < 0.75 else word)
        if 0.75 <= chance < 1:
            heard.append(rng.choices(known, weights)[0])
    at, size = rng.randrange(len(heard)), rng.choice([0, 0, 300, 1500])
    return rng.choice([heard[:at] + heard[at + size :], heard[:at] + rng.choices(known, weights, k=size) + heard[at:]])


def sequences(seed: int, longest: int) -> tuple[list[str], list[str]]:
    rng = random.Random(seed)
    types = rng.choice([1, 2, 3, 10, 45, 400, 2500])
    known = [chr(0x10300 + k) if k % 2 else chr(0x900 + k) for k in range(types)]
    weights = rng.choice([None, [1 / (rank + 1) for rank in range(types)]])
    said = rng.choices(known, weights, k=rng.randint(longest // 2, longest))
    return said, misheard(rng, said, known, weights) if rng.random() < 0.9 else rng.choices(known, k=longest // 2)


def published_steps(said: object, heard: object) -> list[list[int]]:
    """What rapidfuzz does, step by step: indices of either side, -1 for none."""
    steps: list[tuple[int, int]] = []
    for tag, i, i_end, j, j_end in distance.Levenshtein.opcodes(said, heard):
        one, other = list(range(i, i_end)) or [-1] * (j_end - j), list(range(j, j_end)) or [-1] * (i_end - i)
        steps += zip(one, other, strict=True)
        assert tag in {"equal", "replace"} or -1 in chain(one, other)
    return [list(step) for step in steps]


def same_steps(said: list[str], heard: list[str]) -> bool:
    words = _native.edit_steps([" ".join(said)], [" ".join(heard)], False).tolist()
    signs = _native.edit_steps(["".join(said)], ["".join(heard)], True).tolist()
    return words == published_steps(said, heard) and signs == published_steps("".join(said), "".join(heard))


def test_every_step_equals_rapidfuzz_on_short_sequences():
    rng = random.Random(5)
    for _ in range(1500):
        known = WORDS[: rng.randint(1, 6)]
        said, heard = (rng.choices(known, k=rng.choice([0, 1, 2, 5, 9, 63, 64, 65, 130])) for _ in "ab")
        assert same_steps(said, heard)


# rapidfuzz divides a table of 4 million cells or more, again and again where there are more errors.
def test_every_step_equals_rapidfuzz_where_it_divides_the_table():
    for seed in range(60):
        assert same_steps(*sequences(seed, 4500)), seed
    for seed in range(4):
        assert same_steps(*sequences(1000 + seed, 14000)), seed
