"""What is in a folder: files without what systems leave behind, grouped by what they are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from parakh.dataset._folder import is_junk, tree
from parakh.errors import Fault, counted
from parakh.formats._text import shown
from parakh.types import Finding, Severity

OWN = {"LOSSES.txt", "CHECKSUMS.sha256"}
"""What an export writes beside the data."""


def walk(folder: Path, without: Path | None = None) -> list[Path]:
    """Every file below a folder, sorted; hidden files, system files and the folder ``without`` are passed over.

    Folders that are symbolic links are followed, each place once. A link that leads nowhere is named, so that what wants it
    finds out.

    Raises:
        InputError: A folder cannot be read.
    """
    left_out = without.resolve() if without else None
    found: list[Path] = []
    seen: set[str] = set()
    for place, folders, names in tree(folder):
        real = os.path.realpath(place)
        if real in seen or (left_out is not None and real == str(left_out)):
            folders.clear()
            continue
        seen.add(real)
        folders[:] = sorted(name for name in folders if not is_junk(name))
        found += [Path(place, name) for name in names if not is_junk(name) and name not in OWN]
    return sorted(path for path in found if path.is_file() or path.is_symlink())


def unused(files: Iterable[Path], used: Iterable[Path], root: Path) -> list[Finding]:
    """One note that names the files of a source that an import makes nothing of."""
    taken = set(used)
    left = [path.relative_to(root).as_posix() for path in files if path not in taken]
    if not left:
        return []
    names = ", ".join(left[:10]) + (f" and {len(left) - 10} more" if len(left) > 10 else "")
    return [Finding("unused-files", f"{counted(len(left), 'file')} not imported: {names}", Severity.NOTE, path=str(root))]


def left_out(faults: Iterable[Fault]) -> list[Finding]:
    """A note for each file that is left out for its faults though it may be about recordings that are not."""
    said = "this file is left out, whatever recording it is about"
    return [Finding("file-left-out", said, Severity.WARNING, path=path) for path in dict.fromkeys(one.path for one in faults)]


def by_stem(files: Iterable[Path], endings: Sequence[str] = ()) -> tuple[dict[str, Path], list[Fault]]:
    """Files by their names without suffix and without the first of the endings that fits; a name that comes twice is a fault."""
    found: dict[str, Path] = {}
    faults = []
    for path in files:
        name = stem(path, endings)
        if name in found:
            expected = f"one file of that name ({found[name]} has it too)"
            faults.append(Fault(str(path), "session_id", shown(name), expected, "Rename one of the two."))
        found.setdefault(name, path)
    return found, faults


def stem(path: Path, endings: Sequence[str] = ()) -> str:
    """The name of a file without its suffix and without the first of the endings that fits.

    >>> stem(Path("rttm/v1_SPEAKER.rttm"), ["_SPEAKER"])
    'v1'
    """
    for ending in endings:
        if path.stem.endswith(ending) and path.stem != ending:
            return path.stem.removesuffix(ending)
    return path.stem


def ordered(*groups: Mapping[str, object] | Iterable[str]) -> list[str]:
    """Every name of several groups, sorted, each once."""
    return sorted({name for group in groups for name in group})
