"""``parakh report ... --figure``: figures for papers, as files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from parakh.errors import Fault, InputError, printable
from parakh.report import figures, plots
from parakh.report.inputs import Inputs
from parakh.text.masking import masked

ALL = "all"
"""Stands for every figure that has something to say."""


def write(inputs: Inputs, out: Path, *, figure: str | None, metric: str | None, width: str) -> None:
    """Write one figure.

    Raises:
        InputError: There is no such figure of these inputs, or it cannot be written.
    """
    _check_metric(inputs, metric)
    if figure is None:
        action = f"Name one with --figure, or give a folder and --figure {ALL}."
        raise InputError(Fault("--figure", "", "nothing", f"a figure that these files hold: {_held(inputs, metric)}", action))
    chart = figures.chart(figure, inputs, metric=metric)
    if chart is None:
        action = f"`parakh explain {figure}` says what it needs."
        raise InputError(Fault("--figure", "", figure, f"a figure that these files hold: {_held(inputs, metric)}", action))
    plots.write(chart, out, width=width)
    _tell(out, chart.notes)


def write_all(inputs: Inputs, folder: Path, *, metric: str | None, width: str) -> None:
    """Write every figure that has something to say as a PDF into a folder.

    Raises:
        InputError: None has, or one cannot be written.
    """
    if folder.suffix.lower() in plots.SUFFIXES:
        raise InputError(Fault("--out", "", str(folder), f"a folder, for --figure {ALL}"))
    _check_metric(inputs, metric)
    found = figures.charts(inputs, metric=metric)
    if not found:
        raise InputError(Fault("--figure", "", ALL, "results or diagnoses that hold a figure"))
    for name, chart in found.items():
        path = folder / f"{name}.pdf"
        plots.write(chart, path, width=width)
        _tell(path, chart.notes)


def _check_metric(inputs: Inputs, metric: str | None) -> None:
    """See that some of the results hold a metric that was asked for.

    Raises:
        InputError: None does.
    """
    known = dict.fromkeys(name for one in inputs.results for name in one.metrics)
    known |= dict.fromkeys(one.ledger.metric for one in inputs.diagnosed)
    if metric is not None and metric not in known:
        raise InputError(Fault("--metric", "", metric, f"one that these files hold: {', '.join(known) or 'none'}"))


def _held(inputs: Inputs, metric: str | None) -> str:
    return ", ".join(figures.charts(inputs, metric=metric)) or "none"


def _tell(path: Path, notes: Sequence[str]) -> None:
    """Where the figure is, and what belongs into its caption."""
    print(path)
    for note in notes:
        print(f"  {printable(masked(note))}")
