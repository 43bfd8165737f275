"""``parakh compare``: results files to the differences between systems, in a table or as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table
from rich.text import Text

from parakh import metrics as metric_registry
from parakh import published
from parakh.choices import ALL
from parakh.cli.settings import check_json, put_json
from parakh.cli.tables import bare_table, console, heading
from parakh.comparison import Comparison, PairResult
from parakh.comparison import compare as compare_results
from parakh.errors import Fault, InputError, counted, printable
from parakh.metrics import Metric
from parakh.resample import Bootstrap
from parakh.results import Results

_MOST_FLIPPED = 5


@dataclass(frozen=True)
class Request:
    """Everything ``parakh compare`` was asked for; the fields are its options."""

    results: Sequence[str]
    metrics: Sequence[str] | None
    baseline: str | None
    all_pairs: bool
    metadata: str | None
    group_by: str | None
    stratify_by: str | None
    plan: Bootstrap
    force: bool
    published: Sequence[str] = ()


def compare(request: Request, *, json_out: str | None) -> None:
    """Compare, and print a table or write JSON.

    Raises:
        ParakhError: The results cannot be read or may not be compared.
    """
    check_json(json_out, [*request.results, *request.published, *filter(None, (request.metadata,))])
    comparison = compute(request)
    if put_json(json_out, comparison.to_json):
        print_comparison(console(), comparison)


def compute(request: Request) -> Comparison:
    """Load what the request names and compare it."""
    fields = _fields(request)
    papers = [(one, path) for path in request.published for one in published.load([path])]
    results = [Results.load(path) for path in request.results]
    tracks = {one.track for one in results}
    known = [(one, path) for one, path in papers if one.track in tracks]
    return compare_results(
        [*results, *(one for one, _ in known)],
        metrics=None if request.metrics and ALL in request.metrics else request.metrics,
        plan=request.plan,
        baseline=request.baseline,
        all_pairs=request.all_pairs,
        groups=fields.get(request.group_by),
        strata=fields.get(request.stratify_by),
        unit=f"groups of one {request.group_by}" if request.group_by else "recordings",
        force=request.force,
        sources=[*request.results, *(path for _, path in known)],
    )


def print_comparison(out: Console, comparison: Comparison) -> None:
    """Print the systems, the differences, what they come to, and how they were computed."""
    names = ", ".join(comparison.systems)
    out.print(Text(f"{names} on {counted(len(comparison.recordings), 'recording')}", style="bold"), soft_wrap=True)
    out.print(_system_table(comparison))
    out.print()
    out.print(_pair_table(comparison))
    out.print()
    for pair in comparison.pairs:
        # The first metric is what the track is ranked by, or what was asked for first; the table has the others, but not
        # which difference would have been seen.
        first = pair.metric == comparison.pairs[0].metric
        if first or pair.better is None:
            out.print(Text(_verdict(pair, comparison), style="bold" if pair.better else ""), soft_wrap=True)
        if first and pair.flipped:
            out.print(Text(f"  the other way round on {_flipped(pair)}", style="dim"), soft_wrap=True)
    for line in comparison.forced:
        out.print(Text(f"compared all the same: {line}", style="red"), soft_wrap=True)
    for line in comparison.warnings:
        out.print(Text(f"warning: {line}", style="yellow"), soft_wrap=True)
    out.print(Text(_method(comparison), style="dim"), soft_wrap=True)


def _fields(request: Request) -> dict[str | None, Mapping[str, str]]:
    """The values of each metadata field that was asked for, by recording."""
    wanted = {"--group-by": request.group_by, "--stratify-by": request.stratify_by}
    asked = {flag: name for flag, name in wanted.items() if name is not None}
    if not asked:
        return {}
    if request.metadata is None:
        raise InputError(
            Fault(flag, "", "no --metadata", "the data set or recordings.jsonl that holds the field") for flag in asked
        )
    from parakh.dataset.manifest import known_recordings

    found = known_recordings(request.metadata)
    known = {one.session_id: {**one.metadata, **({"language": one.language} if one.language else {})} for one in found}
    names = sorted({name for values in known.values() for name in values})
    faults = [
        Fault(flag, "", repr(name), f"a field of {request.metadata}: {', '.join(names)}")
        for flag, name in asked.items()
        if name not in names
    ]
    if faults:
        raise InputError(faults)
    return {name: {one: values[name] for one, values in known.items() if name in values} for name in asked.values()}


def _system_table(comparison: Comparison) -> Table:
    table = bare_table()
    table.add_column("system")
    metrics = [metric_registry.get(name) for name in dict.fromkeys(score.metric for score in comparison.scores)]
    for metric in metrics:
        table.add_column(f"{heading(metric)} %" if metric.unit == "%" else heading(metric), justify="right")
    costs = list(dict.fromkeys(name for cost in comparison.costs.values() for name in cost.rows()))
    for name in costs:
        table.add_column(name, justify="right")
    for system in comparison.systems:
        spent = comparison.costs[system].rows() if system in comparison.costs else {}
        own = {score.metric: score for score in comparison.scores if score.system == system}
        values = (f"{one.shown(own[one.name].value)} {_interval(one, own[one.name].interval)}" for one in metrics)
        table.add_row(*map(Text, (system, *values, *(spent.get(name, "n/a") for name in costs))))
    return table


def _pair_table(comparison: Comparison) -> Table:
    table = bare_table()
    for name in ("systems", "metric"):
        table.add_column(name)
    for name in ("difference", f"{100 * comparison.plan.level:g} % interval", "p", "p Holm"):
        table.add_column(name, justify="right")
    table.add_column("better")
    for pair in comparison.pairs:
        metric = metric_registry.get(pair.metric)
        table.add_row(
            Text(f"{pair.first} - {pair.second}"),
            heading(metric),
            _signed(metric, pair.paired.difference),
            Text(_interval(metric, pair.paired.interval, signed=True)),
            _p(pair.paired.p_permutation),
            _p(pair.p_holm),
            Text(pair.better or "not told apart", style="bold" if pair.better else "dim"),
        )
    return table


def _verdict(pair: PairResult, comparison: Comparison) -> str:
    if pair.paired.difference is None:
        return f"{pair.metric}: {pair.first} and {pair.second} have no difference: a score is n/a."
    if pair.better:
        other = pair.second if pair.better == pair.first else pair.first
        return f"{pair.metric}: {pair.better} is better than {other}, by {_points(pair.metric, pair.paired.difference)}."
    verdict = f"{pair.metric}: {pair.first} and {pair.second} are not told apart"
    least = pair.minimum_detectable_difference
    if not least:
        return f"{verdict}."
    where = f"these {comparison.units} {comparison.unit}"
    return f"{verdict}: a true difference under {_points(pair.metric, least)} is easily missed with {where}."


def _points(metric: str, value: float) -> str:
    declared = metric_registry.get(metric)
    return declared.shown(abs(value)) + (" points" if declared.unit == "%" else "")


def _flipped(pair: PairResult) -> str:
    metric, gaps = metric_registry.get(pair.metric), pair.flipped
    told = [f"{printable(gap.id)} ({metric.shown(gap.first)} : {metric.shown(gap.second)})" for gap in gaps[:_MOST_FLIPPED]]
    more = f" and {len(gaps) - _MOST_FLIPPED} more" if len(gaps) > _MOST_FLIPPED else ""
    return f"{counted(len(gaps), 'recording')}: {', '.join(told)}{more}"


def _method(comparison: Comparison) -> str:
    plan, family = comparison.plan, counted(len(comparison.pairs), "test")
    ways = "all" if 2**comparison.units <= plan.samples else f"{plan.samples} random"
    return (
        f"interval: {plan.describe(comparison.unit)}; of differences percentile. "
        f"p: two-sided paired permutation test, {ways} exchanges of the two systems "
        f"by {comparison.unit}. p Holm: adjusted for {family}; better where it is below {1 - plan.level:.3g}. "
        "Easily missed: seen less than 4 times in 5."
    )


def _interval(metric: Metric, interval: tuple[float, float] | None, *, signed: bool = False) -> str:
    if interval is None:
        return "n/a"
    low, high = (_signed(metric, end) if signed else metric.shown(end) for end in interval)
    return f"[{low}, {high}]"


def _signed(metric: Metric, value: float | None) -> str:
    if value is None:
        return "n/a"
    return ("+" if value > 0 else "-" if value < 0 else "") + metric.shown(abs(value))


def _p(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.4f}" if value >= 0.0001 else "<0.0001"
