"""What a reader says of a file never shows a personal number that stands there, wherever a column slipped to."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from parakh import formats
from parakh.errors import InputError
from parakh.formats._text import shown
from tests.fuzz.test_fuzz_readers import write_seeds

NUMBERS = ("9876501234", "98765 01234", "2341 2341 2346")  # made up
TOLD = re.compile(r"98765\W{0,3}01234|2341\W{0,3}2341\W{0,3}2346")
NAMES = sorted(name for name, form in formats.all_formats().items() if not form.folder)
TAKE_ANYTHING = {"plain-text", "keyed-text", "summary-txt", "topics-txt", "summary-keyed", "topics-keyed"}
"""Formats to which nothing in a text is wrong."""
FIELD = re.compile(r"[^\s,:\"{}\[\]<>]+")


def said(name: str, path: Path) -> str:
    """Everything that a reader says of a file."""
    try:
        loaded = formats.get(name).read(path)
    except InputError as error:
        return str(error)
    return "\n".join(map(str, loaded.findings))


@pytest.mark.parametrize("name", NAMES)
def test_a_number_in_any_field_is_masked(name: str, tmp_path: Path) -> None:
    (tmp_path / "seeds").mkdir()
    write_seeds(tmp_path / "seeds")
    seeds = [seed.read_bytes()[1:].decode() for seed in (tmp_path / "seeds").glob(f"{name}*") if not seed.name.endswith("detect")]
    assert seeds
    path = tmp_path / f"v1{formats.get(name).ending or formats.get(name).suffixes[0]}"
    texts = 0
    for seed in seeds:
        fields = list(FIELD.finditer(seed))
        for field in fields[:: max(1, len(fields) // 60)]:
            for number in NUMBERS:
                path.write_text(seed[: field.start()] + number + seed[field.end() :], encoding="utf-8")
                told = said(name, path)
                texts += bool(told)
                assert not TOLD.search(told)
    assert texts or name in TAKE_ANYTHING


def test_what_is_quoted_is_masked_before_it_is_cut() -> None:
    assert shown("x" * 55 + " 9876501234") == repr("x" * 55 + " •••…")
    assert shown({"phone": "9876501234"}) == "{'phone': '••••••••34'}"
    assert shown("0.30000000000000004") == "'0.30000000000000004'"


def test_a_file_called_after_a_number_is_masked_by_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "9876501234.rttm"
    for text, code in (("SPEAKER v1\n", 2), ("SPEAKER v1 1 0 0 <NA> <NA> asha <NA> <NA>\n", 0)):
        path.write_text(text)
        command = [sys.executable, "-m", "parakh.cli.main", "convert", str(path), str(tmp_path / "v1.stm")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == code
        assert "••••••••34.rttm:1: " in done.stderr
        assert "9876501234" not in done.stderr
