"""What must hold of every reader for any file: items or faults that say where, and nothing lost on the way."""

from pathlib import Path
from typing import Any

from parakh import formats
from parakh.errors import InputError
from parakh.types import Loaded

COMMENTS = {
    "stm": ";",
    "ctm": ";",
    "rttm": ";#",
    "uem": ";#",
    "keyed-text": "",
    "challenge-tsv": "",
    "recordings-jsonl": "",
    "audacity": "\\",
}
"""The formats of one record a line, with the signs that start a comment or another line that is no record."""
NO_ITEM = {"other-records", "noscore-ignored", "overlapping-regions"}
"""Findings that count records without an item of their own."""
ALONE = {"stm", "ctm", "rttm", "uem"}
"""Formats whose lines mean the same alone."""


def check_reader(name: str, path: Path) -> Loaded[Any] | InputError:
    """Read a file and check the outcome; any other exception than InputError goes through."""
    try:
        loaded = formats.get(name).read(path)
    except InputError as error:
        check_faults(error, path)
        return error
    if name in COMMENTS:
        check_nothing_lost(name, path, loaded)
    for finding in loaded.findings:
        assert finding.path == str(path)
        assert finding.line is not None or finding.code == "empty-file"
    return loaded


def check_detection(path: Path) -> None:
    """Find out the format of a file, and read it so."""
    try:
        form = formats.detect(path)
    except InputError as error:
        check_faults(error, path)
    else:
        check_reader(form.name, path)


def check_faults(error: InputError, path: Path) -> None:
    """Every fault names the file, and a line that is there."""
    assert error.faults
    lines = path.read_bytes().count(b"\n") + path.read_bytes().count(b"\r") + 1
    for fault in error.faults:
        assert fault.path == str(path)
        assert fault.found
        assert fault.expected
        assert fault.line is None or fault.line >= 1
        if path.suffix in COMMENTS:
            assert fault.line is None or fault.line <= lines
        assert "\n" not in str(fault)


def records(name: str, text: str) -> list[tuple[int, str]]:
    """The numbered lines of a text that hold a record: neither blank nor a comment."""
    lines = enumerate(text.replace("\r\n", "\n").split("\n"), 1)
    found = [(number, line.removeprefix("\ufeff")) for number, line in lines]
    return [(number, line) for number, line in found if line.strip() and line.lstrip()[:1] not in (COMMENTS[name] or "\0")]


def check_nothing_lost(name: str, path: Path, loaded: Loaded[Any]) -> None:
    """Every record is an item, or one of those that a finding counts."""
    found = records(name, path.read_bytes().decode())
    header = name == "challenge-tsv" and bool(found) and found[0][1].split("\t")[0].strip().lower() == "rec_id"
    told = [finding for finding in loaded.findings if finding.code in NO_ITEM]
    counted = sum(int(finding.message.split()[0]) for finding in told)
    assert len(loaded.items) + counted + header == len(found), (name, found, loaded)


def check_lines_alone(name: str, path: Path, error: InputError) -> None:
    """Every line with a fault is told with its number: just those that have one when they stand alone."""
    text = path.read_bytes().decode()
    alone = path.with_name("alone")
    faulty = set()
    for number, line in records(name, text):
        alone.write_bytes(f"{line}\n".encode())
        if isinstance(check_reader(name, alone), InputError):
            faulty.add(number)
    told = {fault.line for fault in error.faults}
    assert told <= faulty
    assert told == faulty or error.more or len(error.faults) >= InputError.SHOWN
