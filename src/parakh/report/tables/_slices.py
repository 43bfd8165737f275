"""Results cut to one slice: its scores, and where whole recordings belong to it, these for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from parakh.results import Results


def values_of(results: Sequence[Results], field: str) -> list[str]:
    """The values of a field that some result was cut by, in the order of the results."""
    return list(dict.fromkeys(value for one in results for value in one.slices.get(field, {})))


def fields_of(results: Sequence[Results]) -> list[str]:
    """The fields that some result was cut by."""
    return list(dict.fromkeys(field for one in results for field in one.slices))


def of_slice(one: Results, field: str, value: str) -> Results:
    """The results of one slice; without recordings where the slice belongs to speakers, without scores where there are none."""
    scores = one.slices.get(field, {}).get(value, {})
    inside = tuple(each for each in one.recordings if value in each.slices.get(field, ()))
    return replace(one, metrics=scores, recordings=inside, slices={})
