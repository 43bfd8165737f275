"""May these results be compared: everything that changes a number has to be the same, and what differs is named.

A different version of Parakh alone is no hindrance, since metrics and normalisation profiles carry versions of their own; how
intervals were computed is none either, they are computed anew.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from parakh import metrics as metric_registry
from parakh.errors import Fault, InputError, UnknownNameError, counted
from parakh.metrics import Metric
from parakh.results import Results, Stats

_NO_CHOICE = ("interval", "metrics", "parakh", "track")
"""Entries of a signature that are not compared as text: they change no value here, or are compared on their own."""
_SCORE_ALIKE = "Score both alike, or compare with --force."
_LARGEST = 1e300
"""No count and no number of seconds comes near; sums of what is below do not overflow."""


def check_systems(results: Sequence[Results], sources: Sequence[str]) -> None:
    """See that there are two systems or more, each under a name of its own.

    Raises:
        InputError: There are not.
    """
    if len(results) < 2:
        raise InputError(Fault("compare", "", counted(len(results), "results file"), "two or more"))
    first: dict[str, str] = {}
    pairs = list(zip(results, sources, strict=True))
    faults = [
        Fault(source, "system", repr(one.system), "printable text") for one, source in pairs if not one.system.isprintable()
    ]
    for one, source in pairs:
        if one.system in first:
            action = "Give it another with `parakh score ... --system NAME`."
            faults.append(Fault(source, "system", repr(one.system), f"a name other than that in {first[one.system]}", action))
        first.setdefault(one.system, source)
    if faults:
        raise InputError(faults)


def choose_metrics(results: Sequence[Results], names: Sequence[str] | None, sources: Sequence[str]) -> list[Metric]:
    """The metrics to compare: those asked for, or all that every result has.

    Raises:
        InputError: A result lacks one that was asked for, nothing is common, or this installation lacks one that is.
        UnknownNameError: One that was asked for exists nowhere.
    """
    common = [name for name in results[0].metrics if all(name in one.metrics for one in results)]
    faults = [
        Fault(source, "metrics", f"no {name}", f"one of {', '.join(one.metrics)}", "Score it with that metric.")
        for name in names or ()
        for one, source in zip(results, sources, strict=True)
        if name not in one.metrics and metric_registry.get(name)
    ]
    if not common and not faults:
        faults = [
            fault
            for one, source in zip(results, sources, strict=True)
            for fault in _other_track(one, results[0], source, f"as in {sources[0]}")
        ]
        faults = faults or [
            Fault(sources[-1], "metrics", ", ".join(results[-1].metrics) or "none", f"one of those in {sources[0]}")
        ]
    if faults:
        raise InputError(faults)
    return [_installed(name, sources[0]) for name in dict.fromkeys(names or common)]


def differing(results: Sequence[Results], metrics: Sequence[Metric], sources: Sequence[str]) -> list[Fault]:
    """Every choice in which a result differs from the first, and every recording that one of the two lacks."""
    first, told = results[0], f"as in {sources[0]}"
    faults = [fault for one, source in zip(results, sources, strict=True) for fault in _outdated(one, metrics, source)]
    for one, source in zip(results[1:], sources[1:], strict=True):
        faults += _other_track(one, first, source, told)
        mine, theirs = _choices(one, metrics), _choices(first, metrics)
        for key in dict.fromkeys([*theirs, *mine]):
            if mine.get(key) != theirs.get(key):
                faults.append(Fault(source, key, mine.get(key, "nothing"), f"{theirs.get(key, 'nothing')}, {told}", _SCORE_ALIKE))
        faults += _other_recordings(one, first, source, told)
    return faults


def common_recordings(results: Sequence[Results], sources: Sequence[str]) -> list[str]:
    """Ids of the recordings that every result has, sorted.

    Raises:
        InputError: There is none.
    """
    ids = set.intersection(*({recording.id for recording in one.recordings} for one in results))
    if not ids:
        raise InputError(Fault(sources[-1], "recordings", "none of the others'", f"recordings scored in {sources[0]}"))
    return sorted(ids)


def statistics(results: Results, metric: Metric, ids: Sequence[str], source: str) -> list[Stats]:
    """The statistics of one metric, in the order of ``ids``.

    Raises:
        InputError: A recording has none, or such as the metric cannot score.
    """
    by_id = {recording.id: recording for recording in results.recordings}
    found = [by_id[one].stats.get(metric.name, Stats()) for one in ids]
    faults = [
        Fault(source, f"recordings.{one}.stats.{metric.name}", wrong, "statistics to score", "Make it again with `parakh score`.")
        for one, stats in zip(ids, found, strict=True)
        if (wrong := _unusable(metric, stats))
    ]
    if faults:
        raise InputError(faults)
    return found


def _installed(name: str, source: str) -> Metric:
    try:
        return metric_registry.get(name)
    except UnknownNameError as error:
        action = "Install the package that adds it, or choose others with --metric."
        raise InputError(Fault(source, "metrics", repr(name), "metrics of this installation", action)) from error


def _other_track(one: Results, first: Results, source: str, told: str) -> Iterator[Fault]:
    if one.track != first.track:
        yield Fault(source, "track", one.track, f"{first.track}, {told}", "Compare answers to one question.")


def _outdated(one: Results, metrics: Sequence[Metric], source: str) -> Iterator[Fault]:
    versions = dict(item.rpartition(".v")[::2] for item in one.signature.choices.get("metrics", "").split(","))
    for metric in metrics:
        version = versions.get(metric.name, str(metric.version))
        if version != str(metric.version):
            yield Fault(source, metric.name, f"version {version}", f"version {metric.version}", "Score it again.")


def _choices(one: Results, metrics: Sequence[Metric]) -> Mapping[str, str]:
    """The choices that change the value of one of the metrics; an option's list of who takes it is left off."""
    known = metric_registry.all_metrics().values()
    idle = {name for metric in known for name in metric.options} - {name for metric in metrics for name in metric.options}
    return {
        key: _without_takers(value, one.metrics)
        for key, value in one.signature.choices.items()
        if key not in _NO_CHOICE and key not in idle
    }


def _without_takers(value: str, names: Collection[str]) -> str:
    """An option's value as text, without the metrics that take it.

    >>> _without_takers("3.0 (tcpwer)", ["wer", "tcpwer"])
    '3.0'
    """
    plain, _, takers = value.removesuffix(")").partition(" (")
    return plain if takers and all(name in names for name in takers.split(",")) else value


def _other_recordings(one: Results, first: Results, source: str, told: str) -> Iterator[Fault]:
    mine, theirs = ({recording.id for recording in each.recordings} for each in (one, first))
    action = "Score both on the same recordings, or compare the common ones with --force."
    for sign, ids in (("no", theirs - mine), ("also", mine - theirs)):
        if ids:
            yield Fault(source, "recordings", f"{sign} {_some(ids)}", f"the {len(theirs)} {told}", action)


def _some(ids: Collection[str], most: int = 8) -> str:
    shown = ", ".join(sorted(ids)[:most])
    return shown if len(ids) <= most else f"{shown} and {len(ids) - most} more"


def _unusable(metric: Metric, stats: Stats) -> str:
    """What is wrong with statistics; empty when the metric can score them."""
    if not stats:
        return "none"
    wrong = [name for name, value in stats.items() if not isinstance(value, (int, float)) or not abs(value) <= _LARGEST]
    if wrong:
        return f"{wrong[0]} {stats[wrong[0]]}"
    try:
        metric.score(stats)
    except KeyError as error:
        return f"no {error.args[0]}"
    return ""
