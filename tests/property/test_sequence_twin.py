"""The alignment of two streams: the distance of a slow, obvious twin, and what holds for every alignment."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh import _native
from parakh.metrics import cer, wer
from parakh.types import Op, Segment

SIGNS = "abcकीे😀𝒜"
texts = st.text(alphabet=SIGNS, max_size=150)


def slow_distance(reference: str, hypothesis: str) -> int:
    """Wagner and Fischer's table, cell by cell."""
    row = list(range(len(hypothesis) + 1))
    for i, said in enumerate(reference, start=1):
        above, row = row, [i]
        for j, heard in enumerate(hypothesis, start=1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (said != heard)))
    return row[-1]


def distance(reference: str, hypothesis: str) -> int:
    errors, substitutions, length, heard = _native.count_edits([reference], [hypothesis], True)
    assert (length, heard) == (len(reference), len(hypothesis))
    assert 0 <= substitutions <= errors
    return errors


def apply(steps: list[list[int]], reference: str, hypothesis: str) -> str:
    """The reference after the steps, each of which follows the last on either side."""
    assert [i for i, _ in steps if i >= 0] == list(range(len(reference)))
    assert [j for _, j in steps if j >= 0] == list(range(len(hypothesis)))
    edited = [reference[i] if i >= 0 else "" for i, _ in steps]
    for k, (i, j) in enumerate(steps):
        assert max(i, j) >= 0
        if i < 0 or j < 0 or reference[i] != hypothesis[j]:
            edited[k] = hypothesis[j] if j >= 0 else ""
    return "".join(edited)


@given(texts, texts)
def test_the_distance_is_that_of_the_slow_twin_and_the_steps_cost_it(reference, hypothesis):
    steps = _native.edit_steps([reference], [hypothesis], True).tolist()
    cost = sum(i < 0 or j < 0 or reference[i] != hypothesis[j] for i, j in steps)
    assert cost == distance(reference, hypothesis) == slow_distance(reference, hypothesis)
    assert apply(steps, reference, hypothesis) == hypothesis


@pytest.mark.parametrize("seed", range(12))
def test_the_distance_of_longer_texts(seed):
    rng = random.Random(seed)
    reference = "".join(rng.choices(SIGNS[: rng.randint(2, 8)], k=rng.randint(100, 700)))
    cut, size = rng.randrange(len(reference)), rng.choice([0, 30, 250])
    hypothesis = "".join(rng.choice(SIGNS) if rng.random() < 0.2 else sign for sign in reference[:cut] + reference[cut + size :])
    assert distance(reference, hypothesis) == slow_distance(reference, hypothesis)
    assert distance(hypothesis, reference) == slow_distance(reference, hypothesis)


# Above the size where the table is divided, over which the slow twin would take minutes: bounds from how they were made.
@pytest.mark.parametrize("gap", [0, 500, 4000])
def test_the_steps_of_long_texts_lead_from_one_to_the_other(gap):
    rng = random.Random(gap)
    reference = "".join(rng.choices(SIGNS, k=9000))
    changed = [rng.choice(SIGNS) if rng.random() < 0.1 else sign for sign in reference[:2000] + reference[2000 + gap :]]
    hypothesis = "".join(changed)
    steps = _native.edit_steps([reference], [hypothesis], True).tolist()
    assert apply(steps, reference, hypothesis) == hypothesis
    assert gap <= distance(reference, hypothesis) == distance(hypothesis, reference) <= gap + 1000


@given(texts, texts, texts)
@settings(max_examples=50)
def test_the_distance_is_a_metric(one, two, three):
    assert distance(one, two) == distance(two, one)
    assert (distance(one, two) == 0) == (one == two)
    assert distance(one, three) <= distance(one, two) + distance(two, three)


def turns(texts: list[str]) -> list[Segment]:
    return [Segment("s", f"speaker {k % 2}", 2.0 * k, 2.0 * k + 1.5, text) for k, text in enumerate(texts)]


@given(st.lists(st.text("ab ी\t\u2028", max_size=12), max_size=5), st.lists(st.text("ab ी\xa0", max_size=12), max_size=5))
def test_aligned_words_and_characters_are_those_counted(reference, hypothesis):
    for metric, join in ((wer, " "), (cer, "")):
        found = metric.align(turns(reference), turns(hypothesis))
        counts = metric.stats(turns(reference), turns(hypothesis))
        for op, key in (
            (Op.MATCH, "hits"),
            (Op.SUBSTITUTION, "substitutions"),
            (Op.DELETION, "deletions"),
            (Op.INSERTION, "insertions"),
        ):
            assert sum(step.op is op for step in found) == counts[key]
        said = join.join(step.reference for step in found if step.reference is not None)
        assert said == " ".join(" ".join(reference).split())


def test_an_aligned_character_knows_its_segment_speaker_and_time():
    found = cer.align([Segment("s", "a", 0.0, 3.0, "लीं"), Segment("s", "b", 4.0, 5.0, "x")], [Segment("s", "c", words="x")])
    assert [(step.reference, step.reference_segment, step.reference_speaker, step.reference_time) for step in found] == [
        ("ल", 0, "a", (0.0, 1.0)),
        ("ी", 0, "a", (1.0, 2.0)),
        ("ं", 0, "a", (2.0, 3.0)),
        (" ", 1, "b", (4.0, 4.0)),
        ("x", 1, "b", (4.0, 5.0)),
    ]
    assert [step.hypothesis_time for step in found] == [None] * 5
    assert found[-1].hypothesis_speaker == "c"


@pytest.mark.parametrize("by_character", [False, True])
def test_a_few_words_against_very_many_fit_in_memory(by_character):
    many = " ".join("ab"[k % 2] for k in range(500_000))
    for sides in ((["a c b"], [many]), ([many], ["a c b"])):
        errors, substitutions, *lengths = _native.count_edits(*sides, by_character)
        assert errors == max(lengths) - min(lengths) + substitutions
        assert substitutions == 1
