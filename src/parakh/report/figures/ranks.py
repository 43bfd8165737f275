"""Systems by a metric, the best first, with their intervals and which of them are not told apart from the best.

Told apart are two systems whose difference on the same recordings has a permutation p-value below 0.05, adjusted by Holm's method
over all systems that are compared with the best. Published systems have no recordings and are not tested. Where results carry no
interval, one is computed (95 %, BCa bootstrap over recordings).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from parakh.comparison import Comparison, compare
from parakh.errors import InputError, UnknownNameError
from parakh.report.chart import Intervals, Mark
from parakh.report.figures import Figure
from parakh.report.figures._systems import Systems, published, systems
from parakh.report.inputs import Inputs

FIGURE = Figure("Systems by rank, with intervals", "Parakh")
_TIED = "Hollow and marked ≈: not told apart from the best."


def chart(inputs: Inputs, *, metric: str | None = None) -> Intervals | None:
    """The rows; None for fewer than two systems.

    >>> chart(Inputs(())) is None
    True
    """
    found = systems(inputs, metric)
    if found is None or len(found.scores()) < 2:
        return None
    tested, why = _tests(found)
    computed = {one.system: one.interval for one in tested.scores} if tested else {}
    tied = {pair.second for pair in tested.pairs if pair.better is None} if tested else set()
    rows = [(label, (_with_interval(found, found.mark(score), computed.get(label)),)) for label, score in found.scores()]
    return Intervals(
        title=f"{found.title} of each system, the best first",
        axis=found.axis,
        notes=(*([_TIED] if tied else []), *_unranked(found), *why),
        groups={"": rows},
        lower_is_better=found.lower_is_better,
        tied=frozenset(tied),
    )


def _with_interval(found: Systems, mark: Mark, computed: tuple[float, float] | None) -> Mark:
    if mark.interval or computed is None:
        return mark
    return replace(mark, interval=(found.scaled(computed[0]), found.scaled(computed[1])))


def _tests(found: Systems) -> tuple[Comparison | None, list[str]]:
    """The best system against all others that have recordings, and what to say where there is no such test."""
    known = [label for label, _ in found.scores() if not published(found.results[label])]
    left = [label for label, _ in found.scores() if label not in known]
    said = [f"Published figures, not tested: {', '.join(left)}."] if left else []
    if len(known) < 2:
        return None, said
    results = [replace(found.results[label], system=label) for label in known]
    try:
        tested = compare(results, metrics=[found.metric])
    except (InputError, UnknownNameError) as error:
        faults = error.faults if isinstance(error, InputError) else []
        reason = "; ".join(dict.fromkeys(f"{fault.field} of {fault.path}" for fault in faults)) or str(error)
        return None, [*said, f"Not tested, as these differ from the first: {reason}."]
    return tested, [*said, *(f"{warning[0].upper()}{warning[1:]}." for warning in tested.warnings)]


def _unranked(found: Systems) -> list[str]:
    ranked: Mapping[str, object] = dict(found.scores())
    without = [label for label in found.results if label not in ranked]
    return [f"Without a score: {', '.join(without)}."] if without else []
