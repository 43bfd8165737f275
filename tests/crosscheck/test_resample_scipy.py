"""Intervals against scipy.stats.bootstrap, equal given the same draws, near given its own."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats as scipy_stats

from parakh.resample import Bootstrap, Resampler
from parakh.results import Stats, ratio

DRAWING = 0.15
"""The 0.99 quantile of 20,000 draws has a standard error of 0.026 of the score's own; here both sides are drawn, and z0 too."""


def conversations(seed, count):
    """Lengths and errors with a heavy tail, as word errors of sessions have."""
    random = np.random.default_rng(seed)
    length = random.integers(200, 2000, count)
    return (length * random.beta(1.5, 8, count)).round(), length.astype(float)


def of_sums(errors, length, axis=-1):
    return errors.sum(axis=axis) / length.sum(axis=axis)


def rate(total):
    return ratio(total["errors"], total["length"])


@pytest.mark.parametrize(("method", "name"), [("percentile", "percentile"), ("bca", "BCa")])
@pytest.mark.parametrize("seed", range(6))
def test_equal_to_scipy_on_the_same_resamples(method, name, seed):
    errors, length = conversations(seed, 40)
    stats = [Stats(errors=e, length=n) for e, n in zip(errors, length, strict=True)]
    resampler = Resampler(40, Bootstrap(method, samples=2000, seed=seed))
    drawn = SimpleNamespace(bootstrap_distribution=np.array(resampler.replicates(stats, rate).draws))
    theirs = scipy_stats.bootstrap(
        (errors, length), of_sums, paired=True, vectorized=True, n_resamples=0, method=name, bootstrap_result=drawn
    )
    assert resampler.interval(stats, rate) == pytest.approx(tuple(theirs.confidence_interval), rel=1e-9)


@pytest.mark.parametrize(("method", "name"), [("percentile", "percentile"), ("bca", "BCa")])
@pytest.mark.parametrize("seed", range(3))
def test_near_scipy_on_resamples_of_its_own(method, name, seed):
    errors, length = conversations(seed, 40)
    stats = [Stats(errors=e, length=n) for e, n in zip(errors, length, strict=True)]
    theirs = scipy_stats.bootstrap(
        (errors, length), of_sums, paired=True, vectorized=True, n_resamples=20_000, method=name, rng=np.random.default_rng(9)
    )
    ours = Resampler(40, Bootstrap(method, samples=20_000)).interval(stats, rate)
    assert ours == pytest.approx(tuple(theirs.confidence_interval), abs=DRAWING * theirs.standard_error)


def test_bca_with_strata_is_that_of_several_samples():
    errors, length = conversations(5, 40)
    first, second = errors[:15] / length[:15], errors[15:] / length[15:]
    theirs = scipy_stats.bootstrap(
        (first, second),
        lambda a, b, axis=-1: (a.sum(axis=axis) + b.sum(axis=axis)) / 40,
        vectorized=True,
        n_resamples=20_000,
        method="BCa",
        rng=np.random.default_rng(9),
    )
    resampler = Resampler(40, Bootstrap(samples=20_000), strata=["hi"] * 15 + ["kn"] * 25)
    ours = resampler.interval([Stats(rate=rate) for rate in [*first, *second]], lambda total: total["rate"] / 40)
    assert ours == pytest.approx(tuple(theirs.confidence_interval), abs=DRAWING * theirs.standard_error)


@pytest.mark.parametrize("seed", range(4))
def test_bca_with_strata_is_equal_on_the_same_resamples(seed):
    errors, length = conversations(seed, 25)
    rates = errors / length
    stats, strata = [Stats(rate=one) for one in rates], ["hi"] * 4 + ["kn"] * 21
    resampler = Resampler(25, Bootstrap(samples=2000, seed=seed), strata=strata)
    drawn = SimpleNamespace(bootstrap_distribution=np.array(resampler.replicates(stats, lambda total: total["rate"] / 25).draws))
    theirs = scipy_stats.bootstrap(
        (rates[:4], rates[4:]),
        lambda a, b, axis=-1: (a.sum(axis=axis) + b.sum(axis=axis)) / 25,
        vectorized=True,
        n_resamples=0,
        method="BCa",
        bootstrap_result=drawn,
    )
    ours = resampler.interval(stats, lambda total: total["rate"] / 25)
    assert ours == pytest.approx(tuple(theirs.confidence_interval), rel=1e-9)
