"""Audio files of a data set as files: what their headers say, their checksums, and where they are put."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from parakh.audio import AUDIO_SUFFIXES
from parakh.audio.facts import Header
from parakh.audio.header import read_header
from parakh.errors import Fault, InputError, MissingPackageError
from parakh.files import write_atomic

MODES = ("link", "copy", "refer", "none")
"""What an import may do with audio: a symbolic link in the data set, a copy, a path that leads out of it, or nothing."""

_CHUNK = 1 << 20


@dataclass(frozen=True)
class Embedded:
    """Audio inside another file.

    Args:
        name: A file name for it, for the suffix.
        read: Gives its bytes.
    """

    name: str
    read: Callable[[], bytes]


def is_audio(path: Path) -> bool:
    """Whether a file is taken for a recording, by its suffix.

    >>> is_audio(Path("visit01.WAV")), is_audio(Path("visit01.txt"))
    (True, False)
    """
    return path.suffix.lower() in AUDIO_SUFFIXES


def place(sound: Path | Embedded, mode: str, target: Path) -> Path:
    """Put audio where a data set wants it; the caller forces a copy to the disk.

    Args:
        sound: The file, or audio inside another file.
        mode: One of ``MODES`` except "none".
        target: Where to, without suffix; "refer" leaves the file where it is.

    Returns:
        Where it is.

    Raises:
        InputError: There is no such file, it is empty, or audio inside another file is to be linked.
    """
    name = Path(sound.name if isinstance(sound, Embedded) else sound)
    path = target.with_name(target.name + name.suffix)
    if isinstance(sound, Embedded):
        if mode != "copy":
            expected = "copy or none: this audio is inside another file"
            raise InputError(Fault("--audio", "", repr(mode), expected))
        write_atomic(path, sound.read())
        return path
    _check(sound)
    if mode == "refer":
        return sound
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    if mode == "link":
        path.symlink_to(os.path.realpath(sound))
    else:
        _copy(sound, path)
    return path


def _check(path: Path) -> None:
    if not path.is_file():
        found = "a folder" if path.is_dir() else "no such file"
        raise InputError(Fault(str(path), "audio", found, "an audio file", "Restore it, or import with --audio none."))
    if not path.stat().st_size:
        raise InputError(Fault(str(path), "audio", "an empty file", "a recording with sound in it"))


def _copy(source: Path, target: Path) -> None:
    try:
        with source.open("rb") as file, target.open("wb") as out:
            shutil.copyfileobj(file, out, _CHUNK)
    except OSError as error:
        raise InputError(Fault(str(source), "audio", str(error.strerror), "a file that can be copied")) from error


def duration(path: Path) -> float | None:
    """Seconds of an audio file as its header says; None where that cannot be told here."""
    found = header(path)
    return found.duration if found and found.duration else None


def header(path: Path) -> Header | None:
    """What an audio file says of itself, without decoding it; None where that cannot be told here."""
    try:
        return read_header(path)
    except (InputError, MissingPackageError):
        return None
