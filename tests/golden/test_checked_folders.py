"""Folders that others published, as they lie: every recording is found, and what does not read is told."""

from collections import Counter
from pathlib import Path

import pytest

from parakh.dataset.materials import gather
from parakh.types import Severity

ROOT = Path(__file__).parents[2]
DATA = ROOT.parent / "shared" / "data"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="the folder of public data is not beside this checkout")


@needs_data
@pytest.mark.parametrize(("part", "count"), [("dev", 216), ("test", 232)])
def test_voxconverse(part: str, count: int) -> None:
    """216 and 232 recordings, as its authors say; one RTTM each."""
    found = gather([DATA / "voxconverse" / part]).whole.materials
    assert len(found) == count
    assert all(one.turns is not None and one.turns.items for one in found)
    assert not [one.trouble for one in found if one.trouble]


@needs_data
def test_a_conversation_in_ten_languages() -> None:
    """The same talk in a folder a language, plain text; sound for Hindi, Kannada and Tamil (its README)."""
    found = gather([DATA / "doctor-patient-indic"]).whole.materials
    assert {one.language for one in found} == {"bn", "en", "gu", "hi", "kn", "ml", "mr", "pa", "ta", "te"}
    assert {one.language for one in found if one.entry.recording.audio} == {"hi", "kn", "ta"}
    assert all(one.transcript is not None and len(one.transcript.items) == 1 for one in found)


@needs_data
def test_cases_of_bad_names() -> None:
    """Names with blanks: the lines are those of EXPECTED.md, cases 13 and 14."""
    found = gather([DATA / "cases" / "14-speaker-name-with-space"]).whole.materials
    lines = Counter((Path(one.path or "").name, one.line, one.severity) for recording in found for one in recording.trouble)
    assert lines == {("bad.rttm", 1, Severity.ERROR): 1, ("bad.rttm", 2, Severity.ERROR): 1}


def test_the_bundled_conversations() -> None:
    found = gather([ROOT / "examples"]).whole.materials
    assert [(one.session_id, one.language) for one in found] == [
        ("hi_anc_01", "hi"),
        ("hi_child_02", "hi"),
        ("hi_elder_03", "hi"),
        ("kn_fever_04", "kn"),
    ]
    for one in found:
        assert all((one.turns, one.transcript, one.topics, one.summary, one.entry.recording.audio))
