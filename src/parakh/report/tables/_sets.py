"""Results of one track by what they were measured on (development and evaluation recordings)."""

from __future__ import annotations

from parakh.report.inputs import Inputs, set_of
from parakh.report.tables._columns import labelled
from parakh.results import Results


def sets(inputs: Inputs, track: str) -> dict[str, list[Results]]:
    """The results of a track by their set; all of them together, under no name, where fewer than two sets are named.

    Args:
        inputs: What the report is made of.
        track: Name of the track.

    Returns:
        Results with names as rows show them, each once in a set; those whose set is not known stand under "".
    """
    found: dict[str, list[Results]] = {}
    for one in inputs.of(track):
        found.setdefault(set_of(one), []).append(one)
    if sum(bool(name) for name in found) < 2:
        found = {"": inputs.of(track)}
    return {name: labelled(own) for name, own in found.items()}
