"""One file a format: ``read(path) -> Loaded[item]`` takes one file, ``write(items, path)`` makes one, atomically.

Readers meet bad input at the door: every fault of the file in one ``InputError``, one line each; what they only
noticed comes back as findings. Text is never changed. A format is one module with ``FORMAT: Format``; modules
whose name starts with an underscore are what they share.
"""

from __future__ import annotations

from parakh.formats._format import Format, all_formats, get, read_only, standing_alone
from parakh.formats._loading import detect, head, load, renamed, write_each
from parakh.formats._text import is_file_name

__all__ = [
    "Format",
    "all_formats",
    "detect",
    "get",
    "head",
    "is_file_name",
    "load",
    "read_only",
    "renamed",
    "standing_alone",
    "write_each",
]
