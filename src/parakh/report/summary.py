"""The one-glance answer of a report: how each task went, which went worst, and on which recording.

Tasks are measured in figures of different kinds. To say which went worst, each ranking metric is read as "how much is
right", from 0 to 1: ``max(0, 1 - value)`` for an error rate, the value itself (within 0 and 1) for a score. The worst
task is the one with the lowest reading; the worst recording is the one with the worst value of that task's ranking
metric. A value of None is never ranked.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from parakh import metrics
from parakh.errors import UnknownNameError
from parakh.markup import percent
from parakh.metrics import Better
from parakh.published import source_of
from parakh.report.resources import resource
from parakh.results import RecordingResult, Results, Score, Stats
from parakh.types import Finding


@dataclass(frozen=True)
class Task:
    """What the report says of a track: see the head of ``tasks.toml``."""

    name: str
    asks: str
    better: Better
    mind: str


@dataclass(frozen=True)
class Worst:
    """The recording on which a task went worst.

    Args:
        id: Its session_id; the first of them in the results' order when several are equal.
        value: Its value of the ranking metric, as a ratio.
        equals: How many further recordings have the same value.
        of: How many recordings have a value.
    """

    id: str
    value: float
    equals: int
    of: int


@dataclass(frozen=True)
class TaskSummary:
    """How one task went.

    Args:
        results: The results it was made from.
        task: What the report says of the task.
        metric: Name of the ranking metric; "" when the results hold no metric.
        title: The metric's full name.
        better: Which way it improves.
        score: Its corpus score; None when the results hold no metric.
        right: The reading of the score, 0 to 1; None when the score is undefined.
        worst: None when no recording has a value.
    """

    results: Results
    task: Task
    metric: str
    title: str
    better: Better
    score: Score | None
    right: float | None
    worst: Worst | None

    @property
    def source(self) -> str | None:
        """Where the figures were published, with what they are of; None where recordings were scored."""
        source, on = source_of(self.results), self.results.signature.choices.get("set")
        return f"{source}, on {on}" if source and on else source

    @cached_property
    def by_id(self) -> dict[str, RecordingResult]:
        """The scored recordings by name."""
        return {one.id: one for one in self.results.recordings}

    @cached_property
    def reasons(self) -> dict[str, str]:
        """Why recordings could not be scored, by name."""
        return {one.id: one.reason for one in self.results.unscored}

    @cached_property
    def whole(self) -> dict[str | None, list[Finding]]:
        """What was noticed about the whole input, by the recording that it names."""
        found: dict[str | None, list[Finding]] = {}
        for finding in self.results.findings:
            found.setdefault(finding.session_id, []).append(finding)
        return found

    def holds(self, recording: str) -> bool:
        """Whether the task has a score of the recording, or says why it has none."""
        return recording in self.by_id or recording in self.reasons

    def right_in(self, recording: str) -> float | None:
        """The reading of one recording, 0 to 1; None where it has no value."""
        one = self.by_id.get(recording)
        return reading(one.metrics.get(self.metric), self.better) if one else None


@dataclass(frozen=True)
class SystemSummary:
    """One system on the page.

    Args:
        name: Its name.
        anchor: Its id in the page; those of its recordings begin with it.
        tasks: How its tasks went, in reading order.
    """

    name: str
    anchor: str
    tasks: tuple[TaskSummary, ...]

    @property
    def scored(self) -> bool:
        """Whether some task of it was scored here; figures that are only published were not."""
        return any(task.source is None for task in self.tasks)


@dataclass(frozen=True)
class Headline:
    """The first sentence of the report, split where the recording is named so that it can become a link."""

    before: str
    recording: str
    after: str

    def __str__(self) -> str:
        return self.before + self.recording + self.after


@cache
def tasks() -> Mapping[str, Task]:
    """The four tasks by track name, in reading order."""
    table = tomllib.loads(resource("tasks.toml"))["tasks"]
    return {name: Task(one["name"], one["asks"], Better(one["better"]), one["mind"]) for name, one in table.items()}


@cache
def _bands() -> tuple[tuple[float, str], ...]:
    return tuple((band["from"], band["words"]) for band in tomllib.loads(resource("tasks.toml"))["bands"])


def reading(value: float | None, better: Better) -> float | None:
    """How much is right, 0 to 1: ``max(0, 1 - value)`` when lower is better, else the value within 0 and 1.

    >>> reading(0.25, Better.LOWER), reading(1.4, Better.LOWER), reading(0.5, Better.HIGHER), reading(None, Better.LOWER)
    (0.75, 0.0, 0.5, None)
    """
    if value is None:
        return None
    return max(0.0, 1.0 - value) if better is Better.LOWER else min(1.0, max(0.0, value))


def verdict(right: float | None) -> str:
    """A reading in plain words; None is "no score".

    >>> verdict(0.97), verdict(0.5), verdict(None)
    ('almost all right', 'about half right', 'no score')
    """
    if right is None:
        return "no score"
    return next(words for start, words in _bands() if right >= start)


def describe(metric: str, fallback: Better) -> tuple[str, Better]:
    """Full name and direction of a metric; its bare name and the fallback when its declaration is not installed."""
    try:
        declared = metrics.get(metric)
    except UnknownNameError:
        return metric, fallback
    return declared.title, declared.better


def shown(metric: str, value: float | None) -> str:
    """A value of a metric as the page shows it: a ratio in percent, anything else in its unit.

    >>> shown("der", 0.2345)
    '23.4%'
    """
    try:
        declared = metrics.get(metric)
    except UnknownNameError:
        return percent(value)
    return percent(value) if declared.unit == "%" else declared.shown(value)


def ranking_metric(results: Sequence[Results]) -> str:
    """The metric that all results of a track are shown by: the first of those that were scored, which the others have if any is.

    Published figures follow those that were scored. "" where there is no metric.

    >>> ranking_metric([])
    ''
    """
    scored = [one for one in results if source_of(one) is None and one.metrics] or [one for one in results if one.metrics]
    first = list(scored[0].metrics) if scored else []
    return next((name for name in first if all(name in one.metrics for one in scored)), first[0] if first else "")


def summarise(results: Results, metric: str = "") -> TaskSummary:
    """How the task of these results went, by the given metric where they have it, else by the first of theirs."""
    task = tasks().get(results.track, Task(results.track, "", Better.HIGHER, ""))
    if not results.metrics:
        return TaskSummary(results, task, "", "", task.better, None, None, None)
    metric = metric if metric in results.metrics else next(iter(results.metrics))
    score = results.metrics[metric]
    title, better = describe(metric, task.better)
    worst = worst_recording(results.recordings, metric, better)
    return TaskSummary(results, task, metric, title, better, score, reading(score.value, better), worst)


def worst_recording(recordings: Sequence[RecordingResult], metric: str, better: Better) -> Worst | None:
    """The recording with the worst value of a metric; None when no recording has one."""
    values = [(one.id, value) for one in recordings if (value := one.metrics.get(metric)) is not None]
    if not values:
        return None
    worst = max(value for _, value in values) if better is Better.LOWER else min(value for _, value in values)
    equal = [id for id, value in values if value == worst]
    return Worst(equal[0], worst, len(equal) - 1, len(values))


def worst_task(summaries: Sequence[TaskSummary]) -> TaskSummary | None:
    """The task with the lowest reading, the earlier one when two are equal; None when no task has a score."""
    scored = [(one.right, place) for place, one in enumerate(summaries) if one.right is not None]
    return summaries[min(scored)[1]] if scored else None


def headline(summaries: Sequence[TaskSummary]) -> Headline:
    """The first sentence of the report: which task went worst, and on which recording."""
    worst = worst_task(summaries)
    if worst is None or worst.score is None or worst.right is None:
        return Headline("No task has a score here; the reasons stand below.", "", "")
    figure = f"{100 * worst.right:.0f} of 100 right ({worst.metric} {shown(worst.metric, worst.score.value)})"
    scored = len([one for one in summaries if one.right is not None])
    if scored > 1:
        tasks_named = f"{_count(scored)} tasks" + (" with a score" if scored < len(summaries) else "")
        before = f"“{worst.task.name}” went worst of the {tasks_named}, with {figure}"
    else:
        before = f"“{worst.task.name}” is the only task with a score, with {figure}"
    if worst.worst is None:
        return Headline(before + ".", "", "")
    if worst.worst.of == 1:
        return Headline(f"{before}; its only recording is ", worst.worst.id, ".")
    others = f", as on {worst.worst.equals} more" if worst.worst.equals else ""
    missing = any(finding.code == "missing-recording" for finding in noticed(worst, worst.worst.id))
    why = ", as the system gave no answer for it" if missing else ""
    value = f" ({worst.metric} {shown(worst.metric, worst.worst.value)}{others}){why}."
    return Headline(f"{before}, and its worst recording is ", worst.worst.id, value)


def noticed(summary: TaskSummary, recording: str) -> list[Finding]:
    """Every finding about one recording, each once."""
    own = summary.by_id[recording].findings if recording in summary.by_id else ()
    return list(dict.fromkeys([*own, *summary.whole.get(recording, ())]))


def missing_reason(summary: TaskSummary, recording: str) -> str:
    """Why a recording has no value of the ranking metric, in the results' own words where they say it."""
    unscored = [summary.reasons[recording]] if recording in summary.reasons else []
    reasons = unscored + [finding.message for finding in noticed(summary, recording)]
    if reasons:
        return "; ".join(dict.fromkeys(reasons))
    if recording not in summary.by_id:
        return "this recording is not part of this task's reference"
    return "the reference holds nothing to count here"


def unanswered(summary: TaskSummary) -> list[str]:
    """Recordings that the system gave no answer for, or that could not be scored."""
    lacking = {one.session_id for one in summary.results.findings if one.code == "missing-recording" and one.session_id}
    return sorted(lacking | set(summary.reasons))


def errors(one: RecordingResult, metric: str) -> float | None:
    """How much went wrong in one recording, in the metric's own counts; None where they are no errors that add up.

    >>> errors(RecordingResult("v1", {}, {"wer": Stats(errors=3, length=10)}), "wer")
    3
    """
    stats = one.stats.get(metric, Stats())
    if "errors" in stats:
        return stats["errors"]
    kinds = ("miss", "false_alarm", "confusion")
    return sum(stats[kind] for kind in kinds) if all(kind in stats for kind in kinds) else None


def by_system(results: Sequence[Results]) -> list[SystemSummary]:
    """Systems in the order given, tasks in reading order; a second results of one track opens a further section."""
    systems: list[tuple[str, list[Results]]] = []
    for one in results:
        free = (held for name, held in systems if name == one.system and one.track not in {other.track for other in held})
        held = next(free, None)
        if held is None:
            systems.append((one.system, [one]))
        else:
            held.append(one)
    place = {track: number for number, track in enumerate(tasks())}
    metric = {track: ranking_metric([one for one in results if one.track == track]) for track in {one.track for one in results}}
    told = [
        [summarise(one, metric[one.track]) for one in sorted(held, key=lambda one: place.get(one.track, len(place)))]
        for _, held in systems
    ]
    return [SystemSummary(name, f"s{number}", tuple(told[number])) for number, (name, _) in enumerate(systems)]


def _count(number: int) -> str:
    return {2: "two", 3: "three", 4: "four"}.get(number, str(number))
