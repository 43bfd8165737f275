"""Grouping pieces of local speakers into the speakers of a recording."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

APART = 1.0
"""Least distance of two pieces that were heard as two people in one window."""

_SMALLEST = 0.1


@dataclass(frozen=True)
class Rule:
    """When clusters are one speaker; distances are one minus a cosine.

    Args:
        spread: Average distance of two clusters' items from which they do not merge.
        shift: Distance of two clusters, freed of their own spread, from which they are two speakers.
        large: Weight from which a cluster counts as a speaker.
        fewest: Least number of speakers.
        most: Greatest number of speakers.
    """

    spread: float
    shift: float
    large: float
    fewest: int
    most: int


def distances(left: Floats, right: Floats) -> Floats:
    """One minus the cosine of every row of ``left`` with every row of ``right``; in [0, 2].

    >>> distances(np.array([[1.0, 0.0]]), np.array([[2.0, 0.0], [0.0, 1.0]])).tolist()
    [[0.0, 1.0]]
    """
    cosines: Floats = unit(left) @ unit(right).T
    return 1 - cosines


def unit(rows: Floats) -> Floats:
    """Rows of length 1; rows of zeros stay."""
    scaled: Floats = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return scaled


def speaker_means(rows: Floats, weights: Floats, apart: Flags, disjoint: Flags, rule: Rule) -> Floats:
    """The mean embedding of each speaker, the one with most weight first.

    Args:
        rows: One embedding an item, shape (n, size), n >= 1.
        weights: What each item weighs (its seconds), shape (n,).
        apart: Pairs of items that were heard as two people, shape (n, n).
        disjoint: Pairs of items that share no time, shape (n, n).
        rule: When clusters are one speaker.

    Returns:
        Shape (speakers, size); fewer than ``rule.fewest`` only when there are fewer items.
    """
    cosines = 1 - distances(rows, rows)
    table = np.where(apart, np.maximum(1 - cosines, APART), 1 - cosines)
    labels = agglomerate(table, weights, rule)
    while labels.max() + 1 < min(rule.fewest, len(rows)) and rule.large > _SMALLEST:
        rule = replace(rule, large=rule.large / 2)
        labels = agglomerate(table, weights, rule)
    labels = _join_near(labels, cosines, disjoint, rule)
    members = (labels == np.arange(labels.max() + 1)[:, None]) * weights
    means: Floats = members @ unit(rows)
    return means[np.argsort(-members.sum(axis=1), kind="stable")]


def agglomerate(table: Floats, weights: Floats, rule: Rule) -> Ints:
    """Average-linkage agglomerative clustering that keeps large clusters and lets small ones go.

    The two closest clusters merge until the closest are ``rule.spread`` apart and at most ``rule.most`` are large.
    Two large clusters never merge when only ``rule.fewest`` are left, so that a few odd items cannot take the place
    of a speaker.

    Args:
        table: Symmetric distances, shape (n, n).
        weights: What each item weighs, shape (n,).
        rule: Where to stop.

    Returns:
        Large cluster of each item by falling weight, shape (n,): 0, 1, ...; -1 for the items of small ones.

    Source: the unweighted pair-group method; with ``large`` 0 equal to scipy 1.17 ``linkage(method="average")``.

    >>> near = np.array([[0, 0.1, 0.9], [0.1, 0, 0.8], [0.9, 0.8, 0]])
    >>> agglomerate(near, np.ones(3), Rule(0.5, 0.0, 1.0, 1, 9)).tolist()
    [0, 0, 1]
    """
    work = table.astype(np.float64)
    np.fill_diagonal(work, np.inf)
    mass, sizes = weights.astype(np.float64), np.ones(len(table))
    members = [[item] for item in range(len(table))]
    while len(members) > 1:
        count = len(members)
        large = np.flatnonzero(mass[:count] >= rule.large)
        a, b, gap = _closest(work[:count, :count], large if len(large) <= rule.fewest else large[:0])
        if gap == np.inf or (gap >= rule.spread and len(large) <= rule.most):
            break
        _merge(work, mass, sizes, members, a, b)
    return _labels(members, mass[: len(members)], rule, len(table))


def _closest(work: NDArray[np.float64], kept: Ints) -> tuple[int, int, float]:
    """The closest pair of clusters, not both of ``kept``, and their distance."""
    saved = work[np.ix_(kept, kept)]
    work[np.ix_(kept, kept)] = np.inf
    rows = work.min(axis=1)
    a = int(rows.argmin())
    b, gap = int(work[a].argmin()), float(rows[a])
    work[np.ix_(kept, kept)] = saved
    return min(a, b), max(a, b), gap


def _merge(
    work: NDArray[np.float64], mass: NDArray[np.float64], sizes: NDArray[np.float64], members: list[list[int]], a: int, b: int
) -> None:
    """Put cluster ``b`` into ``a`` and the last cluster into b's place."""
    row = (sizes[a] * work[a] + sizes[b] * work[b]) / (sizes[a] + sizes[b])
    row[a] = np.inf
    work[a], work[:, a] = row, row
    mass[a] += mass[b]
    sizes[a] += sizes[b]
    members[a] += members[b]
    last = len(members) - 1
    work[b], work[:, b] = work[last], work[:, last].copy()
    work[b, b] = np.inf
    mass[b], sizes[b], members[b] = mass[last], sizes[last], members[last]
    members.pop()


def _labels(members: list[list[int]], mass: NDArray[np.float64], rule: Rule, count: int) -> Ints:
    order = sorted(range(len(members)), key=lambda cluster: (-mass[cluster], min(members[cluster])))
    large = [cluster for cluster in order if mass[cluster] >= rule.large][: rule.most] or order[:1]
    labels = np.full(count, -1)
    for label, cluster in enumerate(large):
        labels[members[cluster]] = label
    return labels


def _join_near(labels: Ints, cosines: Floats, disjoint: Flags, rule: Rule) -> Ints:
    """Make one of clusters nearer than ``rule.shift``, nearest first."""
    while (count := int(labels.max()) + 1) > max(1, rule.fewest):
        table = shifts(labels == np.arange(count)[:, None], cosines, disjoint)
        np.fill_diagonal(table, np.inf)
        a, b = sorted(int(i) for i in np.unravel_index(table.argmin(), table.shape))
        if table[a, b] >= rule.shift:
            break
        labels = np.where(labels == b, a, labels)
        labels = np.where(labels > b, labels - 1, labels)
    return labels


def shifts(members: Flags, cosines: Floats, disjoint: Flags) -> Floats:
    """How far clusters are from each other beyond their own spread.

    ``1 - c(a, b) / sqrt(c(a, a) c(b, b))`` with c the mean cosine over pairs that share no time. Were an embedding the
    speaker's direction plus independent noise, this would be one minus the cosine of the two directions, whatever
    the noise and however few the items; the distance of plain means is too large by the noise that is left in them.

    Args:
        members: Items of each cluster, shape (clusters, n).
        cosines: Of each pair of items, shape (n, n).
        disjoint: Pairs that count, shape (n, n); a cluster without one counts as having no spread.

    >>> rows = np.array([[1.0, 0.0], [0.6, 0.8], [1.0, 0.0], [0.6, -0.8]])
    >>> pairs = np.array([[1, 1, 0, 0], [0, 0, 1, 1]], bool)
    >>> shifts(pairs, rows @ rows.T, ~np.eye(4, dtype=bool)).round(2).tolist()
    [[0.0, 0.2], [0.2, 0.0]]
    """
    flags = members.astype(np.float64)
    pairs = flags @ disjoint @ flags.T
    means = flags @ (cosines * disjoint) @ flags.T / np.maximum(pairs, 1)
    own = np.where(np.diag(pairs) > 0, np.maximum(np.diag(means), 1e-3), 1.0)
    table: Floats = 1 - means / np.sqrt(own[:, None] * own)
    return table


def evenly(size: int, count: int) -> Ints:
    """Places of ``count`` of so many things, evenly spread over all of them.

    >>> evenly(10, 4).tolist()
    [0, 3, 6, 9]
    """
    places: Ints = np.linspace(0, size - 1, count).round().astype(np.int64)
    return places
