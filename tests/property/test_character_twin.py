"""cpCER and tcpCER equal the obvious full table over code points, and keep what follows from their definition."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.metrics import cer, cpcer, cpwer, tcpcer
from parakh.types import Segment

# Hindi, Kannada, Malayalam; conjuncts, a nukta as its own sign, digits, more than one kind of space.
TEXTS = st.lists(st.sampled_from(["क", "दवा", "दर्द", "पढ़", "ನೋವು", "പനി", "5"]), max_size=3).flatmap(
    lambda words: st.sampled_from([" ", "  ", "\u00a0", "\t "]).map(lambda space: space.join(words))
)
TIMES = st.integers(0, 12).map(lambda half: half / 2)
TURN = st.builds(
    lambda s, start, length, text: Segment("s", s, start, start + length, text), st.sampled_from("AB"), TIMES, TIMES, TEXTS
)
TURNS = st.lists(TURN, max_size=4)
ONE_SPEAKER = TURNS.map(lambda turns: [replace(turn, speaker="A") for turn in turns])
COLLARS = [0.0, 0.25, 1.0, 5.0, 1e6]
TIMING = st.sampled_from(["character_based", "character_based_points", "equidistant_points", "full_segment"])


def characters(segments, speaker, timing, collar):
    """(code point, begin, end) of one speaker, by the definition."""
    out = []
    for segment in sorted(segments, key=lambda one: one.start_time):
        text = "".join(f" {word}" for word in segment.words.split()) if segment.speaker == speaker else ""
        for k, sign in enumerate(text):
            share = segment.duration / len(text)
            begin, end = segment.start_time + share * k, segment.start_time + share * (k + 1)
            if timing == "equidistant_points":
                begin = end = begin + share / 2
            if timing == "character_based_points":
                begin = end = (begin + end) / 2
            if timing == "full_segment":
                begin, end = segment.start_time, segment.end_time
            out.append((sign, begin - collar, end + collar))
    return out[1:]


def edit_distance(reference, hypothesis, timed):
    table = {(0, 0): 0}
    for i, j in itertools.product(range(len(reference) + 1), range(len(hypothesis) + 1)):
        choices = [table[i, j]] if i == j == 0 else []
        if j:
            choices.append(table[i, j - 1] + 1)
        if i:
            choices.append(table[i - 1, j] + 1)
        if i and j:
            (said, begin, end), (heard, first, last) = reference[i - 1], hypothesis[j - 1]
            if not timed or (begin < last and first < end):
                choices.append(table[i - 1, j - 1] + (said != heard))
        table[i, j] = min(choices)
    return table[len(reference), len(hypothesis)]


def fewest_errors(reference, hypothesis, collar=None, timings=("character_based", "character_based_points")):
    """The best of all assignments of speakers, tried one by one."""
    said = [characters(reference, speaker, timings[0], 0.0) for speaker in {one.speaker for one in reference}]
    heard = [characters(hypothesis, speaker, timings[1], collar or 0.0) for speaker in {one.speaker for one in hypothesis}]
    speakers = max(len(said), len(heard))
    said += [[]] * (speakers - len(said))
    heard += [[]] * (speakers - len(heard))
    cost = [[edit_distance(r, h, collar is not None) for h in heard] for r in said]
    return min(sum(cost[r][h] for r, h in enumerate(order)) for order in itertools.permutations(range(speakers)))


@settings(max_examples=100, deadline=None)
@given(TURNS, TURNS)
def test_cpcer_equals_the_full_table(reference, hypothesis):
    assert cpcer.stats(reference, hypothesis)["errors"] == fewest_errors(reference, hypothesis)


@settings(max_examples=150, deadline=None)
@given(TURNS, TURNS, st.sampled_from(COLLARS), TIMING, TIMING)
def test_tcpcer_equals_the_full_table(reference, hypothesis, collar, said, heard):
    options = {"collar": collar, "reference_timing": said, "hypothesis_timing": heard}
    expected = fewest_errors(reference, hypothesis, collar, (said, heard))
    assert tcpcer.stats(reference, hypothesis, **options)["errors"] == expected


FORMED = st.lists(
    st.builds(lambda turn, forms: replace(turn, speaker="A", forms=tuple(forms)), TURN, st.lists(TEXTS, max_size=2)), max_size=4
)


@settings(max_examples=150, deadline=None)
@given(FORMED, ONE_SPEAKER)
def test_with_one_speaker_cpcer_is_cer(reference, hypothesis):
    found, plain = cpcer.stats(reference, hypothesis), cer.stats(reference, hypothesis)
    assert (found["errors"], found["length"]) == (plain["errors"], plain["length"])


@settings(max_examples=100, deadline=None)
@given(TURNS, TURNS)
def test_a_wider_collar_never_adds_errors_and_the_widest_gives_cpcer(reference, hypothesis):
    found = [tcpcer.stats(reference, hypothesis, collar=collar) for collar in COLLARS]
    errors = [one["errors"] for one in found]
    assert errors == sorted(errors, reverse=True)
    free = cpcer.stats(reference, hypothesis)
    assert all(one["errors"] >= free["errors"] for one in found)
    assert all(one["length"] == free["length"] for one in found)
    assert errors[-1] == free["errors"]


@settings(max_examples=50, deadline=None)
@given(TURNS, st.sampled_from([0.25, 5.0]))
def test_what_is_equal_costs_nothing(turns, collar):
    renamed = [replace(turn, speaker=f"x{turn.speaker}", end_time=turn.end_time + 1) for turn in turns]
    lasting = [replace(turn, end_time=turn.end_time + 1) for turn in turns]
    for found in (cpcer.stats(lasting, renamed), tcpcer.stats(lasting, renamed, collar=collar)):
        assert (found["errors"], found["substitutions"], found["deletions"], found["insertions"]) == (0, 0, 0, 0)
        assert found["hits"] == found["length"]


# By hand, in code points: दर्द is 4 (द र ् द), ನೋವು 4 (ನ ೋ ವ ು), വേദന 4 (വ േ ദ ന); each sign counts.
@pytest.mark.parametrize(
    ("said", "heard", "errors", "length"),
    [
        ("पेट दर्द", "पीट दरद", 2, 8),
        ("ಹೊಟ್ಟೆ ನೋವು", "ಹೊಟ್ಟೆನೋವು", 1, 11),
        ("തല വേദന", "തലവേദന", 1, 7),
        ("BP 140 है", "BP  140\u00a0है", 0, 9),
    ],
)
def test_signs_and_spaces_count(said, heard, errors, length):
    reference, hypothesis = [Segment("s", "A", 0.0, 2.0, said)], [Segment("s", "x", 0.0, 2.0, heard)]
    for found in (cpcer.stats(reference, hypothesis), tcpcer.stats(reference, hypothesis)):
        assert (found["errors"], found["length"]) == (errors, length)


# By hand: over two segments " a" and " b" the stream is "a b"; given to two speakers the space is gone on that side.
def test_the_space_between_segments_of_a_speaker_counts():
    reference = [Segment("s", "A", 0.0, 1.0, "a"), Segment("s", "A", 1.0, 2.0, "b")]
    split = [Segment("s", "x", 0.0, 1.0, "a"), Segment("s", "y", 1.0, 2.0, "b")]
    for metric in (cpcer, tcpcer):
        assert metric.stats(reference, reference)["length"] == 3
        found = metric.stats(reference, split)
        assert (found["errors"], found["deletions"], found["insertions"]) == (3, 2, 1)


# By hand: of a reference of 4 s with 8 code points each holds 0.5 s, so the "b" of " a b c d" holds 1.5-2.0; heard alone in
# 2.5-3.5, as " b", its centre is 3.25 and a collar beyond 1.25 s lets the two meet. Before, it can only replace a later one.
@pytest.mark.parametrize(("collar", "errors"), [(1.25, 7), (1.26, 6)])
def test_when_two_characters_meet(collar, errors):
    reference, hypothesis = [Segment("s", "A", 0.0, 4.0, "a b c d")], [Segment("s", "x", 2.5, 3.5, "b")]
    assert cpwer.stats(reference, hypothesis)["errors"] == 3
    assert tcpcer.stats(reference, hypothesis, collar=collar)["errors"] == errors
