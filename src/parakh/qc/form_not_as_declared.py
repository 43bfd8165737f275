"""A form of the transcript is not written as that form is.

What it does:
    Where a recording has two forms, looks for Latin letters and ASCII digits in the native form, and for digits of other
    scripts in the normalised one. Tags are left out; English recordings, whose native script is Latin, are passed over. What of
    the normalised form ought to be in Latin letters cannot be told from its letters.

Why it matters:
    Scorers take the better of the two forms, word by word or segment by segment. If both are written alike, the second is worth
    nothing, and a system that writes the other way is charged for it.

How to mend:
    Write English words in the script of the language and numbers in its words or digits in the native form; write digits as 0 to
    9 in the normalised form.

Example:
    "BP 140 है" as the native form; "बीपी एक सौ चालीस है" was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from parakh import languages
from parakh.qc._check import Check
from parakh.qc._material import Material, Source
from parakh.qc._settings import Settings
from parakh.qc._texts import at_time, holding, quoted, spoken, without_tags
from parakh.text.masking import masked
from parakh.types import Finding, Segment, Severity

_ROMAN = re.compile("[A-Za-z0-9]")
_ROMAN_WORD = re.compile(r"\w*[A-Za-z0-9]\w*")
_NATIVE_DIGIT = re.compile(r"[^\D0-9]")
_NATIVE_NUMBER = re.compile(r"[^\D0-9]+")


def recording(material: Material, settings: Settings) -> Iterator[Finding]:
    """One finding a segment."""
    if material.native is None or material.transcript is None:
        return
    yield from _otherwise(material, material.transcript, _NATIVE_DIGIT, _NATIVE_NUMBER, "native digits in the normalised form")
    yield from _otherwise(material, material.native, _ROMAN, _ROMAN_WORD, "Latin letters or ASCII digits in the native form")


def _otherwise(
    material: Material, source: Source[Segment], sign: re.Pattern[str], word: re.Pattern[str], what: str
) -> Iterator[Finding]:
    """The segments of one form in which a sign stands, with the words that hold one."""
    for passage in spoken(holding(material, sign.search, together=True)):
        segment = passage.segment
        if passage.source is not source or segment is None or passage.text != segment.words:
            continue
        if source is material.native and "Latn" in languages.get(segment.language or material.language).scripts[:1]:
            continue
        places = [match.span() for match in word.finditer(without_tags(passage.text))]
        if places:
            shown = masked(passage.text)
            found = [shown[start:end] for start, end in places]
            yield CHECK.at(material, f"{what}: {quoted(found)}{at_time(passage.segment)}", passage.source, passage.index)


CHECK = Check("QC222", "form-not-as-declared", "A form is not written as it should be", Severity.WARNING, recording)
