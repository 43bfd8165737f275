"""A segment of the transcript has no text.

What it does:
    Looks for segments whose text is empty or blank. A segment that holds a tag ("<noise>") is not empty.

Why it matters:
    Somebody was heard and nothing was written down: a scorer counts every word that a system hears there as inserted, and some
    readers drop the segment without a word.

How to mend:
    Write what was said, or the tag for what was heard; delete the segment if nothing was.

Example:
    A segment from 4.0 to 6.0 s with "".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc._check import Check
from parakh.qc._material import Material
from parakh.qc._settings import Settings
from parakh.qc._texts import BLANKS, at_time, segments
from parakh.types import Finding, Severity


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a segment."""
    for passage in segments(material):
        if not passage.text.strip(BLANKS):
            yield CHECK.at(material, f"a segment without text{at_time(passage.segment)}", passage.source, passage.index)


CHECK = Check("QC115", "empty-transcript", "A segment has no text", Severity.WARNING, recording)
