"""The interval against a slow obvious twin on the same resamples: fractions, one recording after the other."""

import math
from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parakh.resample import METHODS, Bootstrap, Resampler
from parakh.results import Stats, ratio

counts = st.lists(st.tuples(st.integers(0, 40), st.integers(1, 60)), min_size=2, max_size=12)
NORMAL = NormalDist()


def rate(total):
    return ratio(total["errors"], total["length"])


def slow_rate(stats, weights):
    errors = sum(Fraction(one["errors"]) * int(w) for one, w in zip(stats, weights, strict=True))
    length = sum(Fraction(one["length"]) * int(w) for one, w in zip(stats, weights, strict=True))
    return float(errors / length)


def slow_interval(stats, plan, weights):
    """Efron & Tibshirani (1993), equations 14.9 to 14.15, word for word."""
    draws = [slow_rate(stats, row) for row in weights]
    low, high = (1 - plan.level) / 2, (1 + plan.level) / 2
    if plan.method == "bca":
        n = len(stats)
        estimate = slow_rate(stats, [1] * n)
        share = sum(0.5 if value == estimate else float(value < estimate) for value in draws) / len(draws)
        z0 = NORMAL.inv_cdf(share)
        jackknife = [slow_rate(stats, [j != i for j in range(n)]) for i in range(n)]
        deviations = [math.fsum(jackknife) / n - value for value in jackknife]
        spread = 6 * math.fsum(d**2 for d in deviations) ** 1.5
        a = math.fsum(d**3 for d in deviations) / spread if spread > 1e-15 else 0.0
        low, high = (NORMAL.cdf(z0 + (z0 + z) / (1 - a * (z0 + z))) for z in map(NORMAL.inv_cdf, (low, high)))
    return np.quantile(draws, [low, high])


@settings(max_examples=40, deadline=None)
@given(counts=counts, method=st.sampled_from(METHODS), seed=st.integers(0, 2**40))
def test_equal_to_the_twin(counts, method, seed):
    stats = [Stats(errors=errors, length=length) for errors, length in counts]
    plan = Bootstrap(method, samples=100, seed=seed)
    resampler = Resampler(len(stats), plan)
    assert resampler.interval(stats, rate) == pytest.approx(slow_interval(stats, plan, resampler.weights), abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(counts=counts, seed=st.integers(0, 2**40))
def test_sums_of_resamples_are_exact(counts, seed):
    stats = [Stats(errors=errors / 7, length=length) for errors, length in counts]
    resampler = Resampler(len(stats), Bootstrap(samples=100, seed=seed))
    draws = resampler.replicates(stats, rate).draws
    assert list(draws) == pytest.approx([slow_rate(stats, row) for row in resampler.weights], rel=1e-13)
    whole = [Stats(errors=errors, length=length) for errors, length in counts]
    assert resampler.replicates(whole, rate).draws == tuple(slow_rate(whole, row) for row in resampler.weights)


@settings(max_examples=20, deadline=None)
@given(counts=counts, power=st.integers(-20, 20))
def test_the_unit_of_a_statistic_does_not_matter(counts, power):
    stats = [Stats(errors=errors, length=length) for errors, length in counts]
    scaled = [Stats(errors=errors * 2.0**power, length=length * 2.0**power) for errors, length in counts]
    resampler = Resampler(len(stats), Bootstrap(samples=100))
    assert resampler.interval(scaled, rate) == resampler.interval(stats, rate)
