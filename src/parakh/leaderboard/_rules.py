"""The rules of a track from its table: every name in them has to be one that Parakh knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from parakh import formats, metrics, registry, tracks
from parakh.choices import option_kinds
from parakh.errors import InputError, UnknownNameError
from parakh.formats._text import shown
from parakh.leaderboard._tables import Table
from parakh.leaderboard.challenge import MetricSet, TrackRules
from parakh.metrics import Metric
from parakh.resample import Bootstrap
from parakh.text.normalize import get_profile
from parakh.tracks import Track

_TRACK = ("title", "track", "version", "metrics", "rank_by", "tie_break", "normalization", "options", "slice_by")
_KEYS = (*_TRACK, "level", "samples", "formats")
_PLAIN: Mapping[str, tuple[type, ...]] = {"bool": (bool,), "int": (int,), "float": (int, float), "str": (str,)}
"""The TOML values that an option of a kind takes."""


def track_rules(key: str, table: Table) -> TrackRules | None:
    """The rules of one track; None where they have a fault, which is noted.

    Args:
        key: The track's key; also the name of Parakh's track where no other is given.
        table: ``[tracks.KEY]``.
    """
    before = len(table.faults)
    own = Table(table.faults, table.path, table.place, table.values, _KEYS)
    track = _named(own, "track", own.text("track", key), tracks.get)
    title = own.text("title", track.question if track else key)
    if track is None:
        return None
    metric_set = _metric_set(own, track)
    rules = TrackRules(key, title, metric_set, _formats(own, track))
    return rules if len(table.faults) == before else None


def _metric_set(table: Table, track: Track) -> MetricSet:
    names = table.texts("metrics", track.metrics)
    chosen = [one for name in names if (one := _metric(table, "metrics", name, track))]
    rank_by = table.text("rank_by", names[0] if names else "")
    tie_break = table.texts("tie_break", ())
    for key, asked in (("rank_by", (rank_by,)), ("tie_break", tie_break)):
        for name in asked:
            if name not in names:
                table.fault(key, shown(name), f"one of the track's metrics: {', '.join(names)}")
    if rank_by in tie_break:
        table.fault("tie_break", shown(rank_by), "other metrics than rank_by")
    normalization = table.text("normalization", track.normalization)
    _named(table, "normalization", normalization, get_profile)
    return MetricSet(
        version=table.text("version", "1"),
        track=track.name,
        metrics=names,
        rank_by=rank_by,
        tie_break=tie_break,
        normalization=normalization,
        options=_options(table, chosen),
        slice_by=table.texts("slice_by", ()),
        level=table.level("level", 0.95),
        samples=_samples(table),
    )


def _metric(table: Table, key: str, name: str, track: Track) -> Metric | None:
    metric: Metric | None = _named(table, key, name, metrics.get)
    if metric is not None and metric.payload not in track.payloads:
        fitting = [one for one, other in metrics.all_metrics().items() if other.payload in track.payloads]
        table.fault(key, shown(name), f"a metric of the {track.name} track: {', '.join(fitting)}")
        return None
    return metric


def _options(table: Table, chosen: list[Metric]) -> dict[str, Any]:
    """The options of the metrics, numbers with a point where the metric takes such: equal choices are then equal."""
    kinds = {name: kind for name, kind in option_kinds(chosen).items() if kind in _PLAIN}
    own = table.table("options", tuple(kinds))
    options: dict[str, Any] = {}
    for name, value in own.values.items():
        kind = kinds.get(name)
        if kind is None:
            continue
        if not isinstance(value, _PLAIN[kind]) or (isinstance(value, bool) and kind != "bool"):
            own.fault(name, shown(value), {"bool": "true or false", "str": "a text"}.get(kind, "a number"))
            continue
        options[name] = float(value) if kind == "float" and isinstance(value, int | float) else value
    for metric in chosen:
        for name in set(metric.required) - set(options):
            own.fault(name, "nothing", f"a value: {metric.name} needs it")
    return options


def _samples(table: Table) -> int:
    samples = table.whole("samples", 1, 1000) or 1000
    try:
        return Bootstrap(samples=samples).samples
    except InputError as error:
        table.fault("samples", str(samples), error.faults[0].expected)
        return 1000


def _formats(table: Table, track: Track) -> tuple[str, ...]:
    known = formats.standing_alone(track.item)
    names = table.texts("formats", ())
    for name in names:
        if name not in known:
            table.fault("formats", shown(name), f"a format of {track.name} that stands for itself: {', '.join(known)}")
    return names


def _named(table: Table, key: str, name: str, get: Callable[[str], Any]) -> Any:
    """What a name stands for; None after noting that it stands for nothing."""
    try:
        return get(name)
    except UnknownNameError as error:
        known = f"one of {', '.join(registry.names('track'))}" if key == "track" else "a name that is known"
        table.fault(key, shown(name), known, str(error)[0].upper() + str(error)[1:])
        return None
