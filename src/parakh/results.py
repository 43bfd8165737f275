"""What scoring returns: statistics that add, scores computed from their sums, and a signature of every choice.

The flow is Stats per recording -> sum -> score. Rates are never averaged; whoever needs a rate over a set of
recordings (a slice, a resample, the whole corpus) adds the Stats and scores the sum.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from parakh.alignment import Alignment, from_detail
from parakh.cost import Cost
from parakh.errors import Fault, InputError, UnknownNameError
from parakh.files import read_text
from parakh.markup import Html
from parakh.types import Finding

SCHEMA = "parakh.results/1"


class Stats(Mapping[str, float]):
    """Named counts (or seconds) of one recording that add key by key; a key absent on one side is 0 there.

    >>> Stats(errors=2, length=10) + Stats(errors=1, length=5)
    Stats(errors=3, length=15)
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[str, float] | None = None, /, **counts: float) -> None:
        self._values: dict[str, float] = {**(values or {}), **counts}

    def __getitem__(self, key: str) -> float:
        return self._values[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __add__(self, other: Stats) -> Stats:
        keys = dict.fromkeys([*self._values, *other._values])
        return Stats({key: self._values.get(key, 0) + other._values.get(key, 0) for key in keys})

    def __repr__(self) -> str:
        return f"Stats({', '.join(f'{k}={v}' for k, v in self._values.items())})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Stats) and self._values == other._values

    def __hash__(self) -> int:
        return hash(tuple(sorted(self._values.items())))


def total(stats: Sequence[Stats]) -> Stats:
    """Sum of the statistics, exact for times too: each key is summed once with ``math.fsum``.

    The order of the recordings therefore never changes a digit.

    >>> total([Stats(errors=1, length=2), Stats(errors=0, length=3)])
    Stats(errors=1, length=5)
    """
    keys = dict.fromkeys(key for one in stats for key in one)
    return Stats({key: _sum([one.get(key, 0) for one in stats]) for key in keys})


def _sum(values: list[float]) -> float:
    if all(isinstance(value, int) for value in values):
        return sum(values)
    return math.fsum(values)


def ratio(numerator: float, denominator: float) -> float | None:
    """``numerator / denominator``, or None when the denominator is 0: the project's one rule for it.

    >>> ratio(1, 4), ratio(3, 0)
    (0.25, None)
    """
    return numerator / denominator if denominator else None


@dataclass(frozen=True)
class Signature:
    """Every choice that changes the number, as ordered ``key: value`` text pairs.

    >>> str(Signature({"track": "asr", "collar": "3.0"}))
    'track:asr|collar:3.0'
    """

    choices: Mapping[str, str]

    def __str__(self) -> str:
        return "|".join(f"{key}:{value}" for key, value in self.choices.items())


@dataclass(frozen=True)
class Score:
    """One metric over a set of recordings.

    Args:
        value: The rate as a ratio; None when it is undefined (zero denominator).
        stats: The summed statistics it was computed from.
        parts: Further figures from the same sums (miss rate, precision ...), in display order.
        macro: Mean of the per-recording values over recordings where it is defined; None when there is none.
        interval: (low, high) of a confidence interval of ``value``; None when none was computed.
        by_duration: The same mean with each recording weighing its seconds; None when a duration is not known.
    """

    value: float | None
    stats: Stats
    parts: Mapping[str, float | None] = field(default_factory=dict)
    macro: float | None = None
    interval: tuple[float, float] | None = None
    by_duration: float | None = None


@dataclass(frozen=True)
class RecordingResult:
    """The scores of one recording, and what was noticed about it.

    Args:
        id: The recording's session_id.
        metrics: Value of each metric; None where undefined.
        stats: Statistics of each metric.
        findings: What was noticed.
        detail: What a report needs to show it (turns, alignments, texts); empty unless asked for.
        slices: The slices that it belongs to as a whole, by field; fields of speakers are not among them.
        speaker_slices: The slices that something said in it belongs to, by field of speakers.
        overlap: Share of the speech in which two or more reference speakers speak; None where turns are not known.
        contents: Fingerprints of what its answer was compared with ("reference", "transcript"); empty where not known.
        seconds: How long it is, for means in which recordings weigh by duration; None where that is not known.
    """

    id: str
    metrics: Mapping[str, float | None]
    stats: Mapping[str, Stats]
    findings: tuple[Finding, ...] = ()
    detail: Mapping[str, Any] = field(default_factory=dict)
    slices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    speaker_slices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    overlap: float | None = None
    contents: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None

    def alignment(self) -> Alignment:
        """Its words, each with what became of it; shown in colour by a notebook.

        Returns:
            The steps, of the richest alignment that its transcripts allow (tcpWER's, cpWER's or WER's).

        Raises:
            InputError: These results hold no alignment.

        >>> step = {"op": "match", "reference": "दवा", "hypothesis": "दवा"}
        >>> RecordingResult("v1", {}, {}, detail={"alignment": [step]}).alignment()[0].reference
        'दवा'
        """
        if "alignment" not in self.detail:
            action = "Score the asr track with detail=True, or `parakh score asr ... --detail`."
            raise InputError(Fault(self.id, "detail", "no alignment", "words with what became of them", action))
        return from_detail(self.detail["alignment"])

    def _repr_html_(self) -> Html:
        from parakh import display

        return display.recording_html(self)

    def __repr__(self) -> str:
        from parakh import display

        return display.recording_text(self)


@dataclass(frozen=True)
class Unscored:
    """A recording that could not be scored, and why. How ranking charges it is the track's rule."""

    id: str
    reason: str


@dataclass(frozen=True)
class Results:
    """The outcome of scoring one system on one track: all that reports and the leaderboard read.

    Args:
        track: Name of the track.
        system: Name of the system that was scored.
        signature: Every choice that changes the numbers.
        metrics: The corpus scores; the track's ranking metric is first.
        recordings: One entry a recording, sorted by id.
        unscored: Recordings without a score, with the reason.
        findings: What was noticed about the whole input (missing recordings and the like).
        slices: ``{field: {value: {metric: Score}}}``.
        cost: What the answers cost to make; None where that is not known. No score depends on it.
    """

    track: str
    system: str
    signature: Signature
    metrics: Mapping[str, Score]
    recordings: tuple[RecordingResult, ...]
    unscored: tuple[Unscored, ...] = ()
    findings: tuple[Finding, ...] = ()
    slices: Mapping[str, Mapping[str, Mapping[str, Score]]] = field(default_factory=dict)
    cost: Cost | None = None

    def to_json(self) -> str:
        """The ``parakh.results/1`` document: same results, same bytes, on every machine."""
        from parakh import results_file

        return results_file.text_of(self)

    @staticmethod
    def from_json(text: str, path: str = "<results>") -> Results:
        """Read a ``parakh.results/1`` document.

        Raises:
            InputError: It is not JSON, not of this schema, or lacks a field.
        """
        from parakh import results_file

        return results_file.read(text, path)

    @staticmethod
    def load(path: str | Path) -> Results:
        """Read a results file.

        Raises:
            InputError: The file cannot be read or is not a ``parakh.results/1`` document.
        """
        return Results.from_json(read_text(path), str(path))

    def recording(self, name: str) -> RecordingResult:
        """What was found in one recording.

        Args:
            name: Its id.

        Raises:
            UnknownNameError: No recording of that id was scored; close ones are listed.

        >>> Results("asr", "s", Signature({}), {}, (RecordingResult("v1", {}, {}),)).recording("v1").id
        'v1'
        """
        found = next((one for one in self.recordings if one.id == name), None)
        if found is None:
            raise UnknownNameError("recording", name, [one.id for one in self.recordings])
        return found

    def worst(self, count: int | None = None, metric: str | None = None) -> tuple[RecordingResult, ...]:
        """The recordings, worst first.

        Args:
            count: How many of them; None takes all.
            metric: What they are ordered by; None takes the track's ranking metric.

        Returns:
            In order; those of one value by their ids, those without a value last.

        Raises:
            UnknownNameError: There is no such metric in these results.

        >>> found = (RecordingResult("v1", {"der": 0.1}, {}), RecordingResult("v2", {"der": 0.5}, {}))
        >>> Results("diarization", "s", Signature({}), {"der": Score(0.3, Stats())}, found).worst()[0].id
        'v2'
        """
        from parakh import display

        name = next(iter(self.metrics), "") if metric is None else metric
        if metric is not None and metric not in self.metrics:
            raise UnknownNameError("metric in these results", metric, list(self.metrics))
        sign = -1 if display.lower_is_better(name) else 1

        def place(one: RecordingResult) -> tuple[bool, float]:
            value = one.metrics.get(name)
            return value is None, sign * (value or 0.0)

        return tuple(sorted(self.recordings, key=place)[:count])

    def to_frame(self, of: str = "recordings", library: str | None = None) -> Any:
        """These results as a data frame.

        Args:
            of: "recordings": a row a recording, with its slices, the value of each metric and the statistics behind it
                ("tcpwer.errors"). "metrics": a row a metric of the whole. "slices": a row a metric of each slice.
            library: "pandas" or "polars"; None takes the one that is installed, pandas first.

        Returns:
            The frame; values are ratios, what is undefined is missing (NaN or null). Track and system come first, so that
            frames of several systems can be put one below the other.

        Raises:
            MissingPackageError: The library is not installed.
            UnknownNameError: There is no such library or part.

        >>> found = (RecordingResult("v1", {"der": 0.1}, {"der": Stats(miss=1.5)}),)
        >>> list(Results("diarization", "s", Signature({}), {}, found).to_frame().columns)
        ['track', 'system', 'recording', 'der', 'der.miss']
        """
        from parakh import frames

        return frames.results_frame(self, of, library)

    def _repr_html_(self) -> Html:
        from parakh import display

        return display.results_html(self)

    def __repr__(self) -> str:
        from parakh import display

        return display.results_text(self)
