"""A ledger sums to the headline, ends at nothing, and puts one kind of difference under one name."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.diagnostics._words import in_order, scene_of
from parakh.diagnostics.ledger import Plan, account
from parakh.diagnostics.setup import Setup
from parakh.metrics import cpwer, tcpwer, wer
from parakh.types import Segment

METRICS = {"tcpwer": tcpwer, "cpwer": cpwer, "wer": wer}
VOCABULARY = ["दवा", "ली", "है।", "जी", "500mg", "500", "mg", "हाँ,", '"हाँ', "क\u093cलम", "\u0958लम", "दो", "१२", "12", "जी\u200b"]
POINTS = ["character_based_points", "equidistant_points"]
TEXTS = st.lists(st.sampled_from(VOCABULARY), max_size=5).map(" ".join)
TIMES = st.integers(0, 3000).map(lambda hundredth: hundredth / 100)
METRIC = st.sampled_from(list(METRICS))
PLAN = Plan(Setup("hi"))


def turns(speakers, texts=TEXTS, times=TIMES):
    turn = st.builds(lambda s, start, length, words: Segment("s", s, start, start + length, words), speakers, times, times, texts)
    return st.lists(turn, max_size=6)


REFERENCE, HYPOTHESIS = turns(st.sampled_from("AB")), turns(st.sampled_from("pqr"))


def random_session(seed):
    """Like ``REFERENCE`` and ``HYPOTHESIS``, with times that are no round numbers and turns of a speaker that overlap."""
    chance = random.Random(seed)

    def side(speakers):
        starts = [chance.uniform(0, 20) for _ in range(chance.randint(1, 7))]
        lengths = [chance.choice([0.0, chance.uniform(0, 9)]) for _ in starts]
        words = [" ".join(chance.choices(VOCABULARY, k=chance.randint(0, 6))) for _ in starts]
        return [Segment("s", chance.choice(speakers), t, t + d, w) for t, d, w in zip(starts, lengths, words, strict=True)]

    return side("AB"), side("pq"), chance


@pytest.mark.parametrize("metric", METRICS)
def test_words_one_by_one_score_what_the_segments_score(metric):
    for seed in range(200):
        reference, hypothesis, chance = random_session(seed)
        timed = {"collar": chance.choice([0.0, 0.4, 5.0]), "hypothesis_timing": chance.choice([*POINTS, "full_segment"])}
        scene = scene_of(reference, hypothesis, metric, timed if metric == "tcpwer" else {})
        assert scene.errors(scene.heard) == scene.headline["errors"], seed


@given(st.lists(st.tuples(st.sampled_from("AB"), st.floats(0, 1e5), st.floats(0, 1e3)), max_size=8))
def test_moved_begins_keep_centres_to_the_last_bit(shares):
    given_times = [(speaker, (start, start + length)) for speaker, start, length in shares]
    times = in_order(given_times, centred=True)
    for speaker in "AB":
        begins = [begin for (who, _), (begin, _) in zip(given_times, times, strict=True) if who == speaker]
        assert begins == sorted(begins)
    for (_, before), (begin, end) in zip(given_times, times, strict=True):
        assert (begin + end) / 2 == (before[0] + before[1]) / 2


@given(METRIC, REFERENCE, HYPOTHESIS, st.sampled_from([0.3, 1.0, 5.0]))
@settings(max_examples=300, deadline=None)
def test_the_steps_sum_to_the_headline_and_leave_nothing(metric, reference, hypothesis, collar):
    options = {"collar": collar} if metric == "tcpwer" else {}
    found = account(reference, hypothesis, Plan(Setup("hi"), metric, options))
    counted = METRICS[metric].stats(reference, hypothesis, **options)
    assert (found.errors, found.length) == (counted["errors"], counted["length"])
    assert sum(found.steps.values()) == found.errors
    assert found.steps["other"] == 0


@given(REFERENCE)
@settings(max_examples=50, deadline=None)
def test_a_perfect_system_owes_nothing(reference):
    found = account(reference, [replace(one, speaker=one.speaker + "'") for one in reference], PLAN)
    assert not any(found.steps.values())
    assert not any(found.marginals.values())


@given(METRIC, REFERENCE, HYPOTHESIS)
@settings(max_examples=100, deadline=None)
def test_names_of_speakers_do_not_matter(metric, reference, hypothesis):
    plan = Plan(Setup("hi"), metric)
    other = [replace(one, speaker={"p": "q", "q": "p", "r": "A"}[one.speaker]) for one in hypothesis]
    assert account(reference, other, plan) == account(reference, hypothesis, plan)


@given(REFERENCE, HYPOTHESIS, st.sampled_from(["tcpwer", "cpwer"]))
@settings(max_examples=150, deadline=None)
def test_perfect_speakers_never_cost(reference, hypothesis, metric):
    assert account(reference, hypothesis, Plan(Setup("hi"), metric)).marginals["speaker"] >= 0


@given(REFERENCE, HYPOTHESIS)
@settings(max_examples=150, deadline=None)
def test_perfect_times_never_cost_and_leave_what_cpwer_counts_or_more(reference, hypothesis):
    over = tcpwer.stats(reference, hypothesis)["errors"] - cpwer.stats(reference, hypothesis)["errors"]
    assert 0 <= account(reference, hypothesis, PLAN).marginals["timing"] <= over


def told_apart(reference):
    """The same turns, every word a word of its own."""
    numbers = iter(range(1000))
    return [replace(one, words=" ".join(name(next(numbers)) for _ in one.words.split())) for one in reference]


def one_after_the_other(reference):
    """The same turns, none beginning before the last has ended."""
    out, now = [], 0.0
    for one in reference:
        out.append(replace(one, start_time=now, end_time=now + 0.1 + one.duration))
        now = out[-1].end_time
    return out


def name(number):
    return "".join("कखगघचछजझटठ"[int(digit)] + "ा" for digit in f"{number:03}")


def steps(reference, hypothesis):
    found = account(reference, hypothesis, PLAN)
    assert sum(found.steps.values()) == found.errors
    return {item for item, count in found.steps.items() if count}


@given(REFERENCE.map(told_apart), st.floats(0.5, 300), st.floats(0.25, 4))
@settings(max_examples=100, deadline=None)
def test_wrong_times_alone_are_timing(reference, shift, scale):
    hypothesis = [
        replace(one, start_time=one.start_time * scale + shift, end_time=one.end_time * scale + shift) for one in reference
    ]
    assert steps(reference, hypothesis) <= {"timing"}


@given(REFERENCE.map(one_after_the_other).map(told_apart), st.lists(st.sampled_from("AB"), min_size=6, max_size=6))
@settings(max_examples=150, deadline=None)
def test_wrong_speakers_alone_are_attribution(reference, speakers):
    hypothesis = [replace(one, speaker=speaker) for one, speaker in zip(reference, speakers, strict=False)]
    assert steps(reference, hypothesis) <= {"speaker"}


@given(turns(st.sampled_from("AB"), st.lists(st.sampled_from(["क\u093cलम", "ब\u095cा", "जी।"]), max_size=5).map(" ".join)))
@settings(max_examples=100, deadline=None)
def test_other_code_points_alone_are_encoding(reference):
    swap = str.maketrans({"\u095c": "ड\u093c"})
    hypothesis = [replace(one, words=one.words.replace("क\u093c", "\u0958").translate(swap)) for one in reference]
    assert steps(reference, hypothesis) <= {"encoding"}


@given(turns(st.sampled_from("AB"), st.lists(st.sampled_from(["दवा", "ली।", "है", "हाँ,"]), max_size=6).map(" ".join)))
@settings(max_examples=100, deadline=None)
def test_lost_marks_alone_are_punctuation(reference):
    hypothesis = [replace(one, words=one.words.replace("।", "").replace(",", "")) for one in reference]
    assert steps(reference, hypothesis) <= {"punctuation"}
