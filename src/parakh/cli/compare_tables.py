"""A comparison as a person reads it in a terminal: the systems, the differences, who wins where, what would fuse well."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.table import Table
from rich.text import Text

from parakh import metrics as metric_registry
from parakh.cli.tables import bare_table, heading
from parakh.comparison import Comparison, Coverage, Duel, Oracle, PairResult, SystemScore
from parakh.errors import counted, printable
from parakh.metrics import Metric

MANY = 6
"""With more systems than this, differences of two are shown on request only."""
_MOST_FLIPPED = 5
_MOST_LEFT_OUT = 4
_PUBLISHED = "*"
_FUSED = ("diarization", "asr")
"""Tracks whose answers ``parakh fuse`` takes."""


def print_comparison(out: Console, comparison: Comparison, *, pairs: bool = False) -> None:
    """Print the systems, the differences, what they come to, and how they were computed.

    Args:
        out: Where to.
        comparison: What was found.
        pairs: Whether to show differences of two however many there are.
    """
    out.print(Text(_title(comparison), style="bold"), soft_wrap=True)
    for line in _coverage(comparison):
        out.print(Text(line), soft_wrap=True)
    out.print(_system_table(comparison))
    out.print()
    shown = pairs or len(_scored(comparison)) <= MANY
    if comparison.pairs and shown:
        out.print(_pair_table(comparison))
        out.print()
        _print_verdicts(out, comparison)
    if len(_scored(comparison)) > 2:
        _print_many(out, comparison)
    for line in _fusions(comparison):
        out.print(Text(line), soft_wrap=True)
    for line in comparison.forced:
        out.print(Text(f"compared all the same: {line}", style="red"), soft_wrap=True)
    for line in comparison.warnings:
        out.print(Text(f"warning: {line}", style="yellow"), soft_wrap=True)
    more = "" if shown else " --all-pairs shows the differences of every two."
    out.print(Text(_method(comparison) + more, style="dim"), soft_wrap=True)


def _print_verdicts(out: Console, comparison: Comparison) -> None:
    for pair in comparison.pairs:
        # The first metric is what the track is ranked by, or what was asked for first; the table has the others, but not
        # which difference would have been seen.
        first = pair.metric == comparison.pairs[0].metric
        if first or pair.better is None:
            out.print(Text(_verdict(pair, comparison), style="bold" if pair.better else ""), soft_wrap=True)
        if first and pair.flipped:
            out.print(Text(f"  the other way round on {_flipped(pair)}", style="dim"), soft_wrap=True)


def _print_many(out: Console, comparison: Comparison) -> None:
    """What three systems or more come to together: who wins where, and the best of each recording."""
    name = comparison.scores[0].metric
    duels = [one for one in comparison.duels if one.metric == name]
    if any(one.recordings for one in duels):
        out.print(_matrix(comparison, name, duels))
        few = len(_scored(comparison)) <= MANY
        how = "recordings that the row's system won - lost; * told apart" if few else "+ better, - worse, . not told apart"
        out.print(Text(f"{name}: {how} (p Holm over {counted(len(duels), 'pair')})", style="dim"), soft_wrap=True)
        out.print()
    for one in comparison.oracles:
        if one.metric == name:
            out.print(Text(_oracle(one)), soft_wrap=True)


def _scored(comparison: Comparison) -> list[str]:
    """The systems that were scored, the best first."""
    ranked = [one.system for one in comparison.ranking if one.metric == comparison.scores[0].metric]
    return ranked or [one.system for one in comparison.coverage if not one.published]


def _title(comparison: Comparison) -> str:
    names = [one.system for one in comparison.coverage if not one.published]
    listed = ", ".join(names) if len(names) <= MANY else counted(len(names), "system")
    counts = {
        field: (f"{printable(value)} {count}" for value, count in held.items()) for field, held in comparison.subset.items()
    }
    subset = "; ".join(f"{field} {', '.join(values)}" for field, values in counts.items())
    where = " that all were scored on" if any(one.left_out for one in comparison.coverage) else ""
    known = f" ({subset})" if subset else ""
    return f"{listed} on {counted(len(comparison.recordings), 'recording')}{where}{known}"


def _coverage(comparison: Comparison) -> Iterator[str]:
    """What the values that all have leave out, and where published figures are from."""
    scored = [one for one in comparison.coverage if not one.published]
    if len(scored) > MANY and any(one.left_out for one in scored):
        counts = [one.recordings for one in scored]
        yield f"  each was scored on {min(counts)} to {max(counts)}; --json FILE names what is left out"
    elif any(one.left_out for one in scored):
        yield from (f"  {_left_out(one)}" for one in scored)
    sources = dict.fromkeys(one.published for one in comparison.coverage if one.published)
    if sources:
        yield f"  {_PUBLISHED} published figures on recordings of their own, never tested: {'; '.join(filter(None, sources))}"


def _left_out(one: Coverage) -> str:
    if not one.left_out:
        return f"{one.system} was scored on {one.recordings}"
    named = ", ".join(printable(name) for name in one.left_out[:_MOST_LEFT_OUT])
    more = f" and {len(one.left_out) - _MOST_LEFT_OUT} more" if len(one.left_out) > _MOST_LEFT_OUT else ""
    return f"{one.system} was scored on {one.recordings}; left out: {named}{more}"


def _system_table(comparison: Comparison) -> Table:
    """A row a system, the best first where there are three or more; published figures come last."""
    table = bare_table()
    scored = _scored(comparison)
    many, uneven = len(scored) > 2, any(one.left_out for one in comparison.coverage)
    order = [*(scored if many else []), *(name for name in comparison.systems if not many or name not in scored)]
    metrics = [metric_registry.get(name) for name in dict.fromkeys(score.metric for score in comparison.scores)]
    groups = {one.system: one.group for one in comparison.ranking if one.metric == metrics[0].name} if many else {}
    costs = list(dict.fromkeys(name for cost in comparison.costs.values() for name in cost.rows()))
    for name in ("system", *(["group"] if groups else [])):
        table.add_column(name)
    for metric in metrics:
        table.add_column(f"{heading(metric)} %" if metric.unit == "%" else heading(metric), justify="right")
        if uneven:
            table.add_column("on its own", justify="right", style="dim")
    for name in costs:
        table.add_column(name, justify="right")
    published = {one.system for one in comparison.coverage if one.published}
    for system in order:
        spent = comparison.costs[system].rows() if system in comparison.costs else {}
        own = {score.metric: score for score in comparison.scores if score.system == system}
        values = [text for one in metrics for text in _values(one, own[one.name], system in published, uneven)]
        label = f"{system}{_PUBLISHED}" if system in published else system
        marks = [groups.get(system, "")] if groups else []
        table.add_row(*map(Text, (label, *marks, *values, *(spent.get(name, "n/a") for name in costs))))
    return table


def _values(metric: Metric, score: SystemScore, is_published: bool, uneven: bool) -> list[str]:
    if is_published:
        return [metric.shown(score.own), *([""] if uneven else [])]
    common = f"{metric.shown(score.value)} {_interval(metric, score.interval)}"
    return [common, *([metric.shown(score.own)] if uneven else [])]


def _matrix(comparison: Comparison, metric: str, duels: list[Duel]) -> Table:
    """Each system against each: recordings won and lost, or of many systems only who is better."""
    table, names = bare_table(), _scored(comparison)
    found = {(one.first, one.second): one for one in duels}
    compact = len(names) > MANY
    table.add_column(metric)
    for number, name in enumerate(names, 1):
        table.add_column(str(number) if compact else name, justify="right")
    for number, name in enumerate(names, 1):
        cells = [_duel_cell(found, name, other, compact) for other in names]
        table.add_row(Text(f"{number} {name}" if compact else name), *map(Text, cells))
    return table


def _duel_cell(found: dict[tuple[str, str], Duel], name: str, other: str, compact: bool) -> str:
    turned = (other, name) in found
    one = found.get((other, name) if turned else (name, other))
    if one is None:
        return ""
    if compact:
        return "." if one.better is None else "+" if one.better == name else "-"
    won, lost = (one.lost, one.won) if turned else (one.won, one.lost)
    return f"{won}-{lost}{'*' if one.better else ' '}" if one.recordings else "n/a"


def _oracle(one: Oracle) -> str:
    """What the best of each recording would come to, and whose they are."""
    metric = metric_registry.get(one.metric)
    shares = sorted(one.shares.items(), key=lambda pair: -pair[1])
    told = ", ".join(f"{name} {100 * share:.0f} %" for name, share in shares[:MANY])
    return (
        f"{one.metric}: the best system of each recording would give {metric.shown(one.value)}, "
        f"{one.best} alone gives {metric.shown(one.alone)}; it is {told}{' ...' if len(shares) > MANY else ''}"
    )


def _fusions(comparison: Comparison) -> Iterator[str]:
    """Which two would fuse well by the first metric."""
    best = next((one for one in comparison.fusions if one.metric == comparison.scores[0].metric and one.gain), None)
    if best is None:
        return
    metric = metric_registry.get(best.metric)
    other = next(name for name in best.systems if name != best.best)
    yield (
        f"fuse {best.best} and {other}: {best.metric} {metric.shown(best.value)} by the better of the two on each recording, "
        f"against {metric.shown(best.alone)} of {best.best} alone"
        f"{'' if best.overlap is None else f'; they share {100 * best.overlap:.0f} % of their errors'}"
        f"{f'; try `parakh fuse {comparison.track}`' if comparison.track in _FUSED else ''}"
    )


def _pair_table(comparison: Comparison) -> Table:
    table = bare_table()
    for name in ("systems", "metric"):
        table.add_column(name)
    for name in ("difference", f"{100 * comparison.plan.level:g} % interval", "p", "p Holm"):
        table.add_column(name, justify="right")
    table.add_column("better")
    uneven = any(pair.recordings != len(comparison.recordings) for pair in comparison.pairs)
    if uneven:
        table.add_column("recordings", justify="right")
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
            *([str(pair.recordings)] if uneven else []),
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
    where = f"these {pair.units} {comparison.unit}"
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
    units = comparison.units or max((pair.units for pair in comparison.pairs), default=0)
    ways = "all" if 2**units <= plan.samples else f"{plan.samples} random"
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
