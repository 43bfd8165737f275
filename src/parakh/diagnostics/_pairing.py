"""Which wrong word stands for which: inside a run of errors, words that look alike are paired, at no more errors than before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from parakh.diagnostics import Unit
from parakh.text.tokens import Kind

Row = tuple[int, int, int, int, int, int]
"""A step: units i0 to i1 of the reference meet j0 to j1 of the hypothesis, by rows a and b of spans, -1 for none."""
_MOST_CELLS = 10_000
"""A run whose table would be larger keeps the pairs it has."""
_ERROR = 1000.0
_OTHER_KIND = 0.5
"""How much less alike a word and a numeral are than their letters say."""


def pair_alike(
    rows: Sequence[Row],
    reference: Sequence[Unit],
    hypothesis: Sequence[Unit],
    folded: tuple[list[str], list[str]],
    may_meet: Callable[[int, int], bool],
) -> list[Row]:
    """Pair the words of each run of errors anew.

    Args:
        rows: Steps i0, i1, j0, j1, a, b from first to last.
        reference: Units of the reference.
        hypothesis: Units of the hypothesis.
        folded: The folded text of each unit, of either side.
        may_meet: Whether the times of a reference and a hypothesis unit overlap.

    Returns:
        Steps with as many errors, of which those that substitute have the least distance of letters.
    """
    found: list[Row] = []
    run: list[Row] = []
    for row in rows:
        if _is_error(row, folded):
            run.append(row)
            continue
        found += _paired(run, reference, hypothesis, folded, may_meet)
        found.append(row)
        run = []
    return found + _paired(run, reference, hypothesis, folded, may_meet)


def _is_error(row: Row, folded: tuple[list[str], list[str]]) -> bool:
    i0, i1, j0, j1, a, b = row
    return a < 0 and b < 0 and (i0 == i1 or j0 == j1 or folded[0][i0] != folded[1][j0])


def _paired(
    run: list[Row],
    reference: Sequence[Unit],
    hypothesis: Sequence[Unit],
    folded: tuple[list[str], list[str]],
    may_meet: Callable[[int, int], bool],
) -> list[Row]:
    if len(run) < 2:
        return run
    first, last = run[0], run[-1]
    rows, columns = last[1] - first[0], last[3] - first[2]
    if not rows or not columns or len(run) == rows == columns or rows * columns > _MOST_CELLS:
        return run

    def cost(i: int, j: int) -> float:
        said, heard = reference[first[0] + i], hypothesis[first[2] + j]
        marks = (said.kind is Kind.PUNCT) + (heard.kind is Kind.PUNCT)
        if marks == 1 or not may_meet(first[0] + i, first[2] + j):
            return 3 * _ERROR
        other = _OTHER_KIND if said.kind is not heard.kind else 0.0
        return _ERROR + other + _distance(folded[0][first[0] + i], folded[1][first[2] + j])

    return [
        (first[0] + i0, first[0] + i1, first[2] + j0, first[2] + j1, -1, -1)
        for i0, i1, j0, j1 in cheapest_steps(rows, columns, cost, _ERROR)
    ]


def cheapest_steps(rows: int, columns: int, cost: Callable[[int, int], float], error: float) -> list[tuple[int, int, int, int]]:
    """The cheapest steps through a small table.

    Args:
        rows: Words of the reference.
        columns: Words of the hypothesis.
        cost: Of a reference word standing for a hypothesis word, by their indices.
        error: What a deletion or an insertion costs.

    Returns:
        Steps i0, i1, j0, j1 from first to last.

    >>> cheapest_steps(1, 2, lambda i, j: float(j != 1), 1.0)
    [(0, 0, 0, 1), (0, 1, 1, 2)]
    """
    costs = [[cost(i, j) for j in range(columns)] for i in range(rows)]
    table = [[(i + j) * error for j in range(columns + 1)] for i in range(rows + 1)]
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            table[i][j] = min(table[i - 1][j - 1] + costs[i - 1][j - 1], table[i - 1][j] + error, table[i][j - 1] + error)
    steps = []
    i, j = rows, columns
    while i or j:
        if i and j and table[i][j] == table[i - 1][j - 1] + costs[i - 1][j - 1]:
            i, j = i - 1, j - 1
            steps.append((i, i + 1, j, j + 1))
        elif i and table[i][j] == table[i - 1][j] + error:
            i -= 1
            steps.append((i, i + 1, j, j))
        else:
            j -= 1
            steps.append((i, i, j, j + 1))
    return steps[::-1]


@lru_cache(maxsize=65536)
def _distance(first: str, second: str) -> float:
    from rapidfuzz.distance import Levenshtein

    return round(Levenshtein.normalized_distance(first, second), 6)
