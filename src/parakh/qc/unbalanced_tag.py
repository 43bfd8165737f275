"""A tag is opened and not closed, or closed and not opened.

What it does:
    Follows, within each segment, the tags of `[check.vocabulary] paired` and every tag that has a closing form in it
    (`</overlap>`): each has to be closed once, in the reverse order of opening. `<noise/>` stands for itself.

Why it matters:
    What such a tag marks reaches from its opening to its closing; without one of them nobody knows which words were meant.

How to mend:
    Write the tag that is missing, within the same segment.

Limits:
    `[check.vocabulary] paired`, by default none.

Example:
    "<overlap> हाँ जी" without "</overlap>".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc._check import Check
from parakh.qc._markup import OPENING, keys, tags, unbalanced
from parakh.qc._material import Material
from parakh.qc._settings import Settings
from parakh.qc._texts import at_time, holding, spoken
from parakh.text.masking import masked
from parakh.types import Finding, Severity


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a tag."""
    paired = keys(settings.vocabulary.paired)
    for passage in spoken(holding(material, OPENING.search, together=True)):
        found = sorted((*tags(passage.text), *tags(passage.text, "[")), key=lambda tag: tag.start)
        for tag in unbalanced(found, paired):
            what = "closes what is not open" if tag.closes else "is not closed"
            shown = masked(passage.text)[tag.start : tag.start + len(tag.text)]
            yield CHECK.at(material, f"{shown!r} {what}{at_time(passage.segment)}", passage.source, passage.index)


CHECK = Check("QC302", "unbalanced-tag", "A tag has no counterpart", Severity.WARNING, recording)
