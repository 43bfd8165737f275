"""Manifests of lhotse: recordings and supervisions, one JSON object a line, plain or packed with gzip.

The source is a folder with one file of recordings and one of supervisions, or the file of supervisions. A recording's audio is
its one source of type ``file``; a source of type ``command`` is never run, and it is told. ``gender`` and ``custom`` of
supervisions: the sex of the speaker; and what the format of the same name keeps.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from parakh import formats
from parakh.dataset.importing._folders import unused, walk
from parakh.dataset.importing._importer import Importer, Listing, Options
from parakh.dataset.importing._sessions import Known, audio_path, command_note, plain, recordings
from parakh.dataset.importing._words import sex
from parakh.errors import Fault, InputError
from parakh.formats._text import Reader, shown
from parakh.formats.lhotse import manifest
from parakh.types import Segment

_SUFFIXES = (".jsonl", ".jsonl.gz", ".json")
_OWN = ("id", "sources", "sampling_rate", "num_samples", "duration", "channel_ids", "transforms", "custom")


def fits(source: Path) -> bool:
    """Whether a path is or holds supervisions of lhotse."""
    return bool(_kinds(source, None).get("supervisions"))


def _kinds(source: Path, without: Path | None) -> dict[str, list[Path]]:
    """The manifests of a source by what they hold."""
    if not source.exists():
        return {}
    files = walk(source, without) if source.is_dir() else [source]
    kinds: dict[str, list[Path]] = {}
    for path in files:
        first = _first(path) if path.name.lower().endswith(_SUFFIXES) else {}
        if {"sources", "sampling_rate"} <= first.keys():
            kinds.setdefault("recordings", []).append(path)
        elif {"recording_id", "start", "duration"} <= first.keys() or "supervisions" in first:
            kinds.setdefault("supervisions", []).append(path)
    return kinds


def _first(path: Path) -> Mapping[str, Any]:
    """The first object of a manifest; {} where it has none."""
    try:
        text = formats.head(path)
        value, _ = json.JSONDecoder().raw_decode(text.lstrip().removeprefix("[").lstrip())
    except (InputError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def find(source: Path, options: Options) -> Listing:
    """The recordings of the manifests."""
    kinds = _kinds(source, options.without)
    for kind, least in (("supervisions", 1), ("recordings", 0)):
        own = kinds.get(kind, [])
        if not least <= len(own) <= 1:
            there = f"{len(own)} files of {kind}" if own else f"no file of {kind}"
            raise InputError(Fault(str(source), "", there, f"one file of {kind} of lhotse", "Name the file, or move the others."))
    path = kinds["supervisions"][0]
    segments = formats.get("lhotse").read(path)
    known: dict[str, Known] = {}
    faults: list[Fault] = []
    for place in kinds.get("recordings", ()):
        for line, values in _objects(place):
            _recording(place, line, values, known, faults)
    extra = False
    for _, values in _objects(path):
        for one in values.get("supervisions", [values]):
            extra = extra or bool(one.get("alignment") or one.get("custom"))
            if one.get("gender") and one.get("speaker"):
                about = known.setdefault(str(one.get("recording_id")), Known())
                about.sexes[str(one["speaker"])] = sex(str(one["gender"])) or ""
    found = recordings(_mono(segments.items), known, path)
    files = walk(source, options.without) if source.is_dir() else []
    used = [*(one for own in kinds.values() for one in own), *(one.audio for one in known.values() if one.audio)]
    findings = [one for one in segments.findings if extra or one.code != "left-out"]  # gender has a place here
    return Listing(found, len(found), faults, [*findings, *unused(files, used, source)])


def _mono(segments: Sequence[Segment]) -> list[Segment]:
    """Segments without the channel where all of a recording are on the first, which then says nothing."""
    several = {one.session_id for one in segments if one.channel not in (None, "0")}
    return [one if one.session_id in several else replace(one, channel=None) for one in segments]


def _objects(path: Path) -> list[tuple[int, Mapping[str, Any]]]:
    """The objects of a manifest with their lines, or their numbers in a list.

    Raises:
        InputError: What is no JSON object.
    """
    reader = Reader(path)
    found = list(manifest(reader))
    reader.check()
    return found


def _recording(path: Path, line: int, values: Mapping[str, Any], known: dict[str, Known], faults: list[Fault]) -> None:
    session = values.get("id")
    if not isinstance(session, str) or not session:
        faults.append(Fault(str(path), "id", shown(session), "the id of the recording", line=line))
        return
    about = known.setdefault(session, Known())
    sources = [one for one in values.get("sources") or () if isinstance(one, dict)]
    files = [one for one in sources if one.get("type") == "file" and isinstance(one.get("source"), str)]
    for one in sources:
        if one.get("type") != "file":
            about.notes.append(command_note(session, str(one.get("source")), path, line))
    if len(files) > 1:
        expected = "one file a recording"
        faults.append(Fault(str(path), "sources", f"{len(files)} files of {session}", expected, "Mix the channels first.", line))
    elif files:
        about.audio = audio_path(files[0]["source"], path.parent)
    seconds = values.get("duration")
    about.duration = float(seconds) if isinstance(seconds, int | float) and seconds > 0 else None
    custom = values.get("custom")
    about.metadata |= plain(values, _OWN) | (plain(custom, ()) if isinstance(custom, dict) else {})
    about.split = about.metadata.pop("split", None)


IMPORTER = Importer(
    name="lhotse",
    title="Manifests of lhotse: recordings and supervisions",
    fits=fits,
    find=find,
    loses="Times of single words, features, cuts' offsets; commands that make audio, which are never run.",
)
