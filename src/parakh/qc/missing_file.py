"""A file of the recording is not there.

What it does:
    Names files of the manifest that are not in the folder, and recordings without audio, RTTM, transcript, native transcript or
    UEM where most recordings have one, unless a file of theirs that may be it cannot be read (QC130). Missing topics and
    summaries have checks of their own.

Why it matters:
    A recording without its reference cannot be scored, and whoever downloads the set takes it for damaged.

How to mend:
    Put the file in place, mend its path in the manifest, or take the recording out.

Limits:
    `usual-share` (0.75): what this share of at least three recordings has, the others ought to have.

Example:
    It says: "the file uem/hi_child_02a.uem (uem) is not there".
"""

from __future__ import annotations

from collections.abc import Iterator

from parakh.qc import Check, Material, Settings, Whole
from parakh.qc._places import declared
from parakh.qc._usual import LIMITS, lacking, unread
from parakh.types import Finding, Severity

_KINDS = ("audio", "rttm", "transcript", "native", "uem")


def _whole(whole: Whole, settings: Settings) -> Iterator[Finding]:
    there = set(whole.files)
    named = [_named(one) for one in whole.materials]
    for material, files in zip(whole.materials, named, strict=True):
        for kind, path in files.items():
            if whole.has_manifest and whole.place(path) not in there:
                yield CHECK.at(material, f"the file {whole.place(path)} ({kind}) is not there", *declared(material))
    faulty = [unread(one) for one in whole.materials]
    for kind in _KINDS:
        for index in lacking([kind in files or kind in maybe for files, maybe in zip(named, faulty, strict=True)], settings):
            message = f"the recording has no file of the kind {kind}, though most have one"
            yield CHECK.at(whole.materials[index], message, *declared(whole.materials[index]))


def _named(material: Material) -> dict[str, str]:
    audio = material.entry.recording.audio
    return {**({"audio": audio} if audio else {}), **material.entry.files}


CHECK = Check("QC133", "missing-file", "A file is not there", Severity.ERROR, whole=_whole, limits=LIMITS)
