"""Examples for a prompt: conversations of a data set with the answers that people gave."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from parakh.clinical.roles import with_roles
from parakh.dataset import manifest
from parakh.dataset.content import contents
from parakh.errors import Fault, InputError, counted
from parakh.types import Segment, Summary, Topics


@dataclass(frozen=True)
class Shot:
    """One example.

    Args:
        session_id: Its recording.
        turns: What was said.
        answer: What people answered.
    """

    session_id: str
    turns: tuple[Segment, ...]
    answer: Topics | Summary


def read_shots(path: str, split: str | None, kind: Literal["topics", "summary"], least: int) -> list[Shot]:
    """Every recording of a data set that has a transcript and an answer, sorted by id.

    Args:
        path: The folder of a data set, or its ``recordings.jsonl``.
        split: Only this part of it; None takes all.
        kind: The answer that is wanted.
        least: How many there have to be.

    Raises:
        InputError: It is no data set, its files have faults, or it has fewer examples.
    """
    dataset = manifest.load(manifest_of(path).parent)
    shots = [
        Shot(one.session_id, with_roles(one.transcript), answer)
        for one in contents(dataset, split, ("transcript", kind))
        if one.transcript and any(turn.words for turn in one.transcript) and (answer := getattr(one, kind)) is not None
    ]
    if len(shots) < least:
        part = f" of split {split!r}" if split else ""
        found = f"{counted(len(shots), 'recording')}{part} with a transcript and a {kind}"
        raise InputError(Fault(path, "shots", found, f"at least n_shots = {least}", "Lower n_shots, or give more examples."))
    return sorted(shots, key=lambda shot: shot.session_id)


def manifest_of(path: str) -> Path:
    """The manifest of a data set that is named by it, or by its folder."""
    return manifest.folder_of(path) / manifest.RECORDINGS


def choose(shots: Sequence[Shot], count: int, seed: int, session_id: str) -> list[Shot]:
    """The same examples for every recording, but never the recording itself.

    Args:
        shots: To choose from.
        count: How many.
        seed: Another seed chooses others.
        session_id: The recording that is asked about.

    >>> empty = [Shot(name, (), Topics(name)) for name in "abcd"]
    >>> [[shot.session_id for shot in choose(empty, 2, 0, name)] for name in ("x", "c")]
    [['c', 'a'], ['a', 'b']]
    """
    shuffled = sorted(shots, key=lambda shot: shot.session_id)
    random.Random(seed).shuffle(shuffled)  # noqa: S311
    return [shot for shot in shuffled if shot.session_id != session_id][:count]
