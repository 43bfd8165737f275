"""A file of the folder belongs to no recording.

What it does:
    With a manifest: names audio and annotation files of the folder that no entry of the manifest names. Without one: audio that
    has no annotations, and annotations that have no audio where other recordings have it. Files that speak of the whole set
    (README, LICENSE, parakh.toml ...) belong at the top of the folder and are no orphans there.

Why it matters:
    An orphan is released with the set though nobody checked it, or it is the sign of a misspelt name.

How to mend:
    Name it in the manifest, rename it to its recording, or take it out.

Example:
    It says: "no recording of the manifest names this file".
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from parakh import formats
from parakh.audio import AUDIO_SUFFIXES
from parakh.qc import Check, Settings, Whole
from parakh.qc._usual import unread
from parakh.types import Finding, Severity

_OF_THE_SET = {
    "readme", "license", "licence", "copying", "notice", "changelog", "citation", "authors", "datasheet", "guidelines",
    "recordings", "metadata", "parakh", "annotation-log", "losses", "requirements",
}  # fmt: skip


def _whole(whole: Whole, settings: Settings) -> Iterator[Finding]:
    if whole.has_manifest:
        yield from _unnamed(whole)
    else:
        yield from _alone(whole)


def _unnamed(whole: Whole) -> Iterator[Finding]:
    paths = {path for one in whole.materials for path in (one.entry.recording.audio, *one.entry.files.values()) if path}
    named = {whole.place(path) for path in paths}
    endings = (*AUDIO_SUFFIXES, *(suffix.lower() for form in formats.all_formats().values() for suffix in form.suffixes))
    for file in whole.files:
        if file not in named and file.lower().endswith(endings) and not _is_of_the_set(file):
            path = str(PurePosixPath(whole.folder, file))
            yield Finding(CHECK.code, "no recording of the manifest names this file", CHECK.severity, path=path)


def _is_of_the_set(file: str) -> bool:
    return "/" not in file and file.lower().split(".")[0] in _OF_THE_SET


def _alone(whole: Whole) -> Iterator[Finding]:
    have_audio = any(one.entry.recording.audio for one in whole.materials)
    for one in whole.materials:
        unreadable = unread(one)
        if one.entry.recording.audio and not one.entry.files and not unreadable - {"audio"}:
            yield CHECK.at(one, "the audio has no annotations")
        elif have_audio and one.entry.files and not one.entry.recording.audio and "audio" not in unreadable:
            path = next(iter(one.entry.files.values()))
            yield Finding(CHECK.code, "the annotations have no audio", CHECK.severity, one.session_id, path)


CHECK = Check("QC132", "orphan-file", "A file belongs to no recording", Severity.WARNING, whole=_whole)
