"""What is computed, and how it is told: which metrics with which options, and the signature of every choice."""

from __future__ import annotations

import hashlib
import inspect
import math
import sys
from array import array
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

import parakh
from parakh import metrics as metric_registry
from parakh.errors import Fault, InputError, counted
from parakh.metrics import Metric, Payload
from parakh.results import Signature
from parakh.selection import Selection
from parakh.text.normalize import Profile
from parakh.tracks import Track
from parakh.types import Finding, Segment, Severity, Summary, Topics

Options = Mapping[str, Any]
"""Of the metrics, by name: numbers, switches, text, or a value that prints as the signature shows it."""

Item = Segment | Topics | Summary

ALL = "all"
"""In place of the names of metrics."""


def choose_metrics(
    track: Track, names: Sequence[str] | None, reference: Sequence[Item], hypothesis: Sequence[Item], *, transcripts: bool
) -> tuple[list[Metric], list[Finding]]:
    """The metrics to compute, and a note for each of the track's own that the input cannot carry.

    Args:
        track: The track.
        names: The metrics asked for; None takes the track's, and with transcripts those that read them; "all" takes every
            one that fits the track but those that are costly or need an option without default.
        reference: All reference items.
        hypothesis: All hypothesis items.
        transcripts: Whether there are transcripts for the metrics that read them.

    Raises:
        InputError: A metric that was asked for compares something else, or needs what the input lacks, or every metric does.
        UnknownNameError: There is no such metric.
    """
    if transcripts and Payload.SUMMARY not in track.payloads:
        raise InputError(Fault("--transcript", "", f"the {track.name} track", "the summarization track, whose facts it supports"))
    by_name = names is not None and ALL not in names
    wanted = [metric_registry.get(name) for name in (dict.fromkeys(names) if names and by_name else track.metrics)]
    if not by_name:
        wanted += [metric for metric in _further(track, every=bool(names), transcripts=transcripts) if metric not in wanted]
    lacking = {metric.name: _lacking(metric, reference, hypothesis) for metric in wanted}
    if by_name:
        faults = [_unmet_fault(track, name, *lack) for name, lack in lacking.items() if lack]
        faults += [_wrong_track(track, metric) for metric in wanted if metric.payload not in track.payloads]
        if faults:
            raise InputError(faults)
    if wanted and all(lacking.values()):  # a table without a row would pass for a score
        raise InputError([_unmet_fault(track, name, *lack) for name, lack in lacking.items() if lack])
    unmet = [
        Finding("metric-not-applicable", f"{name} is not computed: the {lack[0]} has no {lack[1]}", Severity.NOTE)
        for name, lack in lacking.items()
        if lack
    ]
    return [metric for metric in wanted if not lacking[metric.name]], unmet


def _further(track: Track, *, every: bool, transcripts: bool) -> list[Metric]:
    """The metrics beside the track's own: all that fit, or those that read the transcripts given."""
    if not (every or transcripts):
        return []
    known = metric_registry.all_metrics().values()
    if every:
        return [one for one in known if one.payload in track.payloads and not one.required and not one.costly]
    return [one for one in known if one.payload is Payload.SUMMARY]


def check_options(track: Track, metrics: Sequence[Metric], asked: Options) -> dict[str, Any]:
    """The options of the chosen metrics that the track sets, or that were asked for and are not the metric's default.

    A default says nothing in a signature that the metric's version does not say, so asking for it changes nothing.

    Raises:
        InputError: One was asked for that none takes.
    """
    taken = {name for metric in metrics for name in metric.options}
    unused = [name for name in asked if name not in taken]
    if unused:
        names = ", ".join(metric.name for metric in metrics)
        expected = f"an option of {names}: {', '.join(sorted(map(_flag, taken))) or 'they have none'}"
        raise InputError([Fault("options", "", _flag(name), expected) for name in unused])
    defaults = option_defaults(metrics)
    own = {name: value for name, value in asked.items() if name in track.options or value != defaults[name]}
    return {name: value for name, value in {**track.options, **own}.items() if name in taken}


def fingerprint(items: Sequence[Item]) -> str:
    """A BLAKE2 hash of what is scored in references or transcripts of one recording, whatever file or format it came from.

    >>> fingerprint([Topics("v1", ("fever",))]) == fingerprint([Topics("v1", ("cough",))])
    False
    """
    digest = hashlib.blake2b(digest_size=16)
    for field in ("topics", "text", "speaker", "words", "forms"):
        if items and hasattr(items[0], field):
            values = list(map(attrgetter(field), items))
            digest.update("\n".join(map(str, values)).encode() if any(values) else b"")
    for field in ("start_time", "end_time"):
        if items and hasattr(items[0], field):
            times = array("d", [math.nan if time is None else time for time in map(attrgetter(field), items)])
            if sys.byteorder == "big":
                times.byteswap()
            digest.update(times.tobytes())
    return digest.hexdigest()


def joint_fingerprint(fingerprints: Mapping[str, str]) -> str:
    """One fingerprint of eight digits for those of recordings by id, in any order."""
    text = "\n".join(f"{session_id} {fingerprints[session_id]}" for session_id in sorted(fingerprints))
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


def option_defaults(metrics: Sequence[Metric]) -> dict[str, Any]:
    """The default of each option that one of the metrics takes."""
    return {name: parameter.default for name, parameter in _parameters(metrics).items()}


def option_kinds(metrics: Sequence[Metric]) -> dict[str, str]:
    """The type of each option that one of the metrics takes, as it is written; one that may be absent as what it is else.

    >>> option_kinds([metric_registry.get("tcpwer")])["collar"]
    'float'
    """
    kinds = {name: parameter.annotation for name, parameter in _parameters(metrics).items()}
    return {name: str(getattr(kind, "__name__", kind)).removesuffix(" | None") for name, kind in kinds.items()}


def _parameters(metrics: Sequence[Metric]) -> dict[str, inspect.Parameter]:
    """Each option that one of the metrics takes, as its ``stats`` declares it."""
    return {
        name: parameter
        for metric in metrics
        for name, parameter in inspect.signature(metric.stats).parameters.items()
        if name in metric.options
    }


def signature(
    track: Track,
    metrics: Sequence[Metric],
    options: Options,
    profile: Profile,
    selection: Selection,
    *,
    has_regions: bool,
    interval: str | None,
    contents: Mapping[str, str],
) -> Signature:
    """Every choice that changes the numbers, in the order in which a reader asks for them.

    ``contents`` names what was compared with: the fingerprints of the references and of the transcripts.
    """
    left_out = any("on request" in one.reason for one in selection.unscored)
    inferred = "extents of reference and hypothesis turns" if Payload.TURNS in track.payloads else "whole recording"
    rules: dict[str, str] = {
        "track": track.name,
        **contents,
        "metrics": ",".join(f"{metric.name}.v{metric.version}" for metric in metrics),
        **{name: _option_choice(name, value, metrics) for name, value in options.items()},
        "normalization": str(profile),
        "region": "uem" if has_regions else inferred,
        "missing": "left out" if left_out else "charged in full",
        **({"interval": interval} if interval else {}),
        "parakh": parakh.__version__,
    }
    if track.item is not Segment:
        del rules["region"]
    if Payload.TURNS in track.payloads:
        del rules["normalization"]  # turns have no words
    return Signature(rules)


_FIELD_NAMES = {"speaker": "speakers", "start_time": "times"}


def _lacking(metric: Metric, reference: Sequence[Item], hypothesis: Sequence[Item]) -> tuple[str, str] | None:
    for side, items in (("reference", reference), ("hypothesis", hypothesis)):
        for field in metric.needs:
            if None in map(attrgetter(field), items):
                lack = sum(getattr(item, field) is None for item in items)
                return side, f"{_FIELD_NAMES.get(field, field)} in {lack} of {counted(len(items), 'segment')}"
    return None


def _unmet_fault(track: Track, name: str, side: str, lack: str) -> Fault:
    otherwise = ", or score wer" if Payload.WORDS in track.payloads else ""
    action = f"Give a format that carries them (SegLST, STM, challenge TSV){otherwise}."
    return Fault(side, "", f"no {lack}", f"{lack.partition(' in ')[0]} for {name}", action)


def _wrong_track(track: Track, metric: Metric) -> Fault:
    fitting = [name for name, one in metric_registry.all_metrics().items() if one.payload in track.payloads]
    return Fault("--metric", "metric", metric.name, f"a metric of the {track.name} track", f"Try {', '.join(fitting)}.")


_FLAGS = {
    "collar": "--collar",
    "stemmer": "--stemmer",
    "synonyms": "--synonyms",
    "score_regions": "--score-regions (or --skip-overlap)",
}


def _flag(option: str) -> str:
    """How an option is given on the command line."""
    return _FLAGS.get(option, f"--set {option}=...")


def _option_choice(name: str, value: object, metrics: Sequence[Metric]) -> str:
    """An option's value; with the metrics that take it where others of the same run do not."""
    taking = [metric.name for metric in metrics if name in metric.options]
    return _plain(value) if len(taking) == len(metrics) else f"{_plain(value)} ({','.join(taking)})"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(float(value)) if isinstance(value, int | float) else str(value)
