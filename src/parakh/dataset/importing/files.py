"""Any folder with recordings and files of formats that are read here: the general case.

A recording is an audio file; its id is the file's name without suffix. Annotations belong to the recording whose id they
carry, which is in the file or, for formats without ids, in its name; the endings of ``--suffix`` and ``_SPEAKER`` are
taken off. What a file is for follows from its format and content: turns without words are turns, a transcript below a
folder ``native`` or in a file ``ID_native.*`` is the second form, UEM, topics, summaries and a manifest of recordings are
themselves. Two transcripts of one recording are a fault, as nothing says which one holds. A file of no format is named in
the report; one whose suffix or content says what it is and that does not read is a fault.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from parakh import formats
from parakh.dataset.content import Content
from parakh.dataset.importing._folders import by_stem, left_out, ordered, unused, walk
from parakh.dataset.importing._importer import GENERAL, Arrival, Found, Importer, Listing, Options
from parakh.dataset.sound import is_audio
from parakh.errors import Fault, InputError
from parakh.types import Entry, Finding, Recording, Region, Segment, Summary, Topics

NATIVE = "_native"
_ENDINGS = ("_SPEAKER",)
_PROSE = {"readme", "license", "licence", "changelog", "citation", "notice", "requirements"}
_AMBIGUOUS = {".txt", ".json", ".csv", ".jsonl", ".tsv", ".text"}
_ONE = {Topics: "topics", Summary: "summary"}


@dataclass
class _Gathered:
    """All that the files of a folder hold, by recording, and where it stands."""

    items: dict[str, dict[str, list[Any]]] = field(default_factory=dict)
    places: dict[tuple[str, str], Path] = field(default_factory=dict)
    faulty: dict[str, list[Fault]] = field(default_factory=dict)
    notes: dict[str, list[Finding]] = field(default_factory=dict)
    used: list[Path] = field(default_factory=list)

    def add(self, path: Path, role: str, items: list[Any]) -> None:
        """Note the items of a file; a recording has each role in one file, but turns and regions in any number."""
        for item in items:
            first = self.places.setdefault((item.session_id, role), path)
            if first != path and role not in ("rttm", "uem"):
                expected = f"one {role} of {item.session_id} ({first} is one too)"
                fault = Fault(
                    str(path), "", f"a second {role}", expected, f"Take one away, or name it {item.session_id}{NATIVE}.*"
                )
                if fault not in self.faulty.setdefault(item.session_id, []):
                    self.faulty[item.session_id].append(fault)
            else:
                self.items.setdefault(item.session_id, {}).setdefault(role, []).append(item)


def fits(source: Path) -> bool:
    """Whether a folder holds a recording anywhere."""
    return source.is_dir() and any(is_audio(path) for path in walk(source))


def find(source: Path, options: Options) -> Listing:
    """Every audio file and every recording that an annotation names, by id."""
    if not source.is_dir():
        raise InputError(Fault(str(source), "", "a file", "a folder with recordings and their annotations"))
    files = walk(source, options.without)
    audio, faults = by_stem([path for path in files if is_audio(path)])
    endings = (*options.suffixes, *_ENDINGS)
    gathered = _Gathered(used=list(audio.values()))
    for path in files:
        if not is_audio(path):
            _take(path, endings, gathered)
    alone = [gathered.faulty.pop(name) for name in ordered(gathered.faulty) if name not in audio and name not in gathered.items]
    wrong = [fault for own in alone for fault in own]
    names = ordered(audio, gathered.items, gathered.faulty)
    return Listing(
        (Found(name, partial(_read, name, audio.get(name), gathered, source)) for name in names),
        len(names),
        [*faults, *wrong],
        [*unused(files, gathered.used, source), *left_out(wrong)],
    )


def _take(path: Path, endings: tuple[str, ...], gathered: _Gathered) -> None:
    """Read one file into what is gathered, where it is of a format."""
    if path.stem.lower() in _PROSE:
        return
    try:
        form = _form(path)
        if form is None:
            return
        loaded = formats.load(path, form.item, form.name, endings)
    except InputError as error:
        _blame(path, error, endings, gathered)
        return
    gathered.used.append(path)
    for session in {item.session_id for item in loaded.items}:
        gathered.notes.setdefault(session, []).extend(loaded.findings)
    for role, items in _roles(path, list(loaded.items)):
        gathered.add(path, role, items)


def _form(path: Path) -> formats.Format | None:
    """The format of a file; None where nothing says that it is an annotation: neither its content nor a suffix of one format.

    Raises:
        InputError: The suffix says so, and the file cannot be told to be of a format.
    """
    suffix = path.suffix.lower()
    known = {ending for form in formats.all_formats().values() for ending in form.suffixes}
    if suffix not in known:
        return None
    if suffix not in _AMBIGUOUS:
        return formats.detect(path)
    try:
        form = formats.detect(path)
        return form if form.sniff(formats.head(path), path) else None
    except InputError:
        return None


def _blame(path: Path, error: InputError, endings: tuple[str, ...], gathered: _Gathered) -> None:
    name = path.stem.removesuffix(NATIVE)
    for ending in endings:
        name = name.removesuffix(ending) or name
    gathered.used.append(path)
    gathered.faulty.setdefault(name, []).extend(error.faults)


def _roles(path: Path, items: list[Any]) -> Iterator[tuple[str, list[Any]]]:
    """What the items of a file are for."""
    if not items:
        return
    first = items[0]
    if isinstance(first, Segment):
        native = path.stem.endswith(NATIVE) or "native" in path.parent.name.lower()
        spoken = any(item.words for item in items) or items[0].start_time is None
        own = [replace(item, session_id=item.session_id.removesuffix(NATIVE)) for item in items]
        yield ("native" if native else "transcript") if spoken else "rttm", own
    elif isinstance(first, Region):
        yield "uem", items
    elif isinstance(first, Recording):
        yield "recording", items
    else:
        yield _ONE[type(first)], items


def _read(name: str, audio: Path | None, gathered: _Gathered, source: Path) -> Arrival:
    if name in gathered.faulty:
        raise InputError(gathered.faulty[name])
    own = gathered.items.get(name, {})

    def several(role: str) -> tuple[Any, ...] | None:
        return tuple(own[role]) if role in own else None

    recording: Recording = own.get("recording", [Recording(name)])[0]
    sound = audio or (Path(recording.audio) if recording.audio else None)
    metadata = {key: value for key, value in recording.metadata.items() if key not in ("split", "files", "sha256")}
    content = Content(
        Entry(replace(recording, audio=None, metadata=metadata), split=recording.metadata.get("split")),
        several("rttm"),
        several("transcript"),
        several("native"),
        several("uem"),
        own["topics"][0] if "topics" in own else None,
        own["summary"][0] if "summary" in own else None,
    )
    path = next((gathered.places[name, role] for role in ("transcript", "rttm") if (name, role) in gathered.places), source)
    return Arrival(content, path, sound, gathered.notes.get(name, []))


IMPORTER = Importer(
    name=GENERAL,
    title="Any folder of recordings with annotations in formats that are read here",
    fits=fits,
    find=find,
    loses="Files of no format that is read here, which are named in the report.",
)
