"""A segment of the transcript has marks and no word.

What it does:
    Looks for segments with neither a letter, a digit nor a tag.

Why it matters:
    Scorers remove marks, and then the segment is empty: a word that a system hears there counts as inserted.

How to mend:
    Write what was said, or the tag for what was heard; delete the segment if nothing was.

Example:
    A segment with "..." for a pause.
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
        text = passage.text.strip(BLANKS)
        if text and not text[0].isalnum() and not any(map(str.isalnum, text)):
            message = f"a segment with marks and no word{at_time(passage.segment)}"
            yield CHECK.at(material, message, passage.source, passage.index)


CHECK = Check("QC116", "punctuation-only", "A segment has marks and no word", Severity.WARNING, recording)
