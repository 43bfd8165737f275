"""Results of one track by what they were measured on (development and evaluation recordings)."""

from __future__ import annotations

from parakh.report.inputs import Inputs
from parakh.report.tables._columns import labelled
from parakh.results import Results

_FIELDS = ("set", "split", "phase")
"""Fields of a manifest that tell sets apart, where results were cut by them."""


def set_of(one: Results) -> str:
    """The set that published figures name, or that all recordings are of by a field they were cut by; "" where none is known.

    >>> from parakh.results import Signature
    >>> set_of(Results("asr", "x", Signature({"set": "dev"}), {}, ()))
    'dev'
    """
    if "set" in one.signature.choices:
        return one.signature.choices["set"]
    for field in _FIELDS:
        values = {each.slices.get(field) for each in one.recordings}
        if len(values) == 1 and (only := values.pop()) and len(only) == 1:
            return only[0]
    return ""


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
