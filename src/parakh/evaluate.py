"""The only scorer: references and hypotheses in, Results out.

load -> select -> normalise -> statistics per recording -> sum -> score. The command line, the leaderboard and
the tests all call ``evaluate``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from parakh import timeline
from parakh.aggregate import About, ByMetric, Interval, score_all
from parakh.choices import Item, Options, check_options, choose_metrics, fingerprint, joint_fingerprint, signature
from parakh.detail import DETAILS, Detail, Given
from parakh.errors import Fault, InputError
from parakh.metrics import Metric, Payload
from parakh.parallel import in_parallel
from parakh.results import RecordingResult, Results, Score, Stats
from parakh.selection import by_session, crop_utterances, drop_ignored, exclude_ignored, select_recordings, without_words
from parakh.slices import NOBODY, Cut, cut, overlap, recording_values, segment_stats
from parakh.text.normalize import Profile, get_profile
from parakh.tracks import Track
from parakh.types import Finding, Recording, Region, Segment, Severity, Summary, Topics


def evaluate(
    track: Track,
    reference: Sequence[Item],
    hypothesis: Sequence[Item],
    *,
    system: str = "hypothesis",
    regions: Sequence[Region] | None = None,
    transcripts: Sequence[Segment] | None = None,
    metrics: Sequence[str] | None = None,
    normalization: str | None = None,
    options: Options | None = None,
    skip_missing: bool = False,
    recordings: Sequence[Recording] = (),
    slice_by: Sequence[str] = (),
    interval: Interval | None = None,
    detail: bool = False,
    jobs: int = 1,
) -> Results:
    """Score one system on one track.

    Args:
        track: Which question is scored; gives the default metrics, profile and options.
        reference: All reference items, of the track's item type, any order; several topics or summaries of one recording
            are accepted alike, and the best counts.
        hypothesis: All items of the system.
        system: The system's name, for tables.
        regions: Scoring regions (UEM); None infers them per recording from both sides' turns.
        transcripts: What was said, for metrics that check a summary against it.
        metrics: Names of the metrics wanted; None takes the track's that the input can carry, "all" every one that fits.
        normalization: Name of the profile; None takes the track's.
        options: Metric options that differ from the track's ("collar" in seconds, "score_regions").
        skip_missing: Leave out recordings missing from the hypothesis instead of charging them.
        recordings: What is known of the recordings, for slices, groups and durations.
        slice_by: Fields to report separately, as ``slices`` reads them ("language", "role", "snr:0,10,20").
        interval: How to make confidence intervals; None makes none.
        detail: Keep turns, alignments and texts in the Results, for a report.
        jobs: Processes that share the recordings; the outcome is the same to the byte.

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
    if transcripts is not None and not any(segment.words.split() for segment in transcripts):
        raise InputError(Fault("--transcript", "", "segments without words", "what was said", "Is it a file of turns?"))
    chosen, unmet = choose_metrics(track, metrics, reference, hypothesis, transcripts=transcripts is not None)
    task = _Task(
        track=track,
        profile=profile,
        metrics=chosen,
        options=check_options(track, chosen, options or {}),
        reference=by_session(reference),
        hypothesis=by_session(hypothesis),
        regions=None if regions is None else by_session(regions),
        transcripts=None if transcripts is None else by_session(transcripts),
        recordings={one.session_id: one for one in recordings},
        cuts=[cut(text, recordings, reference) for text in slice_by],
        detail=detail,
    )
    selection = select_recordings(task.reference, task.hypothesis, task.regions, skip_missing=skip_missing)
    if track.item is not Segment:
        _check_one_answer(task.hypothesis)
    uncut = task.uncut_metrics()  # a cut that no metric can follow is refused before the work
    scored = in_parallel(lambda k: task.score(selection.ids[k]), len(selection.ids), jobs)
    scores = score_all(chosen, [one.result.stats for one in scored], task.about(selection.ids), interval)
    return Results(
        track=track.name,
        system=system,
        signature=signature(
            track,
            chosen,
            task.options,
            profile,
            selection,
            has_regions=regions is not None,
            interval=str(interval) if interval else None,
            contents=task.contents(scored),
        ),
        metrics=scores,
        recordings=tuple(one.result for one in scored),
        unscored=selection.unscored,
        findings=(
            *selection.findings,
            *unmet,
            *_emptiness(track, reference, hypothesis),
            *_undefined(scores),
            *task.unknown_recordings(selection.ids),
            *uncut,
            *task.uncharged(selection.ids),
            *(_interval_notes(scores, len(scored)) if interval else ()),
        ),
        slices={one.field: _slice(task, place, scored, interval) for place, one in enumerate(task.cuts)},
    )


@dataclass(frozen=True)
class _Sides:
    """One recording, ready for the metrics: both sides normalised and cut to what is scored."""

    reference: Any
    hypothesis: Any
    regions: Sequence[Region] | None = None
    findings: tuple[Finding, ...] = ()


@dataclass(frozen=True)
class _Scored:
    """The outcome of one recording, and of each cut the statistics by slice and metric."""

    result: RecordingResult
    slices: Sequence[Mapping[str, ByMetric]]


@dataclass(frozen=True)
class _Task:
    """All that scoring one recording needs; each is scored on its own."""

    track: Track
    profile: Profile
    metrics: Sequence[Metric]
    options: Options
    reference: Mapping[str, list[Any]]
    hypothesis: Mapping[str, list[Any]]
    regions: Mapping[str, list[Region]] | None
    transcripts: Mapping[str, list[Segment]] | None
    recordings: Mapping[str, Recording]
    cuts: Sequence[Cut]
    detail: bool

    def unknown_recordings(self, ids: Sequence[str]) -> list[Finding]:
        """A warning where a manifest was given that does not know every recording."""
        known = sum(one in self.recordings for one in ids)
        if not self.recordings or known == len(ids):
            return []
        return [Finding("unknown-recordings", f"the manifest knows {known} of the {len(ids)} recordings that are scored")]

    def uncharged(self, ids: Sequence[str]) -> list[Finding]:
        """A warning where a recording is missing and a metric does not charge it."""
        names = [metric.name for metric in self.metrics if not metric.charges_missing]
        if not names or all(one in self.hypothesis for one in ids):
            return []
        what = f"{', '.join(names)}: what is missing is not charged in full by these; do not rank by them"
        return [Finding("missing-not-charged", what)]

    def uncut_metrics(self) -> list[Finding]:
        """A note for each cut by speakers that some metric cannot follow.

        Raises:
            InputError: None of the metrics can.
        """
        whole = [metric.name for metric in self.metrics if metric.align is None]
        cuts = [one.field for one in self.cuts if one.by_segment]
        if cuts and len(whole) == len(self.metrics):
            expected = "a field of whole recordings: these metrics have no alignment to be cut by speakers"
            raise InputError(Fault("--slice", "", repr(field), expected) for field in cuts)
        return [
            Finding("slice-not-applicable", f"{', '.join(whole)}: not cut by {field}, which belongs to speakers", Severity.NOTE)
            for field in cuts
            if whole
        ]

    def contents(self, scored: Sequence[_Scored]) -> dict[str, str]:
        """Fingerprints of what answers are compared with."""
        sides = ("reference",) if self.transcripts is None else ("reference", "transcript")
        return {side: joint_fingerprint({one.result.id: one.result.contents[side] for one in scored}) for side in sides}

    def about(self, ids: Sequence[str]) -> list[About]:
        return [About(one, self._seconds(one), self.recordings.get(one)) for one in ids]

    def score(self, session_id: str) -> _Scored:
        sides = self._sides(session_id)
        stats = self._stats(session_id, sides)
        findings = [finding for metric in self.metrics for finding in self._call(metric.findings, metric, session_id, sides)]
        slices = [self._cut(one, session_id, sides, stats) for one in self.cuts]
        result = RecordingResult(
            id=session_id,
            metrics={metric.name: metric.score(stats[metric.name]) for metric in self.metrics},
            stats=stats,
            findings=tuple(dict.fromkeys((*sides.findings, *(replace(one, session_id=session_id) for one in findings)))),
            detail=self._detail(session_id, sides) if self.detail else {},
            slices={one.field: tuple(found) for one, found in zip(self.cuts, slices, strict=True) if not one.by_segment},
            speaker_slices={
                one.field: tuple(value for value in one.in_order(list(found)) if value != NOBODY)
                for one, found in zip(self.cuts, slices, strict=True)
                if one.by_segment
            },
            overlap=overlap(self.reference.get(session_id, [])),
            contents=self._fingerprints(session_id),
            seconds=self._seconds(session_id),
        )
        return _Scored(result, slices)

    def _fingerprints(self, session_id: str) -> dict[str, str]:
        """Of what the answer of one recording is compared with."""
        sides = {"reference": self.reference, **({} if self.transcripts is None else {"transcript": self.transcripts})}
        return {side: fingerprint(items.get(session_id, [])) for side, items in sides.items()}

    def _detail(self, session_id: str, sides: _Sides) -> Detail:
        recording = self.recordings.get(session_id)
        given = Given(
            options={**self.track.options, **self.options},
            missing=session_id not in self.hypothesis,
            regions=sides.regions,
            transcript=None if self.transcripts is None else self.transcripts.get(session_id, []),
            language=recording.language if recording is not None else None,
        )
        found = DETAILS[self.track.name](sides.reference, sides.hypothesis, given)
        return {**found, "language": given.language} if given.language else found

    def _sides(self, session_id: str) -> _Sides:
        reference, hypothesis = self.reference.get(session_id, []), self.hypothesis.get(session_id, [])
        if self.track.item is not Segment:
            return _Sides([self._normalise(one) for one in reference], [self._normalise(one) for one in hypothesis])
        own: Sequence[Region] | None = self.regions.get(session_id, []) if self.regions is not None else None
        turns = Payload.TURNS in self.track.payloads
        findings = (*_overlaps("reference", reference, turns), *_overlaps("hypothesis", hypothesis, turns))
        if turns:
            reference, own = exclude_ignored(reference, hypothesis, own)
            return _Sides(reference, hypothesis, own, findings)
        reference, hypothesis = drop_ignored(reference, hypothesis)
        if own is not None:
            reference, hypothesis = crop_utterances(reference, own), crop_utterances(hypothesis, own)
        if self.profile.steps:
            reference, hypothesis = ([self._normalise(one) for one in side] for side in (reference, hypothesis))
        return _Sides(reference, hypothesis, own, findings)

    def _normalise(self, item: Any) -> Any:
        if isinstance(item, Topics):
            return replace(item, topics=tuple(map(self.profile, item.topics)))
        if isinstance(item, Summary):
            return replace(item, text=self.profile(item.text))
        words, forms = self.profile(item.words), tuple(map(self.profile, item.forms))
        return item if words == item.words and forms == item.forms else replace(item, words=words, forms=forms)

    def _stats(self, session_id: str, sides: _Sides) -> dict[str, Stats]:
        """Of each metric; those that share their function and its options are counted once."""
        counted: dict[tuple[object, ...], Stats] = {}
        stats = {}
        for metric in self.metrics:
            key = (metric.stats, metric.payload, *metric.options)
            if key not in counted:
                counted[key] = self._call(metric.stats, metric, session_id, sides)
            stats[metric.name] = counted[key]
        return stats

    def _call(self, function: Callable[..., Any], metric: Metric, session_id: str, sides: _Sides) -> Any:
        """A function of a metric on a recording, with what the metric's payload and options ask for."""
        own: dict[str, Any] = {name: self.options[name] for name in metric.options if name in self.options}
        if metric.payload is Payload.TURNS:
            own["regions"] = sides.regions
        if metric.payload is Payload.SUMMARY:
            own["transcript"] = None if self.transcripts is None else self.transcripts.get(session_id, [])
        return function(*_PAYLOADS[metric.payload](sides.reference, sides.hypothesis), **own)

    def _cut(self, one: Cut, session_id: str, sides: _Sides, stats: ByMetric) -> Mapping[str, ByMetric]:
        recording = self.recordings.get(session_id)
        if not one.by_segment:
            return dict.fromkeys(recording_values(one, recording, self.reference.get(session_id, [])), stats)
        slices: dict[str, dict[str, Stats]] = {}
        for metric in self.metrics:
            if metric.align is None:
                continue
            alignment = self._call(metric.align, metric, session_id, sides)
            for value, own in segment_stats(one, recording, sides.reference, alignment).items():
                slices.setdefault(value, {})[metric.name] = own
        return slices

    def _seconds(self, session_id: str) -> float | None:
        """A recording's duration: the manifest's, else the extent of its reference; None without times."""
        recording = self.recordings.get(session_id)
        if recording is not None and recording.duration is not None:
            return recording.duration
        segments = [item for item in self.reference.get(session_id, []) if isinstance(item, Segment)]
        ends = [segment.end_time for segment in segments if segment.end_time is not None]
        starts = [segment.start_time for segment in segments if segment.start_time is not None]
        return max(ends) - min(starts) if ends and starts else None


def _check_one_answer(hypothesis: Mapping[str, list[Item]]) -> None:
    twice = [name for name, items in hypothesis.items() if len(items) > 1]
    if twice:
        raise InputError(
            Fault("hypothesis", name, f"{len(hypothesis[name])} answers", "one answer a recording") for name in twice
        )


def _as_given(reference: Any, hypothesis: Any) -> tuple[Any, Any]:
    return reference, hypothesis


def _as_texts(reference: Sequence[Any], hypothesis: Sequence[Any]) -> tuple[Any, Any]:
    """What a text metric compares: nothing for a recording without an answer."""
    texts = [_text(one) for one in reference] or [""]
    return texts[0] if len(texts) == 1 else texts, _text(hypothesis[0]) if hypothesis else ""


def _as_topics(reference: Sequence[Any], hypothesis: Sequence[Any]) -> tuple[Any, Any]:
    return reference, hypothesis[0] if hypothesis else None


_PAYLOADS: Mapping[Payload, Callable[[Any, Any], tuple[Any, Any]]] = {
    Payload.TURNS: _as_given,
    Payload.WORDS: _as_given,
    Payload.TEXT: _as_texts,
    Payload.SUMMARY: _as_texts,
    Payload.TOPICS: _as_topics,
}


def _text(item: Topics | Summary) -> str:
    """The text of an answer; a conversation without health problems has the answer "None"."""
    if isinstance(item, Summary):
        return item.text
    return ", ".join(item.topics) or "None"


def _overlaps(side: str, segments: Sequence[Segment], merged: bool) -> list[Finding]:
    count = timeline.self_overlaps(segments)
    if not count:
        return []
    turns = "turn overlaps" if count == 1 else "turns overlap"
    message = f"{count} {side} {turns} another turn of the same speaker{'; merged' if merged else ''}"
    return [Finding("self-overlap", message, Severity.WARNING, segments[0].session_id)]


def _emptiness(track: Track, reference: Sequence[Item], hypothesis: Sequence[Item]) -> list[Finding]:
    """A warning for each side whose segments hold no words where words are scored (turns given for transcripts)."""
    if Payload.WORDS not in track.payloads:
        return []
    return [*without_words("reference", reference), *without_words("hypothesis", hypothesis)]


def _interval_notes(scores: Mapping[str, Score], recordings: int) -> list[Finding]:
    """A note naming the metrics that have a value and no interval, and a warning where recordings are few."""
    from parakh.resample import few_units

    names = [name for name, score in scores.items() if score.value is not None and score.interval is None]
    why = "fewer than two recordings or groups to draw, or too few resamples with a score"
    none = [Finding("no-interval", f"{', '.join(names)}: {why}", Severity.NOTE)] if names else []
    return [*none, *(few_units(recordings) if len(names) < len(scores) else [])]


def _undefined(scores: Mapping[str, Score]) -> list[Finding]:
    """A warning for each metric with nothing left to score."""
    return [
        Finding("nothing-to-score", f"{name} is n/a: nothing of the reference is left to score")
        for name, score in scores.items()
        if score.value is None
    ]


def _slice(task: _Task, place: int, scored: Sequence[_Scored], interval: Interval | None) -> dict[str, dict[str, Score]]:
    """The scores of each slice of one cut."""
    groups: dict[str, list[tuple[str, ByMetric]]] = {}
    for one in scored:
        for value, stats in one.slices[place].items():
            groups.setdefault(value, []).append((one.result.id, stats))
    return {
        value: score_all(
            task.metrics, [stats for _, stats in groups[value]], task.about([name for name, _ in groups[value]]), interval
        )
        for value in task.cuts[place].in_order(list(groups))
    }
