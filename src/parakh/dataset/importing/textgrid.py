"""A folder of Praat TextGrids with the audio of the same names: a tier a speaker, one file or several a recording.

``day1_consultation01_doctor.TextGrid`` and ``day1_consultation01_patient.TextGrid`` are one recording: the endings are those of
``--suffix``, or guessed where every recording has at least two files. The only tier of such a file is the speaker of the
ending (``doctor``), whatever it is called. Two audio files of one recording are told and not taken.
"""

from __future__ import annotations

from pathlib import Path

from parakh.dataset.importing import _beside
from parakh.dataset.importing._importer import Importer, Listing, Options


def fits(source: Path) -> bool:
    """Whether a folder holds TextGrids."""
    return _beside.holds(source, ".textgrid")


def find(source: Path, options: Options) -> Listing:
    """The recordings of the folder."""
    return _beside.find(source, options, ".textgrid", "textgrid")


IMPORTER = Importer(
    name="textgrid",
    title="A folder of Praat TextGrids, one or several a recording",
    fits=fits,
    find=find,
    loses="Point tiers; audio of a recording that has several files of it.",
)
