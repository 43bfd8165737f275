"""One file a track of the challenge; this file is the form each of them declares itself in."""

from __future__ import annotations

from dataclasses import dataclass, field

from parakh import registry
from parakh.metrics import Payload


@dataclass(frozen=True)
class Track:
    """The declaration of one track.

    Args:
        name: As given to ``parakh score``.
        question: What it asks of a recording, in plain words.
        item: The type of its references and hypotheses (``Segment``, ``Topics``, ``Summary``).
        payloads: What its metrics may compare.
        metrics: Names of its metrics in display order; the first ranks.
        normalization: The profile used unless another is asked for.
        options: Default of each metric option that the track sets.
    """

    name: str
    question: str
    item: type
    payloads: tuple[Payload, ...]
    metrics: tuple[str, ...]
    normalization: str = "none"
    options: dict[str, float | bool | str] = field(default_factory=dict)


def get(name: str) -> Track:
    """The track called ``name``.

    Raises:
        UnknownNameError: There is none; close matches are listed.

    >>> get("asr").metrics[0]
    'tcpwer'
    """
    track: Track = registry.load("track", name).TRACK
    return track
