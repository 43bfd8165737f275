"""What the paired tests promise, and figures worked out by hand or published."""

import math

import pytest

from parakh.resample import Bootstrap, Resampler
from parakh.results import Stats, ratio
from parakh.significance import Paired, PairedTests, holm, minimum_detectable_difference


def rate(total):
    return ratio(total["errors"], total["length"])


def errors(total):
    return total["errors"]


def systems(count, extra):
    first = [Stats(errors=(7 * k) % 11, length=40) for k in range(count)]
    second = [Stats(errors=one["errors"] + extra(k), length=40) for k, one in enumerate(first)]
    return first, second


def compare(first, second, samples=2000, **given):
    return PairedTests(Resampler(len(first), Bootstrap(samples=samples), **given)).compare(first, second, rate, errors=errors)


@pytest.mark.parametrize("count", [2, 8, 30])
def test_a_system_does_not_differ_from_itself(count):
    first, second = systems(count, lambda _: 0)
    found = compare(first, second)
    assert (found.difference, found.interval, found.standard_error) == (0.0, (0.0, 0.0), 0.0)
    assert (found.p_permutation, found.p_bootstrap, found.p_matched_pairs) == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("count", [8, 30])
def test_turning_the_two_round_changes_the_sign_alone(count):
    first, second = systems(count, lambda k: (k % 4) - 1)
    one, other = compare(first, second), compare(second, first)
    assert other.difference == -one.difference
    assert other.interval == pytest.approx((-one.interval[1], -one.interval[0]))
    assert (other.p_permutation, other.p_bootstrap, other.p_matched_pairs) == (
        one.p_permutation,
        one.p_bootstrap,
        one.p_matched_pairs,
    )
    assert other.standard_error == pytest.approx(one.standard_error)


def test_few_recordings_are_exchanged_in_every_way():
    # Differences 1, 2, 3, 4: of the 16 sums of +-1 +-2 +-3 +-4, two are as far from 0 as 10 is, six as far as 6.
    first, second = systems(4, lambda k: k + 1)
    assert compare(first, second).p_permutation == 2 / 16
    first, second = systems(4, lambda k: [-2, 1, 3, 4][k])
    assert compare(first, second).p_permutation == 6 / 16


def test_many_recordings_are_exchanged_at_random():
    first, second = systems(40, lambda k: 1 + k % 3)
    assert compare(first, second, samples=500).p_permutation == 1 / 501
    first, second = systems(40, lambda k: (-1) ** k)
    assert compare(first, second, samples=500).p_permutation == 1.0


def test_a_difference_on_every_recording_is_seen():
    found = compare(*systems(30, lambda k: 1 + k % 3))
    assert found.interval[1] < 0
    assert max(found.p_permutation, found.p_bootstrap, found.p_matched_pairs) < 0.002


def test_matched_pairs_by_hand():
    # Differences -1, -2, -3, -4: mean -2.5, deviation sqrt(5/3), z = -2.5 / (sqrt(5/3) / 2) = -3.873.
    found = compare(*systems(4, lambda k: k + 1))
    assert found.p_matched_pairs == pytest.approx(math.erfc(2.5 / math.sqrt(5 / 3) * 2 / math.sqrt(2)), rel=1e-10)


def test_matched_pairs_does_not_apply():
    assert compare(*systems(6, lambda _: 2)).p_matched_pairs is None  # no spread to compare with
    first, second = systems(6, lambda k: k)
    assert PairedTests(Resampler(6, Bootstrap(samples=100))).compare(first, second, rate).p_matched_pairs is None
    assert compare(first[:1], second[:1]).p_matched_pairs is None


def test_one_recording_tells_nothing():
    found = compare([Stats(errors=1, length=5)], [Stats(errors=3, length=5)])
    assert (found.difference, found.interval, found.standard_error, found.p_bootstrap) == (0.2 - 0.6, None, None, None)
    assert found.p_permutation == 1.0


def test_an_undefined_score_has_no_difference():
    nothing = [Stats(errors=0, length=0)] * 5
    found = compare(nothing, nothing)
    assert (found.difference, found.interval, found.p_permutation, found.p_bootstrap) == (None, None, None, None)


def test_groups_are_exchanged_as_one():
    first, second = systems(12, lambda k: k % 3)
    groups = [f"speaker {k // 4}" for k in range(12)]
    summed = [[sum(part[1:], part[0]) for part in (one[:4], one[4:8], one[8:])] for one in (first, second)]
    assert compare(first, second, groups=groups) == compare(*summed)


def test_holm_by_hand():
    # 5 * 0.01, 4 * 0.02, 3 * 0.03, then never smaller: 2 * 0.04 and 0.05 stay at 0.09.
    assert holm([0.04, 0.01, 0.03, 0.02, 0.05]) == pytest.approx([0.09, 0.05, 0.09, 0.08, 0.09])
    assert holm([0.01, 0.01, 0.9]) == pytest.approx([0.03, 0.03, 0.9])
    assert holm([None, 0.6, 0.7]) == [None, 1.0, 1.0]
    assert holm([]) == []


def test_the_minimum_detectable_difference_is_found_four_times_in_five():
    # z(0.975) + z(0.8) = 1.959964 + 0.841621, any table of the normal distribution.
    assert minimum_detectable_difference(1.0) == pytest.approx(2.801585, abs=1e-6)
    assert minimum_detectable_difference(1.0, level=0.9, power=0.5) == pytest.approx(1.644854, abs=1e-6)


def test_the_interval_of_a_difference_is_a_percentile_interval_whatever_the_plan():
    first, second = systems(30, lambda k: [2, -1, 0, 1, -2, 1, 9][k % 7])
    bca, percentile = (
        PairedTests(Resampler(30, Bootstrap(method, samples=500))).compare(first, second, rate)
        for method in ("bca", "percentile")
    )
    assert bca == percentile
    gaps = [Stats(errors=a["errors"] - b["errors"], length=40) for a, b in zip(first, second, strict=True)]
    assert bca.interval == pytest.approx(Resampler(30, Bootstrap("percentile", samples=500)).interval(gaps, rate))


def test_the_same_numbers_stay():
    # First computed by this code on 2026-11-30 (numpy 2, x86-64); a change moves every published p-value.
    found = compare(*systems(30, lambda k: [2, -1, 0, 1, -2, 1][k % 6]))
    assert found == Paired(
        difference=-0.004166666666666652,
        interval=(-0.015833333333333338, 0.008333333333333331),
        standard_error=0.006056351588075969,
        p_permutation=0.585207396301849,
        p_bootstrap=0.5217391304347826,
        p_matched_pairs=0.504167113221,
    )


def test_one_against_many_is_each_against_it():
    first, second = systems(30, lambda k: (k % 4) - 1)
    third = systems(30, lambda k: k % 3)[1]
    resampler = Resampler(30, Bootstrap(samples=2000))
    tests = PairedTests(resampler)
    found = tests.against(resampler.tables([first, second, third]), 1, rate)
    assert found == [tests.compare(second, one, rate).p_permutation for one in (first, second, third)]
    assert found[1] == 1.0


def test_one_against_many_leaves_out_what_has_no_score():
    first, _ = systems(8, lambda _: 0)
    nothing = [Stats(errors=0, length=0)] * 8
    resampler = Resampler(8, Bootstrap(samples=2000))
    assert PairedTests(resampler).against(resampler.tables([first, nothing]), 0, rate) == [1.0, None]
