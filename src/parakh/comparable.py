"""May these results be compared: everything that changes a number has to be the same, and what differs is named.

A different version of Parakh alone is no hindrance, since metrics and normalisation profiles carry versions of their own; how
intervals were computed is none either, they are computed anew. Other recordings are no hindrance: only those that both have are
compared, which also makes it no matter how missing ones were charged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from parakh import metrics as metric_registry
from parakh.errors import Fault, InputError, UnknownNameError, counted
from parakh.metrics import Metric
from parakh.results import Results, Stats

_NO_CHOICE = ("interval", "metrics", "missing", "parakh", "track")
"""Entries of a signature that are not compared as text: they change no value here, or are compared on their own."""
_OF_RECORDINGS = ("reference", "transcript")
"""Entries that belong to the recordings that were scored: they are the same only where these are."""
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
    first: dict[str, tuple[Results, str]] = {}
    pairs = list(zip(results, sources, strict=True))
    faults = [
        Fault(source, "system", repr(one.system), "printable text") for one, source in pairs if not one.system.isprintable()
    ]
    for one, source in pairs:
        if one.system in first:
            faults.append(same_system(one, source, *first[one.system]))
        first.setdefault(one.system, (one, source))
    if faults:
        raise InputError(faults)


def same_system(one: Results, source: str, earlier: Results, where: str) -> Fault:
    """Two results of one system that nothing tells apart: the same results twice, or others under its name."""
    if one == earlier:
        return Fault(source, "", f"the same results as in {where}", "each only once", "Give one of the two.")
    action = "Give it another with `parakh score ... --system NAME`."
    return Fault(source, "system", repr(one.system), f"a name other than that in {where}", action)


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
    """Every choice in which a result differs from the first, and recordings whose reference is another one."""
    first, told = results[0], f"as in {sources[0]}"
    faults = [fault for one, source in zip(results, sources, strict=True) for fault in _outdated(one, metrics, source)]
    for one, source in zip(results, sources, strict=True):
        faults += _other_track(one, first, source, told)
        faults += _other_choices(one, first, metrics, source, told)
    return [*faults, *_other_contents(results, sources)]


def unseen_references(results: Sequence[Results]) -> bool:
    """Whether it could not be seen that references are the same: other recordings, and a result without their fingerprints."""
    ids = {frozenset(ids_of(one)) for one in results}
    return len(ids) > 1 and not all(each.contents for one in results for each in one.recordings)


def published_otherwise(one: Results, first: Results, metrics: Sequence[Metric]) -> list[str]:
    """The choices that a source of published figures states and that are not those of the first results, as "collar 0.25"."""
    theirs = _choices(first, metrics)
    stated = {key: value for key, value in one.signature.choices.items() if key not in {"published", "url", "set", *_NO_CHOICE}}
    return [f"{key} {value}" for key, value in stated.items() if key in theirs and theirs[key] != value]


def ids_of(one: Results) -> list[str]:
    """Ids of the recordings of a result, sorted."""
    return sorted(recording.id for recording in one.recordings)


def unanswered(one: Results) -> set[str]:
    """Ids of the recordings that were scored without an answer: all of them is charged as missed."""
    missing = {finding.session_id for finding in one.findings if finding.code == "missing-recording"}
    return {recording.id for recording in one.recordings if recording.id in missing}


def common_recordings(results: Sequence[Results]) -> list[str]:
    """Ids of the recordings that every result has, sorted; there may be none."""
    return sorted(set.intersection(*(set(ids_of(one)) for one in results)))


def subset_of(first: Results, common: Collection[str]) -> dict[str, dict[str, int]]:
    """How many of the common recordings fall under each value of each field that the first results were cut by."""
    counts: dict[str, dict[str, int]] = {}
    inside = set(common)
    for one in first.recordings:
        for name, values in one.slices.items() if one.id in inside else ():
            for value in values:
                of_field = counts.setdefault(name, {})
                of_field[value] = of_field.get(value, 0) + 1
    return counts


def check_shared(results: Sequence[Results], sources: Sequence[str]) -> None:
    """See that some two results have a recording in common.

    Raises:
        InputError: They have not.
    """
    seen: set[str] = set()
    for one in results:
        ids = set(ids_of(one))
        if ids & seen or len(results) == 1:
            return
        seen |= ids
    raise InputError(Fault(sources[-1], "recordings", "none of the others'", f"recordings scored in {sources[0]}"))


def statistics(results: Results, metric: Metric, source: str) -> dict[str, Stats]:
    """The statistics of one metric, by recording.

    Raises:
        InputError: A recording has none, or such as the metric cannot score.
    """
    found = {one.id: one.stats.get(metric.name, Stats()) for one in results.recordings}
    faults = [
        Fault(source, f"recordings.{one}.stats.{metric.name}", wrong, "statistics to score", "Make it again with `parakh score`.")
        for one, stats in found.items()
        if (wrong := unusable(metric, stats))
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


def _other_choices(one: Results, first: Results, metrics: Sequence[Metric], source: str, told: str) -> Iterator[Fault]:
    mine, theirs = _choices(one, metrics), _choices(first, metrics)
    for key in dict.fromkeys([*theirs, *mine]):
        if mine.get(key) != theirs.get(key):
            yield Fault(source, key, mine.get(key, "nothing"), f"{theirs.get(key, 'nothing')}, {told}", _SCORE_ALIKE)


def _other_contents(results: Sequence[Results], sources: Sequence[str]) -> Iterator[Fault]:
    """References and transcripts that are not the same: by recording where that is known, else by those of all recordings."""
    for key in _OF_RECORDINGS:
        seen: dict[str, tuple[str, str]] = {}
        whole: dict[frozenset[str], tuple[str, str, bool]] = {}
        for one, source in zip(results, sources, strict=True):
            known = {each.id: each.contents[key] for each in one.recordings if key in each.contents}
            apart: dict[str, list[str]] = {}
            for name, mine in known.items():
                theirs, where = seen.setdefault(name, (mine, source))
                if mine != theirs:
                    apart.setdefault(where, []).append(name)
            for where, ids in apart.items():
                yield Fault(source, key, f"another one of {_some(ids)}", f"that in {where}", _SCORE_ALIKE)
            own, each_known = one.signature.choices.get(key, "nothing"), len(known) == len(one.recordings)
            first, its_source, both = whole.setdefault(frozenset(ids_of(one)), (own, source, each_known))
            if own != first and not (each_known and both):
                yield Fault(source, key, own, f"{first}, as in {its_source}", _SCORE_ALIKE)


def _some(ids: Collection[str], most: int = 8) -> str:
    shown = ", ".join(sorted(ids)[:most])
    return shown if len(ids) <= most else f"{shown} and {len(ids) - most} more"


def _choices(one: Results, metrics: Sequence[Metric]) -> Mapping[str, str]:
    """The choices that change the value of one of the metrics; an option's list of who takes it is left off."""
    known = metric_registry.all_metrics().values()
    idle = {name for metric in known for name in metric.options} - {name for metric in metrics for name in metric.options}
    return {
        key: _without_takers(value, one.metrics)
        for key, value in one.signature.choices.items()
        if key not in _NO_CHOICE and key not in _OF_RECORDINGS and key not in idle
    }


def _without_takers(value: str, names: Collection[str]) -> str:
    """An option's value as text, without the metrics that take it.

    >>> _without_takers("3.0 (tcpwer)", ["wer", "tcpwer"])
    '3.0'
    """
    plain, _, takers = value.removesuffix(")").partition(" (")
    return plain if takers and all(name in names for name in takers.split(",")) else value


def unusable(metric: Metric, stats: Stats) -> str:
    """What is wrong with statistics; empty when the metric can score them.

    >>> unusable(metric_registry.get("wer"), Stats(errors=1))
    'no length'
    """
    if not stats:
        return "none"
    wrong = [name for name, value in stats.items() if not isinstance(value, (int, float)) or not abs(value) <= _LARGEST]
    if wrong:
        return f"{wrong[0]} {stats[wrong[0]]!r:.20}"
    try:
        metric.score(stats)
    except KeyError as error:
        return f"no {error.args[0]}"
    return ""
