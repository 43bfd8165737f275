"""The permutation test against a slow obvious twin: every exchange written out, in fractions."""

from fractions import Fraction
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.resample import Bootstrap, Resampler
from parakh.results import Stats, ratio
from parakh.significance import PairedTests, holm

recordings = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(1, 40)), min_size=1, max_size=6)
p_values = st.lists(st.floats(0, 1), max_size=8)


def rate(total):
    return ratio(total["errors"], total["length"])


def slow_permutation(counts):
    length = sum(one[2] for one in counts)

    def gap(exchanged):
        return abs(sum(Fraction((-1) ** swap * (a - b), length) for swap, (a, b, _) in zip(exchanged, counts, strict=True)))

    ways = list(product((0, 1), repeat=len(counts)))
    return sum(gap(way) >= gap(ways[0]) for way in ways) / len(ways)


@settings(max_examples=60, deadline=None)
@given(counts=recordings)
def test_equal_to_every_exchange_written_out(counts):
    first = [Stats(errors=a, length=n) for a, _, n in counts]
    second = [Stats(errors=b, length=n) for _, b, n in counts]
    found = PairedTests(Resampler(len(counts), Bootstrap(samples=100))).compare(first, second, rate)
    assert found.p_permutation == slow_permutation(counts)


@settings(max_examples=40, deadline=None)
@given(
    systems=st.lists(st.lists(st.integers(0, 30), min_size=9, max_size=9), min_size=2, max_size=5),
    samples=st.sampled_from([100, 600]),
)
def test_all_pairs_at_once_are_what_each_pair_is_alone(systems, samples):
    # With 9 recordings there are 512 exchanges: some at random with 100 samples, every one with 600.
    tests = PairedTests(Resampler(9, Bootstrap(samples=samples)))
    stats = [[Stats(errors=k, length=20 + n) for n, k in enumerate(one)] for one in systems]
    found = tests.among(tests.resampler.tables(stats), rate)
    for first in range(len(stats)):
        assert found[first][first] is None
        for second in range(len(stats)):
            if first != second:
                assert found[first][second] == tests.compare(stats[first], stats[second], rate).p_permutation


@given(values=p_values)
def test_holm_raises_keeps_order_and_rejects_as_the_procedure_does(values):
    adjusted = holm(values)
    assert all(p <= q <= 1 for p, q in zip(values, adjusted, strict=True))
    ordered = sorted(zip(values, adjusted, strict=True))
    assert [q for _, q in ordered] == sorted(adjusted)
    # The procedure itself: from the smallest on, reject while p <= alpha / (tests left).
    rejected = 0
    while rejected < len(ordered) and ordered[rejected][0] * (len(ordered) - rejected) <= 0.05:
        rejected += 1
    assert sum(q <= 0.05 for q in adjusted) == rejected
