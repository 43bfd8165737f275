"""A recording stands under a licence that the licence of the data set does not allow.

What it does:
    Compares `licence` of each recording with the licence of the data set (`parakh.toml`). What a licence asks for, the set has to
    ask for too: naming the author (BY), no commercial use (NC); share alike (SA) and no changes (ND) allow no other licence than
    their own. A licence that the table does not know is told as such.

Why it matters:
    Releasing the recording would break its licence.

How to mend:
    Choose a licence for the set that fits all recordings, ask the owner, or take the recording out.

Limits:
    The table holds Creative Commons, Open Data Commons, CDLA, MIT, BSD and Apache licences; it is no legal advice.
    Source: the licence texts; for CC, the compatibility chart of Creative Commons' FAQ ("Can I combine material under different
    Creative Commons licenses in my work?").

Example:
    It says: "CC-BY-NC-4.0 asks for non-commercial use only, so that a release under CC-BY-4.0 is not allowed".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from parakh.qc import Check, Settings, Whole
from parakh.qc._places import described
from parakh.types import Finding, Severity

_TERMS = {
    "CC0": (),
    "PDDL": (),
    "CC-BY": ("BY",),
    "ODC-BY": ("BY",),
    "MIT": ("BY",),
    "BSD-2-CLAUSE": ("BY",),
    "BSD-3-CLAUSE": ("BY",),
    "APACHE": ("BY",),
    "CDLA-PERMISSIVE": ("BY",),
    "CC-BY-NC": ("BY", "NC"),
    "CC-BY-SA": ("BY", "SA"),
    "ODBL": ("BY", "SA"),
    "CDLA-SHARING": ("BY", "SA"),
    "CC-BY-ND": ("BY", "ND"),
    "CC-BY-NC-SA": ("BY", "NC", "SA"),
    "CC-BY-NC-ND": ("BY", "NC", "ND"),
}
"""What each family of licences asks of those who pass the material on."""
_WORDS = {"BY": "attribution", "NC": "non-commercial use only", "SA": "the same licence", "ND": "no changes"}
_VERSION = re.compile(r"-?V?\d+(\.\d+)*(-[A-Z]{2,3})?$")


def _whole(whole: Whole, settings: Settings) -> Iterator[Finding]:
    for material in whole.materials:
        metadata = material.entry.recording.metadata
        own = metadata.get("licence") or metadata.get("license")
        problem = _problem(own, whole.licence) if own and whole.licence else None
        if problem:
            yield CHECK.at(material, problem, *described(material))


def _problem(own: str, licence: str) -> str | None:
    """Why a recording under one licence may not be released under another; None if it may."""
    if own.casefold() == licence.casefold():
        return None
    first, second = _family(own), _family(licence)
    for name, family in ((own, first), (licence, second)):
        if family not in _TERMS:
            return f"whether {own} allows a release under {licence} is not known: {name} is not in the table"
    if first == second:
        return None
    asked = {"SA", "ND"} & set(_TERMS[first]) or set(_TERMS[first]) - set(_TERMS[second])
    if not asked:
        return None
    wants = ", ".join(_WORDS[one] for one in sorted(asked))
    return f"{own} asks for {wants}, so that a release under {licence} is not allowed"


def _family(licence: str) -> str:
    """The name of a licence without its version: "CC-BY-4.0" is CC-BY."""
    return _VERSION.sub("", re.sub(r"[\s_]+", "-", licence.strip().upper()))


CHECK = Check("QC506", "licence-conflict", "A licence does not fit that of the set", Severity.ERROR, whole=_whole)
