"""From what the user names to what checks see: data sets, the challenge's folders, plain folders and single files.

A file that does not read stops nothing: it becomes trouble of its recording. Only a path that is not there, a manifest that
does not read and settings that do not read end the work, with all their faults at once.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from parakh.collection import uncollected
from parakh.dataset import _grouped, manifest
from parakh.dataset._folder import files_in
from parakh.dataset._manifested import Shelf
from parakh.dataset.config import CONFIG, Config, read_config
from parakh.dataset.manifest import Dataset
from parakh.errors import Fault, InputError
from parakh.files import relative
from parakh.qc import Material, Whole


@dataclass(frozen=True)
class Gathered:
    """What there is to check, read but for the sound.

    Args:
        whole: The recordings and their folder.
        config: The settings.
        config_path: Where the settings stand; "" for none.
    """

    whole: Whole
    config: Config = field(default_factory=Config)
    config_path: str = ""


def gather(paths: Sequence[str | Path], config: str | Path | None = None) -> Gathered:
    """Read all that the paths hold.

    Args:
        paths: Each a data set's folder (or its ``recordings.jsonl``), any folder of annotations and audio, or a file.
        config: A ``parakh.toml`` instead of the one that lies in the folder.

    Raises:
        InputError: A path is not there, nothing to check is found, or a manifest or the settings do not read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "v1.rttm").write_text("SPEAKER v1 1 0 2 <NA> <NA> a <NA> <NA>")
    ...     [one.session_id for one in gather([folder]).whole.materials]
    ['v1']
    """
    given = [_folder_of(Path(path)) for path in paths]
    faults = [
        Fault(str(path), "", "no such file or folder", "a path that exists", "Check it.") for path in given if not path.exists()
    ]
    if faults or not given:
        raise InputError(faults or Fault("PATH", "", "none", "a data set, folder or file"))
    with uncollected():
        return _gathered(given, config)


def _gathered(given: Sequence[Path], config: str | Path | None) -> Gathered:
    """What the paths hold, all of which are there."""
    sets = {path: manifest.load(path) for path in given if path.is_dir() and manifest.is_dataset(path)}
    folders = [path for path in given if path.is_dir() and path not in sets]
    materials = [one for found in sets.values() for one in _of_dataset(found)]
    named = [path for path in given if path.is_file()]
    materials += _grouped.materials(named, [file for folder in folders for file in files_in(folder)], folders)
    if not materials:
        action = "Bring them in with `parakh dataset import`." if sets else ""
        found = {path: "no recording" if sets else _nothing_in(path) for path in given}
        raise InputError(Fault(str(path), "", what, "recordings to check", action) for path, what in found.items())
    settings, source = _settings(given, config)
    one = given[0] if len(given) == 1 and given[0].is_dir() else None
    files = _files(one, materials) if one else ()
    compared = one is not None and one in sets and _names_files(sets[one])
    whole = Whole(materials, str(one) if one else "", settings.licence, files, compared)
    return Gathered(whole, settings, source)


def _nothing_in(path: Path) -> str:
    names = [one.name for one in files_in(path)] if path.is_dir() else []
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"no recording in {', '.join(names[:3])}{more}" if names else "no recording"


def _of_dataset(found: Dataset) -> list[Material]:
    """The recordings of a manifest; where it names no annotations, those in its folder that are about them."""
    shelf = Shelf(found)
    if _names_files(found):
        return [shelf.material(entry) for entry in found.entries]
    files = [path for path in files_in(found.folder) if found.entries or path != found.folder / manifest.RECORDINGS]
    made = {one.session_id: one for one in _grouped.materials([], files, [found.folder])}
    for entry in found.entries:
        own = made[entry.session_id]
        made[entry.session_id] = replace(own, entry=replace(entry, files=own.entry.files), **shelf.described(entry))
    return list(made.values())


def _names_files(found: Dataset) -> bool:
    return any(entry.files for entry in found.entries)


def _folder_of(path: Path) -> Path:
    """A manifest stands for its folder."""
    return path.parent if path.name == manifest.RECORDINGS and path.is_file() else path


def _settings(given: Sequence[Path], config: str | Path | None) -> tuple[Config, str]:
    """The settings named, or those of the one folder that has any."""
    if config is not None:
        return read_config(Path(config)), str(config)
    found = [path / CONFIG for path in given if (path / CONFIG).is_file()]
    if len(found) > 1:
        said = ", ".join(map(str, found))
        raise InputError(Fault("--config", "", f"several settings: {said}", "one", "Say which, or check one folder at a time."))
    return (read_config(found[0]), str(found[0])) if found else (Config(), "")


def _files(folder: Path, materials: Sequence[Material]) -> tuple[str, ...]:
    """Files relative to the folder, sorted: those in it, and those outside that belong to a recording and are there."""
    inside = {path.relative_to(folder).as_posix() for path in files_in(folder) if path.exists()}
    named = {path for one in materials for path in (one.entry.recording.audio, *one.entry.files.values()) if path}
    there = {relative(path, folder) for path in named if os.path.exists(path)}
    return tuple(sorted(inside | there))
