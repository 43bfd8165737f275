"""What the figures share: which results a figure is of, their labels, and values as they stand on an axis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from parakh import languages
from parakh import metrics as metric_registry
from parakh.errors import UnknownNameError
from parakh.metrics import Better
from parakh.report.chart import Mark
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
        if score is None or score.value is None:
            return Mark(None)
        low_high = score.interval
        return Mark(self.scaled(score.value), (self.scaled(low_high[0]), self.scaled(low_high[1])) if low_high else None)

    def scaled(self, value: float) -> float:
        """A value as it stands on the axis: a ratio in percent."""
        return 100 * value if self._unit == "%" else value

    def scores(self) -> list[tuple[str, Score]]:
        """Label and corpus score of each system that has one, the best first; equal ones as given."""
        known = ((label, one.metrics[self.metric]) for label, one in self.results.items())
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
    groups: dict[str, list[int]] = {}
    for place, one in enumerate(results.recordings):
        for value in one.slices.get(field, ()):
            if metric in one.stats:
                groups.setdefault(value, []).append(place)
    return {value: _score(metric, results, places) for value, places in sorted(groups.items())}


def _score(metric: str, results: Results, places: Sequence[int]) -> Score:
    summed = total([results.recordings[place].stats[metric] for place in places])
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
