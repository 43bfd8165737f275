"""A tag is broken: a lone angle bracket, or blanks in it.

What it does:
    Looks for angle brackets that belong to no tag ("<noise", "noise>"), for empty tags, and for blanks between a bracket and the
    name ("< noise >"). Nobody says an angle bracket: "less than" is written in words.

Why it matters:
    Tags are removed before scoring; a broken one stays and is scored as words.

How to mend:
    Complete the tag, or take the bracket out.

Example:
    "<noise जी हाँ".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from parakh.qc._check import Check
from parakh.qc._markup import lone_brackets, tags
from parakh.qc._material import Material
from parakh.qc._settings import Settings
from parakh.qc._texts import at_time, holding, quoted, spoken
from parakh.text.masking import masked
from parakh.types import Finding, Severity


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a text."""
    for passage in spoken(holding(material, _BRACKET.search, together=True)):
        text = masked(passage.text)
        found = [*(tag.text for tag in tags(text) if tag.is_broken), *lone_brackets(text)]
        if found:
            message = f"broken tags: {quoted(found)}{at_time(passage.segment)}"
            yield CHECK.at(material, message, passage.source, passage.index)


_BRACKET = re.compile("[<>]")

CHECK = Check("QC303", "broken-tag", "A tag is broken", Severity.WARNING, recording)
