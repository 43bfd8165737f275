"""Zip archives byte by byte: what no zip program makes."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Raw:
    """One entry; None where it is what an honest archive says."""

    name: bytes
    data: bytes = b"x"
    method: int = 8
    flags: int = 0
    mode: int = 0o100644
    size: int | None = None
    packed_size: int | None = None
    crc: int | None = None
    local_name: bytes | None = None
    at: int | None = None
    """Where the directory says that the entry starts."""


def packed(data: bytes, method: int) -> bytes:
    if method != 8:
        return data
    squeezer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return squeezer.compress(data) + squeezer.flush()


def raw_zip(
    entries: list[Raw], *, count: int | None = None, length: int | None = None, before_end: bytes = b"", comment: bytes = b""
) -> bytes:
    body, directory = b"", b""
    for one in entries:
        content = packed(one.data, one.method)
        sizes = (
            zlib.crc32(one.data) if one.crc is None else one.crc,
            len(content) if one.packed_size is None else one.packed_size,
            len(one.data) if one.size is None else one.size,
        )
        start = len(body) if one.at is None else one.at
        common = struct.pack("<HHHHHLLLHH", 20, one.flags, one.method, 0, 33, *sizes, len(one.local_name or one.name), 0)
        body += b"PK\3\4" + common + (one.local_name or one.name) + content
        central = struct.pack(
            "<HHHHHHLLLHHHHHLL", 788, 20, one.flags, one.method, 0, 33, *sizes, len(one.name), 0, 0, 0, 0, one.mode << 16, start
        )
        directory += b"PK\1\2" + central + one.name
    sizes_end = (len(directory) if length is None else length, len(body), len(comment))
    number = len(entries) if count is None else count
    return body + directory + before_end + b"PK\5\6" + struct.pack("<4H2LH", 0, 0, number, number, *sizes_end) + comment


def quoted_bomb(files: int, size: int) -> bytes:
    """Entries that share one packed content: each holds the headers of those after it, and then all of it."""
    kernel = packed(bytes(size), 8)
    names = [f"{place:04}.rttm".encode() for place in range(files)]
    header = 30 + len(names[0])
    body, directory = b"", b""
    content = bytes(size)
    blocks = []
    for name in reversed(names):
        sizes = (zlib.crc32(content), sum(len(one) for one in blocks) + len(kernel), len(content))
        blocks.insert(0, b"PK\3\4" + struct.pack("<HHHHHLLLHH", 20, 0, 8, 0, 33, *sizes, len(name), 0) + name)
    for place, (name, block) in enumerate(zip(names, blocks, strict=True)):
        common = block[4:26]
        directory += (
            b"PK\1\2" + struct.pack("<H", 788) + common + struct.pack("<HHHHHLL", len(name), 0, 0, 0, 0, 0, place * header) + name
        )
        body += block
    body += kernel
    return body + directory + b"PK\5\6" + struct.pack("<4H2LH", 0, 0, files, files, len(directory), len(body), 0)
