"""A manifest of NeMo: utterances or recordings, one JSON object a line, with their audio.

``audio_filepath`` is read relative to the manifest, and so is ``uem_filepath``. Fields of other names become metadata where a
recording has one value of them. The source is the manifest, or a folder with one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from parakh import formats
from parakh.dataset.importing._folders import walk
from parakh.dataset.importing._importer import Importer, Listing, Options
from parakh.dataset.importing._sessions import Known, audio_path, plain, recordings
from parakh.errors import Fault, InputError
from parakh.files import read_text
from parakh.formats._text import shown
from parakh.types import Finding, Region, Severity

_SUFFIXES = (".json", ".jsonl")
OWN = ("audio_filepath", "offset", "duration", "text", "label", "speaker", "session_id", "rttm_filepath", "uem_filepath", "lang")
UNUSED = ("ctm_filepath", "num_speakers")


def fits(source: Path) -> bool:
    """Whether a path is such a manifest, or a folder with one."""
    return bool(_manifests(source, None))


def _manifests(source: Path, without: Path | None) -> list[Path]:
    if not source.exists():
        return []
    files = walk(source, without) if source.is_dir() else [source]
    return [path for path in files if path.suffix.lower() in _SUFFIXES and _is_manifest(path)]


def _is_manifest(path: Path) -> bool:
    try:
        return formats.get("nemo").sniff(formats.head(path), path)
    except InputError:
        return False


def find(source: Path, options: Options) -> Listing:
    """The recordings that a manifest names."""
    manifests = _manifests(source, options.without)
    if len(manifests) != 1:
        there = f"{len(manifests)} manifests" if manifests else "no manifest"
        raise InputError(Fault(str(source), "", there, "one manifest of NeMo", "Name the manifest itself."))
    path = manifests[0]
    segments = formats.get("nemo").read(path)
    known: dict[str, Known] = {}
    faults: list[Fault] = []
    for line, text in enumerate(read_text(path).split("\n"), 1):
        if text.strip():
            _take(path, line, json.loads(text), known, faults)
    found = recordings(segments.items, known, path)
    return Listing(found, len(found), faults, segments.findings)


def _take(path: Path, line: int, values: Mapping[str, Any], known: dict[str, Known], faults: list[Fault]) -> None:
    name = str(values.get("audio_filepath") or "")
    session = str(values.get("session_id") or PurePosixPath(name.replace("\\", "/")).stem)
    about = known.setdefault(session, Known())
    audio = audio_path(name, path.parent) if name else None
    if about.audio is not None and audio not in (None, about.audio):
        expected = f"one audio file for {session} ({about.audio} is another)"
        faults.append(Fault(str(path), "audio_filepath", shown(name), expected, "Rename one of the two.", line))
    about.audio = about.audio or audio
    for key, value in plain(values, (*OWN, *UNUSED)).items():
        if about.metadata.setdefault(key, value) != value and not any(note.message.startswith(key) for note in about.notes):
            what = f"{key} differs between its utterances; the first is kept"
            about.notes.append(Finding("several-values", what, Severity.WARNING, session, str(path), line))
    about.split = about.metadata.pop("split", about.split)
    if values.get("uem_filepath"):
        uem = formats.load(path.parent / str(values["uem_filepath"]), Region, "uem").items
        about.regions = tuple(region for region in uem if region.session_id == session)
    if values.get("ctm_filepath"):
        what = "ctm_filepath is not read: the times of single words have no place"
        about.notes.append(Finding("unused-fields", what, Severity.NOTE, session, str(path), line))


IMPORTER = Importer(
    name="nemo",
    title="A manifest of NeMo: utterances or recordings, one JSON object a line",
    fits=fits,
    find=find,
    loses="Times of single words; a field that differs between the utterances of a recording.",
)
