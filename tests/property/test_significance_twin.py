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
