"""What the figures share: which results a figure is of, their labels, and values as they stand on an axis."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from parakh import languages
from parakh import metrics as metric_registry
from parakh.comparable import subset_of, unanswered
from parakh.errors import UnknownNameError
from parakh.metrics import Better
from parakh.report.chart import Mark
from parakh.report.covered import by_all, by_each, charged
from parakh.report.inputs import Inputs, told_apart
from parakh.report.summary import describe
from parakh.results import Results, Score, total
from parakh.typeset import short


@dataclass(frozen=True)
class Systems:
    """The systems of a figure.

    Args:
        metric: What the figure shows of them.
        results: By label, in the order given.
    """

    metric: str
    results: Mapping[str, Results]

    @property
    def short(self) -> str:
        """The metric as papers write it."""
        return short(self.metric)

    @property
    def title(self) -> str:
        """The metric's full name, with its short one where they differ."""
        full, _ = describe(self.metric, Better.LOWER)
        return full if full == self.short else f"{full} ({self.short})"

    @property
    def lower_is_better(self) -> bool:
        """Which way the metric improves."""
        return describe(self.metric, Better.LOWER)[1] is Better.LOWER

    @property
    def axis(self) -> str:
        """The metric with its unit and its better end."""
        return f"{self.short}, {self._unit} ({'lower' if self.lower_is_better else 'higher'} is better)"

    @property
    def _unit(self) -> str:
        try:
            return metric_registry.get(self.metric).unit
        except UnknownNameError:
            return "%"

    def mark(self, score: Score | None) -> Mark:
        """A score as it stands on the axis."""
        return Mark(None) if score is None else self.marked(score.value, score.interval)

    def marked(self, value: float | None, interval: tuple[float, float] | None) -> Mark:
        """A value with its interval as they stand on the axis."""
        if value is None:
            return Mark(None)
        return Mark(self.scaled(value), (self.scaled(interval[0]), self.scaled(interval[1])) if interval else None)

    def scaled(self, value: float) -> float:
        """A value as it stands on the axis: a ratio in percent."""
        return 100 * value if self._unit == "%" else value

    @cached_property
    def _own(self) -> dict[str, frozenset[str]]:
        """The recordings of each system that has some."""
        return {label: ids for label, one in self.results.items() if (ids := _ids(one, self.metric))}

    @cached_property
    def _common(self) -> frozenset[str]:
        """The recordings that all have where not all have the same; else empty."""
        sets = set(self._own.values())
        return frozenset.intersection(*sets) if len(sets) > 1 and self.metric in metric_registry.all_metrics() else frozenset()

    def coverage(self) -> tuple[str, ...]:
        """Which recordings ``scores`` are of, where systems have different ones, and which systems have no answer for some."""
        shown = {label: self._common or ids for label, ids in self._own.items()}
        lacking = charged({label: len(unanswered(self.results[label]) & ids) for label, ids in shown.items()})
        counts = {label: len(ids) for label, ids in self._own.items()}
        if self._common:
            first = self.results[next(iter(counts))]
            return (by_all(len(self._common), subset_of(first, self._common), counts), *lacking)
        return (*((by_each(counts),) if len(set(self._own.values())) > 1 else ()), *lacking)

    def scores(self) -> list[tuple[str, Score]]:
        """Label and score of each system that has one, on the recordings that all have; the best first, equal ones as given."""
        known = (
            (label, score_on(one, self.metric, self._common) if self._common and label in self._own else one.metrics[self.metric])
            for label, one in self.results.items()
        )
        scored = [(label, score, score.value) for label, score in known if score.value is not None]
        scored.sort(key=lambda one: one[2] if self.lower_is_better else -one[2])
        return [(label, score) for label, score, _ in scored]

    def without(self, shown: Iterable[str], why: str) -> tuple[str, ...]:
        """What to say of the systems that a figure does not show; nothing where it shows all."""
        held = set(shown)
        left = [label for label in self.results if label not in held]
        return (f"{why}: {', '.join(left)}.",) if left else ()


def systems(inputs: Inputs, metric: str | None) -> Systems | None:
    """The results that a figure is of: those of the first track that has the metric.

    Args:
        inputs: What was given.
        metric: The metric; None takes the ranking metric of the first results that have one.

    Returns:
        None where no results have it.

    >>> systems(Inputs(()), None) is None
    True
    """
    having = [one for one in inputs.results if (metric in one.metrics if metric else one.metrics)]
    if not having:
        return None
    name = metric or next(iter(having[0].metrics))
    own = [one for one in having if one.track == having[0].track and name in one.metrics]
    return Systems(name, {one.system: one for one in told_apart(own)})


def slice_scores(results: Results, field: str, metric: str) -> dict[str, Score]:
    """The scores of the slices of a field: those that were kept, else computed from the recordings.

    >>> from parakh.results import RecordingResult, Signature, Stats
    >>> one = RecordingResult("v1", {}, {"wer": Stats(errors=1, length=4)}, slices={"language": ("hi",)})
    >>> slice_scores(Results("asr", "ours", Signature({}), {}, (one,)), "language", "wer")["hi"].value
    0.25
    """
    if field in results.slices:
        return {value: scores[metric] for value, scores in results.slices[field].items() if metric in scores}
    values = sorted({value for one in results.recordings for value in one.slices.get(field, ()) if metric in one.stats})
    return {value: score_on(results, metric, _ids(results, metric, field, value)) for value in values}


def sliced(found: Systems, labels: Iterable[str], field: str) -> tuple[dict[str, dict[str, Score]], list[str]]:
    """The scores of each slice by system, on the recordings of it that all have who have some, and where that leaves some out.

    Args:
        found: The systems.
        labels: Those that are wanted.
        field: What they were cut by.

    Returns:
        By label and value of the field; and a sentence a slice in which recordings were left out.
    """
    scores = {label: slice_scores(found.results[label], field, found.metric) for label in labels}
    notes = []
    for value in dict.fromkeys(value for held in scores.values() for value in held):
        own = {label: _ids(found.results[label], found.metric, field, value) for label in scores if value in scores[label]}
        own = {label: ids for label, ids in own.items() if ids}
        if len(set(own.values())) < 2 or found.metric not in metric_registry.all_metrics():
            continue
        counts = {label: len(ids) for label, ids in own.items()}
        common = frozenset.intersection(*own.values())
        for label in own if common else ():
            scores[label][value] = score_on(found.results[label], found.metric, common)
        told = by_all(len(common), {}, counts) if common else by_each(counts)
        notes.append(f"{named(field, value)}: {told[0].lower()}{told[1:]}")
    return scores, notes


def _ids(one: Results, metric: str, field: str = "", value: str = "") -> frozenset[str]:
    """The recordings that have the metric's statistics, and where a field is told, that value of it."""
    return frozenset(
        each.id for each in one.recordings if metric in each.stats and (not field or value in each.slices.get(field, ()))
    )


def score_on(results: Results, metric: str, ids: Collection[str]) -> Score:
    """The score of some recordings; without a value where the metric is not installed."""
    summed = total([one.stats[metric] for one in results.recordings if one.id in ids])
    try:
        return Score(metric_registry.get(metric).score(summed), summed)
    except UnknownNameError:
        return Score(None, summed)


def named(field: str, value: str) -> str:
    """A slice as people read it: a language by its name.

    >>> named("language", "kn"), named("role", "guest")
    ('Kannada', 'guest')
    """
    return languages.get(value).name if field == "language" and value in languages.names() else value
