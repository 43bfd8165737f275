"""Results and alignments as data frames of pandas or polars, whichever is installed or asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from parakh.errors import UnknownNameError
from parakh.packages import imported
from parakh.types import AlignedWord

if TYPE_CHECKING:
    from parakh.results import Results, Score

LIBRARIES = ("pandas", "polars")
Row = Mapping[str, object]


def frame(kinds: Mapping[str, type], rows: Sequence[Row], library: str | None = None) -> Any:
    """A data frame whose columns have the types told, also where it has no rows.

    Args:
        kinds: Name of each column and what it holds (str, float or int), in their order. An int column in which something
            is missing becomes one of floats in pandas.
        rows: Values by column; what is None or absent is missing (None, NaN or null, as the library writes it).
        library: "pandas" or "polars"; None takes the one that is installed, pandas first.

    Raises:
        MissingPackageError: The library is not installed.
        UnknownNameError: There is no such library.

    >>> frame({"recording": str, "der": float}, [{"recording": "v1", "der": None}]).dtypes["der"]
    dtype('float64')
    """
    name = library or next((one for one in LIBRARIES if find_spec(one)), LIBRARIES[0])
    if name not in _MAKERS:
        raise UnknownNameError("library of data frames", name, LIBRARIES)
    module = imported(name, name, "a data frame")
    return _MAKERS[name](module, kinds, {column: [row.get(column) for row in rows] for column in kinds})


def results_frame(results: Results, of: str, library: str | None) -> Any:
    """What ``Results.to_frame`` returns."""
    if of not in _PARTS:
        raise UnknownNameError("part of results", of, list(_PARTS))
    rows = list(_PARTS[of](results))
    return frame(_kinds(rows, _TEXTS[of]), [{"track": results.track, "system": results.system, **row} for row in rows], library)


def alignment_frame(steps: Sequence[AlignedWord], library: str | None) -> Any:
    """What ``Alignment.to_frame`` returns."""
    sides = ("reference", "hypothesis")
    kinds: dict[str, type] = {"op": str, "kind": str, **dict.fromkeys(sides, str)}
    kinds |= {f"{side}_{what}": kind for what, kind in (("segment", int), ("speaker", str)) for side in sides}
    kinds |= {f"{side}_{end}": float for side in sides for end in ("start", "end")}
    return frame(kinds, [_step(step) for step in steps], library)


def _step(step: AlignedWord) -> Row:
    row: dict[str, object] = {"op": str(step.op), "kind": step.kind, "reference": step.reference, "hypothesis": step.hypothesis}
    for side, time in (("reference", step.reference_time), ("hypothesis", step.hypothesis_time)):
        row |= {f"{side}_{what}": getattr(step, f"{side}_{what}") for what in ("segment", "speaker")}
        row |= dict(zip((f"{side}_start", f"{side}_end"), time or (None, None), strict=True))
    return row


def _recordings(results: Results) -> Iterator[dict[str, object]]:
    for one in results.recordings:
        slices = {name: ", ".join(values) for name, values in {**one.slices, **one.speaker_slices}.items()}
        counts = {f"{metric}.{name}": value for metric, stats in one.stats.items() for name, value in stats.items()}
        yield {"recording": one.id, **slices, **one.metrics, **counts}


def _metrics(results: Results) -> Iterator[dict[str, object]]:
    for metric, score in results.metrics.items():
        yield {"metric": metric, **_score(score)}


def _slices(results: Results) -> Iterator[dict[str, object]]:
    for field, values in results.slices.items():
        for value, scores in values.items():
            for metric, score in scores.items():
                yield {"field": field, "value": value, "metric": metric, **_score(score)}


def _score(score: Score) -> dict[str, object]:
    low, high = score.interval or (None, None)
    named = {"score": score.value, "low": low, "high": high, "macro": score.macro, "by_duration": score.by_duration}
    return {**named, **{f"part.{name}": value for name, value in score.parts.items()}}


_PARTS: Mapping[str, Callable[[Results], Iterator[dict[str, object]]]] = {
    "recordings": _recordings,
    "metrics": _metrics,
    "slices": _slices,
}
_TEXTS = {"recordings": ("recording",), "metrics": ("metric",), "slices": ("field", "value", "metric")}
"""The columns of text that each part has whatever its rows hold."""


def _kinds(rows: Sequence[Row], texts: Sequence[str]) -> dict[str, type]:
    """What each column holds: text first, then what texts there are of the rows, then numbers."""
    kinds: dict[str, type | None] = dict.fromkeys(("track", "system", *texts), str)
    for row in rows:
        for name, value in row.items():
            known = kinds.setdefault(name, None)
            if isinstance(value, str):
                kinds[name] = str
            elif value is not None and (known is None or (known is int and isinstance(value, float))):
                kinds[name] = int if isinstance(value, int) else float
    return {name: kind or float for name, kind in kinds.items()}


def _pandas(pandas: Any, kinds: Mapping[str, type], columns: Mapping[str, list[object]]) -> Any:
    def dtype(name: str) -> str:
        if kinds[name] is str:
            return "str"
        return "int64" if kinds[name] is int and None not in columns[name] else "float64"

    return pandas.DataFrame({name: pandas.Series(values, dtype=dtype(name)) for name, values in columns.items()})


def _polars(polars: Any, kinds: Mapping[str, type], columns: Mapping[str, list[object]]) -> Any:
    types = {str: polars.String, int: polars.Int64, float: polars.Float64}
    return polars.DataFrame(dict(columns), schema={name: types[kind] for name, kind in kinds.items()}, strict=False)


_MAKERS: Mapping[str, Callable[[Any, Mapping[str, type], Mapping[str, list[object]]], Any]] = {
    "pandas": _pandas,
    "polars": _polars,
}
