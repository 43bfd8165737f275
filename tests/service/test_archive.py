"""Unpacking: every hostile archive is refused by name, honest ones come out whole, nothing is written outside, memory stays small."""

import io
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from parakh.errors import InputError
from parakh.leaderboard.archive import ArchiveLimits, unpack
from parakh.leaderboard.kit import Kit
from parakh.leaderboard.validation import check
from tests.service.hostile import HOSTILE, good, tarred, zipped
from tests.service.raw_zip import Raw, raw_zip

CASES = Path(__file__).parents[3] / "shared" / "data" / "cases" / "45-macos-zip"


def test_there_are_enough_hostile_ones() -> None:
    assert len(HOSTILE) >= 100


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_ones_are_refused_with_their_reason(name: str, kits: dict[str, Kit], tmp_path: Path) -> None:
    case = HOSTILE[name]
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "file").write_bytes(case.content())
    checked = check(tmp_path / "in" / "file", kits[case.track], file_name=case.file_name)
    told = str(InputError(checked.faults))
    assert checked.faults
    assert checked.items == ()
    for words in case.expected:
        assert words in "\n".join(map(str, checked.faults)), told
    assert "/tmp" not in told.replace("'/tmp/v1.rttm'", "").replace("/tmp/v1.rttm: ", "")
    assert told.isprintable() or set(told) - {"\n"} <= {sign for sign in told if sign.isprintable()} | {"\n"}
    assert [path.name for path in (tmp_path).rglob("*")] == ["in", "file"]


def test_a_leftover_of_a_mac_and_one_top_folder_are_passed_over(tmp_path: Path) -> None:
    files = {
        "sub/": b"",
        **{f"sub/{name}": data for name, data in good().items()},
        "__MACOSX/sub/._a": b"\0",
        "sub/.DS_Store": b"x",
    }
    (tmp_path / "a.zip").write_bytes(zipped(files))
    (tmp_path / "into").mkdir()
    found = unpack(tmp_path / "a.zip", tmp_path / "into")
    assert {one.name: one.path.read_bytes() for one in found} == {f"sub/{name}": data for name, data in good().items()}


@pytest.mark.parametrize("mode", ["w", "w:gz"])
@pytest.mark.parametrize("form", [tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_every_form_of_tar_comes_out_whole(mode: str, form: int, tmp_path: Path) -> None:
    long = "a" * 60 + "/" + "ब" * 30 + ".rttm"
    (tmp_path / "long.rttm").write_bytes(b"x" * 1234)
    with tarfile.open(tmp_path / "a.tar", mode, format=form) as archive:
        archive.add(tmp_path / "long.rttm", long)
        archive.add(tmp_path / "long.rttm", "./b.rttm")
    (tmp_path / "into").mkdir()
    found = unpack(tmp_path / "a.tar", tmp_path / "into")
    assert [(one.name, one.path.read_bytes()) for one in found] == [(long, b"x" * 1234), ("b.rttm", b"x" * 1234)]


def test_names_without_the_mark_of_utf8_are_read_as_such_or_as_the_old_code_page(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(raw_zip([Raw("मुलाकात.rttm".encode()), Raw(b"caf\x82.rttm")]))
    (tmp_path / "into").mkdir()
    assert [one.name for one in unpack(tmp_path / "a.zip", tmp_path / "into")] == ["मुलाकात.rttm", "café.rttm"]


def test_a_file_packed_with_gzip_comes_out_without_its_ending(tmp_path: Path) -> None:
    import gzip

    (tmp_path / "blob").write_bytes(gzip.compress(b"one ") + gzip.compress(b"two"))
    (tmp_path / "into").mkdir()
    (found,) = unpack(tmp_path / "blob", tmp_path / "into", name="C:\\answers\\v1.rttm.gz")
    assert (found.name, found.path.read_bytes()) == ("v1.rttm", b"one two")


def test_all_faults_of_the_names_come_at_once_and_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(raw_zip([Raw(b"../a"), Raw(b"/b"), Raw(b"c", mode=0o120777), Raw(b"d", flags=1), Raw(b"e")]))
    (tmp_path / "into").mkdir()
    with pytest.raises(InputError) as caught:
        unpack(tmp_path / "a.zip", tmp_path / "into")
    assert [fault.path for fault in caught.value.faults] == ["../a", "/b", "c", "d"]
    assert list((tmp_path / "into").iterdir()) == []


def test_limits_are_of_one_file_and_of_all(tmp_path: Path) -> None:
    import os

    small = ArchiveLimits(file_bytes=100_000, total_bytes=250_000)
    for sizes, found in (
        ([90_000] * 2, ""),
        ([90_000, 110_000], "1.rttm: found a file of"),
        ([90_000] * 3, "files of more than 0 MiB"),
    ):
        for kind in ("zip", "tgz"):
            files = {f"{place}.rttm": os.urandom(size) for place, size in enumerate(sizes)}
            content = zipped(files) if kind == "zip" else tarred(*((name, tarfile.REGTYPE, data) for name, data in files.items()))
            (tmp_path / "file").write_bytes(content)
            into = tmp_path / f"{kind}{len(sizes)}{sizes[-1]}"
            into.mkdir()
            if found:
                with pytest.raises(InputError, match=found):
                    unpack(tmp_path / "file", into, small)
            else:
                assert len(unpack(tmp_path / "file", into, small)) == len(sizes)


@pytest.mark.skipif(not CASES.is_dir(), reason="the shared cases are not here")
@pytest.mark.parametrize("name", ["mac", "folder", "plain", "evil"])
def test_shared_cases(name: str, kits: dict[str, Kit]) -> None:
    from dataclasses import replace

    from parakh.types import Recording

    kit = replace(kits["diarization"], recordings=(Recording("v1", duration=10.0),))
    checked = check(CASES / f"{name}.zip", kit)
    if name == "evil":
        assert [one.path for one in checked.faults] == ["../outside.rttm", "/abs/outside.rttm"]
    else:
        assert (checked.faults, len(checked.items)) == ((), 1)


MEASURE = """
import sys, tempfile
from pathlib import Path
from parakh.cascade.machine import peak_memory, reset_peak
from parakh.errors import InputError
from parakh.leaderboard.archive import unpack
reset_peak()
before = peak_memory()
with tempfile.TemporaryDirectory(dir=sys.argv[2]) as folder:
    try:
        unpack(Path(sys.argv[1]), Path(folder))
    except InputError as error:
        print(error, file=sys.stderr)
print((peak_memory() - before) // 1024)
"""


@pytest.mark.parametrize("kind", ["zip", "tgz", "bomb", "10000"])
def test_memory_stays_small_whatever_comes(kind: str, tmp_path: Path) -> None:
    if kind in ("zip", "tgz"):
        (tmp_path / "v1.rttm").write_bytes(
            b"".join(b"SPEAKER v1 1 %d.25 2.5 <NA> <NA> asha <NA> <NA>\n" % one for one in range(500_000))
        )
        if kind == "zip":
            with zipfile.ZipFile(tmp_path / "a", "w") as archive:
                for place in range(6):
                    archive.write(tmp_path / "v1.rttm", f"{place}.rttm")
        else:
            with tarfile.open(tmp_path / "a", "w:gz", compresslevel=1) as tar:
                for place in range(6):
                    tar.add(tmp_path / "v1.rttm", f"{place}.rttm")
    else:
        (tmp_path / "a").write_bytes(HOSTILE["zip-bomb" if kind == "bomb" else "zip-10000-files"].content())
    done = subprocess.run([sys.executable, "-c", MEASURE, tmp_path / "a", tmp_path], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 8_000, f"{done.stdout} KiB more"


class Stream(io.RawIOBase):
    """A place that can only be written on: sizes then stand after the contents."""

    def __init__(self) -> None:
        self.content = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        self.content += bytes(data)  # type: ignore[call-overload]
        return len(bytes(data))  # type: ignore[call-overload]


def made_as(how: str, place: Path) -> bytes:
    """The good submission as different programs pack it."""
    files = {f"pred/{name}": data for name, data in good().items()}
    if how in ("zip", "tar", "gztar"):
        for name, data in files.items():
            (place / "root" / name).parent.mkdir(parents=True, exist_ok=True)
            (place / "root" / name).write_bytes(data)
        return Path(shutil.make_archive(str(place / "made"), how, place / "root")).read_bytes()
    if how == "stream":
        stream = Stream()
        with zipfile.ZipFile(io.BufferedWriter(stream), "w", zipfile.ZIP_DEFLATED) as archive:  # type: ignore[arg-type]
            for name, data in files.items():
                archive.writestr(name, data)
        return bytes(stream.content)
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as archive:
        archive.comment = b"made by hand" if how == "comment" else b""
        for name, data in files.items():
            with archive.open(name, "w", force_zip64=how == "zip64-fields") as file:
                file.write(data)
    return target.getvalue()


@pytest.mark.parametrize("how", ["zip", "tar", "gztar", "stream", "plain", "comment", "zip64-fields"])
def test_whatever_an_honest_program_makes_is_taken(how: str, kits: dict[str, Kit], tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(made_as(how, tmp_path))
    checked = check(tmp_path / "file", kits["diarization"], file_name="answers.zip")
    assert (checked.faults, len(checked.items)) == ((), 116)


def test_a_text_that_begins_as_a_zip_does_is_a_text(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"PK01 namaste didi\n")
    (tmp_path / "into").mkdir()
    assert [one.name for one in unpack(tmp_path / "a.txt", tmp_path / "into", name="/")] == ["submission"]
