"""The assignment chooses the very pairs scipy 1.x chooses, ties included: meeteval and dscore build on those."""

import numpy as np
import pytest

from parakh import _native

scipy_optimize = pytest.importorskip("scipy.optimize", reason="scipy is not installed")


def _matrices(count):
    rng = np.random.default_rng(20260101)
    for number in range(count):
        shape = rng.integers(1, 10, 2)
        cost = rng.integers(0, rng.integers(1, 6) + 1, shape).astype(float)
        yield (cost, -cost, cost / 10, cost / rng.integers(3, 9, shape))[number % 4]


def test_same_pairs_as_scipy_on_matrices_full_of_ties():
    different = []
    for number, cost in enumerate(_matrices(4000)):
        rows, columns = scipy_optimize.linear_sum_assignment(cost)
        if _native.assignment(cost) != (rows.tolist(), columns.tolist()):
            different.append(number)
    assert different == []


@pytest.mark.parametrize("shape", [(0, 0), (0, 3), (3, 0)])
def test_an_empty_matrix_pairs_nothing(shape):
    assert _native.assignment(np.zeros(shape)) == ([], [])


@pytest.mark.parametrize("shape", [(4, 4), (3, 5), (5, 3)])
def test_a_constant_matrix_pairs_along_the_diagonal(shape):
    diagonal = list(range(min(shape)))
    assert _native.assignment(np.ones(shape)) == (diagonal, diagonal)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_a_cost_that_is_not_finite_is_refused(bad):
    with pytest.raises(ValueError, match="finite"):
        _native.assignment(np.array([[1.0, bad]]))
