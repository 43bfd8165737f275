"""The paired permutation test against scipy.stats.permutation_test: exchanges of pairs, exact and at random."""

import numpy as np
import pytest
from scipy import stats as scipy_stats

from parakh.resample import Bootstrap, Resampler
from parakh.results import Stats, ratio
from parakh.significance import PairedTests


def rate(total):
    return ratio(total["errors"], total["length"])


def pooled(seed, count):
    """Both systems' (errors, length) of `count` recordings, one after the other; lengths differ between the systems."""
    random = np.random.default_rng(seed)
    length = random.integers(50, 500, 2 * count)
    return np.stack([random.binomial(length, np.repeat([0.10, 0.13], count)), length], axis=1)


def both(pool, count, samples, resamples):
    def gap(mine, theirs, axis=-1):
        first, second = (pool[rows.astype(int)].sum(axis=-2) for rows in (mine, theirs))
        return first[..., 0] / first[..., 1] - second[..., 0] / second[..., 1]

    theirs = scipy_stats.permutation_test(
        (np.arange(count), np.arange(count, 2 * count)),
        gap,
        permutation_type="samples",
        vectorized=True,
        n_resamples=resamples,
        rng=np.random.default_rng(1),
    )
    every = [Stats(errors=int(e), length=int(n)) for e, n in pool]
    ours = PairedTests(Resampler(count, Bootstrap(samples=samples))).compare(every[:count], every[count:], rate)
    assert ours.difference == pytest.approx(theirs.statistic, rel=1e-12)
    return ours.p_permutation, theirs.pvalue


@pytest.mark.parametrize("seed", range(4))
def test_every_exchange(seed):
    ours, theirs = both(pooled(seed, 9), 9, 10_000, np.inf)
    assert ours == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_exchanges_at_random(seed):
    ours, theirs = both(pooled(seed, 40), 40, 10_000, 10_000)
    spread = 4 * (2 * max(theirs, 1e-3) * (1 - theirs) / 10_000) ** 0.5
    assert ours == pytest.approx(theirs, abs=spread)
