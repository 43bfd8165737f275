"""Speakers of aligned words: which reference speaker each hypothesis speaker is, and how many words that leaves wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from parakh import _native
from parakh.results import Stats, ratio
from parakh.types import AlignedWord, Op

Counts = Mapping[tuple[str, str, Op], int]
"""Aligned words by reference speaker, hypothesis speaker and whether the word is right, in order of appearance."""


def attribution_stats(steps: Sequence[AlignedWord], forms: Mapping[int, bool]) -> Stats:
    """Aligned words, and those of them that carry the wrong speaker, by whether the word itself is right.

    ``forms`` tells of each segment with several forms whether it is taken in another than the first.
    """
    counts = _by_speakers(steps)
    mapping = _mapping(counts)
    aligned: Counter[tuple[Op, bool]] = Counter()
    for (said, heard, op), count in counts.items():
        aligned[op, mapping.get(heard) == said] += count
    wrong_correct, wrong_substituted = aligned[Op.MATCH, False], aligned[Op.SUBSTITUTION, False]
    return Stats(
        {"alternatives": len(forms), "other_forms": sum(forms.values())} if forms else {},
        errors=wrong_correct + wrong_substituted,
        length=aligned.total(),
        wrong_correct=wrong_correct,
        wrong_substituted=wrong_substituted,
        correct=wrong_correct + aligned[Op.MATCH, True],
        substituted=wrong_substituted + aligned[Op.SUBSTITUTION, True],
    )


def attribution_mapping(steps: Sequence[AlignedWord]) -> dict[str, str]:
    """The reference speaker of each hypothesis speaker that makes the words with the right speaker most."""
    return _mapping(_by_speakers(steps))


def attribution_rates(total: Stats) -> Mapping[str, float | None]:
    """The share with the wrong speaker of the words heard right, and of those heard wrong."""
    return {f"wrong_of_{kind}": ratio(total[f"wrong_{kind}"], total[kind]) for kind in ("correct", "substituted")}


def attribution_rate(total: Stats) -> float | None:
    """``errors / length``: the share with the wrong speaker of all aligned words; None where none is aligned."""
    return ratio(total["errors"], total["length"])


def _by_speakers(steps: Sequence[AlignedWord]) -> Counts:
    return Counter(
        (step.reference_speaker, step.hypothesis_speaker, step.op)
        for step in steps
        if step.reference_speaker is not None and step.hypothesis_speaker is not None
    )


def _mapping(counts: Counts) -> dict[str, str]:
    import numpy as np  # what is scored may not need it

    rows = list(dict.fromkeys(said for said, _, _ in counts))
    columns = list(dict.fromkeys(heard for _, heard, _ in counts))
    shared = np.zeros((len(rows), len(columns)))
    for (said, heard, _), count in counts.items():
        shared[rows.index(said), columns.index(heard)] += count
    pairs = zip(*_native.assignment(-shared), strict=True)
    return {columns[h]: rows[r] for r, h in pairs if shared[r, h]}
