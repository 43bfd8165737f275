"""Systems by a metric, the best first, with their intervals and which of them are not told apart from the best.

A system is told apart from the best where the difference on the recordings that both have has a permutation p-value below 0.05,
adjusted by Holm's method over the tests of the best against each (the groups of ``parakh compare``). Published systems have no
recordings and are not tested. Where systems have different recordings, values are of those that all were scored on.
Where results carry no interval, one is computed (95 %, BCa bootstrap over recordings). Where so few recordings could tell no two
systems apart, none is marked.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import starmap

from parakh.comparison import Comparison, SystemScore, compare_fitting
from parakh.errors import InputError, UnknownNameError
from parakh.published import source_of
from parakh.report.chart import Intervals, Mark
from parakh.report.covered import is_too_few
from parakh.report.figures import Figure
from parakh.report.figures._systems import Systems, systems
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
    tested = _tested(found)
    computed = {one.system: one for one in tested.scores} if tested else {}
    tied = _tied(found, tested)
    rows = [(label, (_with_interval(found, found.mark(score), computed.get(label)),)) for label, score in found.scores()]
    return Intervals(
        title=f"{found.title} of each system, the best first",
        axis=found.axis,
        notes=(*([_TIED] if tied else []), *_notes(found, tested)),
        groups={"": rows},
        lower_is_better=found.lower_is_better,
        tied=tied,
    )


def _tested(found: Systems) -> Comparison | None:
    """The systems that have recordings, compared; None where fewer than two may be."""
    results = [replace(found.results[label], system=label) for label, _ in found.scores()]
    try:
        return compare_fitting(results, metrics=[found.metric], ranking_only=True)
    except (InputError, UnknownNameError):
        return None  # results without statistics, or of a metric that is not installed, are ranked by what they say


def _tied(found: Systems, tested: Comparison | None) -> frozenset[str]:
    """Those not told apart from the best, where the best of the common recordings is the best of all that are tested."""
    if tested is None or not tested.ranking or is_too_few(tested):
        return frozenset()
    first = next(label for label, _ in found.scores() if source_of(found.results[label]) is None)
    leader, *others = tested.ranking
    return frozenset(one.system for one in others if "a" in one.group) if leader.system == first else frozenset()


def _with_interval(found: Systems, mark: Mark, computed: SystemScore | None) -> Mark:
    """The mark with the interval of the same value: on the common recordings, else on all the system has."""
    if mark.interval or computed is None or mark.value is None:
        return mark
    made = starmap(found.marked, ((computed.value, computed.interval), (computed.own, computed.own_interval)))
    return next((one for one in made if one.value is not None and math.isclose(one.value, mark.value)), mark)


def _notes(found: Systems, tested: Comparison | None) -> list[str]:
    """What was not ranked or not tested, and why."""
    ranked = [label for label, _ in found.scores()]
    printed = [label for label in ranked if source_of(found.results[label]) is not None]
    said = [*found.without(ranked, "Without a score"), *found.coverage()]
    said += [f"Published figures, not tested: {', '.join(printed)}."] if printed else []
    if tested is None:
        return [*said, *(["Not tested: no two of these systems can be compared."] if len(printed) < len(ranked) - 1 else [])]
    told = [warning for warning in tested.warnings if "charged in full" not in warning]  # which coverage says
    return [*said, *(f"{warning[0].upper()}{warning[1:].removesuffix('.')}." for warning in told)]
