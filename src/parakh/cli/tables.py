"""Results as tables in a terminal: headline, parts, recordings, findings, signature."""

from __future__ import annotations

import errno
import sys

from rich.console import Console
from rich.table import Table
from rich.text import Text

from parakh import metrics as metric_registry
from parakh import tracks
from parakh.cost import Cost
from parakh.errors import counted, printable
from parakh.metrics import Better, Metric
from parakh.results import Results, Score
from parakh.text.masking import masked
from parakh.types import Finding, Severity

_ARROW = {Better.LOWER: "↓", Better.HIGHER: "↑"}
_COLOUR = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "dim"}
_PIPE_WIDTH = 1000
"""Of what no person reads as it comes: no table is cut."""
_MOST_ALIKE = 3
_MOST_NAMED = 12


class _PipeConsole(Console):
    """A console that tells of a reader that has gone as any other write would; rich would exit with code 1."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError(errno.EPIPE, "the reader has gone")


def console(*, stderr: bool = False) -> Console:
    """A console that never wraps a table of a pipe to 80 columns."""
    stream = sys.stderr if stderr else sys.stdout
    return _PipeConsole(file=stream, width=None if stream.isatty() else _PIPE_WIDTH, highlight=False, soft_wrap=False)


def bare_table() -> Table:
    """A table without lines."""
    return Table(box=None, pad_edge=False, header_style="bold")


def percent(value: float | None) -> str:
    """A ratio as people read it, with two decimals; n/a when undefined.

    >>> percent(0.12345), percent(None)
    ('12.35', 'n/a')
    """
    return "n/a" if value is None else f"{100 * value:.2f}"


def print_results(results: Results, *, per_recording: bool = False) -> None:
    """Print one track's results."""
    out = console()
    track = tracks.get(results.track)
    out.print(
        Text(f"{track.question}: {printable(results.system)}, {counted(len(results.recordings), 'recording')}", style="bold")
    )
    out.print(_metric_table(results))
    if results.cost:
        out.print(_cost_table(results.cost))
    for field in results.slices:
        out.print(_slice_table(results, field))
    if per_recording:
        out.print(_recording_table(results))
    print_findings(out, results)
    out.print(Text(printable(str(results.signature)), style="dim"), soft_wrap=True)


def print_findings(out: Console, results: Results) -> None:
    """Print what was noticed, the gravest first, and how much more there is."""
    alike: dict[tuple[Severity, str], list[Finding]] = {}
    for finding in (*results.findings, *(finding for one in results.recordings for finding in one.findings)):
        alike.setdefault((finding.severity, finding.code), []).append(finding)
    order = list(Severity)
    for (severity, code), findings in sorted(alike.items(), key=lambda one: order.index(one[0][0])):
        for finding in findings[:_MOST_ALIKE]:
            out.print(Text(printable(masked(str(finding))), style=_COLOUR[severity]), soft_wrap=True)
        if more := findings[_MOST_ALIKE:]:
            where = ", ".join(dict.fromkeys(one.session_id for one in more[:_MOST_NAMED] if one.session_id))
            told = f"and {len(more)} more {severity} {code}{': ' + where if where else ''}{' ...' * (len(more) > _MOST_NAMED)}"
            out.print(Text(f"{printable(told)}; --json FILE holds them all", style="dim"), soft_wrap=True)
    for one in results.unscored:
        out.print(Text(printable(f"{one.id}: not scored: {one.reason}"), style="yellow"), soft_wrap=True)


def heading(metric: Metric) -> str:
    """A metric's name with an arrow for the way it improves."""
    return f"{metric.name} {_ARROW[metric.better]}"


def _metric_table(results: Results) -> Table:
    table = bare_table()
    table.add_column("metric")
    table.add_column("%", justify="right")
    scores = results.metrics.values()
    intervals, durations = any(score.interval for score in scores), any(score.by_duration is not None for score in scores)
    if intervals:
        table.add_column("interval %")
    table.add_column("parts (%)")
    table.add_column("counts")
    table.add_column("macro %", justify="right", style="dim")
    if durations:
        table.add_column("by duration %", justify="right", style="dim")
    for name, score in results.metrics.items():
        metric = metric_registry.get(name)
        parts = "  ".join(f"{part.replace('_', ' ')} {percent(value)}" for part, value in score.parts.items())
        table.add_row(
            heading(metric),
            Text(metric.shown(score.value), style="bold"),
            *([interval(metric, score)] if intervals else []),
            parts,
            _counts(metric, score),
            metric.shown(score.macro),
            *([metric.shown(score.by_duration)] if durations else []),
        )
    return table


def _cost_table(cost: Cost) -> Table:
    table = bare_table()
    table.add_column("cost")
    for name in cost.rows():
        table.add_column(name, justify="right")
    table.add_row(f"{cost.audio_seconds / 3600:.2f} h of audio", *cost.rows().values())
    return table


def interval(metric: Metric, score: Score) -> str:
    """A confidence interval as people read it; a dash where there is none.

    >>> from parakh.results import Stats
    >>> interval(metric_registry.get("der"), Score(0.25, Stats(), interval=(0.2, 0.31)))
    '20.00 - 31.00'
    """
    return "-" if score.interval is None else " - ".join(metric.shown(end) for end in score.interval)


def _counts(metric: Metric, score: Score) -> str:
    return "  ".join(f"{count.replace('_', ' ')} {_number(score.stats[count])}" for count in metric.counts)


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.2f}"


def _slice_table(results: Results, field: str) -> Table:
    table = bare_table()
    table.add_column(field)
    shown = [name for name in results.metrics if any(name in scores for scores in results.slices[field].values())]
    for name in shown:
        table.add_column(heading(metric_registry.get(name)), justify="right")
    for value, scores in results.slices[field].items():
        table.add_row(Text(printable(value)), *(_slice_cell(metric_registry.get(name), scores.get(name)) for name in shown))
    return table


def _slice_cell(metric: Metric, score: Score | None) -> str:
    """A slice's value with its interval; empty where the slice has nothing that the metric counts."""
    if score is None:
        return ""
    value = metric.shown(score.value)
    return f"{value} ({interval(metric, score)})" if score.interval else value


def _recording_table(results: Results) -> Table:
    table = bare_table()
    table.add_column("recording")
    for name in results.metrics:
        table.add_column(heading(metric_registry.get(name)), justify="right")
    for one in results.recordings:
        table.add_row(Text(printable(one.id)), *(metric_registry.get(name).shown(one.metrics[name]) for name in results.metrics))
    return table
