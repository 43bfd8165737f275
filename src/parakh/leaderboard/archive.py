"""Unpacking what strangers send: a zip, a tar packed with gzip, or a single file. Nothing in it is believed.

Names are checked before their files are written; contents are counted as they come, whatever the archive says of them; a piece of
64 KiB is held at a time. What systems leave behind (``__MACOSX``, ``.DS_Store``, ``Thumbs.db``) is passed over.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from unicodedata import category, normalize

from parakh.errors import Fault, InputError, counted, printable
from parakh.formats._loading import JUNK
from parakh.formats._text import shown

PIECE = 1 << 16
"""Bytes held at a time."""
_RATIO_FROM = 1 << 20
"""Bytes from which on it is looked at how far a content was packed: small ones may repeat themselves."""
_LONGEST = 200
"""Characters of a part of a name; file systems take 255 bytes, and a letter of an Indic script is three."""
_DEEPEST = 20
_NESTED = {
    b"PK\x03\x04": "a zip archive",
    b"PK\x05\x06": "a zip archive",
    b"\x1f\x8b": "a file packed with gzip",
    b"BZh": "a file packed with bzip2",
    b"\xfd7zXZ\x00": "a file packed with xz",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive",
    b"Rar!\x1a\x07": "a rar archive",
    b"\x28\xb5\x2f\xfd": "a file packed with zstd",
}
"""What packed files begin with."""
_TAR_MARK, _TAR_PLACE = b"ustar", 257


@dataclass(frozen=True)
class ArchiveLimits:
    """How much an archive may hold.

    Args:
        files: Entries, folders and leftovers of systems among them.
        file_bytes: Bytes of one file, unpacked.
        total_bytes: Bytes of all files, unpacked.
        ratio: How many times its packed size a file may have.
    """

    files: int = 5_000
    file_bytes: int = 256 << 20
    total_bytes: int = 512 << 20
    ratio: int = 200


@dataclass(frozen=True)
class Unpacked:
    """A file that came out of an archive: where it is now, and its name as in the archive."""

    path: Path
    name: str


class Entries:
    """The names of an archive as they come: faults of names, what is junk, and where a file may be written."""

    def __init__(self, archive: str, into: Path, limits: ArchiveLimits) -> None:
        self.archive, self.into, self.limits = archive, into, limits
        self.faults: list[Fault] = []
        self.count = 0
        self.bytes = 0
        self._taken: dict[str, tuple[str, bool]] = {}

    def fault(self, name: str, found: str, expected: str, action: str = "") -> None:
        """Note what is wrong with an entry, or with the archive where the name is empty."""
        self.faults.append(Fault(printable(name)[:_LONGEST] or self.archive, "", found, expected, action))

    def check(self) -> None:
        """Raise InputError if anything was wrong."""
        if self.faults:
            raise InputError(self.faults)

    def counts(self) -> None:
        """Count an entry; gives up where there are too many, as looking at each takes time.

        Raises:
            InputError: There are more than may be.
        """
        self.count += 1
        if self.count > self.limits.files:
            raise InputError(too_many(self.archive, self.limits.files))

    def wants(self, name: str, is_folder: bool) -> bool:
        """Whether an entry is a file to unpack; its faults are noted."""
        wrong = name_fault(name)
        if wrong is not None:
            self.fault(name, *wrong)
            return False
        if is_junk(name):
            return False
        return self._is_new(name, is_folder) and not is_folder

    def _is_new(self, name: str, is_folder: bool) -> bool:
        """Whether no other entry has the name on any file system, as itself or as the folder that it lies in."""
        parts = PurePosixPath(name).parts
        for depth in range(1, len(parts) + 1):
            own = "/".join(parts[:depth]), is_folder or depth < len(parts)
            key = normalize("NFC", own[0]).casefold()
            is_known = key in self._taken
            first = self._taken.setdefault(key, own)
            if first != own or (is_known and not own[1]):
                self.fault(
                    name, f"the name of another entry, {shown(first[0])}", "each name once", "Remove or rename one of them."
                )
                return False
        return True

    def receive(self, name: str, packed: int | None, pieces: Iterable[bytes]) -> Unpacked | None:
        """Write a file, counting what comes; None after noting why it cannot be had.

        Args:
            name: As in the archive.
            packed: Its bytes in the archive; None where they are not known.
            pieces: Its content.

        Raises:
            InputError: All files together have become too large.
        """
        path = self.into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        size = 0
        with path.open("xb") as file:
            for piece in pieces:
                if not size and (kind := nested_kind(piece)):
                    self.fault(name, kind, "a file of the submission itself", "Pack the files once, not archives of them.")
                    break
                size += len(piece)
                self.bytes += len(piece)
                if self.bytes > self.limits.total_bytes:
                    raise InputError([*self.faults, _too_large(self.archive, "files", self.limits.total_bytes)])
                if size > self.limits.file_bytes:
                    self.faults.append(_too_large(name, "a file", self.limits.file_bytes))
                    break
                if packed is not None and size > max(_RATIO_FROM, packed * self.limits.ratio):
                    self.fault(
                        name, f"a file that unpacks to more than {self.limits.ratio} times its size", "text as systems write it"
                    )
                    break
                file.write(piece)
            else:
                return Unpacked(path, name)
        path.unlink()
        return None


def unpack(path: Path, into: Path, limits: ArchiveLimits = ArchiveLimits(), name: str | None = None) -> list[Unpacked]:
    """Unpack a submission.

    Args:
        path: A zip, a tar (packed with gzip or not), or a single file (packed with gzip or not).
        into: A folder that is there and empty; nothing is written outside it.
        limits: How much it may hold.
        name: Its name as its maker gave it; None for that of the path.

    Returns:
        The files in the order of the archive; names are as in it, a folder with forward slashes.

    Raises:
        InputError: All faults of the archive, by the names of its entries; what was written is then to be thrown away.
        OSError: It cannot be opened, or there is no room.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     (Path(folder) / "into").mkdir()
    ...     _ = (Path(folder) / "a.rttm").write_text("SPEAKER v1 1 0 2 <NA> <NA> asha <NA> <NA>")
    ...     [one.name for one in unpack(Path(folder) / "a.rttm", Path(folder) / "into")]
    ['a.rttm']
    """
    from parakh.leaderboard import _tar, _zip

    name = PurePosixPath((name or path.name).replace("\\", "/")).name or "submission"
    entries = Entries(name, into, limits)
    with path.open("rb") as file:
        kind = _kind(file)
        if kind == "zip":
            files = _zip.files(file, entries)
        elif kind == "tar":
            files = _tar.files(file, entries)
        else:
            files = _single(file, entries, kind)
    entries.check()
    if not files:
        raise InputError(Fault(name, "", "an archive without files", "the files of the submission", "Pack them again."))
    return files


def _kind(file: BinaryIO) -> str:
    """What a file is by its content: "zip", "tar", "gzip" or "file"."""
    head = file.read(PIECE)
    file.seek(0)
    if head.startswith(b"\x1f\x8b"):
        try:
            start = zlib.decompressobj(31).decompress(head, _TAR_PLACE + len(_TAR_MARK))
        except zlib.error:
            start = b""
        return "tar" if start[_TAR_PLACE:] == _TAR_MARK else "gzip"
    if head[_TAR_PLACE:].startswith(_TAR_MARK):
        return "tar"
    return "zip" if head.startswith((b"PK\3\4", b"PK\5\6")) else "file"


def _single(file: BinaryIO, entries: Entries, kind: str) -> list[Unpacked]:
    """A file that is no archive, unpacked where it is packed with gzip."""
    name = entries.archive
    if kind == "gzip" and name.lower().endswith(".gz"):
        name = name[:-3]
    if not entries.wants(name, is_folder=False):
        entries.check()
        raise InputError(Fault(name, "", "a file that a system left behind", "the file of the submission"))
    other = nested_kind(file.read(PIECE)) if kind != "gzip" else None
    if other:
        raise InputError(Fault(name, "", other, "a zip, a tar.gz or a single file", "Pack the files into a zip."))
    size = file.seek(0, 2)
    file.seek(0)
    pieces = pieces_of(file.read) if kind != "gzip" else gunzipped(file, name)
    one = entries.receive(name, size if kind == "gzip" else None, pieces)
    return [one] if one else []


def pieces_of(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """A content in pieces."""
    while piece := read(PIECE):
        yield piece


def gunzipped(file: BinaryIO, name: str) -> Iterator[bytes]:
    """What a gzip file unpacks to, in pieces, all its members.

    Raises:
        InputError: It is damaged or cut off.
    """
    import gzip

    try:
        with gzip.GzipFile(fileobj=file) as unpacked:
            yield from pieces_of(unpacked.read1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        found = "a gzip file that is cut off" if isinstance(error, EOFError) else "a damaged gzip file"
        raise InputError(Fault(name, "", found, "a whole one", "Pack it again.")) from error


def name_fault(name: str) -> tuple[str, str, str] | None:
    """What is wrong with the name of an entry, what was expected, and what to do; None for a name that is fine.

    >>> name_fault("../etc/passwd")[0], name_fault("submission/v1.rttm")
    ('a path that leads outside the archive', None)
    """
    parts = name.rstrip("/").split("/")
    path = "a path inside the archive"
    if not name.strip("/") or any(category(sign)[0] == "C" and sign not in "\u200c\u200d" for sign in name):
        return "a name with control characters" if name.strip("/") else "no name", "a printable name", "Rename the file."
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "an absolute path", path, "Pack the files from their own folder."
    if "\\" in name:
        return "a path with backslashes", "forward slashes", "Pack the files with another program."
    if ".." in parts:
        return "a path that leads outside the archive", path, "Pack the files from their own folder."
    if "" in parts or "." in parts:
        return "an empty part or a dot in the path", path, "Pack the files again."
    if any(part != part.strip() for part in parts):
        return "blanks around a part of the path", "names without them", "Rename the file."
    if max(map(len, parts)) > _LONGEST or max(len(part.encode()) for part in parts) > 255 or len(parts) > _DEEPEST:
        return "a name that is too long", f"at most {_LONGEST} characters a part, {_DEEPEST} parts", "Rename the file."
    return None


def is_junk(name: str) -> bool:
    """Whether systems leave such a file behind.

    >>> is_junk("__MACOSX/._v1.rttm"), is_junk("a/.DS_Store"), is_junk("a/v1.rttm")
    (True, True, False)
    """
    parts = name.rstrip("/").split("/")
    return any(part.startswith(".") for part in parts) or bool(_LEFT_BEHIND & {part.casefold() for part in parts})


_LEFT_BEHIND = {name.casefold() for name in JUNK}


def nested_kind(head: bytes) -> str | None:
    """What kind of packed file one is by its first bytes; None for none."""
    if head[_TAR_PLACE:].startswith(_TAR_MARK):
        return "a tar archive"
    return next((kind for mark, kind in _NESTED.items() if head.startswith(mark)), None)


def too_many(archive: str, most: int) -> Fault:
    """The fault of an archive with too many entries."""
    return Fault(
        archive, "", f"more than {counted(most, 'entry', 'entries')}", "no more than that", "Leave out what is no answer."
    )


def _too_large(name: str, what: str, most: int) -> Fault:
    return Fault(
        printable(name)[:_LONGEST],
        "",
        f"{what} of more than {most >> 20} MiB",
        "no more than that",
        "Leave out what is no answer.",
    )
