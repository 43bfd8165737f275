"""Whole files: written all or nothing, read with every fault named."""

import gzip
import os
from pathlib import Path

import pytest

from parakh.errors import InputError
from parakh.files import read_text, write_atomic


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    write_atomic(path, "old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match="found No space left on device, expected a place to write to"):
        write_atomic(path, "new")
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to("target")
    write_atomic(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


def test_a_device_stays_a_device() -> None:
    write_atomic("/dev/null", "text")
    assert Path("/dev/null").is_char_device()


def test_permissions_follow_the_umask(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    write_atomic(tmp_path / "atomic", "")
    assert (tmp_path / "atomic").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("place", [".", "file/below", "nul\0"])
def test_places_that_cannot_be_written(place: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="expected a place to write to"):
        write_atomic(f"{tmp_path}/{place}", "text")


def test_half_a_surrogate_pair_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="half of a surrogate pair"):
        write_atomic(tmp_path / "a", "a\ud800")
    assert not list(tmp_path.iterdir())


def test_only_windows_line_ends_change(tmp_path: Path) -> None:
    text = "a\r\nb\rc\u2028d\x85e\x0cf\n"
    (tmp_path / "a").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert read_text(tmp_path / "a") == text.replace("\r\n", "\n")


def test_a_limit_cuts_no_character_in_half(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("नमस्ते", encoding="utf-8")
    assert read_text(tmp_path / "a", limit=4) == "न"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("नमस्ते".encode("utf-16"), r"a: found UTF-16 text, expected UTF-8 text"),
        (b"ok\nok\n\x00", r"a:3: found a NUL byte"),
        (b"PK\x03\x04\x14\x00", r"a: found a zip file or a document of an office program, expected UTF-8 text. Unpack it"),
        (b"RIFF\x24\x00\x00\x00WAVE", r"a: found audio, expected UTF-8 text"),
        (b"ok\ncaf\xe9\n", r"a:2: found the byte 0xE9, which is not UTF-8"),
        (b"ok\n\xe0\xa4", r"a:2: found the byte 0xE0, which is not UTF-8"),
    ],
)
def test_what_is_no_utf8_is_named(content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(content)
    with pytest.raises(InputError, match=message):
        read_text(tmp_path / "a")


@pytest.mark.parametrize("content", [b"\xef", b"\xef\xbb", b"\xef\xbb\xbf\xef"])
def test_half_a_byte_order_mark_is_not_lost(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(content)
    with pytest.raises(InputError, match="1: found the byte 0xEF, which is not UTF-8"):
        read_text(path)


def test_a_nul_is_not_written_as_no_reader_takes_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="a NUL character"):
        write_atomic(tmp_path / "a", "a\0b")
    assert not (tmp_path / "a").exists()


def test_missing_and_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="found no such file, expected a readable file"):
        read_text(tmp_path / "none")
    with pytest.raises(InputError, match="found a folder, expected a readable file"):
        read_text(tmp_path)


def test_a_gzip_file_is_the_text_in_it(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress("नमस्ते\r\n".encode()) + gzip.compress(b"second member\n"))
    assert read_text(path) == "नमस्ते\nsecond member\n"
    path.write_bytes(gzip.compress("न".encode() * 1000))
    assert read_text(path, 100) == "न" * 33  # of three bytes each


@pytest.mark.parametrize(
    ("content", "found"),
    [
        (gzip.compress(b"some text that is long enough", mtime=0)[:-12], "a gzip file that is cut off"),
        (gzip.compress(b"text", mtime=0)[:10], "a gzip file that is cut off"),
        (b"\x1f\x8b\x08\x00junk that is no deflate stream", "a damaged gzip file"),
        (gzip.compress(b"a\0b", mtime=0), "a NUL byte"),
        (gzip.compress(b"0" * 3000, mtime=0), "a gzip file that holds more than 0 MiB"),
    ],
)
def test_a_gzip_file_that_cannot_be_unpacked_is_one_fault(
    content: bytes, found: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("parakh.files._MOST_UNPACKED", 2000)
    (tmp_path / "a.gz").write_bytes(content)
    with pytest.raises(InputError, match=found):
        read_text(tmp_path / "a.gz")
