"""Zip archives of strangers: the directory is looked through before a file is unpacked."""

from __future__ import annotations

import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from parakh.errors import Fault, InputError
from parakh.leaderboard.archive import Entries, Unpacked, pieces_of, too_many

_END, _END_64, _ENTRY = b"PK\x05\x06", b"PK\x06\x07", b"PK\x01\x02"
_END_SIZE, _LOCAL_SIZE = 22, 30
_END_FORM = struct.Struct("<4H2L")
_COMMENT = 1 << 16
_ENTRY_BYTES = 400
"""Bytes of an entry of the directory that is read at all, names and extra fields among them, on average."""
_ENCRYPTED = 0x1 | 0x40 | 0x2000
_UTF8 = 0x800
_AGAIN = "Pack the files again."


def files(file: BinaryIO, entries: Entries) -> list[Unpacked]:
    """Unpack a zip archive.

    Raises:
        InputError: All faults of the archive.
    """
    start = _check_directory(file, entries)
    try:
        with zipfile.ZipFile(file) as archive:
            wanted = _wanted(archive, entries, start)
            entries.check()
            return [one for info, name in wanted if (one := _unpacked(archive, info, name, entries))]
    except UnicodeDecodeError as error:
        found, expected = "a name that is not UTF-8, though the archive says so", "names in UTF-8"
        raise InputError([*entries.faults, Fault(entries.archive, "", found, expected, _AGAIN)]) from error
    except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error) as error:
        raise InputError(
            [*entries.faults, Fault(entries.archive, "", f"a damaged zip archive ({error})", "a whole one", _AGAIN)]
        ) from error


def _check_directory(file: BinaryIO, entries: Entries) -> int:
    """Where the directory of the archive starts; refuses one that would fill the memory by being read.

    Raises:
        InputError: There is none, or it is too large.
    """
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _COMMENT - _END_SIZE))
    tail = file.read()
    place = tail.rfind(_END)
    if place < 0 or len(tail) - place < _END_SIZE:
        raise InputError(Fault(entries.archive, "", "a zip archive that is cut off", "a whole one", "Pack or upload it again."))
    disk, _, _, count, length, start = _END_FORM.unpack(tail[place + 4 : place + 20])
    if tail[max(0, place - 20) :].startswith(_END_64) or 0xFFFF in (count, disk) or 0xFFFFFFFF in (length, start):
        raise InputError(
            Fault(entries.archive, "", "a zip archive of the 64-bit form", "an ordinary one", "Pack fewer and smaller files.")
        )
    if count > entries.limits.files or length > entries.limits.files * _ENTRY_BYTES:
        raise InputError(too_many(entries.archive, entries.limits.files))
    begin: int = size - len(tail) + place - length
    file.seek(max(0, begin))
    if begin < 0 or file.read(length).count(_ENTRY) > entries.limits.files:
        raise InputError(too_many(entries.archive, entries.limits.files))
    file.seek(0)
    return begin


def _wanted(archive: zipfile.ZipFile, entries: Entries, directory: int) -> list[tuple[zipfile.ZipInfo, str]]:
    """The files to unpack, with their names; every entry is looked at."""
    wanted = []
    for info in archive.infolist():
        entries.counts()
        name = _name(info)
        is_folder = name.endswith("/") or stat.S_ISDIR(info.external_attr >> 16)
        if entries.wants(name, is_folder) and _is_sound(info, name, entries):
            wanted.append((info, name))
    _check_overlaps([info for info, _ in wanted], directory, entries)
    return wanted


def _name(info: zipfile.ZipInfo) -> str:
    """The name as its maker wrote it: where the archive does not say that it is UTF-8 it may be all the same."""
    name = info.orig_filename.removeprefix("./")
    if info.flag_bits & _UTF8:
        return name
    try:
        return name.encode("cp437").decode()
    except UnicodeError:
        return name


def _is_sound(info: zipfile.ZipInfo, name: str, entries: Entries) -> bool:
    mode = stat.S_IFMT(info.external_attr >> 16)
    if mode not in (0, stat.S_IFREG):
        what = "a link" if mode == stat.S_IFLNK else "a device or pipe"
        entries.fault(name, what, "a file", "Put the file itself there.")
    elif info.flag_bits & _ENCRYPTED:
        entries.fault(name, "an encrypted file", "one without a password", "Pack it without one.")
    elif info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        entries.fault(name, f"a file packed with method {info.compress_type}", "deflate, as zip programs usually do", _AGAIN)
    elif info.file_size > entries.limits.file_bytes:
        entries.fault(
            name, f"a file of {info.file_size} bytes", f"at most {entries.limits.file_bytes >> 20} MiB", "Leave it out."
        )
    else:
        return True
    return False


def _check_overlaps(infos: list[zipfile.ZipInfo], directory: int, entries: Entries) -> None:
    """Note entries whose contents share bytes: a small archive becomes a huge one that way."""
    ordered = sorted(infos, key=lambda one: one.header_offset)
    following = [*(one.header_offset for one in ordered[1:]), directory]
    for info, end in zip(ordered, following, strict=False):
        if info.header_offset < 0:
            entries.fault(_name(info), "a file that starts before the archive", "one inside it", _AGAIN)
        if info.header_offset + _LOCAL_SIZE + len(info.orig_filename) + info.compress_size > end:
            entries.fault(_name(info), "a file that shares its bytes with another", "a place of its own", _AGAIN)


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo, name: str, entries: Entries) -> Unpacked | None:
    try:
        one = entries.receive(name, info.compress_size, _pieces(archive, info))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, UnicodeDecodeError, ValueError) as error:
        found = "a file that is cut off" if isinstance(error, EOFError) else f"a damaged file ({error})"
        entries.fault(name, found, "a whole one", _AGAIN)
        return None
    if one is not None and one.path.stat().st_size != info.file_size:
        entries.fault(name, f"{one.path.stat().st_size} bytes", f"{info.file_size}, as the archive says", _AGAIN)
        return None
    return one


def _pieces(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Iterator[bytes]:
    with archive.open(info) as content:
        yield from pieces_of(content.read)
