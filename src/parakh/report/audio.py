"""The sound of the recordings: kept inside the page so that it needs no other file, or left where it is and linked.

A file belongs to the recording whose id is its name without the ending. Files are taken in the order given up to a limit; what is
left out is told.
"""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from parakh.errors import Fault, InputError, counted
from parakh.markup import Html, tag

LIMIT = 30_000_000
"""Bytes of audio files that a page holds; in the page they take a third more."""
TYPES = {
    ".wav": "audio/wav",
    ".flac": "audio/flac",
    ".mp3": "audio/mpeg",
    ".m4a": "audio/mp4",
    ".aac": "audio/aac",
    ".ogg": "audio/ogg",
    ".oga": "audio/ogg",
    ".opus": "audio/ogg",
    ".webm": "audio/webm",
}


@dataclass(frozen=True)
class Sound:
    """What can be heard on a page.

    Args:
        blocks: Elements that hold the files or say where they are, one a recording.
        ids: The recordings that they belong to.
        left_out: Recordings whose files would have made the page too large.
        linked: Whether the files lie beside the page instead of in it.
    """

    blocks: tuple[Html, ...] = ()
    ids: tuple[str, ...] = ()
    left_out: int = 0
    linked: bool = False


def embedded(audio: Sequence[str], ids: Sequence[str], limit: int = LIMIT) -> Sound:
    """The audio files of recordings as parts of a page.

    Args:
        audio: Files and folders.
        ids: Recordings, the most wanted first.
        limit: Bytes of files that are taken.

    Returns:
        What can be heard; of several files of one recording the first by path is taken.

    Raises:
        InputError: A path does not exist or cannot be read.

    >>> embedded([], ["v1"]).ids
    ()
    """
    files = _files(audio, ids)
    blocks: dict[str, Html] = {}
    left, left_out = limit, 0
    for name in ids:
        path = files.get(name)
        if path is None:
            continue
        if (size := path.stat().st_size) > left:
            left_out += 1
            continue
        left -= size
        blocks[name] = _block(name, path)
    return Sound(tuple(blocks.values()), tuple(blocks), left_out)


def linked(audio: Sequence[str], ids: Sequence[str], folder: Path) -> Sound:
    """The audio files of recordings by their addresses relative to the page, which play while they lie where they lie now.

    Args:
        audio: Files and folders.
        ids: Recordings.
        folder: Where the page lies.

    Raises:
        InputError: A path does not exist, or none is of a recording.

    >>> linked([], ["v1"], Path()).linked
    True
    """
    files = _files(audio, ids)
    blocks = {name: _link(name, files[name], folder) for name in ids if name in files}
    return Sound(tuple(blocks.values()), tuple(blocks), linked=True)


def _link(name: str, path: Path, folder: Path) -> Html:
    address = quote(Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix())
    return tag("script", {"type": "text/plain", "class": "sound", "data-rec": name, "data-src": address})


def _files(audio: Sequence[str], ids: Sequence[str]) -> dict[str, Path]:
    """The file of each name; refused where there are files and none is of a recording."""
    files = _named(audio)
    if audio and not files.keys() & set(ids):
        expected = f"files named after recordings, as {ids[0] if ids else 'v1'}.wav"
        raise InputError(Fault("--audio", "", f"{counted(len(files), 'file')} and none of a recording", expected))
    return files


def _named(audio: Sequence[str]) -> dict[str, Path]:
    found: dict[str, Path] = {}
    for given in map(Path, audio):
        if not given.exists():
            raise InputError(Fault("--audio", "", f"no file or folder {str(given)!r}", "audio files or folders"))
        for path in sorted(given.rglob("*")) if given.is_dir() else [given]:
            if path.suffix.lower() in TYPES and path.is_file():
                found.setdefault(path.stem, path)
    return found


def _block(name: str, path: Path) -> Html:
    try:
        data = base64.b64encode(path.read_bytes()).decode()
    except OSError as error:
        raise InputError(Fault(str(path), "", error.strerror or "cannot be read", "a readable audio file")) from error
    kind = TYPES[path.suffix.lower()]
    return tag("script", {"type": "text/plain", "class": "sound", "data-rec": name, "data-type": kind}, Html(data))
