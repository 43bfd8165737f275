"""Tar archives of strangers, packed with gzip or not, read once from front to end."""

from __future__ import annotations

import gzip
import os
import tarfile
import zlib
from typing import IO, BinaryIO, cast

from parakh.errors import Fault, InputError
from parakh.leaderboard.archive import PIECE, Entries, Unpacked, pieces_of

_HEADERS = 1 << 20
"""Bytes that the headers of one entry may take: long names and further fields are held in memory."""
_END = bytes(tarfile.BLOCKSIZE)
_AGAIN = "Pack the files again."


class _TooLongError(Exception):
    """The headers of an entry take too many bytes."""


class _Front:
    """A file read from front to end that counts what headers take, and knows what was read last."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        self._file = file
        self._place = 0
        self._most = most
        self.budget: int | None = _HEADERS
        self.last = b""

    def read(self, size: int) -> bytes:
        """So many bytes, fewer at the end."""
        if self.budget is not None:
            self.budget -= size
            if self.budget < 0:
                raise _TooLongError
        return self._read(size)

    def tell(self) -> int:
        """The place."""
        return self._place

    def seek(self, place: int) -> int:
        """Go forward."""
        while self._place < place and self._read(min(PIECE, place - self._place)):
            pass
        return self._place

    def _read(self, size: int) -> bytes:
        parts = []
        while size > 0 and (part := self._file.read(min(size, PIECE))):
            parts.append(part)
            size -= len(part)
            self._place += len(part)
            if self._place > self._most:
                raise _TooLongError
        self.last = b"".join(parts)
        return self.last


def files(file: BinaryIO, entries: Entries) -> list[Unpacked]:
    """Unpack a tar archive.

    Raises:
        InputError: All faults of the archive.
    """
    packed = file.read(2) == b"\x1f\x8b"
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    most = entries.limits.total_bytes + entries.limits.files * 2 * tarfile.BLOCKSIZE + _HEADERS
    front = _Front(
        cast(IO[bytes], gzip.GzipFile(fileobj=file)) if packed else file, min(most, size * entries.limits.ratio + _HEADERS)
    )
    found: list[Unpacked] = []
    try:
        with tarfile.TarFile(fileobj=cast(IO[bytes], front), mode="r") as archive:
            while (info := archive.next()) is not None:
                entries.counts()
                front.budget = None
                if (one := _unpacked(archive, info, entries)) is not None:
                    found.append(one)
                front.budget = _HEADERS
        if front.last != _END:
            raise EOFError
    except _TooLongError:
        raise InputError(
            [*entries.faults, Fault(entries.archive, "", "more bytes than an archive may have", "fewer", _AGAIN)]
        ) from None
    except (tarfile.TarError, gzip.BadGzipFile, EOFError, zlib.error, ValueError) as error:
        what = "cut off or damaged" if isinstance(error, EOFError) else f"damaged ({error})"
        raise InputError(
            [*entries.faults, Fault(entries.archive, "", f"a tar archive that is {what}", "a whole one", _AGAIN)]
        ) from error
    return found


def _unpacked(archive: tarfile.TarFile, info: tarfile.TarInfo, entries: Entries) -> Unpacked | None:
    name = info.name.removeprefix("./")
    if info.isdir() and name in ("", "."):
        return None
    if not entries.wants(name, info.isdir()):
        return None
    if not info.isreg() or info.issparse():
        what = "a link" if info.issym() or info.islnk() else "a sparse file" if info.issparse() else "a device or pipe"
        entries.fault(name, what, "a file", "Put the file itself there.")
        return None
    if info.size > entries.limits.file_bytes:
        entries.fault(name, f"a file of {info.size} bytes", f"at most {entries.limits.file_bytes >> 20} MiB", "Leave it out.")
        return None
    content = archive.extractfile(info)
    one = entries.receive(name, None, pieces_of(content.read)) if content else None
    if one is not None and one.path.stat().st_size != info.size:
        raise EOFError
    return one
