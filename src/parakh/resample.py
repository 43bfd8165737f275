"""How far a score would move with other recordings of the same kind: bootstrap intervals, on Stats only.

Resampling draws whole recordings (or whole groups of them: all recordings of a speaker), adds their statistics, and
scores the sum. One ``Resampler`` draws once and serves every metric of a run.

Same recordings and same plan give the same bytes on every machine. The raw stream of PCG64 is the one that numpy promises
never to change. Every statistic is scaled by a power of two and rounded to whole numbers whose weighted sums stay below
2**53, so that a matrix product is exact in whichever order it is computed. Counts are not altered by it; seconds are rounded
to 2**-32 s (0.2 ns) for 500 recordings of an hour. Values nearer to each other than ``TIE`` count as equal.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parakh.errors import Fault, InputError
from parakh.results import Stats
from parakh.types import Finding

Score = Callable[[Stats], float | None]
Matrix = NDArray[np.float64]
METHODS = ("bca", "percentile")
TIE = 1e-10
"""Differences below this are rounding, not difference."""
FEW_UNITS = 50
"""With fewer recordings (or groups) intervals are too narrow (docs/statistics.md)."""
DEFINED = 0.95
"""Share of the resamples that must have a score; with fewer there is no interval and no p-value."""


def few_units(recordings: int) -> list[Finding]:
    """A warning where intervals come from few recordings.

    >>> [finding.code for finding in few_units(4)], few_units(50)
    (['few-recordings'], [])
    """
    message = f"intervals from {recordings} recordings hold the true value less often than they say"
    return [Finding("few-recordings", message)] if recordings < FEW_UNITS else []


_NORMAL = NormalDist()
_TRIED = 1000
"""Single units that tell which statistics a score reads."""
_BLOCK = 1 << 15
"""Numbers handled at once: they fit a cache, and are too few for a BLAS to start threads that wait for each other."""


@dataclass(frozen=True)
class Bootstrap:
    """How resampling is done: every choice that moves an interval or a p-value.

    Args:
        method: "bca" (bias-corrected and accelerated: second-order accurate, also for skewed rates) or "percentile".
        level: Share of such intervals that would hold the true value, in (0, 1).
        samples: Number of resamples, at least 100.
        seed: Starts the random numbers, >= 0.

    Raises:
        InputError: A choice is out of range.

    Source: Efron & Tibshirani, An Introduction to the Bootstrap (1993), chapters 13 and 14.

    >>> Bootstrap(samples=2000).describe()
    'bca bootstrap over recordings, 95 %, n=2000, seed=1'
    """

    method: str = "bca"
    level: float = 0.95
    samples: int = 10_000
    seed: int = 1

    def __post_init__(self) -> None:
        checks = {
            "method": (self.method in METHODS, f"one of {', '.join(METHODS)}"),
            "level": (0.0 < self.level < 1.0, "a share between 0 and 1, as 0.95"),
            "samples": (100 <= self.samples <= 1_000_000, "a number from 100 to 1 million"),
            "seed": (self.seed >= 0, "a whole number >= 0"),
        }
        wrong = {name: wanted for name, (good, wanted) in checks.items() if not good}
        faults = [Fault(f"--{name}", "", repr(getattr(self, name)), wanted) for name, wanted in wrong.items()]
        if faults:
            raise InputError(faults)

    @property
    def shares(self) -> tuple[float, float]:
        """Where the ends of a percentile interval lie among sorted resamples."""
        return (1 - self.level) / 2, (1 + self.level) / 2

    def describe(self, unit: str = "recordings") -> str:
        """The plan as it stands in a signature; ``unit`` names what is drawn."""
        return f"{self.method} bootstrap over {unit}, {100 * self.level:g} %, n={self.samples}, seed={self.seed}"


class Resampler:
    """The resamples of one set of recordings: drawn once, at first use, and shared by every metric.

    Args:
        count: Number of recordings; every ``stats`` given later has this length and order.
        plan: How resampling is done.
        groups: The group of each recording (speaker, village ...); the recordings of a group are drawn together. None:
            every recording by itself.
        strata: The stratum of each recording (language ...); each stratum keeps its number of units in every resample.
            None: one stratum.

    Raises:
        InputError: Lengths differ, or a group has recordings in two strata.

    >>> stats = [Stats(errors=k % 5, length=10) for k in range(50)]
    >>> resampler = Resampler(len(stats), Bootstrap(samples=1000))
    >>> low, high = resampler.interval(stats, lambda total: total["errors"] / total["length"])
    >>> low < 0.2 < high
    True
    """

    def __init__(
        self,
        count: int,
        plan: Bootstrap,
        *,
        groups: Sequence[str] | None = None,
        strata: Sequence[str] | None = None,
    ) -> None:
        for name, given in (("groups", groups), ("strata", strata)):
            if given is not None and len(given) != count:
                raise InputError(Fault(name, "", f"{len(given)} values", f"{count}, one for each recording"))
        self.plan = plan
        self._unit_of = _numbered(groups if groups is not None else range(count))
        self.units = len(set(self._unit_of))
        self._strata = _strata(self._unit_of, strata if strata is not None else [""] * count)

    def interval(self, stats: Sequence[Stats], score: Score) -> tuple[float, float] | None:
        """The bootstrap interval of a score.

        Resamples without a score (zero denominator) are left out.

        Args:
            stats: Statistics of every recording.
            score: The metric's score of summed statistics.

        Returns:
            (low, high) in the score's unit. None when there is nothing to resample (one unit, or one in every stratum), when
            the score of all recordings is undefined, or when fewer than 95 % of the resamples have a score.

        Source: Efron, Better Bootstrap Confidence Intervals (1987); equal to scipy.stats.bootstrap given the same resamples.
        """
        return self.interval_of(self.replicates(stats, score))

    def replicates(self, stats: Sequence[Stats], score: Score) -> Replicates:
        """The score of everything, of every resample, and without each unit; two systems' draws pair."""
        tables = self.tables([stats])
        if all(len(stratum) < 2 for stratum in self._strata):
            return Replicates(None, (), ())
        units = tables.units[0]
        return Replicates(
            estimate=tables.scores(units.sum(axis=0, keepdims=True), score)[0],
            draws=tuple(value for block in blocks(self.weights) for value in tables.scores(block @ units, score)),
            without=tuple(tuple(tables.scores(units.sum(axis=0) - units[stratum], score)) for stratum in self._strata),
        )

    def interval_of(self, found: Replicates) -> tuple[float, float] | None:
        """The interval of what was found on the resamples; None as for ``interval``."""
        draws = enough(found.draws)
        if draws is None or found.estimate is None:
            return None
        shares = self.plan.shares
        if self.plan.method == "bca":
            shares = _bca_shares(shares, _bias(draws, found.estimate), _acceleration(found.without))
        return between(draws, shares)

    def tables(self, systems: Sequence[Sequence[Stats]]) -> Tables:
        """The statistics of one or more systems on the same recordings, added up for each unit, as whole numbers."""
        keys = list(dict.fromkeys(key for stats in systems for one in stats for key in one))
        raw = np.array([[[one.get(key, 0.0) for key in keys] for one in stats] for stats in systems], dtype=np.float64)
        raw = raw.reshape(len(systems), len(self._unit_of), len(keys))
        largest = np.abs(raw).max(axis=(0, 1), initial=0.0)
        terms = self.units * max(Counter(self._unit_of).values(), default=1)
        shift = 52 - np.frexp(largest)[1] - terms.bit_length()
        units = np.zeros((len(systems), self.units, len(keys)))
        for system, whole in enumerate(np.rint(np.ldexp(raw, shift))):
            np.add.at(units[system], self._unit_of, whole)
        return Tables(tuple(keys), shift, units)

    @cached_property
    def weights(self) -> NDArray[Any]:
        """How often each unit is in each resample: samples x units, in the smallest type that can hold it."""
        weights = np.zeros((self.plan.samples, self.units), dtype=np.min_scalar_type(self.units))
        stream = np.random.PCG64(self.plan.seed)
        for stratum in self._strata:
            size = len(stratum)
            for rows in row_blocks(self.plan.samples, size):
                weights[rows, stratum] = _counts(stream, rows.stop - rows.start, size)
        return weights


@dataclass(frozen=True)
class Replicates:
    """A value on all recordings, on every resample, and without each unit (listed by stratum); None where undefined."""

    estimate: float | None
    draws: tuple[float | None, ...]
    without: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True)
class Tables:
    """Statistics of systems x units x keys as whole numbers; ``2**shift`` of each key is their scale."""

    keys: tuple[str, ...]
    shift: NDArray[np.int32]
    units: Matrix

    def scores(self, sums: Matrix, score: Score) -> list[float | None]:
        """The score of every row of summed whole numbers."""
        return [None if math.isnan(value) else value for value in self.values(sums, score).tolist()]

    def needed(self, score: Score) -> Tables:
        """The same with those statistics alone that a score reads of the systems' sums and of single units."""
        read: set[str] = set()
        units = self.units.reshape(-1, len(self.keys))[:_TRIED]
        for row in np.ldexp(np.concatenate([self.units.sum(axis=1), units]), -self.shift).tolist():
            score(_Noting(dict(zip(self.keys, row, strict=True)), read))
        places = [place for place, key in enumerate(self.keys) if key in read]
        return Tables(tuple(self.keys[place] for place in places), self.shift[places], self.units[:, :, places])

    def values(self, sums: Matrix, score: Score) -> Matrix:
        """The score of every row of summed whole numbers; NaN where it is undefined.

        A score is arithmetic, which columns of numbers do as single ones do, to the last digit and fifty times faster. Where one
        decides otherwise for some rows than for the rest (a zero denominator), or needs more, each row is scored by itself.
        """
        rows = np.ldexp(sums, -self.shift)
        columns: Any = dict(zip(self.keys, np.ascontiguousarray(rows.T).view(_Column), strict=True))
        try:
            with np.errstate(all="raise", under="ignore"):
                found = score(Stats(columns))
        except (TypeError, ValueError, ArithmeticError, AttributeError):
            each = (score(Stats(dict(zip(self.keys, row, strict=True)))) for row in rows.tolist())
            return np.array([math.nan if value is None else value for value in each], dtype=np.float64)
        return np.full(len(rows), math.nan) if found is None else np.broadcast_to(np.asarray(found, dtype=np.float64), len(rows))


class _Noting(Stats):
    """Statistics that note which of them are read."""

    def __init__(self, values: dict[str, float], read: set[str]) -> None:
        super().__init__(values)
        self.read = read

    def __getitem__(self, key: str) -> float:
        value = super().__getitem__(key)
        self.read.add(key)
        return value

    def __iter__(self) -> Iterator[str]:
        self.read.update(self._values)
        return super().__iter__()


class _Column(np.ndarray[Any, np.dtype[np.float64]]):
    """Numbers that stand for one: true or false only if all of them are."""

    def __bool__(self) -> bool:
        count = int(np.count_nonzero(np.asarray(self)))
        if 0 < count < self.size:
            raise ValueError("true for some rows")
        return count > 0

    def __pow__(self, *powers: Any) -> Any:  # numpy's last digit is not that of Python
        raise TypeError("powers are taken one by one")


def blocks(weights: NDArray[Any]) -> Iterator[Matrix]:
    """Rows of a matrix as decimal numbers, a cacheful at a time."""
    for rows in row_blocks(*weights.shape):
        yield weights[rows].astype(np.float64)


def row_blocks(rows: int, columns: int) -> Iterator[slice]:
    """The rows of a matrix in pieces of about ``_BLOCK`` numbers."""
    step = max(1, _BLOCK // max(1, columns))
    for start in range(0, rows, step):
        yield slice(start, min(start + step, rows))


def enough(values: Iterable[float | None]) -> list[float] | None:
    """The values that are defined; None when fewer than ``DEFINED`` of them are.

    >>> enough([0.25, None, 0.5]) is None
    True
    """
    every = list(values)
    defined = [value for value in every if value is not None]
    return defined if defined and len(defined) >= DEFINED * len(every) else None


def between(draws: Sequence[float], shares: tuple[float, float]) -> tuple[float, float]:
    """The values at two shares of the way through the draws.

    >>> between([4.0, 0.0, 1.0], (0.5, 0.75))
    (1.0, 2.5)
    """
    ordered = sorted(draws)
    return _quantile(ordered, shares[0]), _quantile(ordered, shares[1])


def _numbered(names: Iterable[object]) -> list[int]:
    """Each name as the number of its first appearance."""
    numbers: dict[object, int] = {}
    return [numbers.setdefault(name, len(numbers)) for name in names]


def _strata(unit_of: Sequence[int], strata: Sequence[str]) -> list[list[int]]:
    """The units of each stratum."""
    stratum_of: dict[int, str] = {}
    for unit, stratum in zip(unit_of, strata, strict=True):
        if stratum_of.setdefault(unit, stratum) != stratum:
            found = f"a group with recordings in {stratum_of[unit]!r} and in {stratum!r}"
            raise InputError(Fault("strata", "", found, "every group inside one stratum", "Stratify by another field."))
    members: dict[str, list[int]] = {}
    for unit, stratum in stratum_of.items():
        members.setdefault(stratum, []).append(unit)
    return list(members.values())


def _counts(stream: np.random.PCG64, rows: int, size: int) -> NDArray[np.int64]:
    """``rows`` resamples of ``size`` units, as counts; the bias of the multiplication is below size / 2**32."""
    high = stream.random_raw(rows * size) >> np.uint64(32)
    drawn = ((high * np.uint64(size)) >> np.uint64(32)).astype(np.int64).reshape(rows, size)
    drawn += np.arange(rows)[:, None] * size
    return np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size)


def _bias(draws: Sequence[float], estimate: float) -> float:
    """Normal quantile of the share of resamples below the estimate, ties half; at least half a resample stands on either side."""
    below = sum(value < estimate - TIE for value in draws)
    above = sum(value > estimate + TIE for value in draws)
    share = (below + (len(draws) - below - above) / 2) / len(draws)
    least = 0.5 / len(draws)
    return _NORMAL.inv_cdf(min(max(share, least), 1 - least))


def _acceleration(without: Iterable[Sequence[float | None]]) -> float:
    """Skewness of the influence of single units, from the values with one unit left out.

    With strata as in Davison & Hinkley, Bootstrap Methods and their Application (1997), section 5.3.2: the influence of a
    unit is (n - 1) * (mean of the values with one left out - the value without it), with n the units of its stratum.
    """
    cubes: list[float] = []
    squares: list[float] = []
    for stratum in without:
        values = [value for value in stratum if value is not None]
        mean = math.fsum(values) / len(values) if values else 0.0
        influences = [(len(stratum) - 1) / len(stratum) * (mean - value) for value in values]
        cubes += [one * one * one for one in influences]
        squares += [one * one for one in influences]
    spread = math.fsum(squares)
    return math.fsum(cubes) / (6 * spread * math.sqrt(spread)) if spread > TIE**2 else 0.0


def _bca_shares(shares: tuple[float, float], bias: float, acceleration: float) -> tuple[float, float]:
    """Where the ends of the interval lie among the sorted resamples (Efron & Tibshirani 1993, equation 14.10).

    Rounded, so that the last digit of a machine's logarithm stays out of the interval.
    """

    def adjusted(share: float) -> float:
        z = bias + _NORMAL.inv_cdf(share)
        room = 1 - acceleration * z
        return round(_NORMAL.cdf(bias + z / room), 12) if room > 0 else float(z > 0)

    return adjusted(shares[0]), adjusted(shares[1])


def _quantile(ordered: Sequence[float], share: float) -> float:
    """The value at a share of the way through sorted values, between two of them linearly.

    >>> _quantile([0.0, 1.0, 4.0], 0.75)
    2.5
    """
    place = share * (len(ordered) - 1)
    below = min(int(place), len(ordered) - 2) if len(ordered) > 1 else 0
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    return low + (high - low) * (place - below)
