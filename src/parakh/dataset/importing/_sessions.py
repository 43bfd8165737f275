"""Recordings of which one file tells all segments, and others where their audio is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from parakh.dataset.content import Content
from parakh.dataset.importing._importer import Arrival, Found
from parakh.dataset.importing._words import language
from parakh.formats._text import Reader, shown
from parakh.types import Entry, Finding, Recording, Region, Segment, Severity, Speaker

_LEVELS_UP = 4


@dataclass
class Known:
    """What else a source knows of a recording.

    Args:
        audio: Its audio file; None where there is none, or it is not to be had.
        duration: Seconds.
        metadata: Any further field.
        sexes: The sex of its speakers, by label.
        notes: What of it has no place.
        regions: The stretches that are scored.
        split: The part of the data set.
    """

    audio: Path | None = None
    duration: float | None = None
    metadata: dict[str, str] = field(default_factory=dict)
    sexes: dict[str, str] = field(default_factory=dict)
    notes: list[Finding] = field(default_factory=list)
    regions: tuple[Region, ...] | None = None
    split: str | None = None


def recordings(segments: Iterable[Segment], known: Mapping[str, Known], path: Path) -> list[Found]:
    """The recordings that segments belong to or that are otherwise known, each with all of it, by id."""
    sessions: dict[str, list[Segment]] = {name: [] for name in known}
    for segment in segments:
        sessions.setdefault(segment.session_id, []).append(segment)
    return [Found(name, partial(_read, name, own, known.get(name, Known()), path)) for name, own in sorted(sessions.items())]


def _read(name: str, segments: Sequence[Segment], about: Known, path: Path) -> Arrival:
    spoken = any(one.words or one.start_time is None or one.speaker is None for one in segments)
    languages = {one.language for one in segments if one.language}
    recording = Recording(
        name, None, about.duration, language(next(iter(languages))) if len(languages) == 1 else None, about.metadata
    )
    alike = recording.language is not None and all(one.language for one in segments)
    own = tuple(replace(one, language=None) if alike else one for one in segments) or None
    speakers = tuple(Speaker(name, label, sex=sex) for label, sex in about.sexes.items())
    content = Content(
        Entry(recording, speakers=speakers, split=about.split),
        None if spoken else own,
        own if spoken else None,
        regions=about.regions,
    )
    return Arrival(content, path, about.audio, about.notes)


def audio_path(name: str, folder: Path) -> Path:
    """Where a manifest's audio is: relative to the manifest, or to a folder above it, as recipes write it; else to where we are.

    A path that leads nowhere comes back as it stands beside the manifest, so that it is told.
    """
    path = Path(name)
    if path.is_absolute():
        return path
    places = [folder, *list(folder.resolve().parents)[:_LEVELS_UP], Path()]
    return next((place / path for place in places if (place / path).is_file()), folder / path)


def command_note(session_id: str, command: str, path: Path, line: int) -> Finding:
    """The note for audio that only running a command would give: a manifest's commands are never run."""
    what = f"audio by the command {shown(command)}, which is never run: run it yourself, and import with its output"
    return Finding("audio-command", what, Severity.WARNING, session_id, str(path), line)


def pairs(path: Path) -> Iterable[tuple[int, str, str]]:
    """Line, first word and the rest of each line of a table."""
    reader = Reader(path)
    for line, record in reader.records():
        fields = record.split(None, 1)
        yield line, fields[0], fields[1].strip() if len(fields) > 1 else ""


def plain(values: Mapping[str, Any], without: Iterable[str]) -> dict[str, str]:
    """The values of an object that are texts or numbers, as metadata."""
    taken = set(without)
    known = {key: value for key, value in values.items() if key not in taken and isinstance(value, str | int | float)}
    return {key: str(value).strip() for key, value in known.items() if str(value).strip()}
