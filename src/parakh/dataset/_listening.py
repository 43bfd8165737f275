"""The audio of a recording, looked at or listened to, for checks and figures: what cannot be had is told and stops nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from parakh.audio.facts import AudioFacts
from parakh.dataset._reading import unreadable
from parakh.errors import InputError, MissingPackageError
from parakh.qc import Material
from parakh.types import Finding


class Heard(NamedTuple):
    """What came of it: the facts, if there are any; the faults of the file; and the package without which there are none."""

    facts: AudioFacts | None = None
    trouble: Sequence[Finding] = ()
    missing: str = ""


def listen(material: Material, *, decode: bool) -> Heard:
    """Look at the audio of a recording, or listen to it.

    >>> from parakh.types import Entry, Recording
    >>> listen(Material(Entry(Recording("v1"))), decode=True)
    Heard(facts=None, trouble=(), missing='')
    """
    path = material.entry.recording.audio
    if path is None:
        return Heard()
    from parakh.audio.inspect import inspect  # what reads and hears sound is needed only here

    try:
        return Heard(inspect(Path(path), decode=decode))
    except InputError as error:
        return Heard(trouble=[replace(one, session_id=material.session_id) for one in unreadable(error)])
    except MissingPackageError as error:
        return Heard(missing=str(error))
