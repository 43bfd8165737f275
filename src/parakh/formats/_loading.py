"""From what the user names (files, folders, patterns) to items: find the files, tell their format, read, join."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar

from parakh.errors import Fault, InputError, counted, printable
from parakh.files import hold_pipes, read_text
from parakh.formats._format import Format, all_formats, get
from parakh.formats._guess import keyed_guesses, say_which, undecided
from parakh.formats._text import FILE_NAME, is_file_name, shown, without_gz
from parakh.types import Finding, Loaded, Recording, Region, Segment, Severity, Summary, Topics

Item = TypeVar("Item", Segment, Region, Topics, Summary, Recording)

_HEAD = 65536
"""Bytes of a file by which its format is told."""
JUNK = {"__MACOSX", "Thumbs.db", "desktop.ini", "LOSSES.txt"}
"""What systems leave in a folder, and what an export writes beside the data for people."""


def detect(path: str | Path, item: type | None = None) -> Format:
    """The format of a file, by its content, and by its suffix where the content leaves several or none.

    A pipe is used up by it, but not within ``load``.

    Args:
        path: The file.
        item: Consider only formats whose items have this type; None considers all.

    Returns:
        The one format that fits.

    Raises:
        InputError: The file cannot be read, or no format or several fit; what was tried is listed.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "turns"
    ...     _ = path.write_text("SPEAKER v1 1 0 2 <NA> <NA> asha <NA> <NA>")
    ...     detect(path).name
    'rttm'
    """
    file = Path(path)
    if file.is_dir() and (whole := _folder_format(file, _candidates(item))):
        return whole
    text, tried = _head(file, [form for form in _candidates(item) if not form.folder])
    name = without_gz(file)
    fitting = [form for form in tried if form.sniff(text, name)]
    if len(fitting) != 1:
        fitting = _by_suffix(file, fitting or tried)
    if len(fitting) == 1:
        return fitting[0]
    raise InputError(undecided(file, text, item, fitting, tried))


def head(path: str | Path) -> str:
    """The text that a file begins with, as far as formats are told by it: the first 64 KiB.

    Raises:
        InputError: It cannot be read.
    """
    return read_text(path, _HEAD)


def _head(file: Path, forms: list[Format]) -> tuple[str, list[Format]]:
    """How a file begins, and the formats that its encoding leaves open."""
    try:
        return head(file), forms
    except InputError:
        wide = [form for form in forms if form.utf16]
        text = read_text(file, _HEAD, utf16=bool(wide))
        if not any(form.sniff(text, without_gz(file)) for form in wide):
            raise
        return text, wide


def load(
    paths: str | Path | Sequence[str | Path],
    item: type[Item],
    format: str | None = None,
    strip_suffixes: Sequence[str] = (),
) -> Loaded[Item]:
    """Everything of one kind from files, folders and patterns.

    A folder stands for its files (not its subfolders') of a readable format; system files (``.DS_Store``, ``._*``,
    ``Thumbs.db``, ``__MACOSX``) are passed over. A file named twice counts once. A pipe is read once.

    Untimed text whose format is found out may be keyed text or not: several files, one of them a single line that
    does not start with the file's name, are refused.

    Args:
        paths: One path or several; each a file, a folder, a pattern with ``*``, ``?`` or ``[``, or ``-`` for standard input.
        item: What to read: ``Segment``, ``Region``, ``Topics``, ``Summary`` or ``Recording``.
        format: Name of the format; None finds out for each file.
        strip_suffixes: Endings to take off session ids ("_SPEAKER", ".Mix-Headset"); the first that fits, once.
            Nothing else ever renames a recording.

    Returns:
        The items of all files, files in the order given (a folder's and a pattern's by name), with the findings of the
        readers; further ``other-files``, ``guessed-keyed-text`` and, for segments with times, ``session-in-several-files``.

    Raises:
        InputError: All faults of all files; nothing there to read; or a recording whose regions, topics, summary or
            untimed text come from two files.
        UnknownNameError: There is no such format.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = (Path(folder) / "a.uem").write_text("v1_SPEAKER 1 0 9")
    ...     load(folder, Region, strip_suffixes=["_SPEAKER"]).items
    (Region(session_id='v1', start_time=0.0, end_time=9.0),)
    """
    named = None if format is None else _named(format, item)
    given = [paths] if isinstance(paths, str | Path) else list(paths)
    if not given or "" in given:
        raise InputError(Fault("paths", "", "no path" if not given else "an empty path", "a file, folder or pattern"))
    with hold_pipes():
        return _load(given, item, named, strip_suffixes)


def _load(given: Sequence[str | Path], item: type[Item], named: Format | None, strip_suffixes: Sequence[str]) -> Loaded[Item]:
    faults: list[Fault] = []
    findings: list[Finding] = []
    files: dict[str, tuple[Path, Format]] = {}
    for one in given:
        try:
            for file, form in _files(Path("/dev/stdin" if str(one) == "-" else one), item, named, findings):
                files.setdefault(os.path.realpath(file), (file, form))
        except InputError as error:
            faults.extend(error.faults)
        except OSError as error:
            faults.append(Fault(str(one), "", str(error.strerror), "a readable file or folder", "Check the path."))
    loaded: dict[Path, list[Item]] = {}
    guessed: dict[Path, Sequence[Segment]] = {}
    more = 0
    for file, form in files.values():
        try:
            _check_name(file)
            result = form.read(file)
        except InputError as error:
            faults.extend(error.faults)
            more += error.more
        else:
            loaded[file] = renamed(result.items, strip_suffixes)
            findings.extend(result.findings)
            if named is None and form.name == "keyed-text":
                guessed[file] = result.items
    faults.extend(
        keyed_guesses(guessed, findings) or _clashes(loaded, {file: form.name for file, form in files.values()}, findings)
    )
    if faults:
        raise InputError(faults, more)
    return Loaded(tuple(chain.from_iterable(loaded.values())), tuple(findings))


def write_each(items: Sequence[Any], folder: str | Path, format: str) -> list[Path]:
    """Write one file a recording, named after its session id as the format's users expect.

    Args:
        items: Items of the format's type; those of one recording go to one file, in the order given.
        folder: Where to; it is made if need be.
        format: Name of the format.

    Returns:
        The files written, in order of their recordings' first item.

    Raises:
        InputError: A session id cannot be a file name, or the format cannot hold an item.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [path.name for path in write_each([Topics("v1", ("fever",))], folder, "topics-txt")]
    ['v1_Topic_pred.txt']
    """
    form = get(format)
    sessions: dict[str, list[Any]] = {}
    for item in items:
        sessions.setdefault(item.session_id, []).append(item)
    bad = [name for name in sessions if not is_file_name(name)]
    if bad:
        raise InputError(Fault(str(folder), "session_id", shown(name), FILE_NAME, "Rename the recording.") for name in bad)
    written = [Path(folder) / f"{name}{form.ending or form.suffixes[0]}" for name in sessions]
    for path, own in zip(written, sessions.values(), strict=True):
        form.write(own, path)
    return written


def _candidates(item: type | None) -> list[Format]:
    return [form for form in all_formats().values() if item is None or form.item is item]


def _named(name: str, item: type) -> Format:
    form = get(name)
    if form.item is not item:
        fitting = ", ".join(one.name for one in _candidates(item))
        raise InputError(Fault("format", "", shown(name), f"a format of {item.__name__} items: {fitting}"))
    return form


def _by_suffix(path: Path, forms: Sequence[Format]) -> list[Format]:
    """The formats with the longest suffix that the file's name, packed or not, ends in."""
    names = path.name.lower(), without_gz(path).name.lower()
    fits = {
        form.name: max((len(end) for end in form.suffixes for name in names if name.endswith(end)), default=0) for form in forms
    }
    longest = max(fits.values(), default=0)
    return [form for form in forms if longest and fits[form.name] == longest]


def _files(path: Path, item: type, named: Format | None, findings: list[Finding]) -> list[tuple[Path, Format]]:
    """The files that one argument stands for, each with its format."""
    if path.is_dir():
        whole = _folder_format(path, [named] if named else _candidates(item))
        return [(path, whole)] if whole else _folder(path, item, named, findings)
    if path.exists() or not glob.has_magic(str(path)):
        return _detected([path], item, named)
    matches = [Path(match) for match in sorted(glob.glob(str(path), recursive=True))]
    files = [match for match in matches if match.is_file() and not _is_junk(match)]
    if not files:
        raise InputError(Fault(str(path), "", "no file that matches", "a pattern that matches", "Check the pattern."))
    return _detected(files, item, named)


def _folder_format(path: Path, forms: Sequence[Format]) -> Format | None:
    """The format of which a folder is one item and not a collection of files."""
    return next((form for form in forms if form.folder and form.sniff("", path)), None)


def _detected(files: Sequence[Path], item: type, named: Format | None) -> list[tuple[Path, Format]]:
    """Each file with its format; the faults of all that have none come together."""
    found: list[tuple[Path, Format]] = []
    faults: list[Fault] = []
    for file in files:
        try:
            found.append((file, named or detect(file, item)))
        except InputError as error:
            faults.extend(error.faults)
    if faults:
        raise InputError(faults)
    return found


def _folder(folder: Path, item: type, named: Format | None, findings: list[Finding]) -> list[tuple[Path, Format]]:
    entries = sorted(entry for entry in folder.iterdir() if not _is_junk(entry))
    forms = [named] if named else [form for form in _candidates(item) if not form.folder]
    files = [entry for entry in entries if entry.is_file() and _by_suffix(entry, forms) and (named or not _is_other(entry, item))]
    usable = set(files)
    other = [entry.name + "/" * entry.is_dir() for entry in entries if entry not in usable]
    if not files:
        suffixes = ", ".join(dict.fromkeys(suffix for form in forms for suffix in form.suffixes))
        raise InputError(Fault(str(folder), "", _listed(other), f"files ending in {suffixes}", "Name the files instead."))
    chosen = _detected(files, item, named)
    by_format: dict[str, list[str]] = {}
    for file, form in chosen:
        by_format.setdefault(form.name, []).append(file.name)
    if len(by_format) > 1:
        found = "; ".join(f"{name} ({_listed(own)})" for name, own in by_format.items())
        raise InputError(Fault(str(folder), "", f"files of several formats: {found}", "one format", say_which(item)))
    if other:
        verb = "was" if len(other) == 1 else "were"
        what = f"{counted(len(other), 'other entry', 'other entries')} {verb} passed over: {_listed(other)}"
        findings.append(Finding("other-files", what, Severity.NOTE, path=str(folder)))
    return chosen


def _is_other(file: Path, item: type) -> bool:
    """Whether a file of a folder looks like items of another kind alone, as a manifest beside transcripts does."""
    try:
        text = head(file)
    except InputError:
        return False
    kinds = {form.item for form in _candidates(None) if not form.folder and form.sniff(text, without_gz(file))}
    return bool(kinds) and item not in kinds


def _check_name(file: Path) -> None:
    if printable(str(file)) != str(file):
        raise InputError(Fault(str(file), "", "a control character in the name", "a printable name", "Rename the file."))


def _is_junk(path: Path) -> bool:
    return path.name.startswith(".") or bool(JUNK & set(path.parts))


def _listed(names: Sequence[str]) -> str:
    shown_names = ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")
    return printable(shown_names) or "nothing"


def renamed(items: Sequence[Item], suffixes: Sequence[str]) -> list[Item]:
    """Items whose session ids lost an ending: the first that fits, once; never the whole id.

    >>> renamed([Topics("v1_SPEAKER"), Topics("v2")], ["_SPEAKER"])
    [Topics(session_id='v1', topics=()), Topics(session_id='v2', topics=())]
    """
    return [_renamed(one, suffixes) for one in items] if suffixes else list(items)


def _renamed(item: Item, suffixes: Sequence[str]) -> Item:
    for suffix in suffixes:
        if suffix and item.session_id.endswith(suffix) and item.session_id != suffix:
            return replace(item, session_id=item.session_id.removesuffix(suffix))
    return item


def _clashes(loaded: dict[Path, list[Item]], forms: dict[Path, str], findings: list[Finding]) -> Iterable[Fault]:
    """Recordings that come from several files: a finding for segments with times, else a fault."""
    if len(loaded) < 2:
        return
    owner: dict[str, Path] = {}
    told: set[str] = set()
    for file, items in loaded.items():
        for session, timed in {item.session_id: _adds(item) for item in items}.items():
            first = owner.setdefault(session, file)
            if first == file:
                continue
            if not timed:
                expected = f"each recording in one file ({first} has it too)"
                yield Fault(str(file), "session_id", shown(session), expected, "Give only one of the files.")
            elif session not in told:
                told.add(session)
                what = f"recording {shown(session)} is also in {first}; the segments were joined"
                if forms[file] != forms[first]:
                    what += f", though one is {forms[first]} and the other {forms[file]}: give one of them if both hold the same"
                findings.append(Finding("session-in-several-files", what, session_id=session, path=str(file)))


def _adds(item: object) -> bool:
    return isinstance(item, Segment) and item.start_time is not None
