"""Reading and writing whole files: every error is one the user can mend, and a reader never meets half a file."""

from __future__ import annotations

import codecs
import io
import os
import shutil
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

from parakh.errors import Fault, InputError

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_PRAAT_BINARY = b"ooBinaryFile"
_GZIP_MARK = b"\x1f\x8b"
_KINDS = {
    b"PK": ("a zip file or a document of an office program", "Unpack it, or save the document as text."),
    b"\xd0\xcf\x11\xe0": ("a document of an office program", "Save it as text."),
    b"%PDF": ("a PDF", "Save its content as text."),
    b"RIFF": ("audio", "Give what was written about it."),
    b"fLaC": ("audio", "Give what was written about it."),
    b"OggS": ("audio", "Give what was written about it."),
    b"ID3": ("audio", "Give what was written about it."),
    b"PAR1": ("a parquet file", "Import it into a data set."),
}
"""What files that hold no text begin with."""
_MOST_UNPACKED = 512 * 2**20
"""Bytes that a gzip file may unpack to; a few kilobytes could fill the memory otherwise."""
_HELD: ContextVar[dict[str, bytes] | None] = ContextVar("held", default=None)
_FORCED: ContextVar[bool] = ContextVar("forced", default=True)


def write_atomic(path: str | Path, content: str | bytes, is_private: bool = False) -> None:
    r"""Write a file so that whoever looks sees the old one or the whole new one, even after a kill.

    The content goes to a temporary file in the same folder, which then takes the name. Text is written as UTF-8
    without byte order mark and with its line ends as they are. Missing folders are made; a symbolic link stays one;
    a device (``/dev/null``) is written to directly.

    Args:
        path: Where to.
        content: The whole content.
        is_private: Whether nobody but its owner may read it.

    Raises:
        InputError: It cannot be written there, or the text is not valid Unicode or holds a NUL, which no reader takes.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomic(Path(folder) / "new" / "a.txt", "नमस्ते\n")
    ...     (Path(folder) / "new" / "a.txt").read_bytes().decode()
    'नमस्ते\n'
    """
    if isinstance(content, str) and "\0" in content:
        raise InputError(Fault(str(path), "", "a NUL character", "text", "Remove it at its source."))
    try:
        target = Path(os.path.realpath(path))
        data = content.encode() if isinstance(content, str) else content
        if target.exists() and not target.is_file() and not target.is_dir():
            target.write_bytes(data)
            return
        with replacing(target, is_private) as file:
            file.write(data)
    except UnicodeEncodeError as error:
        found = f"{error.object[error.start]!a}, half of a surrogate pair"
        raise InputError(Fault(str(path), "", found, "valid Unicode text", "Mend the text at its source.")) from error
    except (OSError, ValueError) as error:
        raise InputError(Fault(str(path), "", _reason(error), "a place to write to", "Choose another path.")) from error


@contextmanager
def replacing(target: Path, is_private: bool = False) -> Iterator[BinaryIO]:
    """A file to write to that takes the place of another when it is whole; after an error nothing is left of it.

    Args:
        target: Where to; missing folders are made.
        is_private: Whether nobody but its owner may read it.

    Raises:
        OSError: It cannot be written there.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(Path(folder) / "a") as file:
    ...         _ = file.write(b"new")
    ...     (Path(folder) / "a").read_bytes()
    b'new'
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = _beside(target, "tmp")
    try:
        mode = 0o600 if is_private else 0o666
        with open(temporary, "xb", opener=lambda path, flags: os.open(path, flags, mode)) as file:
            yield file
            file.flush()
            if _FORCED.get():
                os.fsync(file.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


def write_folder(path: str | Path, files: Mapping[str, str], replaceable: Collection[str] = ()) -> None:
    r"""Write a folder of text files so that whoever looks finds all of the old ones or all of the new ones, or for a moment none.

    Args:
        path: Where to; a folder that is there already may hold nothing but files called as in ``files`` or ``replaceable``.
        files: The content of each file by its name.
        replaceable: Further names of files that go with the old folder.

    Raises:
        InputError: It cannot be written there, or there is something else in it.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_folder(Path(folder) / "new", {"text": "u1 जी\n"})
    ...     sorted(entry.name for entry in (Path(folder) / "new").iterdir())
    ['text']
    """
    target = Path(os.path.realpath(path))
    new = _beside(target, "new")
    try:
        others = sorted({entry.name for entry in target.iterdir()} - {*files, *replaceable}) if target.exists() else []
        if others:
            found, expected = f"other files in it ({', '.join(others[:5])})", "a new folder, or one with nothing else in it"
            raise InputError(Fault(str(path), "", found, expected, "Choose another folder."))
        new.mkdir(parents=True)
        for name, content in files.items():
            write_atomic(new / name, content)
        take_place(new, target)
    except OSError as error:
        raise InputError(Fault(str(path), "", _reason(error), "a folder to write to", "Choose another path.")) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def take_place(new: Path, target: Path) -> None:
    """Put a folder in the place of another, which goes, or where there is none.

    Args:
        new: Beside the target, whole.
        target: Where to.

    Raises:
        OSError: It cannot be put there; what was there is there again.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomic(f"{folder}/new/a", "new")
    ...     write_atomic(f"{folder}/set/b", "old")
    ...     take_place(Path(folder) / "new", Path(folder) / "set")
    ...     [path.name for path in (Path(folder) / "set").iterdir()]
    ['a']
    """
    old = _beside(target, "old") if target.exists() else None
    if old:
        target.rename(old)
    try:
        new.rename(target)
    except OSError:
        if old:
            old.rename(target)
        raise
    if old:
        shutil.rmtree(old, ignore_errors=True)


def _beside(target: Path, part: str) -> Path:
    """A name that nobody has yet, beside a file or folder."""
    return target.with_name(f".{target.name[:100]}.{os.urandom(6).hex()}.{part}")


def checksum(path: str | Path) -> str:
    """SHA-256 of a file, read in pieces; 64 hexadecimal digits.

    Raises:
        InputError: It cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomic(f"{folder}/a", "")
    ...     checksum(f"{folder}/a")[:8]
    'e3b0c442'
    """
    import hashlib  # takes a while to load

    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError) as error:
        raise InputError(Fault(str(path), "", _reason(error), "a readable file", "Check the path.")) from error


def relative(path: str | Path, folder: str | Path) -> str:
    """A path as it leads there from a folder, with forward slashes.

    >>> relative("set/rttm/v1.rttm", "set"), relative("v1.wav", "set")
    ('rttm/v1.rttm', '../v1.wav')
    """
    return os.path.relpath(path, folder).replace(os.sep, "/")


@contextmanager
def hold_pipes() -> Iterator[None]:
    """Within it a pipe, which gives its content once, may be read again: to tell its format, then to read its items.

    >>> import os
    >>> ours, theirs = os.pipe()
    >>> _ = os.write(theirs, b"one"), os.close(theirs)
    >>> with hold_pipes():
    ...     read_text(f"/dev/fd/{ours}", 1), read_text(f"/dev/fd/{ours}")
    ('o', 'one')
    >>> os.close(ours)
    """
    token = _HELD.set({} if _HELD.get() is None else _HELD.get())
    try:
        yield
    finally:
        _HELD.reset(token)


@contextmanager
def forced_together() -> Iterator[None]:
    """Within it files are written without waiting for the disk each; at its end all of them are on it.

    For many files that count only together, and are made again after a crash: waiting for each would take most of the time.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, forced_together():
    ...     write_atomic(Path(folder) / "a.txt", "one")
    """
    token = _FORCED.set(False)
    try:
        yield
    finally:
        _FORCED.reset(token)
    if hasattr(os, "sync"):
        os.sync()


def _bytes(path: Path, limit: int | None) -> bytes:
    """The content up to a limit; of a pipe all is taken at once, as it cannot be had again."""
    held = _HELD.get()
    key = "" if held is None else os.path.realpath(path)
    if held is not None and key in held:
        return held[key][:limit]
    with path.open("rb") as file:
        if file.seekable():
            return file.read(-1 if limit is None else limit)
        data = file.read()
    if not data:
        expected = "text (a pipe gives its content only once)"
        raise InputError(Fault(str(path), "", "an empty pipe", expected, "Give each pipe once; give an empty answer as a file."))
    if held is not None:
        held[key] = data
    return data[:limit]


def read_text(path: str | Path, limit: int | None = None, utf16: bool = False) -> str:
    r"""The text of a UTF-8 file, without its byte order mark and with ``\n`` for every ``\r\n``.

    Args:
        path: The file; if it is packed with gzip, the text is what it unpacks to.
        limit: Read no more than this many bytes; a character cut in half at the end is dropped. None reads all.
        utf16: Whether the file may also be UTF-16 with a byte order mark, as some programs write it.

    Raises:
        InputError: It is missing, a folder, unreadable, binary, UTF-16 where that is not allowed, or otherwise not UTF-8; or it
            is packed and damaged, or unpacks to more than 512 MiB.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_atomic(Path(folder) / "a.txt", b"\xef\xbb\xbfone\r\ntwo\r\n")
    ...     read_text(Path(folder) / "a.txt")
    'one\ntwo\n'
    """
    try:
        data = _bytes(Path(path), limit)
    except (OSError, ValueError) as error:
        raise InputError(Fault(str(path), "", _reason(error), "a readable file", "Check the path.")) from error
    if data.startswith(_GZIP_MARK):
        data = _unpacked(str(path), data, limit)
    wide = data.startswith(_UTF16_MARKS)
    if wide and not utf16:
        raise InputError(Fault(str(path), "", "UTF-16 text", "UTF-8 text", "Save it as UTF-8."))
    if data.startswith(_PRAAT_BINARY):
        raise InputError(Fault(str(path), "", "a binary file of Praat", "text", "In Praat, choose Save as text file."))
    if b"\0" in data and not wide:
        raise InputError(_no_text(str(path), data))
    text = _decoded(path, data.removeprefix(codecs.BOM_UTF8), "utf-16" if wide else "utf-8", limit is None)
    if wide and "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(Fault(str(path), "", "a NUL character", "text", "Give a text file, saved as UTF-8.", line))
    return text.replace("\r\n", "\n") if "\r" in text else text


def _no_text(path: str, data: bytes) -> Fault:
    """The fault of a file with a NUL byte: what it is, or else where that byte is."""
    for mark, (found, action) in _KINDS.items():
        if data.startswith(mark):
            return Fault(path, "", found, "UTF-8 text", action)
    line = data.count(b"\n", 0, data.index(b"\0")) + 1
    return Fault(path, "", "a NUL byte", "UTF-8 text", "Give a text file, saved as UTF-8.", line)


def _decoded(path: str | Path, data: bytes, encoding: str, whole: bool) -> str:
    """The text of bytes, whose end may be cut; the decoder "utf-8-sig" would lose half a mark at the end of a file."""
    try:
        return codecs.getincrementaldecoder(encoding)().decode(data, whole)
    except UnicodeDecodeError as error:
        line = data[: error.start].decode(encoding, errors="ignore").count("\n") + 1
        found = f"the byte 0x{data[error.start]:02X}, which is not {encoding.upper()}"
        raise InputError(Fault(str(path), "", found, "UTF-8 text", "Save it as UTF-8.", line)) from error


def _unpacked(path: str, packed: bytes, limit: int | None) -> bytes:
    """What a gzip file unpacks to; with a limit, as much of it as that, and the file may be cut anywhere."""
    import gzip
    import zlib

    most = _MOST_UNPACKED if limit is None else limit
    parts: list[bytes] = []
    size = 0
    found = ""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
            while size <= most and (part := file.read1(65536)):
                parts.append(part)
                size += len(part)
    except EOFError:
        found = "a gzip file that is cut off"
    except (OSError, zlib.error):
        found = "a damaged gzip file"
    if found and limit is None:
        raise InputError(Fault(path, "", found, "a whole gzip file", "Copy or download it again."))
    if limit is None and size > most:
        found = f"a gzip file that holds more than {most // 2**20} MiB"
        raise InputError(Fault(path, "", found, "no more than that", "Split it."))
    return b"".join(parts)[:limit]


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file"
    if isinstance(error, IsADirectoryError):
        return "a folder"
    if isinstance(error, NotADirectoryError | FileExistsError):
        return "a file where a folder is needed"
    if isinstance(error, PermissionError):
        return "no permission"
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
