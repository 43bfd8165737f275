"""MIMO-WER against the obvious search, its bounds, and what has to hold of it whatever the session."""

import importlib.util
import itertools
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.metrics import cpwer, get, greedy_orcwer, mimower
from parakh.types import Op, Segment
from tests.property.test_greedy_twin import NAMES, fewest_errors, names_of
from tests.property.test_tcpwer_twin import FORMED, TURNS, edit_distance

FEW = TURNS.map(lambda turns: turns[:4])


def interleavings(sides):
    """Every order of the items of several sequences that keeps the order inside each."""
    if not any(sides):
        yield []
    for k, one in enumerate(sides):
        if one:
            yield from ([one[0], *rest] for rest in interleavings([*sides[:k], one[1:], *sides[k + 1 :]]))


def fewest(reference, hypothesis):
    """Every interleaving of the speakers, every utterance in every stream, the edit distances over the whole table."""
    in_time = sorted(reference, key=lambda one: one.start_time)
    said = [[one.words.split() for one in in_time if one.speaker == name] for name in names_of(reference)]
    heard_in_time = sorted(hypothesis, key=lambda one: one.start_time)
    heard = [
        [word for one in heard_in_time if one.speaker == name for word in one.words.split()] for name in names_of(hypothesis)
    ]
    if not heard:
        return sum(len(words) for one in said for words in one)

    def errors(order, streams):
        given = [
            [word for words, stream in zip(order, streams, strict=True) if stream == s for word in words]
            for s in range(len(heard))
        ]
        return sum(
            edit_distance([(w,) for w in one], [(w,) for w in other], lambda a, b: True)[0]
            for one, other in zip(given, heard, strict=True)
        )

    count = sum(map(len, said))
    return min(
        errors(order, streams) for order in interleavings(said) for streams in itertools.product(range(len(heard)), repeat=count)
    )


@settings(max_examples=60, deadline=None)
@given(FEW, FEW)
def test_errors_are_the_fewest_of_all_ways(reference, hypothesis):
    found = mimower.stats(reference, hypothesis)
    assert (found["errors"], found["gap"]) == (fewest(reference, hypothesis), 0)


@settings(max_examples=60, deadline=None)
@given(FEW, FEW)
def test_errors_are_at_most_those_of_orc_and_of_speakers(reference, hypothesis):
    found = mimower.stats(reference, hypothesis)["errors"]
    assert found <= fewest_errors(reference, hypothesis, None, False)[0] <= greedy_orcwer.stats(reference, hypothesis)["errors"]
    if len(names_of(reference)) <= len(names_of(hypothesis)):
        assert found <= cpwer.stats(reference, hypothesis)["errors"]


@settings(max_examples=60, deadline=None)
@given(FEW, TURNS, NAMES)
def test_an_alignment_holds_every_word_once_and_names_do_not_matter(reference, hypothesis, names):
    found = mimower.stats(reference, hypothesis)
    renamed = [[replace(one, speaker=names["ABC".index(one.speaker)]) for one in side] for side in (reference, hypothesis)]
    assert mimower.stats(*renamed)["errors"] == found["errors"]
    steps = mimower.align(reference, hypothesis)
    kinds = Counter(step.op for step in steps)
    assert [found[key] for key in ("hits", "substitutions", "deletions", "insertions")] == [kinds[op] for op in Op]
    for side, segments in (("reference", reference), ("hypothesis", hypothesis)):
        words = Counter((getattr(step, side), getattr(step, f"{side}_segment")) for step in steps)
        del words[None, None]
        assert words == Counter((word, k) for k, one in enumerate(segments) for word in one.words.split())


@settings(max_examples=60, deadline=None)
@given(FEW, TURNS)
def test_the_way_keeps_the_order_of_each_speaker(reference, hypothesis):
    way = mimower.assignment(reference, hypothesis)
    if not hypothesis:
        assert way == []
        return
    taken = [k for k, _ in way]
    assert sorted(taken) == [k for k, one in enumerate(reference) if one.words.split()]
    for name in names_of(reference):
        starts = [reference[k].start_time for k in taken if reference[k].speaker == name]
        assert starts == sorted(starts)
    assert {stream for _, stream in way} <= set(names_of(hypothesis))


@settings(max_examples=60, deadline=None)
@given(FORMED.map(lambda turns: turns[:3]), FEW)
def test_the_cheapest_forms_are_taken(reference, hypothesis):
    written = [
        [replace(one, words=words, forms=()) for one, words in zip(reference, choice, strict=True)]
        for choice in itertools.product(*((one.words, *one.forms) for one in reference))
    ]
    found = mimower.stats(reference, hypothesis)
    assert found["errors"] == min(mimower.stats(one, hypothesis)["errors"] for one in written)
    assert found["gap"] == 0


def generated(words, speakers):
    path = Path(__file__).parents[2] / "benchmarks" / "sessions.py"
    spec = importlib.util.spec_from_file_location("sessions", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["sessions"] = module
    spec.loader.exec_module(module)
    one = module.conversation("session", words, speakers)
    return one.reference, one.hypothesis


@pytest.mark.parametrize(("words", "speakers", "exact"), [(600, 2, True), (500, 6, False)])
def test_a_large_session_is_bounded(words, speakers, exact):
    reference, hypothesis = generated(words, speakers)
    found = mimower.stats(reference, hypothesis)
    assert found["errors"] <= greedy_orcwer.stats(reference, hypothesis)["errors"]
    assert 0 <= found["gap"] <= 0.1 * found["errors"]
    assert (found["gap"] == 0) or not exact
    parts = get("mimower").parts(found)
    assert parts["lower_bound"] == (found["errors"] - found["gap"]) / found["length"]


@settings(max_examples=15, deadline=None)
@given(st.randoms(use_true_random=False))
def test_the_gap_holds_the_fewest_errors_where_the_search_is_not_tried(rng):
    """8 speakers of 8 utterances have 9^8 places between utterances. Every word unheard-of is an error in any way."""
    reference = [
        Segment("s", f"k{k % 8}", k, k + 1, " ".join(rng.choices(["दवा", "a", "b", "c"], k=rng.randint(1, 5)))) for k in range(64)
    ]
    unheard = 0
    hypothesis = []
    for one in reference:
        words = one.words.split()
        if rng.random() < 0.3:
            words[rng.randrange(len(words))] = "unheard"
            unheard += 1
        hypothesis.append(replace(one, words=" ".join(words)))
    found = mimower.stats(reference, hypothesis)
    assert found["errors"] - found["gap"] <= unheard <= found["errors"]


def test_identical_sides_have_no_errors():
    turns = [Segment("s", f"k{k % 3}", k, k + 1.5, f"w{k} दवा w{k % 2}") for k in range(20)]
    assert mimower.stats(turns, turns)["errors"] == 0
