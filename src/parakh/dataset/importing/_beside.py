"""Folders with an annotation file or several a recording, beside the audio or apart from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from parakh import formats
from parakh.dataset.content import Content
from parakh.dataset.importing._folders import by_stem, ordered, unused, walk
from parakh.dataset.importing._importer import Arrival, Found, Listing, Options
from parakh.dataset.importing._items import of_recording
from parakh.dataset.sound import is_audio
from parakh.errors import Fault, InputError
from parakh.formats._text import shown
from parakh.types import Entry, Finding, Recording, Segment, Severity

_MOST_ENDINGS = 8


def holds(source: Path, suffix: str) -> bool:
    """Whether a folder holds files of a suffix."""
    return source.is_dir() and any(path.suffix.lower() == suffix for path in walk(source))


def find(source: Path, options: Options, suffix: str, form: str) -> Listing:
    """The recordings of a folder of such files.

    The files of one recording are told apart by the endings that the user names, or else by what follows the last ``_``
    of their names, where every recording then has at least two files and there are few endings.
    """
    if not source.is_dir():
        raise InputError(Fault(str(source), "", "a file", f"a folder with {suffix} files"))
    files = walk(source, options.without)
    annotations = [path for path in files if path.suffix.lower() == suffix]
    if not annotations:
        raise InputError(Fault(str(source), "", f"no {suffix} file", f"a folder with {suffix} files"))
    endings = options.suffixes or guessed_endings([path.stem for path in annotations])
    stems, faults = by_stem(annotations)
    groups: dict[str, list[Path]] = {}
    for name, path in stems.items():
        groups.setdefault(_base(name, endings), []).append(path)
    audio, wrong = by_stem([path for path in files if is_audio(path)])
    sounds: dict[str, list[Path]] = {}
    for name, path in audio.items():
        sounds.setdefault(_base(name, endings), []).append(path)
    names = ordered(groups, sounds)
    notes = unused(files, [*annotations, *audio.values()], source)
    found = [Found(name, partial(_read, name, groups.get(name, []), sounds.get(name, []), form, source)) for name in names]
    return Listing(found, len(found), [*faults, *wrong], notes)


def guessed_endings(stems: Sequence[str]) -> tuple[str, ...]:
    """What tells the files of one recording apart: few endings of names, with two files or more a recording.

    >>> guessed_endings(["day1_01_doctor", "day1_01_patient", "day1_02_doctor", "day1_02_patient"])
    ('_doctor', '_patient')
    >>> guessed_endings(["visit_01", "visit_02"])
    ()
    """
    cut = [stem.rpartition("_") for stem in stems]
    endings = sorted({f"_{last}" for base, _, last in cut if base})
    times: dict[str, int] = {}
    for base, _, _ in cut:
        times[base] = times.get(base, 0) + 1
    numbered = any(ending[1:].isdigit() for ending in endings)
    fits = "" not in times and min(times.values(), default=0) > 1 and len(endings) <= _MOST_ENDINGS and not numbered
    return tuple(endings) if fits else ()


def _base(stem: str, endings: Sequence[str]) -> str:
    return next((stem.removesuffix(ending) for ending in endings if stem.endswith(ending) and stem != ending), stem)


def _read(name: str, files: Sequence[Path], sounds: Sequence[Path], form: str, source: Path) -> Arrival:
    faults: list[Fault] = []
    notes: list[Finding] = []
    spoken: dict[Path, tuple[Segment, ...]] = {}
    for path in files:
        try:
            loaded = formats.get(form).read(path)
        except InputError as error:
            faults += error.faults
            continue
        ending = path.stem.removeprefix(name).strip("_-. ")
        spoken[path] = _named(of_recording(loaded.items, name), ending if len(files) > 1 else "", path, notes)
        notes += loaded.findings
    faults += _same_label(spoken)
    if faults:
        raise InputError(faults)
    if len(sounds) > 1:
        what = f"{len(sounds)} audio files: {', '.join(path.name for path in sounds)}; none was taken: mix them first"
        notes.append(Finding("several-audio-files", what, Severity.WARNING, name))
    segments = [segment for own in spoken.values() for segment in own]
    segments.sort(key=lambda one: (one.start_time or 0.0, one.end_time or 0.0))
    content = Content(Entry(Recording(name)), transcript=tuple(segments) if files else None)
    return Arrival(content, files[0] if files else source, sounds[0] if len(sounds) == 1 else None, notes)


def _named(segments: Sequence[Segment], ending: str, path: Path, notes: list[Finding]) -> tuple[Segment, ...]:
    """Segments under the name of their file's ending, where it is one speaker's: every such tier may be called alike."""
    labels = {one.speaker for one in segments}
    if not ending or len(labels) != 1:
        return tuple(segments)
    label = labels.pop()
    if (label or "").casefold() != ending.casefold():
        what = f"speaker {shown(label)} is called {shown(ending)}, as the file"
        notes.append(Finding("renamed-speaker", what, Severity.NOTE, segments[0].session_id, str(path)))
    return tuple(replace(one, speaker=ending) for one in segments)


def _same_label(spoken: Mapping[Path, Sequence[Segment]]) -> list[Fault]:
    """Files of one recording in which the same label speaks: two people would become one."""
    owner: dict[str | None, Path] = {}
    faults = []
    for path, segments in spoken.items():
        for label in sorted({one.speaker or "" for one in segments}):
            first = owner.setdefault(label, path)
            if first != path:
                expected = f"a label that {first.name} does not have too"
                faults.append(Fault(str(path), "speaker", shown(label), expected, "Name the tiers after their speakers."))
    return faults
