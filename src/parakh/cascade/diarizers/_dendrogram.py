"""Centroid-linkage clustering of local speakers' embeddings, with large clusters as speakers.

Source: pyannote.audio 3.1, ``AgglomerativeClustering`` with the method "centroid" and the assignment of local speakers to
different clusters, as DiariZen uses them; with scipy's linkage.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.cascade.diarizers._chunks import speaks_alone
from parakh.cascade.diarizers._clustering import evenly, unit
from parakh.packages import imported

Floats = NDArray[np.float32]
Flags = NDArray[np.bool_]
Ints = NDArray[np.int64]

_SHARE = 0.1
"""Share of a chunk's frames from which a local speaker takes part; share of the embeddings that a large cluster needs at most."""
_CLUSTERED = 10_000
"""At most so many embeddings are clustered, evenly drawn: bounds memory of recordings beyond an hour."""


@dataclass(frozen=True)
class Rule:
    """When clusters are one speaker.

    Args:
        threshold: Euclidean distance of two centroids of unit vectors from which they do not merge.
        smallest: Items from which a cluster is a speaker.
        fewest: Least number of speakers.
        most: Greatest number of speakers.
    """

    threshold: float
    smallest: int
    fewest: int
    most: int


def local_clusters(active: Flags, embeddings: Floats, rule: Rule) -> Ints:
    """The speaker of each local speaker, two of one chunk never the same.

    Args:
        active: Local activity, shape (chunks, frames, local speakers).
        embeddings: Shape (chunks, local speakers, size).
        rule: When clusters are one speaker.

    Returns:
        Shape (chunks, local speakers): 0, 1, ...; -1 for who is silent, or finds no speaker left.

    Raises:
        MissingPackageError: scipy is not installed.
    """
    spoke = active.any(axis=1)
    usable = spoke & ~np.isnan(embeddings).any(axis=2)
    alone = speaks_alone(active)
    chosen = usable & (alone.sum(axis=1) >= round(_SHARE * active.shape[1]))
    rows = embeddings[chosen if chosen.sum() > 1 else usable]
    if len(rows) > _CLUSTERED:
        rows = rows[evenly(len(rows), _CLUSTERED)]
    if min(len(rows), rule.most) < 2:
        return np.where(spoke, 0, -1)
    labels = speaker_clusters(rows, rule)
    means = np.stack([rows[labels == label].mean(axis=0) for label in range(labels.max() + 1)])
    return np.where(spoke, _assign(embeddings, means), -1)


def speaker_clusters(rows: Floats, rule: Rule) -> Ints:
    """The cluster of each embedding: 0, 1, ...; small clusters go to the nearest large one.

    Where the threshold gives too few or too many large clusters, the step of the dendrogram nearest to it that gives the
    wanted number is taken, or one that comes close.

    Args:
        rows: Shape (n, size), n >= 2.
        rule: When clusters are one speaker.

    Raises:
        MissingPackageError: scipy is not installed.
    """
    hierarchy = scipy_hierarchy()
    rows = unit(rows)
    fewest, most = min(len(rows), rule.fewest), min(len(rows), rule.most)
    smallest = min(rule.smallest, max(1, round(_SHARE * len(rows))))
    tree = hierarchy.linkage(rows, method="centroid", metric="euclidean")
    labels: Ints = hierarchy.fcluster(tree, rule.threshold, criterion="distance") - 1
    found = len(_large(labels, smallest))
    wanted = fewest if found < fewest else min(found, most)
    if found != wanted:
        labels = _cut_for(hierarchy, tree, wanted, smallest, rule.threshold)
    return _without_small(rows, labels, smallest)


def scipy_hierarchy() -> Any:
    """The module ``scipy.cluster.hierarchy``.

    Raises:
        MissingPackageError: scipy is not installed.
    """
    return imported("scipy.cluster.hierarchy", "diarizen", "diarizer diarizen")


def _large(labels: Ints, smallest: int) -> Ints:
    names, sizes = np.unique(labels, return_counts=True)
    large: Ints = names[sizes >= smallest]
    return large


def _cut_for(hierarchy: Any, tree: NDArray[np.float64], wanted: int, smallest: int, threshold: float) -> Ints:
    """Labels after that merge, looked for from the threshold outwards, whose large clusters come closest to ``wanted``."""
    steps = tree.copy()
    steps[:, 2] = np.arange(len(steps))  # centroids may come nearer as they merge: count merges, not distances
    best, best_found = len(steps), 1
    for step in np.argsort(np.abs(tree[:, 2] - threshold)):
        if tree[step, 3] < smallest:
            continue
        labels: Ints = hierarchy.fcluster(steps, step, criterion="distance") - 1
        found = len(_large(labels, smallest))
        if found == wanted:
            return labels
        if abs(found - wanted) < abs(best_found - wanted):
            best, best_found = int(step), found
    last: Ints = hierarchy.fcluster(steps, best, criterion="distance") - 1
    return last


def _without_small(rows: Floats, labels: Ints, smallest: int) -> Ints:
    large = _large(labels, smallest)
    if not len(large):
        return np.zeros_like(labels)
    from scipy.spatial.distance import cdist

    names = np.unique(labels)
    means = np.stack([rows[labels == name].mean(axis=0) for name in names])
    nearest = cdist(means[np.isin(names, large)], means, "cosine").argmin(axis=0)
    place = np.where(np.isin(names, large), np.searchsorted(large, names), nearest)
    joined: Ints = place[np.searchsorted(names, labels)]
    return joined


def _assign(embeddings: Floats, means: Floats) -> Ints:
    """The speakers of each chunk's local ones that together fit best, silent ones included; -1 where there are too few."""
    from scipy.optimize import linear_sum_assignment
    from scipy.spatial.distance import cdist

    chunks, local, size = embeddings.shape
    fit = 2 - cdist(embeddings.reshape(-1, size), means, "cosine").reshape(chunks, local, -1)
    fit = np.nan_to_num(fit, nan=float(np.nanmin(fit)))
    assigned = np.full((chunks, local), -1)
    for number, table in enumerate(fit):
        who, speaker = linear_sum_assignment(table, maximize=True)
        assigned[number, who] = speaker
    return assigned
