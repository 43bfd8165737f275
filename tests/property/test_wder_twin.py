"""WDER and tcWDER equal the definition on small conversations, and worked examples by hand."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from parakh.errors import InputError
from parakh.metrics import get, tcpwer, tcwder, wder, wer
from parakh.results import Stats, total
from parakh.types import Op, Segment

TEXTS = st.lists(st.sampled_from(["a", "b", "दवा", "ಜಿ"]), max_size=4).map(" ".join)
STARTS = st.integers(0, 20).map(float)
LENGTHS = st.sampled_from([0.0, 1.0, 4.0])
TURN = st.builds(
    lambda s, start, length, text: Segment("s", s, start, start + length, text), st.sampled_from("ABC"), STARTS, LENGTHS, TEXTS
)
TURNS = st.lists(TURN, max_size=6)


def wrong_speakers(pairs):
    """(wrong and correct, wrong and substituted, correct, substituted) of the best one-to-one mapping, tried one by one.

    `pairs` are (reference speaker, hypothesis speaker, whether the word is right). Of equally good mappings any.
    """
    said, heard = ([*dict.fromkeys(pair[k] for pair in pairs)] for k in (0, 1))
    padded = said + [None] * len(heard)
    best = max(
        (dict(zip(heard, order, strict=True)) for order in itertools.permutations(padded, len(heard))),
        key=lambda mapping: sum(mapping[h] == r for r, h, _ in pairs),
        default={},
    )
    wrong = [right for r, h, right in pairs if best[h] != r]
    return len(wrong), sum(right for _, _, right in pairs)


def stream(segments):
    return [(word, one.speaker) for one in sorted(segments, key=lambda one: one.start_time) for word in one.words.split()]


@settings(max_examples=150, deadline=None)
@given(TURNS, TURNS)
def test_wder_equals_the_definition(reference, hypothesis):
    said, heard = stream(reference), stream(hypothesis)
    steps = Levenshtein.opcodes([word for word, _ in said], [word for word, _ in heard])
    aligned = [
        pair for tag, a, b, c, d in steps if tag in {"equal", "replace"} for pair in zip(range(a, b), range(c, d), strict=True)
    ]
    wrong, correct = wrong_speakers([(said[i][1], heard[j][1], said[i][0] == heard[j][0]) for i, j in aligned])
    found = wder.stats(reference, hypothesis)
    assert (found["errors"], found["length"], found["correct"]) == (wrong, len(aligned), correct)
    assert found["wrong_correct"] + found["wrong_substituted"] == found["errors"]
    assert found["correct"] + found["substituted"] == found["length"]
    words = wer.stats(reference, hypothesis)
    assert (found["correct"], found["substituted"]) == (words["hits"], words["substitutions"])


@settings(max_examples=150, deadline=None)
@given(TURNS, TURNS, st.sampled_from([0.0, 0.5, 5.0, 1e6]))
def test_tcwder_aligns_both_conversations_as_tcpwer_aligns_two_speakers(reference, hypothesis, collar):
    as_one = [[replace(turn, speaker="all") for turn in side] for side in (reference, hypothesis)]
    expected = tcpwer.align(*as_one, collar=collar)
    pairs = [step for step in expected if step.op in {Op.MATCH, Op.SUBSTITUTION}]
    who = [
        (reference[step.reference_segment].speaker, hypothesis[step.hypothesis_segment].speaker, step.op is Op.MATCH)
        for step in pairs
    ]
    found = tcwder.stats(reference, hypothesis, collar=collar)
    wrong, correct = wrong_speakers(who)
    assert (found["errors"], found["length"], found["correct"]) == (wrong, len(pairs), correct)
    steps = tcwder.align(reference, hypothesis, collar=collar)
    alike = [replace(step, reference_speaker=None, hypothesis_speaker=None) for step in steps]
    assert alike == [replace(step, reference_speaker=None, hypothesis_speaker=None) for step in expected]


@settings(max_examples=50, deadline=None)
@given(TURNS, TURNS)
def test_speakers_named_right_are_never_wrong(reference, hypothesis):
    mapping = wder.speaker_mapping(reference, hypothesis)
    assert len(set(mapping.values())) == len(mapping)
    steps = wder.align(reference, hypothesis)
    wrong = sum(
        mapping.get(step.hypothesis_speaker) != step.reference_speaker for step in steps if step.op in {Op.MATCH, Op.SUBSTITUTION}
    )
    assert wder.stats(reference, hypothesis)["errors"] == wrong
    alone = [[replace(turn, speaker="one") for turn in side] for side in (reference, hypothesis)]
    assert wder.stats(*alone)["errors"] == tcwder.stats(*alone)["errors"] == 0


# By hand, after Shafey et al. 2019: of 6 words said "ली" is missing and "है" is heard as "हाँ", so S + C = 5. The system gives
# "कब से" of the worker to the mother's speaker q; q is the mother (2 words of hers against 2 of the worker's: "जी" and "हाँ"),
# p the worker: C_IS = 2, S_IS = 0.
WORKER, MOTHER = "asha", "mother"
SAID = [
    Segment("v", WORKER, 0.0, 2.0, "दवा ली कब से"),
    Segment("v", MOTHER, 2.0, 4.0, "जी है"),
]
HEARD = [Segment("v", "p", 0.0, 1.0, "दवा"), Segment("v", "q", 1.0, 4.0, "कब से जी हाँ")]


@pytest.mark.parametrize("metric", [wder, tcwder])
def test_by_hand(metric):
    found = metric.stats(SAID, HEARD)
    assert found == Stats(errors=2, length=5, wrong_correct=2, wrong_substituted=0, correct=4, substituted=1)
    assert metric.speaker_mapping(SAID, HEARD) == {"p": WORKER, "q": MOTHER}
    assert get(metric.__name__.rsplit(".")[-1]).score(found) == 0.4
    assert get("wder").parts(found) == {"wrong_of_correct": 0.5, "wrong_of_substituted": 0.0}


# By hand: one speaker heard for two. Of 3 words of A and 1 of B, B's is wrong; a substituted word counts like a right one.
def test_a_speaker_left_over_is_wrong_in_every_word():
    reference = [Segment("v", "A", 0.0, 1.0, "a b c"), Segment("v", "B", 1.0, 2.0, "d")]
    found = wder.stats(reference, [Segment("v", "x", 0.0, 2.0, "a b c e")])
    assert found == Stats(errors=1, length=4, wrong_correct=0, wrong_substituted=1, correct=3, substituted=1)


def test_recordings_are_pooled_and_nothing_aligned_has_no_rate():
    nothing = wder.stats(SAID, [])
    assert nothing == Stats(errors=0, length=0, wrong_correct=0, wrong_substituted=0, correct=0, substituted=0)
    assert get("wder").score(nothing) is None
    assert set(get("wder").parts(nothing).values()) == {None}
    pooled = total([wder.stats(SAID, HEARD), wder.stats(SAID, SAID), nothing])
    assert (pooled["errors"], pooled["length"]) == (2, 11)


# By hand: "जी" is said twice, a minute apart, by different people; only the second is heard, at its time.
def test_the_time_constraint_keeps_words_apart():
    reference = [Segment("v", "A", 0.0, 1.0, "जी"), Segment("v", "B", 60.0, 62.0, "जी ठीक")]
    hypothesis = [Segment("v", "y", 60.0, 62.0, "जी"), Segment("v", "x", 0.0, 1.0, "हम्म")]
    assert [str(step.op) for step in tcwder.align(reference, hypothesis)] == ["substitution", "match", "deletion"]
    late = [replace(turn, start_time=turn.start_time + 20, end_time=turn.end_time + 20) for turn in hypothesis]
    assert tcwder.stats(reference, late)["length"] == 0
    assert tcwder.stats(reference, late, collar=30.0)["length"] == 2


@pytest.mark.parametrize("metric", [wder, tcwder])
def test_the_cheapest_forms_are_aligned(metric):
    reference = [Segment("v", "A", 0.0, 1.0, "पाँच गोली", forms=("5 गोली",)), Segment("v", "B", 1.0, 2.0, "जी", forms=("हाँ",))]
    hypothesis = [Segment("v", "x", 0.0, 1.0, "5 गोली"), Segment("v", "x", 1.0, 2.0, "जी")]
    found = metric.stats(reference, hypothesis)
    assert (found["errors"], found["length"], found["alternatives"], found["other_forms"]) == (1, 3, 2, 1)
    assert metric.forms_taken(reference, hypothesis) == {0: "5 गोली", 1: "जी"}
    assert metric.forms_taken(hypothesis, hypothesis) == {}


@pytest.mark.parametrize("metric", [wder, tcwder])
def test_every_segment_needs_a_speaker(metric):
    with pytest.raises(InputError, match=r"^hypothesis of v:1: speaker: found none, expected a speaker"):
        metric.stats(SAID, [Segment("v", None, 0.0, 1.0, "a")])
