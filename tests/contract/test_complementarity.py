"""What systems have of each other, on values counted by hand."""

import pytest

from parakh import metrics
from parakh.complementarity import error_overlap, oracle, wins
from parakh.metrics import Better
from parakh.results import Stats

WER = metrics.get("wer")


def of(*errors, length=10):
    return [Stats(errors=count, length=length) for count in errors]


def test_won_lost_and_tied():
    assert wins([0.1, 0.2, 0.3], [0.2, 0.2, 0.1], Better.LOWER) == (1, 1, 1)
    assert wins([0.1, 0.4], [0.2, 0.1], Better.HIGHER) == (1, 1, 0)
    assert wins([None, 0.1], [0.1, None], Better.LOWER) == (0, 0, 0)


def test_the_best_of_each_recording():
    # a errs 1, 5, 4 times, b 3, 2, 4: the best are 1 (a), 2 (b) and 4 (both): 7 of 30 words; b alone errs 9 times.
    found = oracle(WER, {"a": of(1, 5, 4), "b": of(3, 2, 4)})
    assert (found.value, found.best, found.alone, found.recordings) == (7 / 30, "b", 9 / 30, 3)
    assert found.shares == pytest.approx({"a": 0.5, "b": 0.5})
    assert found.gain == pytest.approx(2 / 30)
    assert found.overlap == 7 / 12  # 1 + 2 + 4 of 3 + 5 + 4


def test_of_more_than_two_there_is_no_overlap():
    found = oracle(WER, {"a": of(1, 5), "b": of(3, 2), "c": of(0, 9)})
    assert (found.value, found.overlap, found.shares) == (2 / 20, None, {"a": 0.0, "b": 0.5, "c": 0.5})


def test_where_choosing_by_recording_harms_the_best_is_chosen_throughout():
    # MER counts errors against what the system says too: 49 of 100 beats 5 of 10 and 90 of 100 beats 10 of 11, which come to 139
    # of 200 together; b alone makes 59 errors of 111.
    def mer(errors, whole):
        return Stats(errors=errors, hits=whole - errors, substitutions=errors, deletions=0, insertions=0, length=whole)

    one, other = [mer(5, 10), mer(90, 100)], [mer(49, 100), mer(10, 11)]
    found = oracle(metrics.get("mer"), {"a": one, "b": other})
    assert (found.value, found.alone, found.gain) == (59 / 111, 59 / 111, 0.0)


def test_what_is_undefined_is_never_chosen():
    empty = [Stats(errors=2, length=0), Stats(errors=1, length=10)]
    found = oracle(WER, {"a": empty, "b": of(3, 3)})
    assert found.shares == {"a": 0.5, "b": 0.5}
    assert found.value == 4 / 20


def test_where_nothing_was_said_the_fewest_words_made_up_are_chosen():
    # a alone is the better one, but b makes up nothing where there is silence: 1 + 0 of 10 words.
    found = oracle(WER, {"a": [*of(1), *of(3, length=0)], "b": [*of(9), *of(0, length=0)], "c": [*of(9), *of(4, length=0)]})
    assert (found.value, found.best, found.alone) == (0.1, "a", 0.4)
    assert found.shares == {"a": 0.5, "b": 0.5, "c": 0.0}


def test_higher_may_be_better():
    f1 = metrics.get("rouge1")
    assert f1.better is Better.HIGHER
    one, other = f1.stats("दवा लें", "दवा लें"), f1.stats("दवा लें", "दवा")
    found = oracle(f1, {"a": [one, other], "b": [other, one]})
    assert (found.value, found.overlap) == (1.0, None)
    assert found.alone < 1


def test_errors_need_lengths_that_are_the_same():
    assert error_overlap(WER, of(2), of(4)) == 0.5
    assert error_overlap(WER, of(2), of(4, length=9)) is None
    assert error_overlap(WER, of(0), of(0)) is None
