"""A folder of ELAN documents (``.eaf``) with the audio of the same names: a tier a speaker, one file or several a recording.

The files of one recording are told apart by the endings of ``--suffix``, or guessed where every recording has at least two;
the only tier of such a file is the speaker of the ending.
"""

from __future__ import annotations

from pathlib import Path

from parakh.dataset.importing import _beside
from parakh.dataset.importing._importer import Importer, Listing, Options


def fits(source: Path) -> bool:
    """Whether a folder holds ELAN documents."""
    return _beside.holds(source, ".eaf")


def find(source: Path, options: Options) -> Listing:
    """The recordings of the folder."""
    return _beside.find(source, options, ".eaf", "eaf")


IMPORTER = Importer(
    name="elan",
    title="A folder of ELAN documents, one or several a recording",
    fits=fits,
    find=find,
    loses="What the ELAN format does not keep; audio of a recording that has several files of it.",
)
