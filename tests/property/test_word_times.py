"""An aligned word tells who said it and when, in every metric that aligns words."""

import pytest

from parakh.errors import InputError
from parakh.metrics import cpwer, tcpwer, wer
from parakh.metrics._times import TIMINGS, check_timing, word_times
from parakh.types import Op, Segment

REFERENCE = [Segment("v", "asha", 2.0, 7.0, "दवा ली"), Segment("v", "patient", 8.0, 10.0, "हाँ जी")]
HYPOTHESIS = [Segment("v", "p", 8.0, 10.0, "हाँ जी ठीक"), Segment("v", "q", 2.0, 4.5, "दवा")]
every_alignment = pytest.mark.parametrize("align", [cpwer.align, tcpwer.align, wer.align], ids=["cpwer", "tcpwer", "wer"])


# By hand: दवा has 3 of 5 code points of 5 s, हाँ 3 of 5 of 2 s on one side and 3 of 8 on the other.
@every_alignment
def test_who_said_each_word_and_when(align):
    found = {(step.reference, step.hypothesis): step for step in align(REFERENCE, HYPOTHESIS)}
    same, gone, extra = found["दवा", "दवा"], found["ली", None], found[None, "ठीक"]
    assert (same.op, gone.op, extra.op) == (Op.MATCH, Op.DELETION, Op.INSERTION)
    assert (same.reference_speaker, same.hypothesis_speaker) == ("asha", "q")
    assert (same.reference_time, same.hypothesis_time) == ((2.0, 5.0), (2.0, 4.5))
    assert (gone.reference_speaker, gone.hypothesis_speaker, gone.reference_time, gone.hypothesis_time) == (
        "asha",
        None,
        (5.0, 7.0),
        None,
    )
    assert (extra.reference_speaker, extra.hypothesis_speaker) == (None, "p")
    assert (extra.reference_time, extra.hypothesis_time) == (None, (9.25, 10.0))
    assert found["हाँ", "हाँ"].hypothesis_time == (8.0, 8.75)


@pytest.mark.parametrize("align", [cpwer.align, wer.align])
def test_words_without_times_have_none(align):
    (step,) = align([Segment("v", "A", words="a")], [Segment("v", "x", words="b")])
    assert (step.reference_speaker, step.hypothesis_speaker) == ("A", "x")
    assert (step.reference_time, step.hypothesis_time) == (None, None)


# meeteval 0.4.3, docstring of get_pseudo_word_level_timings.
@pytest.mark.parametrize(
    ("timing", "first"),
    [
        ("character_based", [(0.0, 3.0), (3.0, 4.0)]),
        ("equidistant_intervals", [(0.0, 2.0), (2.0, 4.0)]),
        ("full_segment", [(0.0, 4.0), (0.0, 4.0)]),
    ],
)
def test_pseudo_times_are_meeteval_s(timing, first):
    assert word_times(["abc", "b"], 0.0, 4.0, timing) == first


def test_a_bad_rule_is_named_with_those_there_are():
    for timing in TIMINGS:
        check_timing("reference_timing", timing)
    with pytest.raises(InputError) as error:
        check_timing("reference_timing", "full_segments")
    assert str(error.value) == (
        "reference_timing: found 'full_segments', expected one of character_based, character_based_points, "
        "equidistant_intervals, equidistant_points, full_segment, none. Did you mean 'full_segment'?"
    )
