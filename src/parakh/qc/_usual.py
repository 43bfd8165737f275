"""What most of a data set has, so that what lacks it stands out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any

from parakh.audio import AUDIO_SUFFIXES
from parakh.qc._check import Check
from parakh.qc._material import Material, Source, Whole
from parakh.qc._places import declared
from parakh.qc._settings import Settings
from parakh.types import Finding, Severity, Summary, Topics

LIMITS = {"usual-share": 0.75}
"""Those of every check that asks what is usual."""
_FEWEST = 3
_BY_SUFFIX = {".rttm": {"rttm"}, ".uem": {"uem"}}


def is_usual(having: int, among: int, settings: Settings) -> bool:
    """Whether so many have something that the others ought to: ``usual-share`` (0.75) of at least three.

    >>> settings = Settings(limits=LIMITS)
    >>> is_usual(3, 4, settings), is_usual(2, 4, settings), is_usual(1, 1, settings)
    (True, False, False)
    """
    return among >= _FEWEST and having >= settings.limit("usual-share") * among


def lacking(having: Sequence[bool], settings: Settings) -> list[int]:
    """Which ones lack what is usual; nobody does where it is not usual.

    >>> lacking([True, True, False, True], Settings(limits=LIMITS))
    [2]
    """
    if not is_usual(sum(having), len(having), settings):
        return []
    return [index for index, has in enumerate(having) if not has]


def without_answer(check: Check, whole: Whole, settings: Settings, kind: str) -> Iterator[Finding]:
    """A finding for each recording for which the topics or the summary are missing, though most have them.

    Those whose file is not there or could not be read are left out: that is told already.
    """
    having = [_has_answer(whole, one, kind) for one in whole.materials]
    for index in lacking(having, settings):
        material = whole.materials[index]
        path = material.entry.files.get(kind)
        source, place = (Source[Any](path), None) if path else declared(material)
        yield check.at(material, f"the recording has no {kind}, though most have", source, place)


def _has_answer(whole: Whole, material: Material, kind: str) -> bool:
    source: Source[Topics] | Source[Summary] | None = material.topics if kind == "topics" else material.summary
    path = material.entry.files.get(kind)
    faulty = any(one.path == path and one.severity == Severity.ERROR for one in material.trouble)
    return bool(source and source.items) or faulty or bool(path and whole.has_manifest and whole.place(path) not in whole.files)


def unread(material: Material) -> set[str]:
    """The kinds of which a recording may have a file that could not be read: it is told already, and not missing.

    >>> from parakh.types import Entry, Recording
    >>> sorted(unread(Material(Entry(Recording("v1")), trouble=[Finding("unreadable", "", Severity.ERROR, "v1", "v1.txt")])))
    ['native', 'transcript']
    """
    kinds: set[str] = set()
    for one in material.trouble:
        if one.severity is Severity.ERROR and one.path:
            suffix = PurePath(one.path).suffix.lower()
            kinds |= {"audio"} if suffix in AUDIO_SUFFIXES else _BY_SUFFIX.get(suffix, {"transcript", "native"})
    return kinds
