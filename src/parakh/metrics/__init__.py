"""One file a metric; this file is the form each of them declares itself in.

A metric is two functions: ``stats(reference, hypothesis, *, <options>) -> Stats`` for one recording, and
``score(total) -> float | None`` on the sum over recordings. Everything else is written once, on Stats.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, partial
from types import ModuleType

from parakh import registry
from parakh.alignment import Alignment
from parakh.errors import UnknownNameError
from parakh.results import Stats
from parakh.types import Finding


class Payload(StrEnum):
    """What a metric compares: the first two arguments of its ``stats``."""

    TURNS = "turns"
    """``Sequence[Segment]`` with speaker and times; takes ``regions: Sequence[Region] | None`` as an option."""
    WORDS = "words"
    """``Sequence[Segment]`` with words."""
    TEXT = "text"
    """Reference: a ``str`` or a sequence of accepted ones, of which the best counts. Hypothesis: one ``str``."""
    TOPICS = "topics"
    """Reference: a ``Topics`` or a sequence of accepted ones. Hypothesis: one ``Topics``; None where it is missing."""
    SUMMARY = "summary"
    """As TEXT; takes ``transcript: Sequence[Segment] | None`` (what was said, as written) as an option."""


class Better(StrEnum):
    """Which way a metric improves."""

    LOWER = "lower"
    HIGHER = "higher"


def no_parts(total: Stats) -> Mapping[str, float | None]:
    """For a metric without further figures."""
    return {}


def no_findings(reference: object, hypothesis: object, **options: object) -> Sequence[Finding]:
    """For a metric with nothing to tell of a recording but its statistics."""
    return ()


@dataclass(frozen=True)
class Metric:
    """The declaration of one metric.

    Args:
        name: The field's short name ("der", "tcpwer", "rougeL").
        title: The full name, for tables.
        payload: What it compares.
        better: Which way is better.
        source: Paper, and reference tool with version.
        version: Raised whenever the number it gives for some input changes; part of every signature.
        stats: Statistics of one recording; metrics that share the function are counted once.
        score: The value from summed statistics; None for a zero denominator.
        parts: Further figures from the same sums, in display order (rates as ratios).
        options: Names of the keyword options ``stats`` takes; they enter the signature.
        findings: What is worth telling of one recording (offending phrases), from the arguments of ``stats``.
        align: The alignment that ``stats`` counts, from its arguments; None for a metric without one.
        needs: Fields that every segment must carry ("speaker", "start_time").
        counts: The statistics that a table shows beside the value: what it is a rate of.
        required: Options that have no default and must be given (a model).
        charges_missing: Whether a recording without an answer gets the worst it can; where not, leaving one out may help.
        costly: Whether its time can grow exponentially, so that "all" metrics leave it out.
    """

    name: str
    title: str
    payload: Payload
    better: Better
    source: str
    version: int
    stats: Callable[..., Stats]
    score: Callable[[Stats], float | None]
    parts: Callable[[Stats], Mapping[str, float | None]] = no_parts
    options: tuple[str, ...] = ()
    findings: Callable[..., Sequence[Finding]] = no_findings
    align: Callable[..., Alignment] | None = None
    needs: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    unit: str = "%"
    required: tuple[str, ...] = ()
    charges_missing: bool = True
    costly: bool = False

    def shown(self, value: float | None, decimals: int = 2) -> str:
        """A value as people read it: a ratio in percent without its sign, anything else with its unit; n/a when undefined.

        >>> get("der").shown(0.12345), get("der").shown(None)
        ('12.35', 'n/a')
        """
        if value is None:
            return "n/a"
        return f"{100 * value:.{decimals}f}" if self.unit == "%" else f"{value:.{decimals}f} {self.unit}"


@cache
def all_metrics() -> Mapping[str, Metric]:
    """Every metric by name, found by listing the folder (and the entry points); each module has ``METRICS``."""
    modules = (registry.load("metric", name) for name in registry.names("metric"))
    return {metric.name: metric for module in modules for metric in module.METRICS}


@cache
def get(name: str) -> Metric:
    """The metric called ``name``.

    Raises:
        UnknownNameError: There is none; close matches are listed.

    >>> get("der").better
    <Better.LOWER: 'lower'>
    """
    found: Metric = next(metric for metric in _declared(name).METRICS if metric.name == name)
    return found


def about(name: str) -> str:
    """What the file that declares a metric says of it: the rules, what they equal, and what misleads.

    Raises:
        UnknownNameError: There is none; close matches are listed.

    >>> about("bcubed_f1").splitlines()[0]
    'B-cubed precision, recall and F1: how well the frames of one speaker are kept together and apart from others.'
    """
    return inspect.getdoc(_declared(name)) or ""


def _declared(name: str) -> ModuleType:
    likely_first = sorted(registry.names("metric"), key=name.lower().startswith, reverse=True)  # others may load slowly
    for module in map(partial(registry.load, "metric"), likely_first):
        if any(metric.name == name for metric in module.METRICS):
            return module
    raise UnknownNameError("metric", name, list(all_metrics()))
