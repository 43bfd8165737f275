"""The banded, bit-parallel and branching kernels equal the obvious full table and the obvious search."""

import itertools
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from parakh.metrics import cer, cpcer, cpwer, tcpcer, tcpwer, wer
from parakh.types import Op, Segment

TEXTS = st.lists(st.sampled_from(["a", "b", "दवा", "i"]), max_size=5).map(" ".join)
TIMES = st.integers(0, 12).map(lambda half: half / 2)
SPEAKERS = st.sampled_from(["A", "B", "C"])
TURN = st.builds(lambda s, start, length, words: Segment("s", s, start, start + length, words), SPEAKERS, TIMES, TIMES, TEXTS)
TURNS = st.lists(TURN, max_size=6)
COLLAR = st.sampled_from([0.0, 0.25, 1.0, 5.0, 1e6])
SAID, HEARD = "character_based", "character_based_points"
TIMING = st.sampled_from([SAID, HEARD, "equidistant_intervals", "equidistant_points", "full_segment"])


def share(words, position, start, end, timing):
    """The begin and end of a word inside its segment, by the definition."""
    weights = [len(word) if timing.startswith("character") else 1 for word in words]
    if timing in {"full_segment", "none"} or len(words) == 1:
        return start, end
    length = (end - start) / sum(weights)
    return start + length * sum(weights[:position]), start + length * sum(weights[: position + 1])


def timed_words(segments, speaker, collar=None, timing=None):
    """(word, begin, end) of one speaker, by the definition; of a reference without a collar, of a hypothesis with one."""
    timing = timing or (SAID if collar is None else HEARD)
    out = []
    for segment in sorted(segments, key=lambda one: one.start_time):
        words = segment.words.split() if segment.speaker == speaker else []
        for k, word in enumerate(words):
            begin, end = share(words, k, segment.start_time, segment.end_time, timing)
            if timing == "equidistant_points" and len(words) > 1:
                begin = end = begin + segment.duration / len(words) / 2
            elif timing.endswith("_points"):
                begin = end = (end + begin) / 2
            out.append((word, begin - (collar or 0), end + (collar or 0)))
    return out


def may_meet(one, other):
    return one[1] < other[2] and one[2] > other[1]


def edit_distance(reference, hypothesis, meet):
    """Errors and substitutions over the whole table; the diagonal only where it is strictly cheaper, then insertion first."""
    table = {(0, 0): (0, 0)}
    for i, j in itertools.product(range(len(reference) + 1), range(len(hypothesis) + 1)):
        choices = []
        if j:
            choices.append((table[i, j - 1][0] + 1, table[i, j - 1][1]))
        if i:
            choices.append((table[i - 1, j][0] + 1, table[i - 1, j][1]))
        if i and j and meet(reference[i - 1], hypothesis[j - 1]):
            change = reference[i - 1][0] != hypothesis[j - 1][0]
            choices.append((table[i - 1, j - 1][0] + change, table[i - 1, j - 1][1] + change))
        if choices:
            table[i, j] = min(choices, key=lambda choice: choice[0])
    return table[len(reference), len(hypothesis)]


def costs(reference, hypothesis, collar, timings=(SAID, HEARD)):
    """The errors of every pair of speakers, with speakers without words where a side has fewer."""
    said = [timed_words(reference, speaker, None, timings[0]) for speaker in {one.speaker for one in reference}]
    heard = [timed_words(hypothesis, speaker, collar or 0.0, timings[1]) for speaker in {one.speaker for one in hypothesis}]
    speakers = max(len(said), len(heard))
    said += [[]] * (speakers - len(said))
    heard += [[]] * (speakers - len(heard))
    meet = may_meet if collar is not None else lambda one, other: True
    return [[edit_distance(r, h, meet)[0] for h in heard] for r in said]


def fewest_errors(*rules):
    """The best of all assignments of speakers, tried one by one."""
    cost = costs(*rules)
    return min(sum(cost[r][h] for r, h in enumerate(order)) for order in itertools.permutations(range(len(cost))))


@settings(max_examples=150, deadline=None)
@given(TURNS, TURNS, COLLAR, TIMING, TIMING)
def test_tcpwer_equals_the_full_table(reference, hypothesis, collar, said, heard):
    options = {"collar": collar, "reference_timing": said, "hypothesis_timing": heard}
    expected = fewest_errors(reference, hypothesis, collar, (said, heard))
    assert tcpwer.stats(reference, hypothesis, **options)["errors"] == expected


@settings(max_examples=15, deadline=None)
@given(st.lists(TURN, min_size=21, max_size=40), st.lists(TURN, min_size=21, max_size=40), COLLAR)
def test_more_speakers_than_permutations_can_try(reference, hypothesis, collar):
    sides = [[replace(one, speaker=f"{k % 30}") for k, one in enumerate(side)] for side in (reference, hypothesis)]
    assert {len({one.speaker for one in side}) > 20 for side in sides} == {True}
    for metric, options in ((tcpwer, {"collar": collar}), (cpwer, {})):
        cost = np.array(costs(*sides, options.get("collar")))
        rows, columns = linear_sum_assignment(cost)
        assert metric.stats(*sides, **options)["errors"] == cost[rows, columns].sum()


@settings(max_examples=100, deadline=None)
@given(TURNS, TURNS)
def test_cpwer_equals_the_full_table(reference, hypothesis):
    assert cpwer.stats(reference, hypothesis)["errors"] == fewest_errors(reference, hypothesis, None)


@settings(max_examples=150, deadline=None)
@given(TURNS, TURNS, COLLAR)
def test_kinds_of_one_pair_follow_the_order_of_preference(reference, hypothesis, collar):
    reference = [one for one in reference if one.speaker == "A"]
    hypothesis = [one for one in hypothesis if one.speaker == "A"]
    expected = edit_distance(timed_words(reference, "A"), timed_words(hypothesis, "A", collar), may_meet)
    found = tcpwer.stats(reference, hypothesis, collar=collar)
    assert (found["errors"], found["substitutions"]) == expected
    untimed = edit_distance(timed_words(reference, "A"), timed_words(hypothesis, "A"), lambda one, other: True)
    found = cpwer.stats(reference, hypothesis)
    assert (found["errors"], found["substitutions"]) == untimed


@settings(max_examples=100, deadline=None)
@given(TURNS, TURNS, COLLAR)
def test_an_alignment_holds_every_word_once_and_counts_like_the_statistics(reference, hypothesis, collar):
    for metric, options in ((tcpwer, {"collar": collar}), (cpwer, {}), (wer, {})):
        steps = metric.align(reference, hypothesis, **options)
        found, kinds = metric.stats(reference, hypothesis, **options), Counter(step.op for step in steps)
        assert [found[key] for key in ("hits", "substitutions", "deletions", "insertions")] == [kinds[op] for op in Op]
        for side, segments in (("reference", reference), ("hypothesis", hypothesis)):
            words = Counter((getattr(step, side), getattr(step, f"{side}_segment")) for step in steps)
            del words[None, None]
            assert words == Counter((word, k) for k, one in enumerate(segments) for word in one.words.split())


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(TEXTS, min_size=1, max_size=3), max_size=4), TEXTS)
def test_the_cheapest_forms_are_taken(forms, heard):
    forms = [["दवा"], *forms]
    reference = [Segment("s", None, k, k, words=first, forms=tuple(more)) for k, (first, *more) in enumerate(forms)]
    for metric in (wer, cer):
        plain = [
            metric.stats([Segment("s", words=" ".join(choice))], [Segment("s", words=heard)])["errors"]
            for choice in itertools.product(*forms)
        ]
        assert metric.stats(reference, [Segment("s", words=heard)])["errors"] == min(plain)


FORMED = st.lists(
    st.builds(
        lambda s, start, length, words, more: Segment("s", s, start, start + length, words, forms=tuple(more)),
        st.sampled_from(["A", "B"]),
        TIMES,
        TIMES,
        TEXTS,
        st.lists(TEXTS, max_size=2),
    ),
    max_size=4,
)


@settings(max_examples=100, deadline=None)
@given(FORMED, TURNS, COLLAR)
def test_speakers_are_compared_in_their_cheapest_forms(reference, hypothesis, collar):
    written = [
        [replace(one, words=words, forms=()) for one, words in zip(reference, choice, strict=True)]
        for choice in itertools.product(*((one.words, *one.forms) for one in reference))
    ]
    for metric, options in ((tcpwer, {"collar": collar}), (cpwer, {})):
        found = metric.stats(reference, hypothesis, **options)
        assert found["errors"] == min(metric.stats(one, hypothesis, **options)["errors"] for one in written)
        steps = metric.align(reference, hypothesis, **options)
        assert sum(step.op is not Op.MATCH for step in steps) == found["errors"]
        assert sum(step.reference is not None for step in steps) == found["length"]
        taken = metric.forms_taken(reference, hypothesis, **options)
        assert set(taken) == {k for k, one in enumerate(reference) if one.forms}
        plain = [replace(one, words=taken.get(k, one.words), forms=()) for k, one in enumerate(reference)]
        same = metric.stats(plain, hypothesis, **options)
        assert (same["errors"], same["length"]) == (found["errors"], found["length"])
        other = sum(taken[k] != reference[k].words for k in taken)
        assert (found.get("alternatives", 0), found.get("other_forms", 0)) == (len(taken), other)
        accepted = [{word for form in (one.words, *one.forms) for word in form.split()} for one in reference]
        assert all(step.reference in accepted[step.reference_segment] for step in steps if step.reference is not None)


def formed_session(seed):
    """Thirty segments of two speakers, three of which accept several forms, and what a system makes of them."""
    rng = random.Random(seed)
    known = ["a", "b", "कब", "से", "बुखार", "ನೋವು", "x1", "दवा"][: rng.choice([2, 4, 8])]

    def text(most):
        return " ".join(rng.choices(known, k=rng.randint(0, most)))

    reference = [Segment("s", rng.choice("AB"), 2.0 * k, 2.0 * k + rng.choice([0, 1, 3]), text(6)) for k in range(30)]
    for k in rng.sample(range(30), 3):
        reference[k] = replace(reference[k], forms=tuple(text(9) for _ in range(rng.randint(1, 2))))
    hypothesis = []
    for one in reference:
        said = rng.choice([one.words, *one.forms]).split()
        heard = [word if rng.random() < 0.8 else rng.choice(known) for word in said if rng.random() < 0.9]
        speaker = one.speaker if rng.random() < 0.9 else rng.choice("ABC")
        hypothesis.append(replace(one, speaker=f"x{speaker}", words=" ".join(heard), forms=()))
    return reference, hypothesis


@pytest.mark.parametrize("seed", range(40))
def test_no_other_choice_of_forms_is_cheaper_in_a_longer_session(seed):
    reference, hypothesis = formed_session(seed)
    written = [
        [replace(one, words=words, forms=()) for one, words in zip(reference, choice, strict=True)]
        for choice in itertools.product(*((one.words, *one.forms) for one in reference))
    ]
    rules = [(cpwer, {}), (tcpwer, {"collar": 1.0}), (tcpwer, {"collar": 5.0}), (tcpcer, {"collar": 1.0}), (cpcer, {}), (wer, {})]
    for metric, options in rules:
        found = metric.stats(reference, hypothesis, **options)["errors"]
        assert found == min(metric.stats(one, hypothesis, **options)["errors"] for one in written)
