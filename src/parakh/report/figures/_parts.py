"""Errors by their parts, as bars: what the figures of DER and of word error rates have in common."""

from __future__ import annotations

from collections.abc import Mapping

from parakh.report.chart import StackedBars
from parakh.report.figures._systems import Systems
from parakh.results import Score, ratio

_EXACT, _PRINTED = 1e-9, 0.005
"""How far the sum of the parts may be from the whole: as computed, and as rounded in print."""


def bars(found: Systems, parts: Mapping[str, str], length: str) -> StackedBars | None:
    """A bar for each system, the best first.

    Args:
        found: The systems; their metric is the sum of the parts over the length.
        parts: Name of each part, by the statistic that counts it (and the part of the score that is its rate).
        length: The statistic that errors are a share of.

    Returns:
        None where no system's parts are known.
    """
    rows = tuple((label, _parts(found, score, tuple(parts), length), found.mark(score)) for label, score in found.scores())
    if not any(values for _, values, _ in rows):
        return None
    known = [label for label, values, _ in rows if values]
    scored = [label for label, _, _ in rows]
    whole = [label for label in scored if label not in known]
    return StackedBars(
        title=f"{found.title} of each system, by kind of error",
        axis=found.axis,
        notes=(
            *([f"Parts are not known: {', '.join(whole)}."] if whole else []),
            *found.without(scored, "Without a score"),
            *found.coverage(),
        ),
        parts=tuple(parts.values()),
        rows=rows,
        hues=("red", "orange", "pink"),
    )


def _parts(found: Systems, score: Score, names: tuple[str, ...], length: str) -> tuple[float, ...]:
    """Of each part its share, from the statistics, else as it was published; () where they are not known or not all."""
    slack = _EXACT
    if all(name in score.stats for name in (*names, length)):
        rates = [ratio(score.stats[name], score.stats[length]) for name in names]
    else:
        rates, slack = [score.parts.get(name) for name in names], _PRINTED
    known = [rate for rate in rates if rate is not None]
    if len(known) < len(names) or abs(sum(known) - (score.value or 0.0)) > slack:
        return ()
    return tuple(map(found.scaled, known))
