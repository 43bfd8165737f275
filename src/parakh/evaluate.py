"""The only scorer: references and hypotheses in, Results out.

load -> select -> normalise -> statistics per recording -> sum -> score. The command line, the leaderboard and
the tests all call ``evaluate``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import parakh
from parakh import metrics as metric_registry
from parakh import timeline
from parakh.detail import DETAILS
from parakh.errors import Fault, InputError
from parakh.metrics import Metric, Payload
from parakh.results import RecordingResult, Results, Score, Signature, Stats, total
from parakh.selection import Selection, crop_utterances, drop_ignored, exclude_ignored, select_recordings
from parakh.text.normalize import Profile, get_profile
from parakh.tracks import Track
from parakh.types import Finding, Recording, Region, Segment, Severity, Summary, Topics

Options = Mapping[str, float | bool]
Item = Segment | Topics | Summary


@dataclass(frozen=True)
class _Pair:
    """One recording, ready for the metrics: both sides normalised and cut to what is scored."""

    session_id: str
    reference: Any
    hypothesis: Any
    regions: Sequence[Region] | None
    findings: tuple[Finding, ...] = ()
    missing: bool = False


def evaluate(
    track: Track,
    reference: Sequence[Item],
    hypothesis: Sequence[Item],
    *,
    system: str = "hypothesis",
    regions: Sequence[Region] | None = None,
    metrics: Sequence[str] | None = None,
    normalization: str | None = None,
    options: Options | None = None,
    skip_missing: bool = False,
    recordings: Sequence[Recording] = (),
    slice_by: Sequence[str] = (),
    detail: bool = False,
) -> Results:
    """Score one system on one track.

    Args:
        track: Which question is scored; gives the default metrics, profile and options.
        reference: All reference items, of the track's item type, any order.
        hypothesis: All items of the system.
        system: The system's name, for tables.
        regions: Scoring regions (UEM); None infers them per recording from both sides' turns.
        metrics: Names of the metrics wanted; None takes the track's that the input can carry.
        normalization: Name of the profile; None takes the track's.
        options: Metric options that differ from the track's ("collar" in seconds, "skip_overlap").
        skip_missing: Leave out recordings missing from the hypothesis instead of charging them.
        recordings: What is known of the recordings, for slices.
        slice_by: Metadata fields ("language", "environment" ...) to report separately.
        detail: Keep turns, alignments and texts in the Results, for a report.

    Returns:
        Results whose recordings are sorted by id; values are ratios, None where undefined.

    Raises:
        InputError: No recording in common, a metric's needs are not met, an option is out of range.
        UnknownNameError: No such metric or profile.

    >>> from parakh import tracks
    >>> turns = [Segment("v1", "A", 0.0, 2.0)]
    >>> evaluate(tracks.get("diarization"), turns, turns).metrics["der"].value
    0.0
    """
    profile = get_profile(normalization or track.normalization)
    by_ref, by_hyp = _by_session(reference), _by_session(hypothesis)
    by_region = _by_session(regions) if regions is not None else None
    selection = select_recordings(by_ref, by_hyp, by_region, skip_missing=skip_missing)
    chosen, unmet = _choose_metrics(track, metrics, reference, hypothesis)
    chosen_options = _check_options(chosen, {**track.options, **(options or {})}, asked=options or {})
    pairs = [_pair(track, one, by_ref, by_hyp, by_region, profile) for one in selection.ids]
    scored = [_score_recording(track, pair, chosen, chosen_options, detail) for pair in pairs]
    stats = {one.id: one.stats for one in scored}
    scores = _score_all(chosen, list(stats.values()))
    return Results(
        track=track.name,
        system=system,
        signature=_signature(track, chosen, chosen_options, profile, regions is not None, selection),
        metrics=scores,
        recordings=tuple(scored),
        unscored=selection.unscored,
        findings=(*selection.findings, *unmet, *_emptiness(track, reference, hypothesis), *_undefined(scores)),
        slices={field: _slice(field, recordings, stats, chosen) for field in slice_by},
    )


def _by_session(items: Sequence[Any]) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for item in items:
        groups.setdefault(item.session_id, []).append(item)
    return groups


def _choose_metrics(
    track: Track, names: Sequence[str] | None, reference: Sequence[Item], hypothesis: Sequence[Item]
) -> tuple[list[Metric], list[Finding]]:
    """The metrics to compute, and a note for each of the track's own that the input cannot carry."""
    wanted = [metric_registry.get(name) for name in (names or track.metrics)]
    lacking = {metric.name: _lacking(metric, reference, hypothesis) for metric in wanted}
    if names:
        faults = [_unmet_fault(name, *lack) for name, lack in lacking.items() if lack]
        faults += [_wrong_track(track, metric) for metric in wanted if not _fits(track, metric)]
        if faults:
            raise InputError(faults)
    unmet = [
        Finding("metric-not-applicable", f"{name} is not computed: the {lack[0]} has no {lack[1]}", Severity.NOTE)
        for name, lack in lacking.items()
        if lack
    ]
    return [metric for metric in wanted if not lacking[metric.name]], unmet


def _fits(track: Track, metric: Metric) -> bool:
    """Whether a metric compares what the track's own metrics compare."""
    return metric.payload in {metric_registry.get(name).payload for name in track.metrics}


def _wrong_track(track: Track, metric: Metric) -> Fault:
    return Fault("--metric", "metric", metric.name, f"a metric of the {track.name} track", f"Try {', '.join(track.metrics)}.")


_FIELD_NAMES = {"speaker": "speakers", "start_time": "times"}


def _lacking(metric: Metric, reference: Sequence[Item], hypothesis: Sequence[Item]) -> tuple[str, str] | None:
    for side, items in (("reference", reference), ("hypothesis", hypothesis)):
        for field in metric.needs:
            if any(getattr(item, field) is None for item in items):
                return side, _FIELD_NAMES.get(field, field)
    return None


def _unmet_fault(name: str, side: str, field: str) -> Fault:
    action = "Give a format that carries them (SegLST, STM, challenge TSV), or score wer."
    return Fault(side, field, "none", f"{field} for {name}", action)


def _check_options(metrics: Sequence[Metric], options: Options, asked: Options) -> Options:
    """Options that some chosen metric takes; one that was asked for and that none takes is a fault."""
    taken = {name for metric in metrics for name in metric.options}
    unused = [name for name in asked if name not in taken]
    if unused:
        names = ", ".join(metric.name for metric in metrics)
        expected = f"an option of {names}: {', '.join(sorted(map(_flag, taken))) or 'they have none'}"
        raise InputError([Fault("options", "", _flag(name), expected) for name in unused])
    return {name: value for name, value in options.items() if name in taken}


def _flag(option: str) -> str:
    return f"--{option.replace('_', '-')}"


def _emptiness(track: Track, reference: Sequence[Item], hypothesis: Sequence[Item]) -> list[Finding]:
    """A warning for each side whose segments hold no words where words are scored (turns given for transcripts)."""
    if track.item is not Segment or metric_registry.get(track.metrics[0]).payload is not Payload.WORDS:
        return []
    sides = {"reference": reference, "hypothesis": hypothesis}
    return [
        Finding("no-words", f"the {side} has {len(items)} segments and not one word: is it a file of turns?")
        for side, items in sides.items()
        if items and not any(isinstance(item, Segment) and item.words.split() for item in items)
    ]


def _undefined(scores: Mapping[str, Score]) -> list[Finding]:
    """A warning for each metric with nothing left to score."""
    return [
        Finding("nothing-to-score", f"{name} is n/a: nothing of the reference is left to score")
        for name, score in scores.items()
        if score.value is None
    ]


def _pair(
    track: Track,
    session_id: str,
    references: Mapping[str, list[Any]],
    hypotheses: Mapping[str, list[Any]],
    regions: Mapping[str, list[Region]] | None,
    profile: Profile,
) -> _Pair:
    reference, hypothesis = references.get(session_id, []), hypotheses.get(session_id, [])
    own: Sequence[Region] | None = regions.get(session_id, []) if regions is not None else None
    if track.item is not Segment:
        left, right = (profile(_text(side[0])) if side else "" for side in (reference, hypothesis))
        return _Pair(session_id, left, right, own, missing=not hypothesis)
    findings = (*_overlaps("reference", reference), *_overlaps("hypothesis", hypothesis))
    if track.name == "diarization":
        reference, own = exclude_ignored(reference, hypothesis, own)
    else:
        reference, hypothesis = drop_ignored(reference, hypothesis)
        if own is not None:
            reference, hypothesis = crop_utterances(reference, own), crop_utterances(hypothesis, own)
        reference = [_normalise(segment, profile) for segment in reference]
        hypothesis = [_normalise(segment, profile) for segment in hypothesis]
    return _Pair(session_id, reference, hypothesis, own, findings, missing=session_id not in hypotheses)


def _text(item: Topics | Summary) -> str:
    """What a text metric compares; a conversation without health problems has the answer "None"."""
    if isinstance(item, Summary):
        return item.text
    return ", ".join(item.topics) or "None"


def _normalise(segment: Segment, profile: Profile) -> Segment:
    forms = tuple(profile(form) for form in segment.forms)
    return replace(segment, words=profile(segment.words), forms=forms)


def _overlaps(side: str, segments: Sequence[Segment]) -> list[Finding]:
    count = timeline.self_overlaps(segments)
    if not count:
        return []
    turns = "turn overlaps" if count == 1 else "turns overlap"
    message = f"{count} {side} {turns} another turn of the same speaker; merged for DER"
    return [Finding("self-overlap", message, Severity.WARNING, segments[0].session_id)]


def _score_recording(track: Track, pair: _Pair, metrics: Sequence[Metric], options: Options, detail: bool) -> RecordingResult:
    stats = {metric.name: _stats(metric, pair, options) for metric in metrics}
    return RecordingResult(
        id=pair.session_id,
        metrics={metric.name: metric.score(stats[metric.name]) for metric in metrics},
        stats=stats,
        findings=pair.findings,
        detail=DETAILS[track.name](pair.reference, pair.hypothesis, pair.regions, options, pair.missing) if detail else {},
    )


def _stats(metric: Metric, pair: _Pair, options: Options) -> Stats:
    own: dict[str, Any] = {name: options[name] for name in metric.options if name in options}
    if metric.payload is Payload.TURNS:
        own["regions"] = pair.regions
    return metric.stats(pair.reference, pair.hypothesis, **own)


def _score_all(metrics: Sequence[Metric], stats: Sequence[Mapping[str, Stats]]) -> dict[str, Score]:
    return {metric.name: _score(metric, [one[metric.name] for one in stats]) for metric in metrics}


def _score(metric: Metric, stats: Sequence[Stats]) -> Score:
    summed = total(stats)
    values = [value for one in stats if (value := metric.score(one)) is not None]
    macro = total([Stats(value=value) for value in values])["value"] / len(values) if values else None
    return Score(metric.score(summed) if stats else None, summed, metric.parts(summed) if stats else {}, macro)


def _slice(
    field: str, recordings: Sequence[Recording], stats: Mapping[str, Mapping[str, Stats]], metrics: Sequence[Metric]
) -> dict[str, dict[str, Score]]:
    """The scores of each value of a metadata field; recordings without the field are under "unknown"."""
    value_of: dict[str, str] = {one.session_id: _metadata(one, field) for one in recordings}
    if not set(value_of.values()) - {"unknown"}:
        known = ", ".join(sorted({"language", *(name for one in recordings for name in one.metadata)}))
        raise InputError(Fault("--slice", "", repr(field), f"a field that some recording has: {known}"))
    groups: dict[str, list[Mapping[str, Stats]]] = {}
    for session_id, one in stats.items():
        groups.setdefault(value_of.get(session_id, "unknown"), []).append(one)
    return {value: _score_all(metrics, group) for value, group in sorted(groups.items())}


def _metadata(recording: Recording, field: str) -> str:
    return (recording.language if field == "language" else recording.metadata.get(field)) or "unknown"


def _signature(
    track: Track, metrics: Sequence[Metric], options: Options, profile: Profile, has_regions: bool, selection: Selection
) -> Signature:
    left_out = any("on request" in one.reason for one in selection.unscored)
    inferred = "extents of reference and hypothesis turns" if track.name == "diarization" else "whole recording"
    rules: dict[str, str] = {
        "track": track.name,
        "metrics": ",".join(f"{metric.name}.v{metric.version}" for metric in metrics),
        **{name: _option_choice(name, value, metrics) for name, value in options.items()},
        "normalization": str(profile),
        "region": "uem" if has_regions else inferred,
        "missing": "left out" if left_out else "charged in full",
        "parakh": parakh.__version__,
    }
    if track.item is not Segment:
        del rules["region"]
    return Signature(rules)


def _option_choice(name: str, value: float | bool, metrics: Sequence[Metric]) -> str:
    """An option's value; with the metrics that take it where others of the same run do not."""
    taking = [metric.name for metric in metrics if name in metric.options]
    return _plain(value) if len(taking) == len(metrics) else f"{_plain(value)} ({','.join(taking)})"


def _plain(value: float | bool) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(float(value))
