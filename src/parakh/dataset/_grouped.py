"""Files without a manifest, grouped by the recording that they are about.

Annotations say their session_id themselves (or their name does, as their format defines), audio files by their name. Folders
called like a language ("Hindi", "Kannada"), as the challenge has them, say the language.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from parakh import formats, languages
from parakh.audio import AUDIO_SUFFIXES
from parakh.dataset._manifested import PARTS
from parakh.dataset._reading import UNREADABLE, Sheet, read, related
from parakh.errors import InputError
from parakh.formats._response import error_in_head
from parakh.formats._shape import shape
from parakh.formats._text import shown, without_gz
from parakh.qc import Material, Source
from parakh.types import Entry, Finding, Recording, Region, Segment, Severity, Summary, Topics

_VAGUE = {"", ".txt", ".text", ".csv", ".tsv", ".json", ".jsonl", ".xml"}
"""Endings that annotations share with anything else."""
_OURS = '{"schema": "parakh.'
"""How baselines and other files of ours begin, which may lie beside the data."""
_KINDS = {Topics: "topics", Summary: "summary", Region: "uem"}
_OF_MANY = (Topics, Summary, Recording)
"""Items of which a file holds those of many recordings, each with its id."""
_ENDINGS = ("_SPEAKER",)
"""What the challenge's files add to a recording's id."""
_NO_DATA = {"readme", "license", "licence", "changelog", "metadata", "requirements"}

_Key = tuple[str | None, str]
"""Language and session_id."""


@dataclass
class _Pile:
    """What was found of one recording."""

    audio: str | None = None
    recording: Recording | None = None
    parts: dict[str, Source[Any]] = field(default_factory=dict)
    sums: dict[str, str] = field(default_factory=dict)
    trouble: list[Finding] = field(default_factory=list)


def materials(named: Sequence[Path], found: Sequence[Path], roots: Sequence[Path] = ()) -> list[Material]:
    """The recordings that files are about, sorted by id.

    Args:
        named: Files that the user named: each is an annotation or audio.
        found: Files found in folders, of which some may be neither.
        roots: The folders; names of languages above them say nothing.
    """
    audio = [path for path in (*named, *found) if path.suffix.lower() in AUDIO_SUFFIXES]
    sheets = [read(path, None) for path in named if path.suffix.lower() not in AUDIO_SUFFIXES]
    certain = len(sheets)
    sheets += [read(path, None) for path in found if _may_be_annotation(path)]
    known = {path.stem for path in audio} | {one for sheet in sheets if not _is_guess(sheet) for one in sheet.parts}
    desk = _Desk(roots, known)
    for path in audio:
        desk.put_audio(path)
    for place, sheet in enumerate(sheets):
        desk.put(sheet, named=place < certain)
    return desk.materials()


def _may_be_annotation(path: Path) -> bool:
    name = without_gz(path)
    return path.is_dir() or (name.stem.lower() not in _NO_DATA and name.name.lower().endswith(_suffixes()))


@cache
def _suffixes() -> tuple[str, ...]:
    return tuple({suffix for form in formats.all_formats().values() for suffix in form.suffixes if suffix})


def _is_guess(sheet: Sheet) -> bool:
    """Whether the ids of a file may be any words: all text looks like keyed text."""
    return sheet.form is not None and sheet.form.name == "keyed-text"


def _is_table(sheet: Sheet) -> bool:
    """Whether a file is about many recordings, so that its name is none of theirs."""
    return sheet.form is not None and sheet.form.item in _OF_MANY


def _is_text(path: Path) -> bool:
    return without_gz(path).suffix.lower() in {"", ".txt", ".text"}


def _is_annotation(sheet: Sheet) -> bool:
    """Whether a file that does not read is sure to be meant as an annotation: by its ending, or what its text looks like.

    One that the system does not give out may be one, and is told.
    """
    path = Path(sheet.path)
    if without_gz(path).suffix.lower() not in _VAGUE:
        return True
    try:
        head = formats.head(path)
    except InputError as error:
        return sheet.form is not None or isinstance(error.__cause__, OSError)
    return sheet.form is not None and sheet.form.sniff(head, path)


def _is_other_json(sheet: Sheet) -> bool:
    """Whether a file of no format is whole JSON all the same, as programs put beside a recording: no transcript that broke."""
    try:
        head = formats.head(sheet.path)
    except InputError:
        return False
    found = shape(head)
    return sheet.form is None and bool(found.keys) and found.whole and error_in_head(head) is None


class _Desk:
    """Where the files are put in piles.

    Args:
        roots: The folders.
        known: Ids of recordings that audio files and structured annotations name.
    """

    def __init__(self, roots: Sequence[Path], known: Set[str]) -> None:
        self._roots = roots
        self._known = known
        self._piles: dict[_Key, _Pile] = {}
        self._told: list[Finding] = []

    def put_audio(self, path: Path) -> None:
        """Put an audio file to its recording; of copies in two folders the first counts."""
        pile = self._pile(path, path.stem)
        if not path.exists():
            said = "found a link that leads nowhere, expected an audio file"
            pile.trouble.append(Finding(UNREADABLE, said, Severity.ERROR, path.stem, str(path)))
        elif pile.audio is None:
            pile.audio = str(path)
        elif path.stat().st_size != Path(pile.audio).stat().st_size:
            said = f"not looked at: {pile.audio} is taken for the sound of {shown(path.stem)}"
            pile.trouble.append(Finding("second-file", said, Severity.NOTE, path.stem, str(path)))

    def put(self, sheet: Sheet, *, named: bool) -> None:
        """Put each part of an annotation file to its recording, and what is wrong with the file to the first of them."""
        path = Path(sheet.path)
        owner = related(path.name, self._known)
        if owner and (_is_guess(sheet) or sheet.form is None) and not set(sheet.parts) & self._known and _is_text(path):
            sheet = read(path, Segment, formats.get("plain-text"))
        if _is_guess(sheet) and not named and self._known and not set(sheet.parts) & self._known:
            return self._pass_over(sheet)
        if not sheet.is_read and not named and not _is_annotation(sheet):
            if owner is None or _is_other_json(sheet):
                return self._pass_over(sheet)
            sheet = replace(sheet, trouble=tuple(replace(one, severity=Severity.WARNING) for one in sheet.trouble))
        if not sheet.parts and _is_table(sheet) and owner is None and (sheet.is_read or (self._known and not named)):
            self._told += sheet.trouble
            return None  # a table that nobody filled yet, or that does not read
        if not sheet.parts:
            sheet = replace(sheet, parts={owner or path.stem: Source(sheet.path)})
        trouble = list(sheet.trouble)
        for session, source in sheet.parts.items():
            name = self._name(session, sheet, owner)
            pile = self._pile(path, name)
            pile.trouble += [replace(one, session_id=name) for one in trouble] if len(sheet.parts) == 1 else trouble
            trouble.clear()
            if sheet.is_read:
                _add(pile, name, sheet, source)
        return None

    def _name(self, session: str, sheet: Sheet, owner: str | None) -> str:
        """The recording's id: the names of plain texts and the challenge's turns hold more than that."""
        if sheet.form and sheet.form.name == "plain-text":
            return owner or session
        shorter = next((session.removesuffix(end) for end in _ENDINGS if session.endswith(end)), session)
        return shorter if shorter in self._known else session

    def _pass_over(self, sheet: Sheet) -> None:
        said = "not looked at: no format of annotations fits"
        try:
            ours = formats.head(sheet.path).startswith(_OURS)
        except InputError:  # no text
            ours = False
        if not ours:
            self._told.append(Finding("passed-over", said, Severity.NOTE, path=sheet.path))

    def _pile(self, path: Path, session: str) -> _Pile:
        return self._piles.setdefault((self._language(path), session), _Pile())

    def _language(self, path: Path) -> str | None:
        inside = next((path.relative_to(root) for root in self._roots if path.is_relative_to(root)), path)
        return next((tag for part in inside.parts[:-1] if (tag := languages.named(part))), None)

    def materials(self) -> list[Material]:
        """The recordings, those of one language folder with what lies above it."""
        for (language, session), pile in [*self._piles.items()]:
            homes = [key for key in self._piles if key[1] == session and key[0] is not None] if language is None else []
            if len(homes) == 1:
                _join(self._piles[homes[0]], pile)
                del self._piles[None, session]
        made = [_material(key, pile) for key, pile in sorted(self._piles.items(), key=lambda one: (one[0][1], one[0][0] or ""))]
        if made and self._told:
            made[0] = replace(made[0], trouble=(*self._told, *made[0].trouble))
        return made


def _add(pile: _Pile, session: str, sheet: Sheet, source: Source[Any]) -> None:
    """Add a part to a recording; a second one of a kind is not looked at, and said."""
    first = source.items[0] if source.items else None
    if isinstance(first, Recording):
        pile.recording = first
        return
    kind = _kind(sheet, source)
    if kind in pile.parts:
        said = f"not looked at: the {kind} of {shown(session)} is taken from {pile.parts[kind].path}"
        pile.trouble.append(Finding("second-file", said, Severity.NOTE, session, sheet.path))
        return
    pile.parts[kind] = source
    if sheet.sha256 is not None:
        pile.sums[kind] = sheet.sha256


def _kind(sheet: Sheet, source: Source[Any]) -> str:
    item = sheet.form.item if sheet.form else Segment
    if item is not Segment:
        return _KINDS[item]
    if not any(one.words for one in source.items) and (source.items or (sheet.form and sheet.form.name == "rttm")):
        return "rttm"
    path = Path(sheet.path)
    return "native" if "native" in (*path.parts[:-1], *path.stem.lower().replace(".", "_").split("_")) else "transcript"


def _join(pile: _Pile, other: _Pile) -> None:
    pile.audio = pile.audio or other.audio
    pile.recording = pile.recording or other.recording
    pile.parts = {**other.parts, **pile.parts}
    pile.sums = {**other.sums, **pile.sums}
    pile.trouble += other.trouble


def _material(key: _Key, pile: _Pile) -> Material:
    language, session = key
    known = pile.recording or Recording(session)
    recording = replace(known, audio=known.audio or pile.audio, language=known.language or language)
    entry = Entry(recording, {kind: source.path for kind, source in pile.parts.items()})
    parts: dict[str, Any] = {PARTS[kind][0]: source for kind, source in pile.parts.items()}
    return Material(entry, trouble=tuple(pile.trouble), sha256=pile.sums, **parts)
