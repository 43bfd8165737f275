"""Results of two or more systems to their differences: intervals, p-values, and the recordings behind them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from math import isclose
from typing import Any

from parakh import metrics as metric_registry
from parakh.comparable import check_systems, choose_metrics, common_recordings, differing, statistics
from parakh.cost import Cost
from parakh.errors import Fault, InputError, counted
from parakh.metrics import Better, Metric
from parakh.resample import FEW_UNITS, TIE, Bootstrap, Resampler
from parakh.results import Results, Stats, ratio, total
from parakh.significance import Paired, PairedTests, holm, minimum_detectable_difference, minus, steady

SCHEMA = "parakh.comparison/1"
LARGEST = 5
"""Recordings kept as the largest contributions to a difference."""
_RATES = (("length", ("errors",)), ("scored", ("miss", "false_alarm", "confusion")), ("speakers", ("jaccard_error",)))
"""Names in statistics: what errors are counted against, and the statistics whose sum is their number."""


@dataclass(frozen=True)
class SystemScore:
    """One metric of one system on the recordings compared; the value is a ratio, None where undefined."""

    system: str
    metric: str
    value: float | None
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class RecordingGap:
    """What one recording has to do with a difference.

    Args:
        id: The recording.
        first: The first system's score of it; None where undefined.
        second: The second system's.
        contribution: Overall difference - the difference without this recording; None where undefined.
    """

    id: str
    first: float | None
    second: float | None
    contribution: float | None


@dataclass(frozen=True)
class PairResult:
    """One metric of two systems.

    Args:
        metric: Its name.
        first: The system whose score the second's is subtracted from.
        second: The other system.
        paired: The difference, its interval and p-values.
        p_holm: The permutation p-value, adjusted over every metric and pair of the comparison.
        minimum_detectable_difference: Smallest true difference found here with 80 % power; None without an interval.
        better: The system that is better with ``p_holm`` below 1 - level; None when the two are not told apart.
        flipped: Recordings whose difference has the other sign than the overall one, the largest contribution first.
        largest: The recordings that contribute most to the difference, either way.
    """

    metric: str
    first: str
    second: str
    paired: Paired
    p_holm: float | None
    minimum_detectable_difference: float | None
    better: str | None
    flipped: tuple[RecordingGap, ...]
    largest: tuple[RecordingGap, ...]


@dataclass(frozen=True)
class Comparison:
    """Everything a table of differences shows.

    Args:
        track: Name of the track.
        systems: Names, in the order given.
        recordings: Ids of the recordings compared.
        plan: How resampling was done.
        unit: What was resampled ("recordings", or a metadata field).
        units: How many there are.
        scores: One entry a metric and system.
        pairs: One entry a metric and pair; together they are the family of the Holm adjustment.
        forced: Differing choices that were overruled, one line each.
        warnings: What to keep in mind, one line each.
        costs: What each system's answers cost to make, by system; those of which it is known.
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
            of: "pairs": a row a metric and pair of systems. "systems": a row a metric and system.
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
) -> Comparison:
    """Compare systems that were scored on the same recordings.

    Args:
        results: Two or more, each of another system.
        metrics: Names of the metrics wanted; None takes all that every result has.
        plan: How resampling is done; None takes the defaults.
        baseline: The system every other is compared with; None takes the first.
        all_pairs: Compare every two systems instead.
        groups: Recording id -> what is drawn together (speaker, village); None draws recordings.
        strata: Recording id -> what keeps its share in every resample (language); None: one stratum.
        unit: The name of what is drawn, for tables.
        force: Compare what recordings and metrics are common in spite of differing choices, which are carried along.
        sources: The file of each result, for messages; None takes the systems' names.

    Returns:
        The comparison; its order is that of the results given.

    Raises:
        InputError: Fewer than two systems, two of one name, a choice differs (one line each), a recording without a group,
            or statistics that the metric cannot score.
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
    chosen = choose_metrics(results, metrics, sources)
    faults = differing(results, chosen, sources)
    if faults and not force:
        raise InputError(faults)
    ids, names = common_recordings(results, sources), [one.system for one in results]
    drawn, kept = _values(groups, ids, unit), _values(strata, ids, "stratum")
    tests = PairedTests(Resampler(len(ids), plan or Bootstrap(), groups=drawn, strata=kept))
    chosen_pairs = _pairs(names, baseline, all_pairs)
    scores: list[SystemScore] = []
    pairs: list[PairResult] = []
    for metric in chosen:
        stats = {one.system: statistics(one, metric, ids, source) for one, source in zip(results, sources, strict=True)}
        work = _Work(metric, ids, stats, tests)
        scores += [work.system_score(name) for name in names]
        pairs += [work.pair(*pair) for pair in chosen_pairs]
    return Comparison(
        track=results[0].track,
        systems=tuple(names),
        recordings=tuple(ids),
        plan=tests.resampler.plan,
        unit=unit,
        units=tests.resampler.units,
        scores=tuple(scores),
        pairs=_adjusted(pairs, tests.resampler.plan),
        forced=tuple(str(replace(fault, action="")) for fault in faults),
        warnings=tuple(_warnings(results, tests.resampler, unit)),
        costs={one.system: one.cost for one in results if one.cost},
    )


class _Work:
    """One metric of every system: what is computed once and serves every pair."""

    def __init__(self, metric: Metric, ids: Sequence[str], stats: Mapping[str, list[Stats]], tests: PairedTests) -> None:
        self.metric, self.ids, self.stats, self.tests = metric, ids, stats, tests
        self.resampler = tests.resampler
        self.replicates = {name: self.resampler.replicates(own, metric.score) for name, own in stats.items()}

    def system_score(self, name: str) -> SystemScore:
        value = self.metric.score(total(self.stats[name]))
        return SystemScore(name, self.metric.name, value, self.resampler.interval_of(self.replicates[name]))

    def pair(self, first: str, second: str) -> PairResult:
        """Everything but the adjustment, which needs the other pairs."""
        mine, theirs = self.stats[first], self.stats[second]
        paired = self.tests.compare(
            mine,
            theirs,
            self.metric.score,
            errors=_error_count(self.metric, mine, theirs),
            replicates=(self.replicates[first], self.replicates[second]),
        )
        gaps = sorted(self._gaps(mine, theirs), key=lambda gap: (-abs(gap.contribution or 0.0), gap.id))
        error = paired.standard_error
        return PairResult(
            metric=self.metric.name,
            first=first,
            second=second,
            paired=paired,
            p_holm=None,
            minimum_detectable_difference=(
                None if error is None else minimum_detectable_difference(error, self.resampler.plan.level)
            ),
            better=None,
            flipped=tuple(gap for gap in gaps if _opposite(gap, paired.difference)),
            largest=tuple(gaps[:LARGEST]),
        )

    def _gaps(self, mine: Sequence[Stats], theirs: Sequence[Stats]) -> Iterator[RecordingGap]:
        score = self.metric.score
        tables = Resampler(len(self.ids), self.resampler.plan).tables([mine, theirs])
        sums = tables.units.sum(axis=1, keepdims=True)
        whole = [tables.scores(one, score)[0] for one in sums]
        without = [tables.scores(one - units, score) for one, units in zip(sums, tables.units, strict=True)]
        overall = minus(*whole)
        for number, one in enumerate(self.ids):
            yield RecordingGap(
                id=one,
                first=score(mine[number]),
                second=score(theirs[number]),
                contribution=minus(overall, minus(without[0][number], without[1][number])),
            )


def _pairs(names: Sequence[str], baseline: str | None, all_pairs: bool) -> list[tuple[str, str]]:
    if baseline is not None and baseline not in names:
        raise InputError(Fault("--baseline", "", repr(baseline), f"one of the systems {', '.join(names)}"))
    if all_pairs:
        if baseline is not None:
            raise InputError(Fault("--baseline", "", "--all-pairs as well", "one of the two"))
        return list(combinations(names, 2))
    base = names[0] if baseline is None else baseline
    return [(base, name) for name in names if name != base]


def _values(given: Mapping[str, str] | None, ids: Sequence[str], what: str) -> list[str] | None:
    if given is None:
        return None
    faults = [
        Fault(one, what, "nothing", "a value for every recording", "Add it to the metadata.") for one in ids if one not in given
    ]
    if faults:
        raise InputError(faults)
    return [given[one] for one in ids]


def _error_count(metric: Metric, mine: Sequence[Stats], theirs: Sequence[Stats]) -> Callable[[Stats], float] | None:
    """How many errors statistics hold; None unless the metric is errors / length, and each recording has one length for both."""
    for length, errors in _RATES:
        if not all(name in stats for stats in (*mine, *theirs) for name in (length, *errors)):
            continue

        def count(stats: Stats, errors: Sequence[str] = errors) -> float:
            return sum(stats[name] for name in errors)

        sums = total(mine), total(theirs)
        rates = all(_same(metric.score(one), ratio(count(one), one[length])) for one in sums)
        if rates and all(_same(one[length], other[length]) for one, other in zip(mine, theirs, strict=True)):
            return count
    return None


def _same(first: float | None, second: float | None) -> bool:
    return first is not None and second is not None and isclose(first, second, rel_tol=TIE)


def _opposite(gap: RecordingGap, difference: float | None) -> bool:
    own = minus(gap.first, gap.second)
    if own is None or difference is None or min(abs(own), abs(difference)) <= TIE:
        return False
    return (own > 0) != (difference > 0)


def _adjusted(pairs: Sequence[PairResult], plan: Bootstrap) -> tuple[PairResult, ...]:
    """The pairs with the p-value adjusted over all of them, and the verdict that follows from it."""
    adjusted = holm([pair.paired.p_permutation for pair in pairs])
    return tuple(
        replace(pair, p_holm=p, better=_better(pair) if p is not None and p < steady(1 - plan.level) else None)
        for pair, p in zip(pairs, adjusted, strict=True)
    )


def _better(pair: PairResult) -> str | None:
    if not pair.paired.difference:
        return None
    lower = metric_registry.get(pair.metric).better is Better.LOWER
    return pair.first if (pair.paired.difference < 0) == lower else pair.second


def _warnings(results: Sequence[Results], resampler: Resampler, unit: str) -> Iterator[str]:
    versions = dict.fromkeys(one.signature.choices.get("parakh", "unknown") for one in results)
    if len(versions) > 1:
        yield f"scored by different versions of Parakh: {', '.join(versions)}"
    common = set.intersection(*(set(one.metrics) for one in results))
    for one in results:
        others = [name for name in one.metrics if name not in common]
        if others:
            yield f"{one.system}: not compared, as not every result has it: {', '.join(others)}"
        missing = sum(finding.code == "missing-recording" for finding in one.findings)
        if missing:
            yield f"{one.system} has no answer for {counted(missing, 'recording')}: charged in full"
    units, alpha = resampler.units, steady(1 - resampler.plan.level)
    if 2.0 ** (1 - units) >= alpha:
        yield f"{units} {unit} can be exchanged in {2**units} ways: no p-value can be below {2.0 ** (1 - units):.3g}"
    elif units < FEW_UNITS:
        yield f"only {units} {unit}: intervals from fewer than {FEW_UNITS} hold the true value less often than they say"
