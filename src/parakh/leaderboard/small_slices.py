"""Slices that rest on so few recordings that their scores give single recordings away.

A field is withheld whole: what is left of it, taken from the score of all recordings, would tell the part that is missing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable

from parakh.leaderboard.challenge import MetricSet
from parakh.leaderboard.references import References
from parakh.results import Results
from parakh.slices import NOBODY, cut, slice_values

LEAST_RECORDINGS = 3
"""Recordings that every value of a field has to have."""


def in_results(results: Results) -> tuple[str, ...]:
    """The fields with a value that rests on too few recordings, as the scorer counted them."""
    held = [{**one.slices, **one.speaker_slices} for one in results.recordings]
    return tuple(
        field for field, values in results.slices.items() if _is_small(values.keys(), (one.get(field, ()) for one in held))
    )


def in_references(references: References, metric_set: MetricSet) -> tuple[str, ...]:
    """The same before anything was scored."""
    items: dict[str, list[object]] = {one.session_id: [] for one in references.recordings}
    for item in references.items:
        items[item.session_id].append(item)
    small = []
    for one in (cut(text, references.recordings, references.items) for text in metric_set.slice_by):
        held = [slice_values(one, recording, items[recording.session_id]) for recording in references.recordings]
        if _is_small({value for values in held for value in values}, held):
            small.append(one.field)
    return tuple(small)


def why(fields: Iterable[str]) -> list[str]:
    """A line for each field that is withheld."""
    least = f"a value of it has fewer than {LEAST_RECORDINGS} recordings, and single recordings are not shown in this phase"
    return [f"Not shown by {field}: {least}." for field in fields]


def _is_small(values: Collection[str], held: Iterable[Iterable[str]]) -> bool:
    """Whether a value is that of too few recordings; what nobody of the reference said has none of its own."""
    counts = Counter(value for one in held for value in one)
    return any(counts[value] < LEAST_RECORDINGS for value in values if value != NOBODY)
