"""Small checks for tests of what runs checks: one a severity, of recordings and of the whole set."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from parakh.qc import Check, Material, Settings, Whole, _check
from parakh.types import Finding, Severity


def _words(material: Material, settings: Settings) -> Iterator[Finding]:
    for index, one in enumerate(material.transcript.items if material.transcript else ()):
        if "XX" in one.words:
            yield WORD.at(material, f"the word {one.words!r} at {one.start_time} s", material.transcript, index)


def _turns(material: Material, settings: Settings) -> Iterator[Finding]:
    for index, one in enumerate(material.turns.items if material.turns else ()):
        if one.duration > settings.limit("longest"):
            yield LONG.at(material, f"a turn of {one.duration:.1f} s", material.turns, index)


def _trouble(material: Material, settings: Settings) -> Iterator[Finding]:
    yield from (replace(one, code=READ.code) for one in material.trouble if one.severity is Severity.ERROR)


def _notices(material: Material, settings: Settings) -> Iterator[Finding]:
    for one in material.trouble:
        if one.severity is not Severity.ERROR:
            yield replace(one, code=NOTICE.code, message=f"{one.message} ({one.code})")


def _loud(material: Material, settings: Settings) -> Iterator[Finding]:
    if material.audio is not None and material.audio.level_db is not None and material.audio.level_db.max() > -3:
        yield LOUD.at(material, "it is loud")


def _audio(material: Material, settings: Settings) -> Iterator[Finding]:
    if material.audio is not None and material.audio.header.sample_rate != 16000:
        yield RATE.at(material, f"{material.audio.header.sample_rate} Hz")


def _alike(whole: Whole, settings: Settings) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for one in whole.materials:
        digest = one.sha256.get("audio", "")
        assert one.audio is None or one.audio.level_db is None, "levels of a whole set do not fit into memory"
        if digest and digest in first:
            yield SAME.at(one, f"the same sound as {first[digest]}")
        first.setdefault(digest, one.session_id)


READ = Check("QC190", "cannot-read", "A file does not read", Severity.ERROR, _trouble)
NOTICE = Check("QC191", "noticed", "Something was noticed", Severity.NOTE, _notices)
RATE = Check("QC192", "odd-rate", "The rate is odd", Severity.NOTE, _audio)
WORD = Check("QC193", "bad-word", "A word is bad", Severity.WARNING, _words)
LOUD = Check("QC194", "loud", "It is loud", Severity.WARNING, _loud, hears=True)
LONG = Check("QC490", "long-turn", "A turn is long", Severity.NOTE, _turns, limits={"longest": 60.0})
SAME = Check("QC590", "same-sound", "Two recordings sound the same", Severity.ERROR, whole=_alike)
ALL = (READ, NOTICE, RATE, WORD, LOUD, LONG, SAME)


@pytest.fixture
def small_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only these checks exist."""
    table = {check.code: check for check in ALL}
    monkeypatch.setattr(_check, "all_checks", lambda: table)
    monkeypatch.setattr("parakh.qc.all_checks", lambda: table)


def without_places(line: str) -> str:
    """A line of output without its numbers."""
    return re.sub(r"\d+", "#", line)
