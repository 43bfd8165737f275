"""One file a figure; this file is the form each of them declares itself in.

A figure has ``FIGURE = Figure(...)`` and ``chart(inputs, *, metric=None) -> Chart | None``: plain data made from results, None
where they do not hold what it shows. ``report.svg`` draws it on pages, ``report.plots`` for papers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from parakh import registry
from parakh.report.chart import Chart
from parakh.report.inputs import Inputs


@dataclass(frozen=True)
class Figure:
    """The declaration of a figure.

    Args:
        title: What it shows, in one line.
        source: Where it comes from: a paper and its figure, or Parakh.
        by_track: Whether each track has its own; else one is made of all results together.
    """

    title: str
    source: str
    by_track: bool = True


def chart(name: str, inputs: Inputs, *, metric: str | None = None) -> Chart | None:
    """The figure of a name.

    Args:
        name: As ``parakh list figure`` shows it.
        inputs: What was given.
        metric: What to show; None takes the ranking metric of the first results that have one.

    Returns:
        What to draw; None where the inputs do not hold it.

    Raises:
        UnknownNameError: There is no such figure.

    >>> chart("ranks", Inputs(())) is None
    True
    """
    make: Callable[..., Chart | None] = registry.load("figure", name).chart
    return make(inputs, metric=metric)


def charts(inputs: Inputs, *, metric: str | None = None) -> dict[str, Chart]:
    """Every figure that has something to say.

    Args:
        inputs: What was given; where they are of several tracks, each track has its figures.
        metric: What to show; None takes each track's ranking metric.

    Returns:
        The charts by name, with the track behind it where there are several: "heatmap", or "heatmap-asr".

    >>> charts(Inputs(()))
    {}
    """
    tracks = list(dict.fromkeys(one.track for one in inputs.results if metric is None or metric in one.metrics))
    found: dict[str, Chart | None] = {}
    for name in registry.names("figure"):
        if not registry.load("figure", name).FIGURE.by_track:
            found[name] = chart(name, inputs, metric=metric)
            continue
        for track in tracks:
            own = replace(inputs, results=tuple(inputs.of(track)))
            found[f"{name}-{track}" if len(tracks) > 1 else name] = chart(name, own, metric=metric)
    return {name: one for name, one in found.items() if one is not None}
