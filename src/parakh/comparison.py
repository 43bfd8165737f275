"""Results of systems to their differences: who is better, by how much, on which recordings, and whether it may be chance."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import Any

from parakh import metrics as metric_registry
from parakh.comparable import (
    check_shared,
    check_systems,
    choose_metrics,
    common_recordings,
    differing,
    ids_of,
    published_otherwise,
    statistics,
    subset_of,
    unanswered,
    unseen_references,
)
from parakh.compared_sets import Draw, SystemScore, Work, best_first
from parakh.complementarity import Oracle
from parakh.cost import Cost
from parakh.errors import Fault, InputError, counted
from parakh.metrics import Better, Metric
from parakh.pairwise import Duel, PairResult, RecordingGap
from parakh.published import source_of
from parakh.resample import FEW_UNITS, Bootstrap
from parakh.results import Results
from parakh.significance import holm, least_p, letters, steady

SCHEMA = "parakh.comparison/1"
__all__ = [
    "Comparison",
    "Coverage",
    "Duel",
    "Oracle",
    "PairResult",
    "RecordingGap",
    "Standing",
    "SystemScore",
    "compare",
    "compare_fitting",
]


@dataclass(frozen=True)
class Standing:
    """The place of a system by one metric, on the recordings that all have.

    Args:
        metric: The metric's name.
        system: The system; those of a metric stand from the best to the worst.
        value: Its score; None where undefined.
        group: Letters: the best and those not told apart from it carry "a" (``significance.letters``); "" where no test is.
    """

    metric: str
    system: str
    value: float | None
    group: str


@dataclass(frozen=True)
class Coverage:
    """The recordings of one system.

    Args:
        system: Its name.
        recordings: How many it has; 0 for published figures.
        left_out: Ids of those that not all others have, which the common values leave out.
        published: Where its figures were published; None for a system that was scored.
    """

    system: str
    recordings: int
    left_out: tuple[str, ...] = ()
    published: str | None = None


@dataclass(frozen=True)
class Comparison:
    """Everything a table of differences shows.

    Args:
        track: Name of the track.
        systems: Names, in the order given.
        recordings: Ids of the recordings that every system has; each two systems are compared on those that both have.
        plan: How resampling was done.
        unit: What was resampled ("recordings", or a metadata field).
        units: How many there are.
        scores: One entry a metric and system.
        pairs: One entry a metric and pair; together they are the family of the Holm adjustment.
        forced: Differing choices that were overruled, one line each.
        warnings: What to keep in mind, one line each.
        costs: What each system's answers cost to make, by system; those of which it is known.
        coverage: One entry a system.
        subset: The recordings that every system has by what they were cut by when scored: field -> value -> how many.
        ranking: One entry a metric and system that was scored, the best first; empty where no recording is common to all.
        duels: One entry a metric and two systems: recordings won and lost. Those of a metric are a family for Holm.
        oracles: One entry a metric, where there are three systems or more: the best of each common recording.
        fusions: One entry a metric and two systems: the better of the two on each recording that all have, the best first; where
            there is none, on what both have, the greatest gain first.
    """

    track: str
    systems: tuple[str, ...]
    recordings: tuple[str, ...]
    plan: Bootstrap
    unit: str
    units: int
    scores: tuple[SystemScore, ...]
    pairs: tuple[PairResult, ...]
    forced: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    costs: Mapping[str, Cost] = field(default_factory=dict)
    coverage: tuple[Coverage, ...] = ()
    subset: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    ranking: tuple[Standing, ...] = ()
    duels: tuple[Duel, ...] = ()
    oracles: tuple[Oracle, ...] = ()
    fusions: tuple[Oracle, ...] = ()

    def to_json(self) -> str:
        """The ``parakh.comparison/1`` document: same comparison, same bytes, on every machine."""
        document: dict[str, Any] = {"schema": SCHEMA, **asdict(self)}
        for pair in document["pairs"]:
            pair.update(pair.pop("paired"))
        document["costs"] = {name: cost.to_dict() for name, cost in self.costs.items()}
        return json.dumps(document, ensure_ascii=False, indent=1, allow_nan=False) + "\n"

    def to_frame(self, of: str = "pairs", library: str | None = None) -> Any:
        """The comparison as a data frame.

        Args:
            of: "pairs": a row a metric and pair of systems. "systems": a row a metric and system: its value on the recordings
                that all have, its own on all that it has, how many these are, and where published figures come from.
            library: "pandas" or "polars"; None takes the one that is installed, pandas first.

        Returns:
            The frame; values and differences are ratios, what is undefined is missing (NaN or null).

        Raises:
            MissingPackageError: The library is not installed.
            UnknownNameError: There is no such library or part.
        """
        from parakh import notebook

        return notebook.comparison_frame(self, of, library)

    def _repr_html_(self) -> str:
        from parakh import notebook

        return notebook.comparison_html(self)

    def __repr__(self) -> str:
        from parakh import notebook

        return notebook.comparison_text(self)


def compare(
    results: Sequence[Results],
    *,
    metrics: Sequence[str] | None = None,
    plan: Bootstrap | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    groups: Mapping[str, str] | None = None,
    strata: Mapping[str, str] | None = None,
    unit: str = "recordings",
    force: bool = False,
    sources: Sequence[str] | None = None,
    ranking_only: bool = False,
) -> Comparison:
    """Compare systems, every two on the recordings that both have, and all on those that all have.

    Args:
        results: Two or more, each of another system; published figures stand beside the others and are not tested.
        metrics: Names of the metrics wanted; None takes all that every result has.
        plan: How resampling is done; None takes the defaults.
        baseline: The system every other is compared with; None takes the first that was scored.
        all_pairs: Compare every two systems instead.
        groups: Recording id -> what is drawn together (speaker, village); None draws recordings.
        strata: Recording id -> what keeps its share in every resample (language); None: one stratum.
        unit: The name of what is drawn, for tables.
        force: Compare in spite of differing choices, which are carried along.
        sources: The file of each result, for messages; None takes the systems' names.
        ranking_only: Leave out pairs, oracles and fusions, for those who only show who is told apart.

    Returns:
        The comparison; its order is that of the results given.

    Raises:
        InputError: Fewer than two systems, two of one name, none that was scored, no recording in common, a choice differs (one
            line each), a recording without a group, or statistics that the metric cannot score.
        UnknownNameError: A metric asked for does not exist.

    >>> from parakh import tracks
    >>> from parakh.evaluate import evaluate
    >>> from parakh.types import Segment
    >>> said = [Segment(f"v{k}", "A", 0.0, 2.0 + k) for k in range(6)]
    >>> late = [Segment(f"v{k}", "A", 0.5, 2.0 + k) for k in range(6)]
    >>> track = tracks.get("diarization")
    >>> found = compare([evaluate(track, said, said, system="good"), evaluate(track, said, late, system="late")])
    >>> found.pairs[0].metric, found.pairs[0].better
    ('der', None)
    """
    sources = sources or [one.system for one in results]
    check_systems(results, sources)
    tested = [(one, source) for one, source in zip(results, sources, strict=True) if source_of(one) is None]
    scored, files = [one for one, _ in tested], [source for _, source in tested]
    if not scored:
        raise InputError(Fault("compare", "", "published figures only", "a results file", "They are never tested."))
    chosen = choose_metrics(scored, metrics, files)
    faults = differing(scored, chosen, files)
    if faults and not force:
        raise InputError(faults)
    check_shared(scored, files)
    common = common_recordings(scored)
    stats = {metric.name: {one.system: statistics(one, metric, source) for one, source in tested} for metric in chosen}
    draw = Draw(plan or Bootstrap(), groups, strata, unit, sorted({one for each in scored for one in ids_of(each)}))
    pairs = _pairs([one.system for one in scored], baseline, all_pairs)
    work = Work(chosen, stats, draw, common, [] if ranking_only else pairs, seeks_choices=not ranking_only)
    return Comparison(
        track=results[0].track,
        systems=tuple(one.system for one in results),
        recordings=tuple(common),
        plan=draw.plan,
        unit=unit,
        units=draw.units(common),
        scores=(*work.scores, *_published_scores(results, chosen)),
        pairs=_adjusted([work.pairs[key] for key in work.asked], draw.plan),
        forced=tuple(str(replace(fault, action="")) for fault in faults),
        warnings=tuple(_warnings(results, scored, chosen, draw, common)),
        costs={one.system: one.cost for one in results if one.cost},
        coverage=tuple(_coverage(one, set(common)) for one in results),
        subset=subset_of(scored[0], common),
        ranking=tuple(_ranking(work, draw.plan.level)),
        duels=tuple(_adjusted_duels(work)),
        oracles=tuple(work.oracles),
        fusions=tuple(work.fusions()),
    )


def compare_fitting(
    results: Sequence[Results],
    *,
    metrics: Sequence[str] | None = None,
    plan: Bootstrap | None = None,
    all_pairs: bool = False,
    ranking_only: bool = False,
) -> Comparison | None:
    """Compare what may be compared, for pages and tables: results whose choices are not those of the first are left out.

    Args:
        results: Of one track, each of another system; published figures may be among them.
        metrics: Names of the metrics wanted; None takes all that every result has.
        plan: How resampling is done; None takes the defaults.
        all_pairs: Compare every two systems, not only the others with the first.
        ranking_only: Leave out pairs, oracles and fusions.

    Returns:
        The comparison, whose warnings say what was left out and why; None where fewer than two scored systems may be compared.

    Raises:
        InputError: Two systems of one name, or statistics that the metric cannot score.
        UnknownNameError: A metric asked for does not exist.

    >>> compare_fitting([])
    """
    scored = [one for one in results if source_of(one) is None]
    if len(scored) < 2 or not (metrics or set.intersection(*(set(one.metrics) for one in scored))):
        return None
    chosen = choose_metrics(scored, metrics, [one.system for one in scored])
    fitting, left = [scored[0]], {}
    for one in scored[1:]:  # against all before it: two may share recordings that the first lacks
        faults = differing([*fitting, one], chosen, [each.system for each in (*fitting, one)])
        if faults:
            left[one.system] = "; ".join(f"{fault.field} {fault.found}, not {fault.expected}" for fault in faults)
        else:
            fitting.append(one)
    kept = [one for one in results if one.system not in left]
    ids = [set(ids_of(one)) for one in kept if source_of(one) is None]
    if not any(one & other for one, other in combinations(ids, 2)):
        return None
    found = compare(kept, metrics=metrics, plan=plan, all_pairs=all_pairs, ranking_only=ranking_only)
    return replace(found, warnings=(*(f"{name} is not compared: {why}" for name, why in left.items()), *found.warnings))


def _ranking(work: Work, level: float) -> Iterator[Standing]:
    for metric in work.metrics if work.common else ():
        own = {one.system: one.value for one in work.scores if one.metric == metric.name}
        names = sorted(own, key=lambda name: best_first(own[name], metric))
        duels = {frozenset(key[1:]): one for key, one in work.duels.items() if key[0] == metric.name}
        # Where both have a score and no test can be made, nothing tells them apart.
        p = {pair: 1.0 if one.p is None and one.difference is not None else one.p for pair, one in duels.items()}

        def of(place: int, names: Sequence[str] = names, p: Mapping[frozenset[str], float | None] = p) -> list[float | None]:
            return [p.get(frozenset((names[place], name))) for name in names]

        groups = letters([own[name] is not None for name in names], of, level) if len(names) > 1 else [""]
        yield from (Standing(metric.name, name, own[name], group) for name, group in zip(names, groups, strict=True))


def _published_scores(results: Sequence[Results], metrics: Sequence[Metric]) -> list[SystemScore]:
    return [
        SystemScore(one.system, metric.name, None, None, one.metrics[metric.name].value if metric.name in one.metrics else None)
        for metric in metrics
        for one in results
        if source_of(one) is not None
    ]


def _coverage(one: Results, common: set[str]) -> Coverage:
    source = source_of(one)
    ids = ids_of(one)
    return Coverage(one.system, len(ids), tuple(name for name in ids if name not in common), source)


def _pairs(names: Sequence[str], baseline: str | None, all_pairs: bool) -> list[tuple[str, str]]:
    if baseline is not None and baseline not in names:
        raise InputError(Fault("--baseline", "", repr(baseline), f"one of the systems {', '.join(names)}"))
    if all_pairs:
        if baseline is not None:
            raise InputError(Fault("--baseline", "", "--all-pairs as well", "one of the two"))
        return list(combinations(names, 2))
    base = names[0] if baseline is None else baseline
    return [(base, name) for name in names if name != base]


def _adjusted(pairs: Sequence[PairResult], plan: Bootstrap) -> tuple[PairResult, ...]:
    """The pairs with the p-value adjusted over all of them, and the verdict that follows from it."""
    adjusted = holm([pair.paired.p_permutation for pair in pairs])
    return tuple(
        replace(pair, p_holm=p, better=_better(pair.metric, pair.first, pair.second, pair.paired.difference) if apart else None)
        for pair, p in zip(pairs, adjusted, strict=True)
        for apart in [p is not None and p < steady(1 - plan.level)]
    )


def _adjusted_duels(work: Work) -> Iterator[Duel]:
    """The duels in the order of the systems, with the p-value adjusted over those of a metric."""
    for metric in work.metrics:
        own = [work.duels[key] for key in sorted((key for key in work.duels if key[0] == metric.name), key=work.place)]
        for one, p in zip(own, holm([one.p for one in own]), strict=True):
            apart = p is not None and p < steady(1 - work.draw.plan.level)
            yield replace(one, p_holm=p, better=_better(one.metric, one.first, one.second, one.difference) if apart else None)


def _better(metric: str, first: str, second: str, difference: float | None) -> str | None:
    if not difference:
        return None
    lower = metric_registry.get(metric).better is Better.LOWER
    return first if (difference < 0) == lower else second


def _warnings(
    results: Sequence[Results], scored: Sequence[Results], metrics: Sequence[Metric], draw: Draw, common: Sequence[str]
) -> Iterator[str]:
    versions = dict.fromkeys(one.signature.choices.get("parakh", "unknown") for one in scored)
    if len(versions) > 1:
        yield f"scored by different versions of Parakh: {', '.join(versions)}"
    shared = set.intersection(*(set(one.metrics) for one in scored))
    for one in scored:
        others = [name for name in one.metrics if name not in shared]
        if others:
            yield f"{one.system}: not compared, as not every result has it: {', '.join(others)}"
        if missing := len(unanswered(one) & set(held := common or ids_of(one))):
            yield f"{one.system} has no answer for {missing} of {counted(len(held), 'recording')}: charged in full"
    for one in results:
        if source_of(one) is not None and (stated := published_otherwise(one, scored[0], metrics)):
            yield f"{one.system}: published with other choices than these: {', '.join(stated)}"
    if unseen_references(scored):
        yield "not all have the same recordings, and whether their references are the same could not be seen: score them again"
    yield from _few(len(scored), draw, common)


def _few(systems: int, draw: Draw, common: Sequence[str]) -> Iterator[str]:
    """What few recordings cannot tell."""
    if systems < 2:
        return
    if not common:
        yield "no recording is common to all: there is no ranking, and every two are compared on what both have"
        return
    units, alpha = draw.units(common), steady(1 - draw.plan.level)
    named = counted(units, "recording") if draw.unit == "recordings" else f"{units} {draw.unit}"
    pairs, by_all = systems * (systems - 1) // 2, 2**units <= draw.plan.samples
    least = least_p(units, draw.plan.samples)
    if 2.0 ** (1 - units) >= alpha:
        yield f"{named} can be exchanged in {2**units} ways: no p-value can be below {2.0 ** (1 - units):.3g}"
    elif units < FEW_UNITS:
        yield f"only {named}: intervals from fewer than {FEW_UNITS} hold the true value less often than they say"
    if pairs > 1 and least < alpha <= least * pairs:
        more = "" if by_all else "; take more --samples"
        yield f"adjusted for {pairs} pairs no p-value can be below {least * pairs:.2g}: no two are told apart in the matrix{more}"
